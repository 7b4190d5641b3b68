//! Versions of traces.

use std::fmt;

/// The format's name in messages.
pub(in crate::parse) const NAME: &str = "Tracy";

/// Version of Tracy that wrote a trace: major, minor, patch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(pub(super) [u8; 3]);

/// Oldest version that is read.
pub(super) const OLDEST: Version = Version([0, 9, 0]);
/// Newest version that is known. Patch versions mostly have the format of the one before.
const NEWEST: Version = Version([0, 14, 0]);
/// The same in messages.
pub(super) const NEWEST_NAME: &str = "0.14";

impl Version {
    /// Returns whether the format may differ from all that are known.
    pub(super) fn is_unknown(self) -> bool {
        self > NEWEST
    }

    /// Returns whether the minor version is newer than all that are known.
    pub(super) fn is_newer(self) -> bool {
        self.0[..2] > NEWEST.0[..2]
    }

    /// Returns whether the trace is of this version or a later one.
    pub(super) fn is_from(self, major: u8, minor: u8, patch: u8) -> bool {
        self.0 >= [major, minor, patch]
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [major, minor, patch] = self.0;
        write!(f, "{major}.{minor}.{patch}")
    }
}
