//! Reports in jeprof's format. Values are signed, since a base may be larger than the profile.

/// Unit and format of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JeprofUnit {
    /// Bytes, printed in units of 2^20 with one decimal.
    Megabytes,
    /// Bytes, printed whole.
    Bytes,
    /// Things counted, and what they are called.
    Count(&'static str),
}

/// Common header.
#[derive(Clone, Copy, Debug)]
pub struct JeprofHeader {
    /// Fraction of the unit that all values are in.
    pub parts: i64,
    /// Sum of all stacks, before filters.
    pub total: i64,
    /// Sum of what filters leave: what 100 % is.
    pub local_total: i64,
    /// Unit of every value.
    pub unit: JeprofUnit,
}

/// A function, line, file or address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JeprofRow {
    /// Name.
    pub name: String,
    /// Value of the stacks that end there.
    pub flat: i64,
    /// Value of the stacks that it is in.
    pub cum: i64,
}

/// `--text`.
#[derive(Clone, Debug)]
pub struct JeprofText {
    /// Common header.
    pub header: JeprofHeader,
    /// Sorted.
    pub row: Vec<JeprofRow>,
}

/// A call in a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JeprofEdge {
    /// Caller: index of a row.
    pub from: usize,
    /// Callee: index of a row.
    pub to: usize,
    /// Value of the calls.
    pub value: i64,
    /// The callee's code was inlined.
    pub inlined: bool,
}

/// `--dot` and the pictures made from it.
#[derive(Clone, Debug)]
pub struct JeprofGraph {
    /// Common header.
    pub header: JeprofHeader,
    /// Nodes by weight.
    pub row: Vec<JeprofRow>,
    /// Edges by weight.
    pub edge: Vec<JeprofEdge>,
    /// Nodes of at most this were dropped.
    pub node_limit: i64,
    /// Edges of at most this were dropped.
    pub edge_limit: i64,
}

/// One end of a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JeprofPlace {
    /// Source file.
    pub file: String,
    /// Source line; 0 when unknown.
    pub line: i64,
    /// Function.
    pub function: String,
}

/// A place and what ends there, or a place, what it calls, and the value.
pub type JeprofCall = (JeprofPlace, Option<JeprofPlace>, i64);

/// `--callgrind`.
#[derive(Clone, Debug)]
pub struct JeprofCalls {
    /// Common header.
    pub header: JeprofHeader,
    /// By file and line.
    pub call: Vec<JeprofCall>,
}

/// `--collapsed`.
#[derive(Clone, Debug)]
pub struct JeprofStacks {
    /// Common header.
    pub header: JeprofHeader,
    /// Names from root to leaf joined by `;`, and the value; by name.
    pub stack: Vec<(String, i64)>,
}
