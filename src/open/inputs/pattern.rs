//! Patterns of file names that the shell left alone: `'dumps/*.heap'`. `*`, `?` and `[a-z]` as shells have them,
//! in any part of a path; names that begin with a dot are meant only when the pattern says the dot.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// Most paths that a pattern stands for; more is a mistake.
const MOST: usize = 100_000;

/// Whether the path has anything but plain letters.
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

/// What in the folder matches.
fn names(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let pattern: Vec<char> = pattern.chars().collect();
    let is_meant = |name: &str| (pattern.first() == Some(&'.') || !name.starts_with('.')) && matches(&pattern, name);
    let entries = fs::read_dir(here).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name()).filter(|name| name.to_str().is_some_and(is_meant));
    let mut paths: Vec<PathBuf> = names.map(|name| folder.join(name)).collect();
    paths.sort();
    paths
}

/// Whether the whole name is as the pattern says. O(pattern × name).
fn matches(pattern: &[char], name: &str) -> bool {
    let name: Vec<char> = name.chars().collect();
    let (mut at, mut of) = (0, 0);
    // Behind the last star, and what it has taken so far.
    let mut star: Option<(usize, usize)> = None;
    while of < name.len() {
        match pattern.get(at) {
            Some('*') => {
                at += 1;
                star = Some((at, of));
                continue;
            }
            Some(_) if let Some(next) = one(pattern, at, name[of]) => {
                (at, of) = (next, of + 1);
                continue;
            }
            _ => {}
        }
        // The star takes one more.
        let Some((behind, taken)) = star else { return false };
        star = Some((behind, taken + 1));
        (at, of) = (behind, taken + 1);
    }
    pattern[at..].iter().all(|c| *c == '*')
}

/// Where the pattern goes on when what is at `at` takes this letter.
fn one(pattern: &[char], at: usize, letter: char) -> Option<usize> {
    match pattern[at] {
        '?' => Some(at + 1),
        '[' => {
            let negated = matches!(pattern.get(at + 1), Some('!' | '^'));
            let begin = at + 1 + usize::from(negated);
            // A bracket that comes first is a letter.
            let end = begin + 1 + pattern.get(begin + 1..)?.iter().position(|c| *c == ']')?;
            let (mut i, mut is_in) = (begin, false);
            while i < end {
                let to = if i + 2 < end && pattern[i + 1] == '-' { i + 2 } else { i };
                is_in |= (pattern[i]..=pattern[to]).contains(&letter);
                i = to + 1;
            }
            (is_in != negated).then_some(end + 1)
        }
        c => (c == letter).then_some(at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_of_patterns_mean_what_shells_mean() {
        for (pattern, name, is_match) in [
            ("*.heap", "a.heap", true),
            ("*.heap", "a.heap.gz", false),
            ("*", "", true),
            ("?", "", false),
            ("a*b*c", "aXbYbc", true),
            ("a*b*c", "aXbYb", false),
            ("jeprof.[0-9]*.heap", "jeprof.7.0.f.heap", true),
            ("jeprof.[!0-9]*.heap", "jeprof.7.0.f.heap", false),
            ("[]a]", "]", true),
            ("[a", "[a", false),
            ("é?", "éß", true),
        ] {
            assert_eq!(matches(&pattern.chars().collect::<Vec<_>>(), name), is_match, "{pattern} {name}");
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
