//! Source files that a server may open: the project directory, and source code files in it.

use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Folders and files at the root of a repository.
const REPOSITORY: [&str; 5] = [".git", ".hg", ".svn", ".jj", ".bzr"];

/// Files at the root of a workspace without a repository around it.
const WORKSPACE: [&str; 2] = ["go.work", "Cargo.lock"];

/// Endings of source code, in lower case.
const ENDINGS: [&str; 62] = [
    "ada", "adb", "ads", "asm", "c", "c++", "cc", "cl", "clj", "cpp", "cppm", "cr", "cs", "cu", "cuh", "cxx", "d", "def", "erl", "ex",
    "exs", "f", "f77", "f90", "f95", "for", "fs", "go", "groovy", "h", "h++", "hh", "hpp", "hs", "hxx", "inc", "inl", "ipp", "ixx", "java",
    "jl", "js", "kt", "l", "m", "ml", "mm", "nim", "pas", "py", "pyx", "rb", "rs", "s", "scala", "swift", "tcc", "ts", "v", "y", "yy",
    "zig",
];

/// Returns whether a path below a root is that of source code: by its ending, and outside of hidden folders. The C++ library's
/// headers have no ending.
pub(super) fn is_source(inside: &Path) -> bool {
    let is_plain = |part: Component| matches!(part, Component::Normal(name) if !name.as_encoded_bytes().starts_with(b"."));
    let ending = inside.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    let is_code = ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) || is_cpp_header(inside);
    is_code && inside.components().all(is_plain)
}

/// Returns whether `path` is that of source code below `root` by its name, and a link there leads to source code elsewhere, as in
/// the trees that build systems make of links. O(depth) calls to the system.
pub(super) fn is_linked_source(root: &Path, path: &Path, place: &Path) -> bool {
    let Ok(path) = std::path::absolute(path) else { return false };
    let is_root = |above: &&Path| above.canonicalize().is_ok_and(|above| above == root);
    let inside = path.ancestors().skip(1).find(is_root).and_then(|above| path.strip_prefix(above).ok());
    inside.is_some_and(is_source) && place.file_name().is_some_and(|name| is_source(Path::new(name)))
}

/// `c++/13/vector` and the like, as below `/usr/include` and `/usr/lib/gcc`.
fn is_cpp_header(inside: &Path) -> bool {
    inside.extension().is_none() && inside.components().rev().skip(1).any(|part| part.as_os_str() == "c++")
}

/// Project of a directory: its repository or workspace, otherwise the directory itself. `None` for the root of the file system,
/// the home directory, and directories above it.
///
/// A marker counts only if it, its directory and `current` have the same owner: in a shared directory anyone can create one.
pub(super) fn project(current: &Path, home: Option<&Path>) -> Option<PathBuf> {
    let is_project = |folder: &Path| folder.parent().is_some() && !home.is_some_and(|home| home.starts_with(folder));
    let owner = owner(current);
    let has = |folder: &Path, markers: &[&str]| {
        let is_marker = |name: &&str| self::owner(&folder.join(name)).is_some_and(|o| Some(o) == owner);
        self::owner(folder) == owner && markers.iter().any(is_marker)
    };
    let above = || current.ancestors().take_while(|folder| is_project(folder));
    let root = above().find(|folder| has(folder, &REPOSITORY)).or_else(|| above().find(|folder| has(folder, &WORKSPACE)));
    root.or_else(|| above().next()).map(Path::to_owned)
}

/// Owner of a file or directory; a constant on systems without owners. `None`: missing.
#[cfg(unix)]
fn owner(path: &Path) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    Some(fs::symlink_metadata(path).ok()?.uid())
}

#[cfg(not(unix))]
fn owner(path: &Path) -> Option<u32> {
    fs::symlink_metadata(path).ok().map(|_| 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn source_code_is_recognized_by_file_extension() {
        assert!(ENDINGS.is_sorted());
        for code in ["src/main.rs", "a.C", "x.h", "c++/13/vector", "x86_64/c++/13/bits/stl_vector.h", "a.b.go"] {
            assert!(is_source(Path::new(code)), "{code}");
        }
        for other in [
            ".env",
            "src/.hidden.rs",
            ".git/config",
            ".cargo/x.rs",
            "key",
            "id_rsa",
            "a.pem",
            "a.rs.bak",
            "a.log",
            "c++",
            "../a.rs",
            "a.toml",
            ".rs",
            "",
        ] {
            assert!(!is_source(Path::new(other)), "{other}");
        }
    }

    #[test]
    fn a_project_is_a_repository_or_the_folder_itself() {
        let disk = tempfile::tempdir().unwrap();
        let at = |path: &str| disk.path().join(path);
        fs::create_dir_all(at("home/me/work/deep/er")).unwrap();
        let home = at("home/me");
        let of = |path: &str| project(&at(path), Some(&home));
        assert_eq!(of("home/me/work/deep/er"), Some(at("home/me/work/deep/er")));
        fs::write(at("home/me/work/deep/Cargo.lock"), "").unwrap();
        assert_eq!(of("home/me/work/deep/er"), Some(at("home/me/work/deep")));
        fs::create_dir(at("home/me/work/.git")).unwrap();
        assert_eq!(of("home/me/work/deep/er"), Some(at("home/me/work")));
        // A home directory under version control is no project.
        fs::create_dir(at("home/me/.git")).unwrap();
        assert_eq!((of("home/me"), of("home"), project(Path::new("/"), None)), (None, None, None));
        fs::remove_dir(at("home/me/work/.git")).unwrap();
        assert_eq!(of("home/me/work"), Some(at("home/me/work")));
    }
}
