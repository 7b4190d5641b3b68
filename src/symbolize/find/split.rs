//! Candidate paths of split DWARF: packages (`.dwp`), and single files (`.dwo`) by the names in the program.

use std::path::{Path, PathBuf};

use super::{attached, recorded_paths};
use crate::symbolize::options::Options;
use crate::symbolize::read::image::Image;

/// DWARF packages (`.dwp`) that are tried because their names begin like the program's.
const MAX_SIMILAR: usize = 16;

/// Candidate places.
#[derive(Clone, Debug, Default)]
pub(in crate::symbolize) struct SplitPlaces {
    options: Options,
    /// The program, its debug file, and both under their real paths.
    programs: Vec<PathBuf>,
}

impl SplitPlaces {
    /// For the program at `program` and its debug file, if that is another.
    pub(in crate::symbolize) fn new(options: &Options, program: &Path, debug_file: Option<&Path>) -> Self {
        let mut programs: Vec<PathBuf> = Vec::new();
        for path in [Some(program), debug_file].into_iter().flatten().filter(|_| !options.ignores_paths) {
            for path in [Some(path.to_path_buf()), path.canonicalize().ok()].into_iter().flatten() {
                if !programs.contains(&path) {
                    programs.push(path);
                }
            }
        }
        SplitPlaces { options: options.clone(), programs }
    }

    /// Folders that the user named.
    fn folders(&self) -> impl Iterator<Item = &PathBuf> {
        self.options.search.iter().chain(&self.options.debug_dirs)
    }

    /// The names that a package of this program has.
    pub(in crate::symbolize) fn packages(&self) -> Vec<PathBuf> {
        let beside = self.programs.iter().map(|program| with_ending(program, ".dwp"));
        let name = self.programs.first().and_then(|program| Some(with_ending(Path::new(program.file_name()?), ".dwp")));
        let in_search = name.into_iter().flat_map(|name| self.folders().map(move |folder| folder.join(&name)));
        beside.chain(in_search).collect()
    }

    /// DWARF packages whose names begin like the program's, newest first: cargo leaves `deps/<program>-<hash>.dwp`, including
    /// those of older builds.
    pub(in crate::symbolize) fn similar_packages(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for program in &self.programs {
            let (Some(folder), Some(name)) = (program.parent(), program.file_name()) else { continue };
            let stem = name.to_string_lossy().replace('-', "_") + "-";
            let is_similar = |entry: &std::fs::DirEntry| {
                let name = entry.file_name().to_string_lossy().replace('-', "_");
                name.ends_with(".dwp") && name.starts_with(&stem.replace('-', "_"))
            };
            for folder in [folder.join("deps"), folder.to_path_buf()] {
                let entries = std::fs::read_dir(folder).into_iter().flatten().filter_map(|entry| entry.ok()).filter(is_similar);
                found.extend(entries.map(|e| (e.metadata().and_then(|m| m.modified()).ok(), e.path())));
            }
        }
        found.sort();
        found.dedup();
        found.into_iter().rev().map(|(_, path)| path).take(MAX_SIMILAR).collect()
    }

    /// Attached files with split units.
    pub(in crate::symbolize) fn attached(&self) -> impl Iterator<Item = Image> {
        attached::split(&self.options)
    }

    /// The places of the part that is called `name`, relative to `folder` where that is
    /// known. Never relative to where heapview was started.
    pub(in crate::symbolize) fn loose(&self, name: &str, folder: Option<&str>) -> Vec<PathBuf> {
        if name.is_empty() || self.options.ignores_paths {
            return Vec::new();
        }
        let name = Path::new(name);
        let mut places = recorded_paths::of_recorded(&self.options, &Path::new(folder.unwrap_or_default()).join(name));
        places.retain(|place| place.is_absolute());
        let below = recorded_paths::without_root(name);
        let base = name.file_name().map(PathBuf::from);
        for program in &self.programs {
            let Some(folder) = program.parent() else { continue };
            if name.is_relative() {
                places.push(folder.join(&below));
            }
            places.extend(base.iter().flat_map(|base| [folder.join(base), folder.join("deps").join(base)]));
        }
        for folder in self.folders() {
            places.extend(base.iter().map(|base| folder.join(base)));
        }
        places
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loose_parts_are_found_beside_the_program_and_where_paths_lead() {
        let remap = vec![("/build".into(), "/home/me".into())];
        let options = Options { remap, search: vec!["/search".into()], ..Options::default() };
        let places = SplitPlaces::new(&options, Path::new("/no/bin/server"), None);
        let of = |name: &str, folder: Option<&str>| -> Vec<String> {
            places.loose(name, folder).iter().map(|p| p.to_string_lossy().into_owned()).collect()
        };
        assert_eq!(of("/build/a.dwo", None), ["/home/me/a.dwo", "/build/a.dwo", "/no/bin/a.dwo", "/no/bin/deps/a.dwo", "/search/a.dwo"]);
        assert_eq!(
            of("o/a.dwo", Some("/build")),
            ["/home/me/o/a.dwo", "/build/o/a.dwo", "/no/bin/o/a.dwo", "/no/bin/a.dwo", "/no/bin/deps/a.dwo", "/search/a.dwo"]
        );
        assert_eq!(of("../a.dwo", Some(".")), ["/no/bin/a.dwo", "/no/bin/a.dwo", "/no/bin/deps/a.dwo", "/search/a.dwo"]);
        assert!(of("", Some("/build")).is_empty());
    }

    #[test]
    fn packages_lie_beside_the_program_or_have_similar_names() {
        let folder = tempfile::tempdir().unwrap();
        let deps = folder.path().join("deps");
        std::fs::create_dir(&deps).unwrap();
        for name in ["my_server-0123.dwp", "my_server-0123", "my_server2-0123.dwp", "other-1.dwp"] {
            std::fs::write(deps.join(name), "").unwrap();
        }
        let program = folder.path().join("my-server");
        let places = SplitPlaces::new(&Options::default(), &program, Some(Path::new("/debug/x.debug")));
        assert_eq!(places.packages(), [folder.path().join("my-server.dwp"), "/debug/x.debug.dwp".into()]);
        assert_eq!(places.similar_packages(), [deps.join("my_server-0123.dwp")]);
    }
}
