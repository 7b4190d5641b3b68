//! Redaction of report files (`-redact`). Names of functions, packages that appear in these names, and base names of
//! files stay; folders, labels, system names, comments, build ids and URLs are removed.
//!
//! Paths are cut to the file name, with the package if it is in a public registry or the toolchain
//! (`serde-1.0.200/src/de.rs`). A label's key or value, and text that matches a user's expression, gets a
//! pseudonym, the same for the same text wherever it occurs.

use std::cell::RefCell;

use super::used::Used;
use crate::base::hash::{HashMap, HashSet};
use crate::base::plain::{base_name, base_name_of_any_system};
use crate::profile::{Profile, is_made_up};

use regex::{Captures, Regex};
use thiserror::Error;

/// Kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextKind {
    /// A function's name.
    Function,
    /// A source path.
    SourceFile,
    /// Path of a mapped file.
    MappedFile,
    /// A label's key.
    LabelKey,
    /// A label's text.
    LabelText,
    /// Kind of a value type, such as `inuse_space`.
    ValueType,
    /// A unit of values or labels.
    Unit,
}

/// Label keys written by profilers; their numbers are sizes, not personal data.
const KNOWN_KEYS: [&str; 6] = ["alignment", "bytes", "request", "thread", "thread_id", "thread_name"];

/// Words of value types.
const KNOWN_KINDS: [&str; 35] = [
    "accum",
    "alloc",
    "allocated",
    "allocations",
    "allocs",
    "block",
    "blocks",
    "bytes",
    "contentions",
    "copied",
    "count",
    "cpu",
    "delay",
    "events",
    "free",
    "frees",
    "heap",
    "inuse",
    "lifetime",
    "live",
    "mapped",
    "max",
    "mem",
    "memory",
    "objects",
    "peak",
    "read",
    "sample",
    "samples",
    "space",
    "temp",
    "time",
    "total",
    "units",
    "write",
];

/// Units.
const KNOWN_UNITS: [&str; 17] = [
    "",
    "B",
    "KB",
    "MB",
    "byte",
    "bytes",
    "count",
    "instructions",
    "instrs",
    "kilobytes",
    "microseconds",
    "milliseconds",
    "nanoseconds",
    "objects",
    "samples",
    "seconds",
    "units",
];

/// An invalid rule.
#[derive(Debug, Error)]
pub enum RuleError {
    /// The expression cannot be compiled.
    #[error("the expression {0:?} does not compile: {1}")]
    Pattern(String, String),
    /// The expression matches the empty text.
    #[error("the expression {0:?} matches the empty text, which is everywhere")]
    Empty(String),
}

struct Rule {
    pattern: Regex,
    /// Replacement for a match; `None`: a pseudonym.
    by: Option<String>,
}

/// Rules, and the pseudonyms given so far.
pub struct Redaction {
    rules: Vec<Rule>,
    paths: PathsInText,
    /// Word of the pseudonym → hidden text → its number.
    pseudonyms: RefCell<HashMap<&'static str, HashMap<String, usize>>>,
}

/// Finds paths inside other texts.
pub struct PathsInText {
    /// Paths with a home directory, other absolute paths, and paths in positions of closures.
    paths: [Option<Regex>; 3],
}

/// Separates an expression from its replacement.
const ARROW: &str = "=>";

impl Redaction {
    /// The built-in rules, and one for each text: `REGEX` or `REGEX=>TEXT`.
    ///
    /// # Errors
    /// An expression that does not compile, or that matches nothing at all.
    pub fn new<'a>(rules: impl IntoIterator<Item = &'a str>) -> Result<Self, RuleError> {
        let rule = |text: &str| {
            let (source, by) = match text.split_once(ARROW) {
                Some((source, by)) => (source, Some(by.to_owned())),
                None => (text, None),
            };
            let pattern = Regex::new(source).map_err(|error| {
                let why = error.to_string();
                let last = why.lines().last().unwrap_or_default().trim();
                RuleError::Pattern(source.into(), last.trim_start_matches("error: ").into())
            })?;
            if pattern.is_match("") { Err(RuleError::Empty(source.into())) } else { Ok(Rule { pattern, by }) }
        };
        let rules = rules.into_iter().filter(|text| !text.is_empty()).map(rule).collect::<Result<_, _>>()?;
        Ok(Redaction { rules, paths: PathsInText::new(), pseudonyms: RefCell::default() })
    }

    /// Returns `text` without what must not be shown.
    pub fn apply(&self, what: TextKind, text: &str) -> String {
        let is_known_kind = |text: &str| text.split('_').all(|word| KNOWN_KINDS.contains(&word));
        match what {
            TextKind::SourceFile => self.by_rules(&source_path(text)),
            TextKind::MappedFile => self.by_rules(base_name(&slashes(text))),
            // Not a function's name.
            TextKind::Function if is_made_up(text) => text.to_owned(),
            TextKind::Function => self.by_rules(&self.paths.cut(text)),
            TextKind::LabelKey if KNOWN_KEYS.contains(&text) => text.to_owned(),
            TextKind::LabelKey => self.pseudonym("label", text),
            TextKind::LabelText => self.pseudonym("value", text),
            TextKind::ValueType if is_known_kind(text) => text.to_owned(),
            TextKind::ValueType => self.pseudonym("kind", text),
            TextKind::Unit if KNOWN_UNITS.contains(&text) => text.to_owned(),
            TextKind::Unit => self.pseudonym("unit", text),
        }
    }

    /// Redacts the number of a label: sizes stay, others are replaced by a sequence number.
    pub fn number(&self, key: &str, number: i64) -> i64 {
        if KNOWN_KEYS.contains(&key) {
            return number;
        }
        self.count("number", &format!("{key}={number}")) as i64
    }

    /// Redacts the name of a package; `is_revealed`: names that stay contain it.
    pub fn package(&self, name: &str, is_revealed: bool) -> String {
        if is_revealed { self.apply(TextKind::Function, name) } else { self.pseudonym("package", name) }
    }

    fn by_rules(&self, text: &str) -> String {
        self.rules.iter().fold(text.to_owned(), |text, rule| match &rule.by {
            Some(by) => rule.pattern.replace_all(&text, regex::NoExpand(by)).into_owned(),
            None => rule.pattern.replace_all(&text, |found: &Captures| self.pseudonym("redacted", &found[0])).into_owned(),
        })
    }

    /// Pseudonym of a text; empty for an empty text.
    fn pseudonym(&self, word: &'static str, text: &str) -> String {
        if text.is_empty() { String::new() } else { format!("{word}{}", self.count(word, text)) }
    }

    /// The number of a text among those hidden by the same word, from 1.
    fn count(&self, word: &'static str, text: &str) -> usize {
        let mut all = self.pseudonyms.borrow_mut();
        let known = all.entry(word).or_default();
        let next = known.len() + 1;
        *known.entry(text.to_owned()).or_insert(next)
    }
}

/// Redaction of package names: those that appear in names of functions or files stay.
pub(super) struct PackageRedaction<'a> {
    redaction: &'a Redaction,
    /// Words of the names that a redacted file shows: functions, and base names of mapped files.
    words: HashSet<String>,
}

impl<'a> PackageRedaction<'a> {
    pub(super) fn new(redaction: &'a Redaction, profile: &Profile, used: &Used) -> Self {
        let functions = used.functions().map(|function| profile.text(function.name));
        let files = profile.code().mappings.iter().map(|mapping| base_name_of_any_system(profile.text(mapping.file)));
        // What the toolchain calls its own libraries.
        let libraries = ["alloc", "core", "std", "go", "runtime", "libc", "jemalloc", "tcmalloc"];
        let words = functions.chain(files).flat_map(words).chain(libraries).map(str::to_owned).collect();
        PackageRedaction { redaction, words }
    }

    /// The name of a package or module.
    pub(super) fn name(&self, name: &str) -> String {
        if name.is_empty() { String::new() } else { self.redaction.package(name, self.is_revealed(name)) }
    }

    /// The version of a package; empty unless it is a number and the name stays.
    pub(super) fn version<'t>(&self, name: &str, version: &'t str) -> &'t str {
        let is_number = version.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        if self.is_revealed(name) && is_number { version } else { "" }
    }

    fn is_revealed(&self, name: &str) -> bool {
        words(name).all(|word| self.words.contains(word))
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty())
}

impl Default for PathsInText {
    fn default() -> Self {
        Self::new()
    }
}

impl PathsInText {
    /// Compiles the expressions.
    pub fn new() -> Self {
        let homes = Regex::new(r#"(?i)(?:[a-z]:)?[/\\](?:home|users|root)[/\\][^\s:;,'"()<>]*"#).ok();
        let rooted = Regex::new(r#"(?:^|\b[A-Za-z]:|[\s:;,='"(<>|`@{\[])[/\\][^\s:;,'"()<>/\\]+[/\\][^\s:;,'"()<>]*"#).ok();
        // `{lambda at src/x.cc:3:1}`
        let places = Regex::new(r#" at [^\s:;,'"()<>/\\]+[/\\][^\s:;,'"()<>]*"#).ok();
        PathsInText { paths: [homes, rooted, places] }
    }

    /// `text` with the paths in it cut to what identifies a file on every machine.
    pub fn cut(&self, text: &str) -> String {
        self.paths.iter().flatten().fold(text.to_owned(), |text, paths| {
            let replacement = |found: &Captures| {
                let found = &found[0];
                if let Some(place) = found.strip_prefix(" at ") {
                    return format!(" at {}", source_path(place));
                }
                // What stands before a path is no part of it.
                let (before, path) = found.split_at(found.find(['/', '\\']).unwrap_or_default());
                let before = if before.len() == 2 { "" } else { before };
                format!("{before}{}", source_path(path))
            };
            paths.replace_all(&text, replacement).into_owned()
        })
    }
}

fn slashes(path: &str) -> String {
    if path.contains('/') { path.to_owned() } else { path.replace('\\', "/") }
}

/// A source path without the part that is specific to a machine or project.
pub fn source_path(path: &str) -> String {
    let path = slashes(path);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    // A home itself: its name is somebody's.
    if parts.len() >= 2 && ["home", "Users"].contains(&parts[parts.len() - 2]) {
        return "~".to_owned();
    }
    let from = |start: usize| parts.get(start..).map_or(String::new(), |rest| rest.join("/"));
    let last = parts.len().saturating_sub(1);
    let behind = |folders: &[&str]| parts.windows(folders.len()).rposition(|found| found == folders).map(|at| at + folders.len());
    let climbs = parts.contains(&"..");
    // `registry/src/INDEX/serde-1.0.200/…` and what Rust's own libraries are built from: public, and the same everywhere.
    let public = behind(&["registry", "src"]).map(|index| index + 1).or_else(|| behind(&["rust", "deps"]));
    if let Some(at) = public.filter(|at| *at < last && is_package(parts[*at]) && !climbs) {
        return from(at);
    }
    if let Some(at) = behind(&["pkg", "mod"]).filter(|at| parts[*at..].iter().any(|part| is_package(part)) && !climbs) {
        return from(at);
    }
    // `/rustc/0a1b2c…/library/alloc/src/vec/mod.rs`: the same on every machine.
    if let (Some(&"rustc"), Some(&"library"), false) = (parts.first(), parts.get(2), climbs) {
        return from(2);
    }
    from(last)
}

/// Whether a folder is named by package and version.
fn is_package(folder: &str) -> bool {
    let is_version = |text: &str| {
        let numbers = text.split(['-', '+']).next().unwrap_or_default();
        numbers.split('.').count() == 3 && numbers.split('.').all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
    };
    folder.match_indices('-').any(|(at, _)| at > 0 && is_version(&folder[at + 1..]))
        || folder.split_once("@v").is_some_and(|(name, version)| !name.is_empty() && is_version(version))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: &str) {
        assert_eq!(Redaction::new([]).unwrap().apply(TextKind::SourceFile, path), expected);
    }

    #[test]
    fn paths_are_cut_to_the_package() {
        check("/home/ann/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/serde-1.0.200/src/de.rs", "serde-1.0.200/src/de.rs");
        check("/rust/deps/hashbrown-0.15.2/src/raw/mod.rs", "hashbrown-0.15.2/src/raw/mod.rs");
        check("/home/ann/.cargo/git/checkouts/ledger-0a1b2c3d4e5f6789/0a1b2c3/books/src/lib.rs", "lib.rs");
        check("/home/ann/acme-1.2.3/src/lib.rs", "lib.rs");
        check("acme-1.2.3/src/lib.rs", "lib.rs");
        check("/x/registry/src/i/serde-1.0.1/../../../acme/a.rs", "a.rs");
        check("/home/ann/go/pkg/mod/github.com/a/b@v1.2.3/x.go", "github.com/a/b@v1.2.3/x.go");
        check("/rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/alloc/src/vec/mod.rs", "library/alloc/src/vec/mod.rs");
        check("/home/ann/secret-project/src/main.rs", "main.rs");
        check("C:\\Users\\ann\\work\\x.cc", "x.cc");
        check("../../../home/ann/x.c", "x.c");
        check("src/main.rs", "main.rs");
        check("relative/folder/q.rs", "q.rs");
        check("./q.rs", "q.rs");
        check("/home/ann", "~");
        check("/home/ann/", "~");
        check("", "");
    }

    #[test]
    fn paths_inside_names_go_too() {
        let redaction = Redaction::new([]).unwrap();
        assert_eq!(redaction.apply(TextKind::Function, "{lambda at /home/ann/work/x.cc:12:3}"), "{lambda at x.cc:12:3}");
        assert_eq!(redaction.apply(TextKind::MappedFile, "/home/ann/target/release/server"), "server");
        for plain in ["home::users::f", "github.com/a/b.(*T).Run", "operator/(X const&, X const&)", "http://host/path", "GET /login", "a/b"]
        {
            assert_eq!(redaction.apply(TextKind::Function, plain), plain);
        }
        for (text, expected) in [
            ("/var/lib/store/db", "db"),
            ("{closure at /srv/build/x.rs:3}", "{closure at x.rs:3}"),
            ("f<{lambda at lib/acme/x.cc:3:1}>", "f<{lambda at x.cc:3:1}>"),
            ("dir=/home/ann", "dir=~"),
            ("C:\\work\\acme\\x.cc", "x.cc"),
        ] {
            assert_eq!(redaction.apply(TextKind::Function, text), expected);
        }
    }

    #[test]
    fn matches_get_the_same_pseudonym_everywhere() {
        let redaction = Redaction::new(["acme", "tiger|lion=>cat"]).unwrap();
        assert_eq!(redaction.apply(TextKind::Function, "acme::run<tiger>"), "redacted1::run<cat>");
        assert_eq!(redaction.apply(TextKind::SourceFile, "/src/acme/acme.rs"), "redacted1.rs");
        assert_eq!(redaction.apply(TextKind::MappedFile, "lib/lion.so"), "cat.so");
    }

    #[test]
    fn labels_and_kinds_get_distinct_pseudonyms() {
        let redaction = Redaction::new([]).unwrap();
        let all = |what, texts: [&str; 4]| texts.map(|text| redaction.apply(what, text));
        assert_eq!(all(TextKind::LabelKey, ["tenant", "bytes", "tenant", "user"]), ["label1", "bytes", "label1", "label2"]);
        assert_eq!(all(TextKind::LabelText, ["ann@acme", "", "bob", "ann@acme"]), ["value1", "", "value2", "value1"]);
        assert_eq!(
            all(TextKind::ValueType, ["inuse_space", "acme_space", "alloc_objects", "space"]),
            ["inuse_space", "kind1", "alloc_objects", "space"]
        );
        assert_eq!(all(TextKind::Unit, ["bytes", "euros", "", "euros"]), ["bytes", "unit1", "", "unit1"]);
        let numbers = [("user", 4711), ("user", 12), ("bytes", 4711), ("user", 4711), ("tenant", 12)];
        assert_eq!(numbers.map(|(key, n)| redaction.number(key, n)), [1, 2, 4711, 1, 3]);
    }

    #[test]
    fn invalid_rules_are_errors() {
        assert!(Redaction::new(["(("]).err().unwrap().to_string().contains("unclosed group"));
        assert!(Redaction::new(["a*"]).err().unwrap().to_string().contains("empty"));
    }
}
