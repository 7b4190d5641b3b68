//! Source places with their values and calls, for other visualizers.

use serde::Serialize;

use super::Header;

/// A code location; which fields are set depends on the granularity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Place {
    /// Function; empty when unknown.
    pub function: String,
    /// Source file; empty when unknown.
    pub file: String,
    /// Line of the function's definition; 0 when unknown.
    pub start_line: i64,
    /// Source line; 0 when unknown.
    pub line: i64,
    /// Source column; 0 when unknown.
    pub column: i64,
    /// Code address in the profiled process; 0 when unknown.
    pub address: u64,
    /// In a call tree: number of the caller's node, which distinguishes copies of a function.
    pub caller: Option<u32>,
    /// Path of the mapping; empty when unknown.
    pub object: String,
}

/// A call.
#[derive(Clone, Debug, Serialize)]
pub struct Call {
    /// Index of the callee's location.
    pub to: u32,
    /// Value of the call, minus the base.
    pub value: i64,
}

/// All locations with their calls, heaviest first.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CallsReport {
    /// Common header.
    pub header: Header,
    /// The locations.
    pub place: Vec<Place>,
    /// Location → flat value, minus the base.
    pub flat: Vec<i64>,
    /// Location → its calls, heaviest first.
    pub calls: Vec<Vec<Call>>,
}
