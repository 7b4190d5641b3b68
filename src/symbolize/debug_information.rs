//! Debug information outside the program: the separate debug file, macOS's dSYM bundle, and dwz's supplementary file.
//!
//! Each is identified by its build id, so that a file of another build is never used.

use std::path::{Path, PathBuf};

use super::dwarf::Sections;
use super::files_by_build_id::BuildFile;
use super::find::{attached, debug_roots, locate, recorded_paths, remote};
use super::options::Options;
use super::read::image::{AltLink, Image};

/// Debug information found for a program.
#[derive(Debug, Default)]
pub(super) struct DebugInformation {
    /// `None` if there is none.
    pub(super) sections: Option<Sections>,
    /// The file they are from, unless it is the program itself.
    pub(super) file: Option<Image>,
    /// A supplementary file that they refer to and that is not here, by its name.
    pub(super) missing_alt: Option<String>,
}

/// Finds the debug information of `image`, in itself or elsewhere. Calls `tell` with the progress of downloads.
pub(super) fn debug_information(image: &Image, options: &Options, tell: &dyn Fn(&str)) -> DebugInformation {
    let read = |image: &Image| Sections::read(image).ok().filter(Sections::has_info);
    let mut found = DebugInformation { sections: read(image), ..DebugInformation::default() };
    if found.sections.is_none() {
        found.file = remote::debug_file(options, image, tell);
        found.sections = found.file.as_ref().and_then(read);
    }
    let owner = found.file.as_ref().unwrap_or(image);
    if let (Some(sections), Some(link)) = (&mut found.sections, owner.alt_link()) {
        let is_read = supplementary(options, owner, &link, tell).is_some_and(|sup| sections.read_sup(&sup).is_ok());
        found.missing_alt = (!is_read).then_some(link.name);
    }
    found
}

/// The supplementary file that `owner` links to.
fn supplementary(options: &Options, owner: &Image, link: &AltLink, tell: &dyn Fn(&str)) -> Option<Image> {
    let is_it = |sup: &Image| !link.id.is_empty() && (sup.build_id == link.id || sup.sup_id().as_ref() == Some(&link.id));
    let attached = attached::supplementary(options, is_it);
    let by_id = || remote::of_build(options, &link.id, BuildFile::DebugInfo, tell);
    if attached.is_some() || options.ignores_paths {
        return attached.or_else(by_id);
    }
    let name = Path::new(&link.name);
    // A name relative to the directory of the file, with links to the file resolved.
    let real = owner.path.canonicalize().ok();
    let folders = [Some(owner.path.as_path()), real.as_deref()].into_iter().flatten().filter_map(Path::parent);
    let mut places: Vec<PathBuf> = folders.map(|folder| folder.join(name)).collect();
    let below = recorded_paths::without_root(name);
    let in_roots: PathBuf = below.iter().skip_while(|part| *part != ".dwz").collect();
    let base = name.file_name().map(Path::new).unwrap_or(name);
    for folder in &options.search {
        places.extend([folder.join(&below), folder.join(base), folder.join(".dwz").join(base)]);
    }
    let roots = debug_roots::debug_roots(options);
    for root in &roots {
        places.extend([root.join(&in_roots), root.join(".dwz").join(base)]);
    }
    if locate::is_id(&link.id) {
        let by_id = Path::new(".build-id").join(locate::id_name(&link.id, ".debug"));
        places.extend(options.search.iter().chain(&roots).map(|root| root.join(&by_id)));
    }
    let here = places.into_iter().find_map(|place| Image::open(&place).ok().filter(is_it));
    here.or_else(by_id)
}
