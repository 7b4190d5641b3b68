//! Logs of the events of recordings.

use std::fmt::Debug;
use std::sync::Arc;

/// Value types of a recording whose changes a log gives, in this order.
pub const LOGGED: [&str; 6] = ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space", "temp_objects", "temp_space"];

/// Changes of the state of a recording from a kept moment, or from the beginning, to a later time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoggedChanges {
    /// Time of the first stamp that is not earlier than the time asked for, nanoseconds; of the last one if the log ends before.
    pub at: i64,
    /// Row of the recording and its changes, in the order of [`LOGGED`]. Each row once.
    pub rows: Vec<(u32, [i64; LOGGED.len()])>,
    /// They are changes since the beginning, not since the place asked for.
    pub is_whole: bool,
    /// The log ends before the time asked for: there was no room for the rest.
    pub is_cut: bool,
}

/// A log of all events of a recording.
pub trait EventLog: Debug + Send + Sync {
    /// Changes between the state at `offset`, a place in the log, or the empty one, and the one at `nanos`. `None` if the log cannot be
    /// read.
    fn changes(&self, offset: u64, nanos: i64) -> Option<LoggedChanges>;
}

/// The log of one recording in a profile.
#[derive(Clone, Debug)]
pub struct RunLog {
    /// The recording's name.
    pub name: String,
    /// The events.
    pub log: Arc<dyn EventLog>,
    /// Row of the recording → row of the profile; `u32::MAX`: none.
    pub rows: Arc<[u32]>,
    /// Time of a kept moment and its place in the log, ascending.
    pub places: Arc<[(i64, u64)]>,
    /// Factor of the profile's values.
    pub factor: i64,
}

impl RunLog {
    /// The log with its rows at other places of the profile.
    pub(super) fn moved(&self, row_of: impl Fn(u32) -> Option<u32>) -> RunLog {
        let rows = self.rows.iter().map(|&row| if row == u32::MAX { row } else { row_of(row).unwrap_or(u32::MAX) });
        RunLog { rows: rows.collect(), ..self.clone() }
    }
}
