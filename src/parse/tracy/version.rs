//! Versions of traces.

use std::fmt;

/// The format's name in messages.
pub(in crate::parse) const NAME: &str = "Tracy";

/// Version of Tracy that wrote a trace: major, minor, patch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Version(pub(super) [u8; 3]);

/// Oldest version that is read.
pub(super) const OLDEST: Version = Version([0, 9, 0]);
/// Newest minor version that is known; patch versions have its format or, from development builds, one that differs little.
const NEWEST: [u8; 2] = [0, 14];
/// The same in messages.
pub(super) const NEWEST_NAME: &str = "0.14";

impl Version {
    pub(super) fn is_newer(self) -> bool {
        self.0[..2] > NEWEST[..]
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
