//! Changes of ownership rules, and their form in `heapview.toml`.

use super::code_kinds::{KindRule, KindRules, RuleOn};
use crate::base::kind::PackageKind;

/// Bytes and stars of a pattern that is made of a name; longer names are matched by their beginning.
const LONGEST: (usize, usize) = (500, 10);

impl KindRules {
    /// These `rules` first, in place of others for the same code.
    pub fn with_first(self, mut rules: Vec<KindRule>) -> Self {
        let is_other = |rule: &KindRule| !rules.iter().any(|first| (first.on, &first.pattern) == (rule.on, &rule.pattern));
        let others: Vec<KindRule> = self.0.into_iter().filter(|rule| !rule.package.is_empty() || is_other(rule)).collect();
        rules.extend(others);
        KindRules(rules)
    }

    /// A rule for one function first. A function is charged again by removing the rule that made it an allocator, if there is one.
    pub fn with_function(self, name: &str, kind: PackageKind) -> Self {
        let rule = KindRule::new(RuleOn::Function, &pattern(name), kind, "");
        let made = |of: &KindRule| (of.on, &of.pattern, of.package.as_str()) == (rule.on, &rule.pattern, "");
        if kind == PackageKind::Own && self.0.iter().any(made) {
            return KindRules(self.0.into_iter().filter(|of| !made(of)).collect());
        }
        self.with_first(vec![rule])
    }

    /// The rule with index `at` has another kind.
    pub fn with_kind(mut self, at: usize, kind: PackageKind) -> Self {
        if let Some(rule) = self.0.get_mut(at) {
            rule.kind = kind;
        }
        self
    }

    /// Without the rule with index `at`.
    pub fn without(mut self, at: usize) -> Self {
        if at < self.0.len() {
            self.0.remove(at);
        }
        self
    }

    /// The tables `[kinds]` and `[packages]` of `heapview.toml`.
    pub fn to_toml(&self) -> String {
        let (mut kinds, mut packages) = (Table::default(), Table::default());
        for rule in &self.0 {
            if rule.package.is_empty() {
                kinds.put(rule.kind.name(), &rule.target());
                continue;
            }
            packages.put(&quoted(&rule.package), &rule.target());
            // [kinds] sets the kind of a package in [packages].
            if rule.kind != PackageKind::ThirdParty {
                kinds.put(rule.kind.name(), &rule.package);
            }
        }
        let tables = [kinds.written("kinds"), packages.written("packages")];
        tables.into_iter().filter(|table| !table.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

/// Pattern that matches a function's name.
fn pattern(name: &str) -> String {
    let (most, stars) = LONGEST;
    if name.len() <= most && name.matches('*').count() <= stars {
        return name.to_owned();
    }
    let end = name.match_indices('*').nth(stars).map_or(name.len(), |(at, _)| at).min(most);
    let end = (0..=end).rfind(|&end| name.is_char_boundary(end)).unwrap_or(0);
    format!("{}*", &name[..end])
}

/// Keys with lists of texts, in the order in which they came.
#[derive(Default)]
struct Table(Vec<(String, Vec<String>)>);

impl Table {
    fn put(&mut self, key: &str, text: &str) {
        let text = quoted(text);
        match self.0.iter_mut().find(|(of, _)| of == key) {
            Some((_, texts)) if texts.contains(&text) => {}
            Some((_, texts)) => texts.push(text),
            None => self.0.push((key.to_owned(), vec![text])),
        }
    }

    fn written(&self, name: &str) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let lines = self.0.iter().map(|(key, texts)| format!("{key} = [{}]\n", texts.join(", ")));
        format!("[{name}]\n{}", lines.collect::<String>())
    }
}

/// A TOML string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_written_as_in_the_file() {
        let text = "a=own,function:f\"*=allocator,b=own,file:*/zlib/*=third_party/zlib,library:*vm.so=own/vm";
        assert_eq!(
            KindRules::from_text(text).unwrap().to_toml(),
            "[kinds]\nown = [\"a\", \"b\", \"vm\"]\nallocator = [\"function:f\\\"*\"]\n\n\
             [packages]\n\"zlib\" = [\"file:*/zlib/*\"]\n\"vm\" = [\"library:*vm.so\"]\n"
        );
        assert_eq!(KindRules::default().to_toml(), "");
        assert_eq!(KindRules::from_text("a\nb=own").unwrap().to_toml(), "[kinds]\nown = [\"a\\u000ab\"]\n");
    }
}
