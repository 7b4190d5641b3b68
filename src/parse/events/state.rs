//! Totals of a recording.

/// Totals so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    /// Time of the last stamp, nanoseconds.
    pub(super) time: i64,
    pub(super) n_events: u64,
    /// Bytes in use.
    pub(super) live: i64,
    /// Most bytes in use since the last moment.
    pub(super) high: i64,
    /// Resident memory, bytes; 0 when unknown.
    pub(super) rss: i64,
    /// Place in the log of the events that follow.
    pub(super) log_place: u64,
}
