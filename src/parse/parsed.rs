//! Result of parsing.

use crate::profile::Profile;

use super::error::Warning;

/// A dump that was read.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// What it says.
    pub profile: Profile,
    /// Name of its format: `gperftools`, `jemalloc`, `pprof` or `folded`.
    pub format: &'static str,
    /// What was odd, in the order it was met.
    pub warnings: Vec<Warning>,
}
