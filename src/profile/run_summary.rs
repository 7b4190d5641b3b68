//! Facts about a recording as a whole: totals, and curves that have no stacks.

use serde::{Deserialize, Serialize};

use crate::base::run_clock::RunClock;

/// A recording as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunSummary {
    /// Path or address it was read from.
    pub name: String,
    /// Program that recorded, with its version, such as `heaptrack 1.4.0`.
    pub recorder: String,
    /// Command line that was recorded; empty when unknown.
    pub command: String,
    /// Process that was recorded; 0 when unknown.
    #[serde(skip_serializing_if = "is_zero")]
    pub pid: i64,
    /// What was recorded, in the recorder's own word; empty if it records one thing only.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub mode: String,
    /// Longest mean lifetime of blocks that the recorder calls short, in the unit of the value type `lifetime`; 0 when unknown.
    #[serde(skip_serializing_if = "is_zero")]
    pub short_lifetime: i64,
    /// The recorder does not tell which blocks are temporary.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lacks_temporary: bool,
    /// Nothing that was in use at a time is counted, such as copies of memory.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lacks_states: bool,
    /// The recorder was attached to a running process: blocks of before are unknown.
    pub is_attached: bool,
    /// What times count.
    #[serde(skip_serializing_if = "RunClock::is_time")]
    pub clock: RunClock,
    /// Time of the last stamp, by `clock`.
    pub duration: i64,
    /// When the most memory was in use, by `clock`; of equal peaks the first.
    pub peak_at: i64,
    /// What was in use at the peak is the `inuse` of the whole recording: the end is unknown, or less of interest.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub shows_peak: bool,
    /// Allocations, and the bytes they requested.
    pub allocated: RunCount,
    /// Frees of known blocks.
    pub freed: RunCount,
    /// Blocks that were freed before anything else was allocated or freed.
    pub temporary: RunCount,
    /// Blocks were told apart by their addresses, so that `temporary` is exact. If not, a block that is freed right after the
    /// allocation of another one of the same size and stack counts, too.
    pub is_temporary_exact: bool,
    /// Blocks in use at the peak.
    pub peak: RunCount,
    /// Blocks in use at the end.
    pub end: RunCount,
    /// Largest resident memory that was seen, bytes; 0 when unknown.
    pub peak_rss: i64,
    /// Resident memory is without the recorder's own.
    pub is_rss_of_program: bool,
    /// Memory of the machine, bytes; 0 when unknown.
    pub system_memory: i64,
    /// Rules of the recording itself for blocks that are in use at the end on purpose: patterns of LeakSanitizer.
    pub suppressions: Vec<String>,
    /// The course of the whole run, by time.
    pub curve: Vec<RunPoint>,
    /// Blocks by lifetime, the shortest first, those in use at the end last; empty when lifetimes are unknown.
    pub lifetimes: Vec<RunLifetime>,
    /// Blocks that changed their size; absent when the recorder does not connect them.
    pub reallocations: Option<RunReallocations>,
    /// Requested sizes, ascending, with the number of allocations. Not in report files.
    #[serde(skip)]
    pub sizes: Vec<(u64, u64)>,
}

fn is_zero(number: &i64) -> bool {
    *number == 0
}

/// Blocks and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunCount {
    /// Number of blocks.
    pub objects: i64,
    /// Their requested sizes, bytes.
    pub bytes: i64,
}

/// Blocks that lived about as long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunLifetime {
    /// The range of lifetimes, such as `1ms to 10ms`; also the value of the label `lifetime`.
    pub name: String,
    /// The blocks.
    pub blocks: RunCount,
    /// Sum of their lifetimes, microseconds.
    pub micros: i64,
}

/// Blocks that changed their size, one or several times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunReallocations {
    /// Changes of size, and the bytes that the blocks had before.
    pub all: RunCount,
    /// Those that moved the block to another address, so that its bytes were copied.
    pub moved: RunCount,
    /// Number of blocks that changed their size.
    pub chains: i64,
    /// Most sizes that one block had.
    pub longest: i64,
}

/// State of a whole run at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RunPoint {
    /// Time since the recording began, by the clock of the recording.
    pub at: i64,
    /// In use.
    pub live: RunCount,
    /// Most bytes in use since the point before.
    pub high: i64,
    /// Allocations so far.
    pub allocations: i64,
    /// Temporary allocations so far.
    pub temporary: i64,
    /// Resident memory as last seen, bytes; 0 when unknown.
    pub rss: i64,
    /// What the allocator needs beside the requested bytes, for headers and alignment; bytes, 0 when unknown.
    pub extra: i64,
    /// Memory of stacks, bytes; 0 when unknown.
    pub stacks: i64,
}
