//! Which kinds of code are folded away, and what the person knows of whose code is what.

use crate::kind::PackageKind;

/// Some kinds of code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KindSet(u8);

impl KindSet {
    /// Reads kinds between commas; the error is the first word that is none.
    pub fn from_text(text: &str) -> Result<Self, &str> {
        let mut set = KindSet::default();
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            set.0 |= 1 << PackageKind::from_name(word).ok_or(word)? as u8;
        }
        Ok(set)
    }

    /// The kinds with commas, always in the same order.
    pub fn to_text(self) -> String {
        let names = PackageKind::ALL.into_iter().filter(|kind| self.has(*kind)).map(PackageKind::name);
        names.collect::<Vec<_>>().join(",")
    }

    /// Whether `kind` is one of them.
    pub fn has(self, kind: PackageKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

/// What a rule looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleOn {
    /// The package's name.
    Package,
    /// The function's name.
    Function,
    /// The path of its source file.
    File,
    /// The path of the mapped file.
    Library,
}

impl RuleOn {
    const NAMED: [(&'static str, RuleOn); 4] =
        [("package:", RuleOn::Package), ("function:", RuleOn::Function), ("file:", RuleOn::File), ("library:", RuleOn::Library)];
}

/// Code that is of a kind, and perhaps of a package, because the person says so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KindRule {
    /// What the pattern is compared with.
    pub on: RuleOn,
    /// Text in which every `*` stands for anything.
    pub pattern: String,
    /// What fits is of this kind.
    pub kind: PackageKind,
    /// And of this package; empty: of its own.
    pub package: String,
}

impl KindRule {
    /// Whether `text` fits. O(lengths).
    pub fn fits(&self, text: &str) -> bool {
        let mut parts = self.pattern.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = text.strip_prefix(first) else { return false };
        let mut parts: Vec<&str> = parts.collect();
        let Some(last) = parts.pop() else { return rest.is_empty() };
        for part in parts {
            let Some(at) = rest.find(part) else { return false };
            rest = &rest[at + part.len()..];
        }
        rest.ends_with(last)
    }
}

/// Rules, the first that fits decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KindRules(pub Vec<KindRule>);

impl KindRules {
    /// Reads `serde*=own,function:my_alloc*=allocator,file:*/vendor/*=third_party/vendored`; the error is what
    /// is wrong with the first rule that is none.
    pub fn from_text(text: &str) -> Result<Self, String> {
        split(text).into_iter().map(rule).collect::<Result<_, _>>().map(KindRules)
    }

    /// The rules as they are read.
    pub fn to_text(&self) -> String {
        let texts = self.0.iter().map(|rule| {
            let on = RuleOn::NAMED.iter().find(|(_, on)| *on == rule.on && rule.on != RuleOn::Package).map_or("", |(word, _)| word);
            let package = if rule.package.is_empty() { String::new() } else { format!("/{}", rule.package) };
            format!("{on}{}={}{package}", rule.pattern, rule.kind.name())
        });
        texts.collect::<Vec<_>>().join(",")
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Parts between commas; those in brackets of names (`HashMap<K, V>`) do not count.
fn split(text: &str) -> Vec<&str> {
    let (mut depth, mut start, mut parts) = (0i32, 0, Vec::new());
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'<' | b'(' | b'[' => depth += 1,
            b'>' | b')' | b']' => depth -= 1,
            b',' if depth <= 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect()
}

fn rule(text: &str) -> Result<KindRule, String> {
    let expected = || {
        let kinds = PackageKind::ALL.map(PackageKind::name).join(", ");
        format!("made of rules PATTERN=KIND such as serde*=own or function:my_alloc*=allocator: {text:?} is none (kinds are {kinds})")
    };
    let (pattern, kind) = text.rsplit_once('=').ok_or_else(expected)?;
    let (kind, package) = kind.split_once('/').unwrap_or((kind, ""));
    let kind = PackageKind::from_name(kind.trim()).ok_or_else(expected)?;
    let named = RuleOn::NAMED.iter().find_map(|(word, on)| Some((*on, pattern.strip_prefix(word)?)));
    let (on, pattern) = named.unwrap_or((RuleOn::Package, pattern));
    if pattern.is_empty() {
        return Err(expected());
    }
    Ok(KindRule { on, pattern: pattern.to_owned(), kind, package: package.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_and_written() {
        let text = "serde*=own,function:my::Map<K, V>::*=allocator,file:*/vendor/zlib/*=third_party/zlib";
        let rules = KindRules::from_text(text).unwrap();
        assert_eq!(rules.to_text(), text);
        assert_eq!((rules.0[1].on, rules.0[2].package.as_str()), (RuleOn::Function, "zlib"));
        assert_eq!(KindRules::from_text("package:a=std, ,b=async").unwrap().to_text(), "a=runtime,b=plumbing");
        for wrong in ["a", "a=mine", "=own", "function:=own"] {
            assert!(KindRules::from_text(wrong).unwrap_err().contains("PATTERN=KIND"), "{wrong}");
        }
    }

    #[test]
    fn stars_stand_for_anything() {
        let rule = |pattern: &str| rule(&format!("{pattern}=own")).unwrap();
        for (pattern, text, fit) in [
            ("serde", "serde", true),
            ("serde", "serde_json", false),
            ("serde*", "serde_json", true),
            ("*json", "serde_json", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c-b", false),
            ("ab*bc", "abc", false),
            ("*", "", true),
        ] {
            assert_eq!(rule(pattern).fits(text), fit, "{pattern} {text}");
        }
    }

    #[test]
    fn kinds_have_short_words() {
        assert_eq!(KindSet::from_text("async, alloc,std").unwrap().to_text(), "allocator,runtime,plumbing");
        assert_eq!(KindSet::from_text("std,mine"), Err("mine"));
    }
}
