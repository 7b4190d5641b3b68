//! The core of recordings: every allocation and free, in order, becomes columns of a profile in a single pass.
//!
//! A *row* is a stack with a class of sizes. Exact for each row: what was allocated, in use at the peak and at the end, and what was
//! temporary. Beside them come the states at up to a few hundred moments, the exact peak and the end among them, and curves that
//! have no stacks. Memory grows with rows and moments, never with events; time is O(1) for each event.
//!
//! The peak: while the total rises, every allocation makes a new one. A row's state at the peak is therefore noted as late as
//! possible, when the row changes for the first time after it.

mod counts;
mod extra;
mod journal;
mod lifetimes;
mod log;
mod moments;
mod ordered;
mod profile;
mod sizes;
mod state;
#[cfg(test)]
mod tests;
mod value_types;

pub(super) use extra::Extra;
pub(super) use lifetimes::Lifetimes;
pub(super) use ordered::{Ordered, Timed};
pub(super) use profile::{into_profile, into_profile_with};
pub(super) use sizes::{HUGE, Sizes, clamped};
pub(super) use value_types::{VALUE_TYPES, value_types};

use crate::parse::options::KeepEvents;
use counts::Counts;
use log::LogWriter;
use moments::Moments;
use state::State;

/// State of a row: what every event needs, in one line of a cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Row {
    now: Counts,
    /// Number of peaks and moments at its last change, and one; if there was one since, that state is yet to be noted.
    era: u64,
    /// Size of its first block; [`NO_SIZE`]: there was none.
    first_size: u64,
}

const NO_SIZE: u64 = u64::MAX;

impl Default for Row {
    fn default() -> Self {
        Row { now: Counts::default(), era: 0, first_size: NO_SIZE }
    }
}

/// Earlier states of a row.
#[derive(Clone, Copy, Debug, Default)]
struct Noted {
    /// Number of moments at its last change.
    n_moments: u64,
    /// The peak that `peak` is noted for.
    peak_number: u64,
    /// State at the peak `peak_number`, if there was a later change; else that is the state of now.
    peak: Counts,
}

impl Noted {
    /// Notes the state `now` at the last peak before its first change after it. Calls `changed` if it is the first one after the
    /// last moment.
    #[inline]
    fn note(&mut self, now: Counts, peak_number: u64, n_moments: u64, changed: impl FnOnce()) {
        if self.n_moments != n_moments {
            self.n_moments = n_moments;
            changed();
        }
        if self.peak_number != peak_number {
            self.peak_number = peak_number;
            self.peak = now;
        }
    }
}

/// Consumes events.
#[derive(Debug, Default)]
pub(super) struct Events {
    rows: Vec<Row>,
    /// Row → its earlier states.
    noted: Vec<Noted>,
    /// Rows that changed since the last moment.
    changed: Vec<u32>,
    moments: Moments,
    state: State,
    peak: Peak,
    /// Number of peaks and moments so far.
    era: u64,
    /// The block of the last event, if that was an allocation.
    last_allocated: Option<u64>,
    /// Largest resident memory, bytes.
    peak_rss: i64,
    log: Option<LogWriter>,
}

/// The first of the highest peaks so far.
#[derive(Clone, Copy, Debug, Default)]
struct Peak {
    /// Number of peaks before and this; 0: there is none.
    number: u64,
    /// Bytes in use.
    live: i64,
    /// Time of its stamp, nanoseconds.
    time: i64,
    /// Number of events up to it.
    n_events: u64,
    rss: i64,
}

impl Events {
    /// No event yet. `keep`: a log of all events is kept.
    pub(super) fn new(keep: Option<&KeepEvents>) -> Self {
        Events { log: keep.map(|options| LogWriter::new(options.file)), ..Events::default() }
    }

    /// Adds a row and returns its number; rows are numbered from 0. `None` when there are too many.
    pub(super) fn add_row(&mut self) -> Option<u32> {
        let row = u32::try_from(self.rows.len()).ok()?;
        self.rows.push(Row::default());
        self.noted.push(Noted::default());
        self.moments.add_row();
        Some(row)
    }

    /// Allocates a block of `size` bytes, or frees one. `block` identifies it until then, as far as the format can.
    #[inline(always)]
    pub(super) fn add(&mut self, row: u32, size: u64, block: u64, is_free: bool) {
        let Events { rows, noted, state, peak, era, moments, changed, log, .. } = self;
        let Some(entry) = rows.get_mut(row as usize) else { return };
        if entry.era != *era + 1 {
            entry.era = *era + 1;
            if entry.first_size == NO_SIZE {
                entry.first_size = size;
            }
            if let Some(noted) = noted.get_mut(row as usize) {
                noted.note(entry.now, peak.number, moments.n_taken(), || changed.push(row));
            }
        }
        let is_temporary = is_free & (self.last_allocated == Some(block));
        self.last_allocated = (!is_free).then_some(block);
        entry.now.add(size, is_free, is_temporary);
        if let Some(log) = log {
            log.event(row, size, entry.first_size, is_free, is_temporary);
        }
        let change = size as i64;
        state.n_events += 1;
        state.live = state.live.wrapping_add(if is_free { change.wrapping_neg() } else { change });
        if state.live > state.high {
            state.high = state.live;
            if state.live > peak.live {
                let State { time, n_events, live, rss, .. } = *state;
                *peak = Peak { number: peak.number + 1, live, time, n_events, rss };
                *era += 1;
            }
        }
    }

    /// Sets the time of the events that follow, nanoseconds since the recording began; it never runs backward. Before, it takes
    /// the state of the events so far as that of this moment if the last one is long enough ago.
    pub(super) fn set_time(&mut self, nanos: i64) {
        if nanos <= self.state.time {
            return;
        }
        self.state.time = nanos;
        if self.moments.is_due(&self.state) {
            self.take_moment();
        }
        if let Some(log) = &mut self.log {
            log.stamp(nanos);
        }
    }

    fn take_moment(&mut self) {
        self.changed.sort_unstable();
        self.state.log_place = self.log.as_ref().map_or(0, LogWriter::place);
        let rows = &self.rows;
        self.moments.take(self.state, &self.changed, |row| rows[row as usize].now);
        self.changed.clear();
        self.era += 1;
        self.state.high = self.state.live;
    }

    /// Sets the resident memory, bytes.
    pub(super) fn set_rss(&mut self, bytes: i64) {
        self.state.rss = bytes;
        self.peak_rss = self.peak_rss.max(bytes);
    }

    /// Forgets all events, not the rows: the recording begins here.
    pub(super) fn restart(&mut self) {
        let n_rows = self.rows.len();
        *self = Events {
            rows: vec![Row::default(); n_rows],
            noted: vec![Noted::default(); n_rows],
            log: self.log.as_ref().map(LogWriter::anew),
            state: State { time: self.state.time, ..State::default() },
            ..Events::default()
        };
        (0..n_rows).for_each(|_| self.moments.add_row());
    }

    /// Time of the last stamp, nanoseconds.
    pub(super) fn time(&self) -> i64 {
        self.state.time
    }
}
