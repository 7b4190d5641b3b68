//! Options of jeprof's reports, which differ from pprof's.

use super::Pattern;

/// Granularity of nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JeprofGranularity {
    /// Functions; the inlined copy of one is another node.
    #[default]
    Functions,
    /// Functions and source lines.
    Lines,
    /// Source files.
    Files,
    /// Code addresses with function and line.
    Addresses,
}

/// Value type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum JeprofValue {
    /// Bytes in use.
    #[default]
    InuseSpace,
    /// Objects in use.
    InuseObjects,
    /// Bytes allocated so far.
    AllocSpace,
    /// Objects allocated so far.
    AllocObjects,
}

impl JeprofValue {
    /// Name of the value type in profiles that distinguish memory in use from allocated memory.
    pub fn name(self) -> &'static str {
        match self {
            JeprofValue::InuseSpace => "inuse_space",
            JeprofValue::InuseObjects => "inuse_objects",
            JeprofValue::AllocSpace => "alloc_space",
            JeprofValue::AllocObjects => "alloc_objects",
        }
    }
}

/// Options of a jeprof report.
#[derive(Clone, Debug, Default)]
pub struct JeprofView {
    /// Granularity of nodes.
    pub granularity: JeprofGranularity,
    /// Value type.
    pub value: JeprofValue,
    /// Bytes are printed whole, not in MB.
    pub show_bytes: bool,
    /// Sort by cum.
    pub by_cum: bool,
    /// Stacks that the base made negative count nothing.
    pub drop_negative: bool,
    /// Only rows with this `thread` label.
    pub thread: Option<String>,
    /// Stacks to keep: those with a name, `file:line` or address that matches.
    pub focus: Option<Pattern>,
    /// Stacks to drop, likewise.
    pub ignore: Option<Pattern>,
    /// The only addresses to keep, by the outermost function there.
    pub retain: Option<Pattern>,
    /// Addresses to leave out, likewise.
    pub exclude: Option<Pattern>,
    /// The allocator's functions: a stack ends at the outermost of them.
    pub allocator: Option<Pattern>,
    /// Appends addresses to names, at function and line granularity.
    pub show_addresses: bool,
    /// Fraction of the unit that values are in (see `ParseOptions`); 0 is 1.
    pub parts: i64,
}

/// Size and style of the graph.
#[derive(Clone, Copy, Debug)]
pub struct JeprofGraphSpec {
    /// Maximum number of nodes.
    pub nodecount: usize,
    /// Smallest share of a node.
    pub nodefraction: f64,
    /// Smallest share of an edge.
    pub edgefraction: f64,
    /// Maximum number of edges into and out of a node.
    pub maxdegree: usize,
}

impl Default for JeprofGraphSpec {
    fn default() -> Self {
        JeprofGraphSpec { nodecount: 80, nodefraction: 0.005, edgefraction: 0.001, maxdegree: 8 }
    }
}
