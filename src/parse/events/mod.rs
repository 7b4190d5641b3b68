//! The core of recordings: every allocation and free, in order, becomes columns of a profile in a single pass.
//!
//! A *row* is a stack with a class of sizes. Exact for each row: what was allocated, in use at the peak and at the end, and what was
//! temporary. Beside them come the states at up to a few hundred moments, the exact peak and the end among them, and curves that
//! have no stacks. Memory grows with rows and moments, never with events; time is O(1) for each event.
//!
//! The peak: while the total rises, every allocation makes a new one. A row's state at the peak is therefore noted as late as
//! possible, when the row changes for the first time after it.

mod counts;
mod journal;
mod moments;
mod profile;
#[cfg(test)]
mod tests;

pub(super) use profile::{VALUE_TYPES, into_profile};

use counts::Counts;
use moments::Moments;

/// State of a row.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    now: Counts,
    /// State at the peak `peak_number`, if there was a later change; else that is `now`.
    peak: Counts,
    /// The peak that `peak` is noted for.
    peak_number: u64,
    /// Number of moments at its last change.
    n_moments: u64,
}

/// Consumes events.
#[derive(Debug, Default)]
pub(super) struct Events {
    rows: Vec<Row>,
    /// Rows that changed since the last moment.
    changed: Vec<u32>,
    moments: Moments,
    state: State,
    peak: Peak,
    /// The block that the last event allocated.
    last_allocated: Option<u64>,
    /// Largest resident memory, bytes.
    peak_rss: i64,
}

/// Totals so far.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// Time of the last stamp, nanoseconds.
    time: i64,
    n_events: u64,
    counts: Counts,
    /// Bytes in use.
    live: i64,
    /// Most bytes in use since the last moment.
    high: i64,
    /// Resident memory, bytes; 0 when unknown.
    rss: i64,
}

/// The first of the highest peaks so far.
#[derive(Clone, Copy, Debug, Default)]
struct Peak {
    number: u64,
    state: State,
}

impl Events {
    /// Adds a row and returns its number; rows are numbered from 0. `None` when there are too many.
    pub(super) fn add_row(&mut self) -> Option<u32> {
        let row = u32::try_from(self.rows.len()).ok()?;
        self.rows.push(Row::default());
        self.moments.add_row();
        Some(row)
    }

    /// The row, with its states at the peak and at the last moment noted before it changes.
    #[inline]
    fn row(&mut self, number: u32) -> Option<&mut Counts> {
        let row = self.rows.get_mut(number as usize)?;
        if row.peak_number != self.peak.number {
            row.peak_number = self.peak.number;
            row.peak = row.now;
        }
        let n_moments = self.moments.n_taken();
        if row.n_moments != n_moments {
            row.n_moments = n_moments;
            self.changed.push(number);
        }
        Some(&mut row.now)
    }

    /// Allocates a block of `size` bytes. `block` identifies it until its end, as far as the format can.
    #[inline]
    pub(super) fn allocate(&mut self, row: u32, size: u64, block: u64) {
        let Some(counts) = self.row(row) else { return };
        counts.allocate(size);
        self.state.counts.allocate(size);
        self.last_allocated = Some(block);
        self.state.n_events += 1;
        self.state.live = self.state.live.saturating_add_unsigned(size);
        if self.state.live > self.state.high {
            self.state.high = self.state.live;
            if self.state.live > self.peak.state.live {
                self.peak = Peak { number: self.peak.number + 1, state: self.state };
            }
        }
    }

    /// Frees a block that was allocated with the same arguments.
    #[inline]
    pub(super) fn free(&mut self, row: u32, size: u64, block: u64) {
        let is_temporary = self.last_allocated.take() == Some(block);
        let Some(counts) = self.row(row) else { return };
        counts.free(size, is_temporary);
        self.state.counts.free(size, is_temporary);
        self.state.n_events += 1;
        self.state.live = self.state.live.saturating_sub_unsigned(size);
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
    }

    fn take_moment(&mut self) {
        self.changed.sort_unstable();
        let rows = &self.rows;
        self.moments.take(self.state, &self.changed, |row| rows[row as usize].now);
        self.changed.clear();
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
        *self =
            Events { rows: vec![Row::default(); n_rows], state: State { time: self.state.time, ..State::default() }, ..Events::default() };
        (0..n_rows).for_each(|_| self.moments.add_row());
    }

    /// Time of the last stamp, nanoseconds.
    pub(super) fn time(&self) -> i64 {
        self.state.time
    }
}
