//! An uploaded program or library, in memory only.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::image::{Image, ImageError};

/// A file in memory.
#[derive(Debug)]
pub struct InMemoryFile {
    /// Name; no such file need exist.
    name: PathBuf,
    bytes: Arc<Vec<u8>>,
}

impl InMemoryFile {
    /// A program or library of these bytes.
    pub fn new(name: PathBuf, bytes: Vec<u8>) -> Result<Self, ImageError> {
        let held = InMemoryFile { name, bytes: Arc::new(bytes) };
        held.image().map(|_| held)
    }

    /// Name of the file.
    pub fn name(&self) -> &Path {
        &self.name
    }

    pub(crate) fn image(&self) -> Result<Image, ImageError> {
        Image::in_memory(&self.name, self.bytes.clone())
    }
}
