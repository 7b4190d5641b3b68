//! Mappings of a profile, grouped by file.

use std::path::{Path, PathBuf};

use super::fit::{self, CallSites, Evidence, Fit};
use super::locate::{self, Located, Wanted};
use super::note::Doubt;
use super::{attached, remote};
use crate::base::hash::HashMap;
use crate::base::id::{MappingId, StrId};
use crate::profile::{Mapping, Profile};
use crate::symbolize::options::Options;
use crate::symbolize::read::image::Image;

/// Mappings of one file.
pub(crate) struct Group<'a> {
    /// As the profile writes it.
    pub(crate) name: &'a str,
    pub(crate) build_id: &'a str,
    /// The file, when the user named it.
    given: Option<&'a Path>,
    pub(crate) mappings: Vec<MappingId>,
}

/// The mappings to look up by file, and those that have none.
pub(crate) fn groups<'a>(profile: &'a Profile, options: &'a Options, force: bool) -> (Vec<Group<'a>>, Vec<MappingId>) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: HashMap<(StrId, StrId, Option<&Path>), usize> = HashMap::default();
    let mut without_file = Vec::new();
    // Many mappings may have one long path.
    let mut files: HashMap<(StrId, StrId), bool> = HashMap::default();
    for (id, mapping) in profile.code().mappings.enumerate() {
        let (name, build_id) = (profile.text(mapping.file), profile.text(mapping.build_id));
        if has_names(mapping) && !force {
            continue;
        }
        let given = given(profile, id, options);
        let may_be_given = given.is_some() || (id.0 == 0 && !options.attached.is_empty());
        if !*files.entry((mapping.file, mapping.build_id)).or_insert_with(|| is_file(name, build_id))
            || (!may_be_given && name.is_empty() && build_id.is_empty())
        {
            without_file.push(id);
            continue;
        }
        let group = *known.entry((mapping.file, mapping.build_id, given)).or_insert_with(|| {
            groups.push(Group { name, build_id, given, mappings: Vec::new() });
            groups.len() - 1
        });
        groups[group].mappings.push(id);
    }
    (groups, without_file)
}

/// Returns whether the writer of the profile looked names up already.
pub(crate) fn has_names(mapping: &Mapping) -> bool {
    mapping.has_functions || mapping.has_filenames || mapping.has_line_numbers
}

impl Group<'_> {
    /// The path without the mark of a file that is gone, and whether it is.
    pub(crate) fn path(&self, profile: &Profile) -> (&str, bool) {
        let (path, is_deleted) = without_deleted(self.name);
        (path, is_deleted || self.mappings.iter().any(|&m| profile.code().mappings[m].is_deleted))
    }

    /// Locates the file; `tell` is called with progress messages of downloads.
    pub(crate) fn locate(&self, profile: &Profile, options: &Options, sites: &CallSites<'_>, tell: &dyn Fn(&str)) -> Located {
        let evidence = Evidence { sites, mappings: &self.mappings };
        let wanted = Wanted { path: self.path(profile).0, build_id: self.build_id, evidence: &evidence };
        if let Some(found) = attached::find(options, wanted) {
            return found;
        }
        if let (None, Some(found)) = (self.given, attached::find_carried(profile, wanted)) {
            return found;
        }
        let located = match self.given {
            Some(binary) if !options.ignores_paths => locate::given(binary, wanted),
            _ => remote::file(options, wanted, tell),
        };
        match located {
            Located::Found { .. } => located,
            _ => attached::find_debug_only(options, wanted).or_else(|| attached::find_misfit(options, wanted)).unwrap_or(located),
        }
    }

    /// Signs that the file found is the wrong one.
    pub(crate) fn doubts(&self, profile: &Profile, image: &Image, fit: Fit) -> Vec<Doubt> {
        let (path, is_deleted) = self.path(profile);
        let mut doubts = Vec::new();
        if let Fit::No(misfit) = fit {
            doubts.push(Doubt::Misfit(misfit));
        }
        if fit == Fit::Sure {
            return doubts;
        }
        if is_deleted && image.path == Path::new(path) {
            doubts.push(Doubt::Replaced);
        } else if fit != Fit::Likely && fit::is_newer(image, profile.time_nanos()) {
            doubts.push(Doubt::Newer);
        }
        doubts
    }
}

/// The file that the user named for a mapping: of several programs the one of that path.
pub(crate) fn given<'o>(profile: &Profile, id: MappingId, options: &'o Options) -> Option<&'o Path> {
    let (file, _) = without_deleted(profile.text(profile.code().mappings[id].file));
    let program = options.programs.iter().find(|program| program.to_string_lossy() == file);
    program.or_else(|| options.binary.as_ref().filter(|_| is_main(profile, id))).map(PathBuf::as_path)
}

/// Removes the suffix that Linux adds to the path of a deleted file; returns the path, and whether there was one.
pub(crate) fn without_deleted(path: &str) -> (&str, bool) {
    path.strip_suffix(" (deleted)").map_or((path, false), |path| (path, true))
}

/// Returns whether a mapping of this path can be of a file: not the kernel's code, devices, memory
/// that only looks like a file, or a web address.
fn is_file(path: &str, build_id: &str) -> bool {
    let base = Path::new(path).file_name().map_or(path.into(), |base| base.to_string_lossy());
    let is_url = path.split_once("://").is_some_and(|(scheme, _)| scheme.to_ascii_lowercase().contains("http"));
    const NO_FILES: [&str; 7] = ["/memfd:", "/dev/dri/", "/dev/zero", "/SYSV", "/anon_hugepage", "anon_inode:", "//anon"];
    !(base.starts_with('[')
        || base.starts_with("linux-vdso")
        || NO_FILES.iter().any(|start| path.starts_with(start))
        || (is_url && build_id.is_empty()))
}

/// Returns whether a mapping belongs to the program. jemalloc_pprof has one for each segment, not only the first.
fn is_main(profile: &Profile, id: MappingId) -> bool {
    let mappings = &profile.code().mappings;
    let is_same = |main: &Mapping| main.file == mappings[id].file && main.build_id == mappings[id].build_id;
    id.0 == 0 || mappings.iter().next().is_some_and(is_same)
}
