//! A recording as heaptrack_print prints it.

use super::run::SuppressionReport;

/// Kinds of cost, in the order of [`HeaptrackTrace::costs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeaptrackCost {
    /// Number of allocations.
    Allocations,
    /// Number of temporary allocations.
    Temporary,
    /// Bytes in use at the end that no rule suppresses.
    Leaked,
    /// Bytes in use at the peak.
    Peak,
}

impl HeaptrackCost {
    /// Their names in `--flamegraph-cost-type`, in order.
    pub const NAMES: [(&'static str, HeaptrackCost); 4] = [
        ("allocations", HeaptrackCost::Allocations),
        ("temporary", HeaptrackCost::Temporary),
        ("leaked", HeaptrackCost::Leaked),
        ("peak", HeaptrackCost::Peak),
    ];
}

/// A recording as a whole, and each stack with its costs. Of a difference everything is less the base.
#[derive(Clone, Debug, Default)]
pub struct HeaptrackReport {
    /// Command line of each recording.
    pub commands: Vec<String>,
    /// Milliseconds up to the last stamp, and one.
    pub millis: i64,
    /// Number of allocations.
    pub allocations: i64,
    /// Number of temporary ones.
    pub temporary: i64,
    /// Bytes in use at the peak.
    pub peak_bytes: i64,
    /// Largest resident memory, bytes.
    pub peak_rss: i64,
    /// Bytes in use at the end, without suppressed ones.
    pub leaked: i64,
    /// Suppressed bytes.
    pub suppressed: i64,
    /// Rules that match.
    pub suppression: Vec<SuppressionReport>,
    /// Code addresses.
    pub frames: Vec<HeaptrackFrame>,
    /// Stacks.
    pub traces: Vec<HeaptrackTrace>,
    /// Requested sizes, ascending, with the number of allocations.
    pub sizes: Vec<(u64, u64)>,
    /// States of memory, by time; only if asked for.
    pub snapshots: Vec<HeaptrackSnapshot>,
}

/// A code address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct HeaptrackFrame {
    /// Address; in a difference the first one of this place.
    pub address: u64,
    /// Path of the module; empty when unknown.
    pub module: String,
    /// The innermost function there, then those it was inlined into. At least one.
    pub calls: Vec<HeaptrackCall>,
}

/// A function at a line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct HeaptrackCall {
    /// Name; empty when unknown.
    pub function: String,
    /// Path of the source file; empty when unknown.
    pub file: String,
    /// Line.
    pub line: i64,
}

/// A stack.
#[derive(Clone, Debug, Default)]
pub struct HeaptrackTrace {
    /// Indexes of frames, leaf first, up to `main`.
    pub frames: Vec<u32>,
    /// Costs in the order of [`HeaptrackCost`].
    pub costs: [i64; 4],
}

/// Where stacks end, like in heaptrack.
const STOPS: [&str; 3] = ["main", "__libc_start_main", "__static_initialization_and_destruction_0"];

impl HeaptrackFrame {
    /// The name of one of its calls, or the address.
    pub fn name(&self, call: &HeaptrackCall) -> String {
        if call.function.is_empty() { format!("{:#x}", self.address) } else { call.function.clone() }
    }

    /// Returns whether stacks end here.
    pub fn is_end(&self) -> bool {
        self.calls.first().is_some_and(|call| STOPS.contains(&call.function.as_str()))
    }
}

impl HeaptrackTrace {
    /// A cost.
    pub fn cost(&self, kind: HeaptrackCost) -> i64 {
        self.costs[kind as usize]
    }
}

/// Memory in use at a moment.
#[derive(Clone, Debug, Default)]
pub struct HeaptrackSnapshot {
    /// Nanoseconds since the recording began.
    pub at: i64,
    /// Bytes in use.
    pub bytes: i64,
    /// The most memory was in use.
    pub is_peak: bool,
    /// Where it was allocated, root first; empty: not asked for.
    pub tree: Vec<HeaptrackNode>,
}

/// A node of a snapshot's tree, in preorder.
#[derive(Clone, Debug, Default)]
pub struct HeaptrackNode {
    /// Number of nodes above.
    pub depth: usize,
    /// Number of children.
    pub n_children: usize,
    /// Bytes.
    pub bytes: i64,
    /// Index of the frame; `None`: the root, or many small nodes.
    pub frame: Option<u32>,
    /// Number of small nodes that this one is the sum of.
    pub n_small: usize,
}
