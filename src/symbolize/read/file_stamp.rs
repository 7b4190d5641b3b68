//! Identity of a file on disk, to detect that it was replaced.

use std::fs::Metadata;
use std::path::PathBuf;
use std::time::UNIX_EPOCH;

/// A file's identity without a look into it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    /// Device and number on it; 0 where systems have none.
    pub(crate) inode: (u64, u64),
    /// Bytes.
    pub(crate) len: u64,
    /// When it was written, nanoseconds since 1970.
    pub(crate) written: u64,
}

impl Stamp {
    /// `None` if the system does not provide it.
    pub(crate) fn of(meta: &Metadata) -> Option<Self> {
        #[cfg(unix)]
        let inode = {
            use std::os::unix::fs::MetadataExt;
            (meta.dev(), meta.ino())
        };
        #[cfg(not(unix))]
        let inode = (0, 0);
        let written = meta.modified().ok()?.duration_since(UNIX_EPOCH).ok()?.as_nanos();
        Some(Stamp { inode, len: meta.len(), written: written as u64 })
    }
}

/// A file that names came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stamped {
    pub(crate) path: PathBuf,
    pub(crate) stamp: Stamp,
}

impl Stamped {
    /// Returns whether nothing else has taken its place.
    #[cfg(feature = "app")]
    pub(crate) fn is_unchanged_or_gone(&self) -> bool {
        std::fs::metadata(&self.path).map_or(true, |meta| Stamp::of(&meta).as_ref() == Some(&self.stamp))
    }
}
