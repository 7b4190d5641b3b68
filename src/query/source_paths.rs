//! Search paths of source files, and prefixes to trim from paths of other machines. Text only; no file is opened here.

use crate::base::plain::base_name;

/// pprof's `-source_path` and `-trim_path`: lists of folders, empty when not given.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SourcePaths {
    /// Folders to look in, themselves and every folder above; empty: the current one.
    pub search: String,
    /// Beginnings of paths that are cut off; empty: guessed from the names of `search`.
    pub trim: String,
}

impl SourcePaths {
    /// `path` as reports print it: without what is trimmed. pprof's `trimPath`
    /// (`internal/report/source.go`): without a list, all up to the first folder that is
    /// named as one that is searched; else the beginnings of the list, and Bazel's folder.
    pub fn shown<'a>(&self, path: &'a str) -> &'a str {
        if self.trim.is_empty() {
            for folder in split_list(&self.search) {
                let name = format!("/{}/", go_base(folder));
                if let Some((_, rest)) = path.split_once(&name) {
                    return rest;
                }
            }
        }
        for beginning in split_list(&self.trim).chain(["/proc/self/cwd/./", "/proc/self/cwd/"]) {
            let rest = path.strip_prefix(beginning);
            if let Some(rest) = rest.and_then(|rest| if beginning.ends_with('/') { Some(rest) } else { rest.strip_prefix('/') }) {
                return rest;
            }
        }
        path
    }
}

/// The paths of a list, as the system separates them.
pub fn split_list(list: &str) -> impl Iterator<Item = &str> {
    let separator = if cfg!(windows) { ';' } else { ':' };
    list.split(separator).filter(move |_| !list.is_empty())
}

/// Go's `filepath.Base`: `.` for the empty path, `/` for the root.
fn go_base(path: &str) -> &str {
    match base_name(path) {
        "" if path.is_empty() => ".",
        "" => "/",
        name => name,
    }
}

/// A path without empty, `.` and (where they can go) `..` components.
pub fn clean_path(path: &str) -> String {
    if path.is_empty() || !(path.contains("//") || path.contains("./") || path.ends_with('.') || path.ends_with('/')) {
        return path.to_owned();
    }
    let absolute = path.starts_with('/');
    let mut kept: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if kept.last().is_some_and(|&p| p != "..") => drop(kept.pop()),
            ".." if absolute => {}
            part => kept.push(part),
        }
    }
    let joined = kept.join("/");
    match (absolute, joined.is_empty()) {
        (true, _) => format!("/{joined}"),
        (false, true) => ".".into(),
        (false, false) => joined,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(search: &str, trim: &str, path: &str, shown: &str) {
        assert_eq!(SourcePaths { search: search.into(), trim: trim.into() }.shown(path), shown);
    }

    #[test]
    fn paths_come_clean() {
        assert_eq!(clean_path("/a/./b/../c//d.rs"), "/a/c/d.rs");
        assert_eq!(clean_path("../x/y.c"), "../x/y.c");
        assert_eq!(clean_path("/../../x"), "/x");
        assert_eq!(clean_path("a/.."), ".");
    }

    #[test]
    fn named_beginnings_go() {
        check("", "/build/ledger", "/build/ledger/src/cache.rs", "src/cache.rs");
        check("", "/build/ledger/", "/build/ledger/src/cache.rs", "src/cache.rs");
        check("", "/a:/b", "/b/x.c", "x.c");
        check("", "/build/led", "/build/ledger/src/cache.rs", "/build/ledger/src/cache.rs");
        check("", "", "/proc/self/cwd/./x.cc", "x.cc");
        check("", "/a", "/proc/self/cwd/x.cc", "x.cc");
    }

    #[test]
    fn without_trim_paths_search_folders_are_trimmed() {
        check("/my/project", "", "/other/project/foo/bar.c", "foo/bar.c");
        check("/x:/my/project/", "", "/other/project/foo/bar.c", "foo/bar.c");
        check("/my/project", "/none", "/other/project/foo/bar.c", "/other/project/foo/bar.c");
        check("/my/project", "", "project/foo/bar.c", "project/foo/bar.c");
        check("", "", "/other/./bar.c", "/other/./bar.c");
    }
}
