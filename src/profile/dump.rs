//! Metadata of a dump.

use serde::{Deserialize, Serialize};

use crate::base::run_clock::RunClock;

/// One profile as it was read: where it came from and when it was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Dump {
    /// Path or address it was read from, for display.
    pub name: String,
    /// End of collection, nanoseconds since 1970 UTC; 0 when unknown.
    pub time_nanos: i64,
    /// Length of collection, nanoseconds; 0 for a snapshot.
    pub duration_nanos: i64,
    /// Process of the dump, from its file name, such as `jeprof.13992`; empty if unknown.
    pub series: String,
    /// Sequence number within the process; `None` if unknown.
    pub number: Option<u64>,
    /// When its file was written last, nanoseconds since 1970 UTC; 0 when unknown.
    pub file_time: i64,
    /// Given to be subtracted: not shown unless a view names it.
    pub is_base: bool,
    /// Not shown unless a view selects it: part of a series shown by another dump, or opened later.
    pub is_added: bool,
    /// Its numbers were dropped to save memory; the dump stays in the list, so that numbers of others hold.
    pub is_thinned: bool,
    /// From another machine or another program: it was fetched, or opened in the page.
    pub is_foreign: bool,
    /// Mean distance of samples, bytes; 0 when unknown or every allocation was recorded.
    pub period: i64,
    /// Moment of a recording whose state this is; `None` for dumps and for whole recordings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moment: Option<Moment>,
}

/// A moment of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moment {
    /// Time since the recording began, by `clock`. Several moments with one time stamp are 1 apart.
    pub at: i64,
    /// What times count.
    #[serde(default, skip_serializing_if = "RunClock::is_time")]
    pub clock: RunClock,
    /// What is special about it.
    pub kind: MomentKind,
}

/// What is special about a moment of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MomentKind {
    /// Nothing: one of many that show the course of time.
    Sampled,
    /// The most memory was in use; of equal peaks the first.
    Peak,
    /// The recording ends.
    End,
}

impl Moment {
    /// Whether it is known when that was: a peak at 0 has no time.
    pub fn has_time(self) -> bool {
        self.kind != MomentKind::Peak || self.at > 0
    }

    /// The name of its dump, for a recording of this name.
    pub fn name(self, recording: &str) -> String {
        let at = self.clock.label(self.at);
        match self.kind {
            MomentKind::Sampled => format!("{recording} at {at}"),
            MomentKind::Peak if !self.has_time() => format!("{recording} at the peak"),
            MomentKind::Peak => format!("{recording} at the peak, {at}"),
            MomentKind::End => format!("{recording} at the end, {at}"),
        }
    }
}

impl Dump {
    /// Returns whether it is shown when a view names no dump.
    pub fn counts(&self) -> bool {
        !self.is_base && !self.is_added && !self.is_thinned
    }
}
