//! Libraries next to the binary that the user named, where programs with an `$ORIGIN` rpath have them.
//!
//! Profiles are untrusted, so only the base name of a recorded path is used: it selects a file in or beside the directory of the
//! user's binary, and cannot lead out of it.

use std::path::{Path, PathBuf};

use crate::symbolize::Options;

/// The file of this name in the folder of each binary that the user named.
pub(super) fn in_same_folder(options: &Options, path: &Path) -> Vec<PathBuf> {
    in_folders(options, path, &[""])
}

/// Files of this name in `lib` inside that folder and beside it.
pub(super) fn in_library_folders(options: &Options, path: &Path) -> Vec<PathBuf> {
    in_folders(options, path, &["lib", "../lib"])
}

fn in_folders(options: &Options, path: &Path, folders: &[&str]) -> Vec<PathBuf> {
    let Some(name) = path.file_name() else { return Vec::new() };
    let binaries = options.binary.iter().chain(&options.programs);
    // A program that has no folder in its path is in the current one.
    let at: Vec<&Path> = binaries.filter_map(|binary| binary.parent()).collect();
    at.iter().flat_map(|at| folders.iter().map(|folder| at.join(folder).join(name))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_base_name_of_a_recorded_path_counts() {
        let options = Options { binary: Some("/home/me/bin/server".into()), programs: vec!["old/server".into()], ..Options::default() };
        let paths = |names: &[&str]| names.iter().map(PathBuf::from).collect::<Vec<_>>();
        for recorded in ["/build/lib/libx.so", "../../etc/libx.so", "libx.so"] {
            assert_eq!(in_same_folder(&options, Path::new(recorded)), paths(&["/home/me/bin/libx.so", "old/libx.so"]), "{recorded}");
        }
        let lib = ["/home/me/bin/lib/libx.so", "/home/me/bin/../lib/libx.so", "old/lib/libx.so", "old/../lib/libx.so"];
        assert_eq!(in_library_folders(&options, Path::new("/build/libx.so")), paths(&lib));
        for nothing in ["", "/", "..", "/build/.."] {
            assert!(in_same_folder(&options, Path::new(nothing)).is_empty(), "{nothing}");
        }
        assert!(in_same_folder(&Options::default(), Path::new("libx.so")).is_empty());
    }
}
