//! Files that are on no disk here: other machines may have them by build id.
//!
//! Who they are and how they are asked is the caller's; this says when to ask, and believes
//! nothing but the build id.

use std::fmt::Debug;
use std::path::PathBuf;

use super::fit::Fit;
use super::image::Image;
use super::locate::{self, Located, Wanted};
use super::{ImageError, Options};

/// Brings files of other machines here.
pub trait DebugFiles: Debug + Send + Sync {
    /// Where the file of this build lies now; `None` when nobody has it. `build_id` is
    /// hexadecimal. `tell` is called with how far it is.
    fn find(&self, build_id: &str, wanted: BuildFile, tell: &dyn Fn(&str)) -> Option<PathBuf>;
}

/// A file of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuildFile {
    /// The program or library that ran.
    Program,
    /// The file with its debug information.
    DebugInfo,
}

/// The build id of the program, library or debug file at `path`, hexadecimal; empty when it
/// has none.
pub fn build_id(path: &std::path::Path) -> Result<String, ImageError> {
    Image::open(path).map(|image| image.build_id)
}

/// [`locate::file`], and then the others.
pub(super) fn file(options: &Options, wanted: Wanted<'_>, tell: &dyn Fn(&str)) -> Located {
    match locate::file(options, wanted) {
        found @ Located::Found { .. } => found,
        other => match of_build(options, wanted.build_id, BuildFile::Program, tell) {
            Some(image) => Located::Found { image, is_other_build: false, fit: Fit::Sure },
            None => other,
        },
    }
}

/// [`locate::debug_file`], and then the others.
pub(super) fn debug_file(options: &Options, image: &Image, tell: &dyn Fn(&str)) -> Option<Image> {
    locate::debug_file(options, image).or_else(|| of_build(options, &image.build_id, BuildFile::DebugInfo, tell))
}

/// The file that another machine has of this build.
pub(super) fn of_build(options: &Options, build_id: &str, wanted: BuildFile, tell: &dyn Fn(&str)) -> Option<Image> {
    let remote = options.remote.as_ref().filter(|_| locate::is_id(build_id))?;
    let image = Image::open(&remote.find(build_id, wanted, tell)?).ok()?;
    image.build_id.eq_ignore_ascii_case(build_id).then_some(image)
}
