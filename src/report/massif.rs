//! massif's output as ms_print prints it.

/// A file's header, and all snapshots without their stacks.
#[derive(Clone, Debug, Default)]
pub struct MassifReport {
    /// Command line that was recorded.
    pub command: String,
    /// Arguments of the recorder.
    pub arguments: Vec<String>,
    /// What times count, as the file has it.
    pub time_unit: String,
    /// The snapshots, in order.
    pub snapshots: Vec<MassifRow>,
}

/// A snapshot.
#[derive(Clone, Debug, Default)]
pub struct MassifRow {
    /// Number, as it is written.
    pub number: i64,
    /// Time, as it is written.
    pub time: String,
    /// Requested bytes in use.
    pub heap: i64,
    /// Bytes that the allocator needs beside them.
    pub extra: i64,
    /// Bytes of stacks.
    pub stacks: i64,
    /// It has stacks.
    pub is_detailed: bool,
    /// The recorder took it for the peak.
    pub is_peak: bool,
}

impl MassifRow {
    /// All bytes.
    pub fn total(&self) -> i64 {
        self.heap.saturating_add(self.extra).saturating_add(self.stacks)
    }
}

/// A node of a snapshot's tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MassifLine {
    /// Number of nodes above it.
    pub depth: usize,
    /// Number of nodes directly below it.
    pub n_children: u64,
    /// Bytes of it and of all below.
    pub bytes: i64,
    /// The frame; of the root what the tree shows.
    pub detail: String,
}
