//! State of targets for people, and counters.

use serde::Serialize;

/// State of a target.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct TargetStatus {
    /// Name of the job.
    pub job: String,
    /// Service of its dumps.
    pub service: String,
    /// Label `instance`.
    pub instance: String,
    /// Address of the profile, without secrets.
    pub address: String,
    /// Whether the last visit succeeded; missing before the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<bool>,
    /// Why the last visit failed; empty if it did not.
    pub error: String,
    /// Failures since the last success.
    pub failures: u32,
    /// Dumps that this server stored.
    pub stored: u64,
    /// Dumps that the store has not taken yet.
    pub waiting: u64,
    /// Bytes in use at the last visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub in_use: Option<u64>,
    /// Identifier of the last dump, empty if there is none.
    pub last_dump: String,
    /// When it came, milliseconds since 1970 UTC.
    pub last_dump_time: i64,
    /// It is marked as the last dump of a process that ended.
    pub last_before_exit: bool,
    /// When it is asked next, milliseconds since 1970 UTC.
    pub next: i64,
    /// Another server of the store asks it, and knows its state.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub elsewhere: bool,
}

/// What became of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScrapeResult {
    /// Stored by the interval.
    Interval,
    /// Stored as memory grew by a step.
    Growth,
    /// Stored as the process is new.
    Start,
    /// Not stored, as memory did not grow by a step.
    Dropped,
    /// A cheap look at memory.
    Probe,
    /// No answer, or none that can be stored.
    Failed,
}

impl ScrapeResult {
    /// Name in metrics.
    pub fn name(self) -> &'static str {
        match self {
            ScrapeResult::Interval => "interval",
            ScrapeResult::Growth => "growth",
            ScrapeResult::Start => "start",
            ScrapeResult::Dropped => "dropped",
            ScrapeResult::Probe => "probe",
            ScrapeResult::Failed => "failed",
        }
    }
}
