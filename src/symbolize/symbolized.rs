//! Result of symbolization.

use super::find::note::Note;
use crate::profile::Names;

/// Result of symbolization.
#[derive(Clone, Debug, Default)]
pub struct Symbolized {
    /// For `Profile::renamed`. A location in one of the `resolved` mappings that has
    /// no line was looked up without result; pprof's `-raw` gives it an empty line.
    pub names: Names,
    /// One for each mapping with addresses that were looked up, in order.
    pub notes: Vec<Note>,
    /// Limits that were reached, a sentence each.
    pub warnings: Vec<String>,
}
