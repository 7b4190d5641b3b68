//! Result of parsing.

use crate::profile::Profile;

use super::error::Warning;

/// A dump that was read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The profile.
    pub profile: Profile,
    /// Name of its format: `gperftools`, `jemalloc`, `heaptrack`, `massif`, `bytehound`, `Tracy`, `DHAT`, `pprof`, `folded` or `report data`.
    pub format: &'static str,
    /// Warnings, in order of occurrence.
    pub warnings: Vec<Warning>,
}
