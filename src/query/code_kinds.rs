//! Sets of kinds of code, and the user's ownership rules.

use crate::base::kind::PackageKind;

/// Some kinds of code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct KindSet(u8);

/// Spells a set without kinds where a missing one would mean another default.
const NO_KINDS: &str = "none";

/// Bit of a set written as [`NO_KINDS`].
const SAID_NONE: u8 = 1 << 7;

impl KindSet {
    /// Reads kinds between commas; the error is the first word that is none.
    pub fn from_text(text: &str) -> Result<Self, &str> {
        let mut set = KindSet::default();
        if text.trim() == NO_KINDS {
            return Ok(KindSet(SAID_NONE));
        }
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            set.0 |= 1 << PackageKind::from_name(word).ok_or(word)? as u8;
        }
        Ok(set)
    }

    /// The kinds with commas, always in the same order.
    pub fn to_text(self) -> String {
        if self.0 == SAID_NONE {
            return NO_KINDS.to_owned();
        }
        let names = PackageKind::ALL.into_iter().filter(|kind| self.has(*kind)).map(PackageKind::name);
        names.collect::<Vec<_>>().join(",")
    }

    /// Returns whether `kind` is one of them.
    pub fn has(self, kind: PackageKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }

    /// Returns whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 & !SAID_NONE == 0
    }
}

/// Property that a rule matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleOn {
    /// The package's name.
    Package,
    /// The function's name.
    Function,
    /// The path of its source file.
    File,
    /// The path of the module.
    Library,
}

impl RuleOn {
    const NAMED: [(&'static str, RuleOn); 4] =
        [("package:", RuleOn::Package), ("function:", RuleOn::Function), ("file:", RuleOn::File), ("library:", RuleOn::Library)];
}

/// A user's rule: matching code has this kind, and optionally this package.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct KindRule {
    /// Property that the pattern is compared with.
    pub on: RuleOn,
    /// Text in which every `*` represents anything.
    pub pattern: String,
    /// Kind of matching code.
    pub kind: PackageKind,
    /// And of this package; empty: of its own.
    pub package: String,
    /// The pattern between its stars.
    parts: Vec<String>,
}

impl KindRule {
    /// A rule.
    pub fn new(on: RuleOn, pattern: &str, kind: PackageKind, package: &str) -> Self {
        let parts = pattern.split('*').map(str::to_owned).collect();
        KindRule { on, pattern: pattern.to_owned(), kind, package: package.to_owned(), parts }
    }

    /// The pattern and what it is compared with, such as `file:*/vendor/*`.
    pub fn target(&self) -> String {
        // A pattern without a prefix is a package, unless it looks like something else.
        let is_plain = self.on == RuleOn::Package && RuleOn::NAMED.iter().all(|(word, _)| !self.pattern.starts_with(word));
        let on = RuleOn::NAMED.iter().find(|(_, on)| *on == self.on && !is_plain).map_or("", |(word, _)| word);
        format!("{on}{}", self.pattern)
    }

    /// Returns whether `text` fits. O(lengths).
    pub fn fits(&self, text: &str) -> bool {
        let [first, inner @ .., last] = &self.parts[..] else { return text == self.pattern };
        let Some(mut rest) = text.strip_prefix(first.as_str()) else { return false };
        for part in inner {
            let Some(at) = rest.find(part.as_str()) else { return false };
            rest = &rest[at + part.len()..];
        }
        rest.ends_with(last.as_str())
    }
}

/// Rules, the first that fits decides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct KindRules(pub Vec<KindRule>);

impl KindRules {
    /// Reads `serde*=own,function:my_alloc*=allocator,file:*/vendor/*=third_party/vendored`; the error is what
    /// is wrong with the first rule that is none.
    pub fn from_text(text: &str) -> Result<Self, String> {
        let parts = split(text);
        if parts.len() > MOST {
            return Err(format!("a list of at most {MOST} rules (found {})", parts.len()));
        }
        parts.into_iter().map(rule).collect::<Result<_, _>>().map(KindRules)
    }

    /// The rules as they are read.
    pub fn to_text(&self) -> String {
        let texts = self.0.iter().map(|rule| {
            let package = if rule.package.is_empty() { String::new() } else { format!("/{}", rule.package) };
            format!("{}={}{package}", rule.target(), rule.kind.name())
        });
        texts.collect::<Vec<_>>().join(",")
    }

    /// Returns whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Rules of one question, at most: every function is compared with all of them.
const MOST: usize = 256;

/// Bytes of a pattern, and stars in it, at most.
const LONGEST: (usize, usize) = (1000, 20);

/// Parts between commas. Names have commas, too (`HashMap<K, V>`): where brackets are, a rule ends with its kind.
fn split(text: &str) -> Vec<&str> {
    let (mut start, mut parts) = (0, Vec::new());
    let is_whole = |part: &str| part.rsplit_once('=').is_some_and(|(_, kind)| kind_of(kind).is_some());
    for at in text.match_indices(',').map(|(at, _)| at).chain([text.len()]) {
        let part = &text[start..at];
        if at == text.len() || is_whole(part) || !part.contains(['<', '(', '[']) {
            parts.push(part.trim());
            start = at + 1;
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// `third_party/zlib`: a kind, and perhaps a package.
fn kind_of(text: &str) -> Option<(PackageKind, &str)> {
    let (kind, package) = text.split_once('/').unwrap_or((text, ""));
    Some((PackageKind::from_name(kind.trim())?, package))
}

fn rule(text: &str) -> Result<KindRule, String> {
    let expected = || {
        let kinds = PackageKind::ALL.map(PackageKind::name).join(", ");
        format!("a list of rules PATTERN=KIND, as in serde*=own,function:my_alloc*=allocator: {text:?} is not a rule (kinds: {kinds})")
    };
    let (pattern, kind) = text.rsplit_once('=').ok_or_else(expected)?;
    let (kind, package) = kind_of(kind).ok_or_else(expected)?;
    let named = RuleOn::NAMED.iter().find_map(|(word, on)| Some((*on, pattern.strip_prefix(word)?)));
    let (on, pattern) = named.unwrap_or((RuleOn::Package, pattern));
    if pattern.is_empty() {
        return Err(expected());
    }
    if pattern.len() > LONGEST.0 || pattern.matches('*').count() > LONGEST.1 {
        return Err(format!("a list of patterns with at most {} bytes and {} stars", LONGEST.0, LONGEST.1));
    }
    Ok(KindRule::new(on, pattern, kind, package))
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
    fn every_rule_reads_as_it_is_written() {
        for text in [
            "function:operator<*=own,foo*=own,bar*=third_party",
            "function:operator->*=own,function:Map<K, V>::x=own",
            "package:function:x=own",
            "function:a<b,c=own/d=own",
        ] {
            let rules = KindRules::from_text(text).unwrap();
            assert_eq!(KindRules::from_text(&rules.to_text()), Ok(rules.clone()), "{text}");
            assert_eq!(rules.to_text(), text);
        }
        assert_eq!(KindRules::from_text("function:operator<*=own,foo*=own,bar*=third_party").unwrap().0.len(), 3);
        assert!(KindRules::from_text(&"a=own,".repeat(MOST + 1)).unwrap_err().contains("at most"));
        assert!(KindRules::from_text(&format!("{}=own", "*".repeat(50_000))).unwrap_err().contains("stars"));
    }

    #[test]
    fn stars_match_anything() {
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
        assert_eq!(KindSet::from_text("std,none"), Err("none"));
    }

    #[test]
    fn an_empty_set_has_a_name() {
        let none = KindSet::from_text("none").unwrap();
        assert!(none.is_empty() && PackageKind::ALL.iter().all(|kind| !none.has(*kind)));
        assert_eq!(none.to_text(), "none");
        assert_eq!(KindSet::from_text("").unwrap().to_text(), "");
    }
}
