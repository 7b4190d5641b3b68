//! File name patterns that the shell did not expand: `'dumps/*.heap'`. `*`, `?` and `[a-z]` like in shells, in any component of a
//! path; hidden names need a pattern that begins with a dot.
//!
//! The glob crate matches components. Folders are read here, because `glob::glob` panics on hidden names that are not
//! UTF-8, never finds hidden names with `require_literal_leading_dot`, and has no bound.

use std::fs;
use std::path::{Component, Path, PathBuf};

use glob::{MatchOptions, Pattern};

/// Most paths that a pattern represents; more is a mistake.
const MOST: usize = 100_000;

/// Returns whether the path has anything but plain letters.
pub(super) fn is_pattern(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.contains(['*', '?', '[']))
}

/// The paths that are there, in the order of their names. O(names in the folders).
pub(super) fn paths(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for component in pattern.components() {
        let text = component.as_os_str().to_string_lossy();
        found = match matches!(component, Component::Normal(_)) && is_pattern(Path::new(&component)) {
            true => found.iter().flat_map(|folder| names(folder, &text)).take(MOST).collect(),
            false => found.into_iter().map(|folder| folder.join(component)).filter(|path| path.exists()).collect(),
        };
    }
    found
}

/// Matching names in the folder.
fn names(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Some(pattern) = component(pattern) else { return Vec::new() };
    let is_meant = |name: &str| pattern.matches_with(name, OPTIONS);
    let entries = fs::read_dir(here).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name()).filter(|name| name.to_str().is_some_and(is_meant));
    let mut paths: Vec<PathBuf> = names.map(|name| folder.join(name)).collect();
    paths.sort();
    paths
}

/// The pattern of one component, by the library's rules and two of shells' besides: `[^a]` is `[!a]`, and several stars
/// are one. `None` for a bracket that is not closed, which matches nothing.
fn component(pattern: &str) -> Option<Pattern> {
    let mut text = pattern.replace("[^", "[!");
    while text.contains("**") {
        text = text.replace("**", "*");
    }
    Pattern::new(&text).ok()
}

/// Names that begin with a dot match only a pattern that begins with one.
const OPTIONS: MatchOptions = MatchOptions { case_sensitive: true, require_literal_separator: false, require_literal_leading_dot: true };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_syntax_is_that_of_shells() {
        for (pattern, name, is_match) in [
            ("*.heap", "a.heap", true),
            ("*.heap", "a.heap.gz", false),
            ("*", "", true),
            ("?", "", false),
            ("a*b*c", "aXbYbc", true),
            ("a*b*c", "aXbYb", false),
            ("jeprof.[0-9]*.heap", "jeprof.7.0.f.heap", true),
            ("jeprof.[!0-9]*.heap", "jeprof.7.0.f.heap", false),
            ("jeprof.[^0-9]*.heap", "jeprof.7.0.f.heap", false),
            ("jeprof.[^0-8]*.heap", "jeprof.9.0.f.heap", true),
            ("a**b", "aXb", true),
            ("*", ".a", false),
            ("?a", ".a", false),
            ("[.]a", ".a", false),
            (".*", ".a", true),
            ("[]a]", "]", true),
            ("[a", "[a", false),
            ("é?", "éß", true),
        ] {
            let found = component(pattern).is_some_and(|pattern| pattern.matches_with(name, OPTIONS));
            assert_eq!(found, is_match, "{pattern} {name}");
        }
    }

    #[test]
    fn folders_may_be_patterns_too() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["a1/x.heap", "a1/y.heap", "a2/x.heap", "b/x.heap", "a1/.x.heap"] {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let found = paths(&folder.path().join("a?/*.heap"));
        let names: Vec<_> = found.iter().map(|path| path.strip_prefix(folder.path()).unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["a1/x.heap", "a1/y.heap", "a2/x.heap"]);
        assert!(paths(&folder.path().join("c*/x.heap")).is_empty());
    }
}
