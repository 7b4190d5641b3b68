//! Places in the code with what they hold and whom they call, for tools that draw their own.

use serde::Serialize;

use super::Header;

/// A place, told in parts; which are set depends on the granularity.
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
    /// In a tree of calls the number of its caller's node, which tells its copies apart.
    pub caller: Option<u32>,
    /// Path of the mapped file; empty when unknown.
    pub object: String,
}

/// A call.
#[derive(Clone, Debug, Serialize)]
pub struct Call {
    /// The callee's place number.
    pub to: usize,
    /// What flows along it, less the base.
    pub value: i64,
}

/// All places, heaviest first, with their calls.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CallsReport {
    /// What every report says first.
    pub header: Header,
    /// The places.
    pub place: Vec<Place>,
    /// Place → value in the place itself, less the base.
    pub flat: Vec<i64>,
    /// Place → its calls, heaviest first.
    pub calls: Vec<Vec<Call>>,
}
