//! From the bytes in use that a profile knows to the resident memory of its process.

use serde::Serialize;

use super::Header;

/// What the profile does not see: a waterfall from its bytes in use to RSS, and its course over a series.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct RssReport {
    /// Common header.
    pub header: Header,
    /// The memory of the process.
    pub memory: ProcessMemory,
}

/// Resident memory of the process of a profile, explained. All sizes are bytes.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ProcessMemory {
    /// Value type that the waterfall begins with; empty if the profile has no bytes in use.
    pub value_type: String,
    /// When its values are from; empty unless they are from one moment of a recording.
    pub value_note: String,
    /// The waterfall of the dump shown; absent without a file about its process.
    pub waterfall: Option<Waterfall>,
    /// The dumps of the series that have such files; absent if there are fewer than two.
    pub series: Option<MemorySeries>,
    /// What the series shows.
    pub verdict: MemoryVerdict,
    /// The verdict, or the largest part outside of the profile, in a sentence; empty without a waterfall.
    pub sentence: String,
    /// How to get files that are missing, a sentence; empty if there is nothing to add.
    pub hint: String,
    /// Warnings about files that do not belong to the dump or are damaged.
    pub warnings: Vec<String>,
}

/// Bars that add up to RSS.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Waterfall {
    /// Name of the dump.
    pub dump: String,
    /// Index of the dump.
    pub dump_index: usize,
    /// Process id; absent when unknown.
    pub pid: Option<u64>,
    /// Resident memory, the sum of all bars.
    pub rss: i64,
    /// Line and file it is from.
    pub rss_source: String,
    /// Largest resident memory of the process; 0 when unknown.
    pub peak_rss: i64,
    /// Threads of the process; absent when unknown.
    pub threads: Option<u64>,
    /// Allocator whose statistics are used; empty if there are none.
    pub allocator: String,
    /// The bars, in the order of the sum.
    pub bar: Vec<MemoryBar>,
    /// Facts that are no part of the sum, a sentence each.
    pub note: Vec<String>,
    /// Files that the bars are from.
    pub source: Vec<MemorySource>,
}

/// A term of the sum.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MemoryBar {
    /// What it is.
    pub part: MemoryPart,
    /// Its name.
    pub name: String,
    /// Its size; negative where the terms before are more than what is resident.
    pub bytes: i64,
    /// Sum of all bars before it.
    pub start: i64,
    /// Its size is known. If not, it is the rest of a sum: several kinds of memory that no file distinguishes.
    pub is_known: bool,
    /// How it is computed, in words.
    pub formula: String,
    /// Indexes of the files that it is computed from; empty: from the profile alone.
    pub source: Vec<usize>,
    /// What can be done about it, with the option to set; empty if there is nothing.
    pub advice: String,
}

/// Kinds of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MemoryPart {
    /// In use by the profile.
    Live,
    /// What sampling got wrong.
    SamplingError,
    /// In use, but not in the profile.
    Untracked,
    /// Size classes and headers of blocks.
    Rounding,
    /// Free blocks in the caches of threads.
    ThreadCaches,
    /// The allocator's own blocks among those in use.
    Internal,
    /// Free blocks among blocks in use.
    Fragmentation,
    /// Free pages that the allocator keeps.
    FreePages,
    /// The allocator's own data.
    Metadata,
    /// Counted by the allocator, but not resident.
    NeverTouched,
    /// Counted by the allocator, but swapped out.
    Swapped,
    /// Of the allocator, without statistics to tell what.
    AllocatorRest,
    /// Other memory without a file.
    OtherAnonymous,
    /// Stacks.
    Stacks,
    /// Written pages of binaries: `.data` and `.bss`.
    StaticData,
    /// Files.
    Files,
    /// Shared memory.
    SharedMemory,
    /// Pages of the kernel.
    Kernel,
    /// Change between two readings.
    #[default]
    BetweenReadings,
}

impl MemoryPart {
    /// The name as in JSON and CSV.
    pub fn name(self) -> &'static str {
        match self {
            MemoryPart::Live => "live",
            MemoryPart::SamplingError => "sampling_error",
            MemoryPart::Untracked => "untracked",
            MemoryPart::Rounding => "rounding",
            MemoryPart::ThreadCaches => "thread_caches",
            MemoryPart::Internal => "internal",
            MemoryPart::Fragmentation => "fragmentation",
            MemoryPart::FreePages => "free_pages",
            MemoryPart::Metadata => "metadata",
            MemoryPart::NeverTouched => "never_touched",
            MemoryPart::Swapped => "swapped",
            MemoryPart::AllocatorRest => "allocator_rest",
            MemoryPart::OtherAnonymous => "other_anonymous",
            MemoryPart::Stacks => "stacks",
            MemoryPart::StaticData => "static_data",
            MemoryPart::Files => "files",
            MemoryPart::SharedMemory => "shared_memory",
            MemoryPart::Kernel => "kernel",
            MemoryPart::BetweenReadings => "between_readings",
        }
    }
}

/// A file that bars are from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MemorySource {
    /// Its path.
    pub name: String,
    /// What it is, such as `smaps`.
    pub content: String,
    /// When it was captured, nanoseconds since 1970 UTC; 0 when unknown.
    pub time_nanos: i64,
    /// The time is when the file was written.
    pub is_file_time: bool,
    /// Process id; absent when unknown.
    pub pid: Option<u64>,
}

/// Dumps with their waterfalls as columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MemorySeries {
    /// Index of each dump.
    pub dump: Vec<usize>,
    /// Its name.
    pub name: Vec<String>,
    /// When it was taken, nanoseconds since 1970 UTC; 0 when unknown.
    pub time_nanos: Vec<i64>,
    /// RSS.
    pub rss: Vec<i64>,
    /// Kinds of bars; those of one dump add up to its RSS.
    pub band: Vec<MemoryBand>,
}

/// Bars of one kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct MemoryBand {
    /// What it is.
    pub part: MemoryPart,
    /// Its name.
    pub name: String,
    /// Bytes in each dump.
    pub bytes: Vec<i64>,
}

/// What a series shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum MemoryVerdict {
    /// Too few dumps have files about their process.
    #[default]
    Unknown,
    /// Hardly anything changes.
    Steady,
    /// Memory in use grows: a leak, or data that grows.
    Leak,
    /// Memory is free among blocks in use, and stays resident.
    Fragmentation,
    /// Free blocks gather in the caches of threads.
    ThreadCaches,
    /// Memory that is allocated, but not in the profile.
    Untracked,
    /// Free pages are kept for reuse.
    FreePages,
    /// The allocator needs more, without statistics to tell what for.
    Allocator,
    /// Memory outside of the allocator grows: stacks, files, other mappings.
    Outside,
}
