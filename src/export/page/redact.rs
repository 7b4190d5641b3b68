//! What a file that is sent away should not tell: whose machine it was, where things lie
//! there, and whatever the person names.
//!
//! Paths are cut to what identifies a package (`serde-1.0.200/src/de.rs`), else to the file's
//! name; what matches an expression of the person's gets a pseudonym, the same for the same
//! text wherever it stands.

use std::cell::RefCell;

use crate::hash::HashMap;

use regex::{Captures, Regex};
use thiserror::Error;

/// What a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Said {
    /// A function's name.
    Function,
    /// A source path.
    SourceFile,
    /// Path of a mapped file.
    MappedFile,
    /// A label's key or text.
    Label,
    /// A word that has no paths in it, such as a unit or a version.
    Other,
}

/// A rule that cannot be followed.
#[derive(Debug, Error)]
pub enum RuleError {
    /// The expression cannot be compiled.
    #[error("the expression {0:?} does not compile: {1}")]
    Pattern(String, String),
    /// The expression takes nothing away.
    #[error("the expression {0:?} matches the empty text, which is everywhere")]
    Empty(String),
}

struct Rule {
    pattern: Regex,
    /// What stands for a match; `None`: a pseudonym.
    by: Option<String>,
}

/// Rules, and the pseudonyms given so far.
pub struct Redaction {
    rules: Vec<Rule>,
    /// Paths inside other texts: those with a home in them, and all others from a root on.
    paths: [Option<Regex>; 2],
    pseudonyms: RefCell<HashMap<String, usize>>,
}

/// Between an expression and what to write for it.
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
        let homes = Regex::new(r#"(?i)(?:[a-z]:)?[/\\](?:home|users|root)[/\\][^\s:;,'"()<>]*"#).ok();
        let rooted = Regex::new(r#"(?:^|\b[A-Za-z]:|[\s:;,='"(<@{\[])[/\\][^\s:;,'"()<>/\\]+[/\\][^\s:;,'"()<>]*"#).ok();
        Ok(Redaction { rules, paths: [homes, rooted], pseudonyms: RefCell::default() })
    }

    /// `text` without what must not be told.
    pub fn apply(&self, what: Said, text: &str) -> String {
        let plain = match what {
            Said::Other => text.to_owned(),
            Said::SourceFile => source_path(text),
            Said::MappedFile => base_name(&slashes(text)).to_owned(),
            Said::Function | Said::Label => self.without_paths(text),
        };
        self.rules.iter().fold(plain, |text, rule| match &rule.by {
            Some(by) => rule.pattern.replace_all(&text, regex::NoExpand(by)).into_owned(),
            None => rule.pattern.replace_all(&text, |found: &Captures| self.pseudonym(&found[0])).into_owned(),
        })
    }

    /// Paths inside another text, such as that of the file a closure stands in.
    fn without_paths(&self, text: &str) -> String {
        self.paths.iter().flatten().fold(text.to_owned(), |text, paths| {
            let told = |found: &Captures| {
                // What stands before a path is no part of it.
                let (before, path) = found[0].split_at(found[0].find(['/', '\\']).unwrap_or_default());
                let before = if before.len() == 2 { "" } else { before };
                format!("{before}{}", source_path(path))
            };
            paths.replace_all(&text, told).into_owned()
        })
    }

    fn pseudonym(&self, text: &str) -> String {
        let mut known = self.pseudonyms.borrow_mut();
        let next = known.len() + 1;
        format!("redacted{}", known.entry(text.to_owned()).or_insert(next))
    }
}

fn slashes(path: &str) -> String {
    if path.contains('/') { path.to_owned() } else { path.replace('\\', "/") }
}

fn base_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or_default()
}

/// A source path without what is of one machine only.
fn source_path(path: &str) -> String {
    let path = slashes(path);
    let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    let drive = parts.first().is_some_and(|first| first.len() == 2 && first.ends_with(':'));
    let at_home = parts.iter().any(|part| ["home", "Users", "root"].contains(part));
    // A home itself: its name is somebody's.
    if parts.len() >= 2 && ["home", "Users"].contains(&parts[parts.len() - 2]) {
        return "~".to_owned();
    }
    let from = |start: usize| parts.get(start..).map_or(String::new(), |rest| rest.join("/"));
    if !path.starts_with('/') && !drive && !at_home && !parts.contains(&"..") {
        return path;
    }
    let last = parts.len().saturating_sub(1);
    // `repo-0a1b2c3d4e5f6789/0a1b2c3/src/lib.rs`, as cargo checks repositories out.
    let checkout = parts.windows(2).position(|pair| pair == ["git", "checkouts"]).map(|at| at + 2).filter(|at| at + 2 < parts.len());
    if let Some(at) = checkout {
        let name = parts[at].rsplit_once('-').map_or(parts[at], |(name, _)| name);
        return format!("{name}/{}", from(at + 2));
    }
    // The innermost folder that is named as packages are: `serde-1.0.200`, `go@v1.2.3`.
    if let Some(at) = parts[..last].iter().rposition(|part| is_package(part)) {
        let module = parts[..at].windows(2).rposition(|pair| pair == ["pkg", "mod"]).map_or(at, |module| module + 2);
        return from(module);
    }
    // `/rustc/0a1b2c…/library/alloc/src/vec/mod.rs`: the same on every machine.
    if let (Some(&"rustc"), Some(&"library")) = (parts.first(), parts.get(2)) {
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
    fn check(path: &str, told: &str) {
        assert_eq!(Redaction::new([]).unwrap().apply(Said::SourceFile, path), told);
    }

    #[test]
    fn paths_tell_the_package_only() {
        check("/home/ann/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/serde-1.0.200/src/de.rs", "serde-1.0.200/src/de.rs");
        check("/rust/deps/hashbrown-0.15.2/src/raw/mod.rs", "hashbrown-0.15.2/src/raw/mod.rs");
        check("/home/ann/.cargo/git/checkouts/tokio-0a1b2c3d4e5f6789/0a1b2c3/tokio/src/lib.rs", "tokio/tokio/src/lib.rs");
        check("/home/ann/go/pkg/mod/github.com/a/b@v1.2.3/x.go", "github.com/a/b@v1.2.3/x.go");
        check("/rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/library/alloc/src/vec/mod.rs", "library/alloc/src/vec/mod.rs");
        check("/home/ann/secret-project/src/main.rs", "main.rs");
        check("C:\\Users\\ann\\work\\x.cc", "x.cc");
        check("../../../home/ann/x.c", "x.c");
        check("src/main.rs", "src/main.rs");
        check("/home/ann", "~");
        check("/home/ann/", "~");
        check("", "");
    }

    #[test]
    fn paths_inside_names_go_too() {
        let redaction = Redaction::new([]).unwrap();
        assert_eq!(redaction.apply(Said::Function, "{lambda at /home/ann/work/x.cc:12:3}"), "{lambda at x.cc:12:3}");
        assert_eq!(redaction.apply(Said::MappedFile, "/home/ann/target/release/server"), "server");
        for plain in ["home::users::f", "github.com/a/b.(*T).Run", "operator/(X const&, X const&)", "http://host/path", "GET /login", "a/b"]
        {
            assert_eq!(redaction.apply(Said::Function, plain), plain);
        }
        for (text, told) in [
            ("/var/lib/store/db", "db"),
            ("{closure at /srv/build/x.rs:3}", "{closure at x.rs:3}"),
            ("dir=/home/ann", "dir=~"),
            ("C:\\work\\acme\\x.cc", "x.cc"),
        ] {
            assert_eq!(redaction.apply(Said::Label, text), told);
        }
    }

    #[test]
    fn what_matches_gets_the_same_pseudonym_everywhere() {
        let redaction = Redaction::new(["acme", "tiger|lion=>cat"]).unwrap();
        assert_eq!(redaction.apply(Said::Function, "acme::run<tiger>"), "redacted1::run<cat>");
        assert_eq!(redaction.apply(Said::SourceFile, "/src/acme/acme.rs"), "redacted1.rs");
        assert_eq!(redaction.apply(Said::Label, "lion"), "cat");
    }

    #[test]
    fn rules_that_cannot_be_followed_are_refused() {
        assert!(Redaction::new(["(("]).err().unwrap().to_string().contains("unclosed group"));
        assert!(Redaction::new(["a*"]).err().unwrap().to_string().contains("empty"));
    }
}
