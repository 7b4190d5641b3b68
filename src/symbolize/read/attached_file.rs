//! A binary or debug file that the user attached: an upload, or a file that only the caller can read.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::byte_source::ByteSource;
use super::image::{Image, ImageError};

/// An attached file.
#[derive(Clone, Debug)]
pub struct AttachedFile {
    /// Name; no such file need exist.
    name: PathBuf,
    source: Arc<dyn ByteSource>,
    has_code: bool,
}

impl AttachedFile {
    /// A file of these bytes, of which only the headers are read now.
    ///
    /// # Errors
    /// It is not an object file, or a damaged one.
    pub fn new(name: PathBuf, source: Arc<dyn ByteSource>) -> Result<Self, ImageError> {
        let has_code = Image::of_source(&name, source.clone(), "")?.has_code();
        Ok(AttachedFile { name, source, has_code })
    }

    /// Name of the file.
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Whether it contains debug information and no code.
    pub fn is_debug_only(&self) -> bool {
        !self.has_code
    }

    /// The object file; of a universal file the one with this build id, if there is one.
    pub(crate) fn image(&self, build_id: &str) -> Result<Image, ImageError> {
        Image::of_source(&self.name, self.source.clone(), build_id)
    }
}
