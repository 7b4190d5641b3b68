//! Binaries that a recording has in itself.

use std::fmt;
use std::sync::Arc;

/// A program or library whose addresses are in the profile.
#[derive(Clone)]
pub struct CarriedBinary {
    /// Path, as mappings have it.
    pub path: String,
    /// Contents of the file.
    pub bytes: Arc<Vec<u8>>,
}

impl fmt::Debug for CarriedBinary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CarriedBinary").field("path", &self.path).field("length", &self.bytes.len()).finish()
    }
}
