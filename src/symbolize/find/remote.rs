//! Files from other machines, by build id.
//!
//! The caller provides the servers; this module decides when to use them, and accepts only files with the requested build id.

use super::contents;
use super::fit::Fit;
use super::locate::{self, Located, Wanted};
use super::separate_debug;
use crate::symbolize::files_by_build_id::BuildFile;
use crate::symbolize::options::Options;
use crate::symbolize::read::image::Image;
use crate::symbolize::read::image::ImageError;

/// The build id of the program, library or debug file at `path`, hexadecimal; empty when it
/// has none.
pub fn build_id(path: &std::path::Path) -> Result<String, ImageError> {
    Image::open(path).map(|image| image.build_id)
}

/// What a binary or debug file is for symbolization.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BuildFacts {
    /// Build id, hexadecimal; empty when it has none.
    pub build_id: String,
    /// Whether it is a program or library, not only debug information.
    pub has_code: bool,
    /// Whether it has debug information.
    pub has_debug_information: bool,
}

/// Describes the program, library or debug file at `path`.
///
/// # Errors
/// It is not an object file, or a damaged one.
pub fn build_facts(path: &std::path::Path) -> Result<BuildFacts, ImageError> {
    let image = Image::open(path)?;
    let has_debug_information = image.with(contents::has_info)?;
    Ok(BuildFacts { has_code: image.has_code(), has_debug_information, build_id: image.build_id })
}

/// Path of the separate debug file of the program or library at `path`; `None` if it has debug information itself, or there is none.
pub fn separate_debug_file(path: &std::path::Path, options: &Options) -> Option<std::path::PathBuf> {
    let image = Image::open(path).ok()?;
    if image.with(contents::has_info).unwrap_or(true) {
        return None;
    }
    separate_debug::debug_file(options, &image).map(|debug| debug.path.clone())
}

/// [`locate::file`], unless paths mean nothing here, and then the others.
pub(crate) fn file(options: &Options, wanted: Wanted<'_>, on_progress: &dyn Fn(&str)) -> Located {
    let here = if options.ignores_paths { Located::NotFound { looked: Vec::new() } } else { locate::file(options, wanted) };
    match here {
        found @ Located::Found { .. } => found,
        other => match of_build(options, wanted.build_id, BuildFile::Program, on_progress) {
            Some(image) => Located::Found { image, is_other_build: false, fit: Fit::Sure },
            None => other,
        },
    }
}

/// [`separate_debug::debug_file`], and then the others.
pub(crate) fn debug_file(options: &Options, image: &Image, on_progress: &dyn Fn(&str)) -> Option<Image> {
    separate_debug::debug_file(options, image).or_else(|| of_build(options, &image.build_id, BuildFile::DebugInfo, on_progress))
}

/// The file that another machine has of this build.
pub(crate) fn of_build(options: &Options, build_id: &str, wanted: BuildFile, on_progress: &dyn Fn(&str)) -> Option<Image> {
    let remote = options.remote.as_ref().filter(|_| locate::is_id(build_id))?;
    let image = Image::open(&remote.find(build_id, wanted, on_progress)?).ok()?;
    image.build_id.eq_ignore_ascii_case(build_id).then_some(image)
}
