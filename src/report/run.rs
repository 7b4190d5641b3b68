//! Facts about a recording as a whole.

use serde::Serialize;

use super::RunBlocks;
use crate::base::run_clock::RunClock;

/// A recording as a whole; filters do not apply.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct RunReport {
    /// Path or address it was read from.
    pub name: String,
    /// Program that recorded, with its version.
    pub recorder: String,
    /// Command line that was recorded; empty when unknown.
    pub command: String,
    /// Process that was recorded; 0 when unknown.
    pub pid: i64,
    /// What was recorded, in the recorder's own word; empty if it records one thing only.
    pub mode: String,
    /// Longest mean lifetime of blocks that the recorder calls short, in the unit of the value type `lifetime`; 0 when unknown.
    pub short_lifetime: i64,
    /// `temporary` is known.
    pub has_temporary: bool,
    /// What was in use at the peak and at the end is known.
    pub has_states: bool,
    /// The state at any time can be shown, not only at the moments of the series.
    pub has_any_time: bool,
    /// The recorder was attached to a running process: blocks of before are unknown.
    pub is_attached: bool,
    /// What times count.
    pub clock: RunClock,
    /// Length of the recording, by `clock`.
    pub duration: i64,
    /// Number of allocations; 0 when the recorder does not count them.
    pub allocations: i64,
    /// The same for each second; 0 where times are no seconds.
    pub allocations_per_second: f64,
    /// Number of blocks that were freed before anything else was allocated or freed.
    pub temporary: i64,
    /// The recording tells blocks apart, so that `temporary` is exact; otherwise it is an upper bound.
    pub is_temporary_exact: bool,
    /// Bytes in use at the peak.
    pub peak_bytes: i64,
    /// When that was, by `clock`.
    pub peak_at: i64,
    /// What was in use at the peak is the `inuse` of the whole recording: its end has no stacks, or is of less interest.
    pub shows_peak: bool,
    /// Largest resident memory, bytes; 0 when unknown.
    pub peak_rss: i64,
    /// That is without the recorder's own memory.
    pub is_rss_of_program: bool,
    /// Memory of the machine, bytes; 0 when unknown.
    pub system_memory: i64,
    /// Blocks in use at the end, without those that rules suppress; 0 when the recorder does not count blocks.
    pub end_objects: i64,
    /// Their bytes.
    pub end_bytes: i64,
    /// Bytes in use at the end that rules suppress.
    pub suppressed_bytes: i64,
    /// Rules that match blocks in use at the end, in their order.
    pub suppression: Vec<SuppressionReport>,
    /// Memory by pool and by zone, for recordings that have them: the largest of each, by bytes at the peak.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schema(required = false))]
    pub group: Vec<RunGroupReport>,
    /// How long blocks live, and how they end.
    pub blocks: RunBlocks,
}

/// A moment of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MomentReport {
    /// Time since the recording began, by `clock`.
    pub at: i64,
    /// What times count.
    pub clock: RunClock,
    /// The most memory was in use then; of equal peaks the first.
    pub is_peak: bool,
    /// The recording ends then.
    pub is_end: bool,
}

/// Blocks of a recording with the same value of a label.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct RunGroupReport {
    /// Key of the label: `pool` or `zone`.
    pub label: String,
    /// Its value.
    pub value: String,
    /// Number of allocations.
    pub allocations: i64,
    /// Their bytes.
    pub allocated_bytes: i64,
    /// Bytes in use at the peak of the recording.
    pub peak_bytes: i64,
    /// Bytes in use at the end.
    pub end_bytes: i64,
}

/// A rule for blocks that are in use at the end on purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SuppressionReport {
    /// Pattern, as in LeakSanitizer's suppression files.
    pub pattern: String,
    /// Number of stacks that it matches, also those with nothing in use at the end.
    pub n_stacks: i64,
    /// Bytes in use at the end.
    pub bytes: i64,
}
