//! The core of recordings: every allocation and free, in order, becomes columns of a profile in a single pass.
//!
//! A *row* is a stack with a class of sizes. Exact for each row: what was allocated, in use at the peak and at the end, and what was
//! temporary. Beside them come the states at up to a few hundred moments, the exact peak and the end among them, and curves that
//! have no stacks. Memory grows with rows and moments, never with events; time is O(1) for each event.
//!
//! Counted are *cells*: a row is one, or has one for each size, which then needs no counters of bytes.
//!
//! The peak: while the total rises, every allocation makes a new one. A cell's state at the peak is therefore noted as late as
//! possible, when the cell changes for the first time after it.

mod checkpoints;
mod counts;
mod extra;
mod journal;
mod lifetimes;
mod log;
mod moments;
mod numbered;
mod ordered;
mod profile;
mod sizes;
mod state;
mod store;
mod tally;
#[cfg(test)]
mod tests;
mod value_types;

pub(super) use extra::Extra;
pub(super) use lifetimes::Lifetimes;
pub(super) use numbered::Odd;
pub(super) use ordered::{Ordered, Timed};
pub(super) use profile::{into_profile, into_profile_with};
pub(super) use sizes::{HUGE, Sizes, clamped};
pub(super) use tally::Blocks;
pub(super) use value_types::{VALUE_TYPES, value_types};

use crate::parse::options::KeepEvents;
use counts::Counts;
use log::LogWriter;
use moments::Moments;
use state::State;
use tally::Tally;

/// State of a cell: what every event changes, in one line of a cache; with blocks of one size, half of one.
#[derive(Clone, Copy, Debug)]
#[repr(align(32))]
struct Cell<T> {
    now: T,
    /// Number of peaks and moments at its last change, and one; if there was one since, that state is yet to be noted.
    era: u64,
}

const NO_SIZE: u64 = u64::MAX;

/// Earlier states of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Noted<T> {
    /// Its row.
    row: u32,
    /// Number of moments at its last change.
    n_moments: u64,
    /// State at the last moment.
    at_moment: T,
    /// The peak that `at_peak` is noted for.
    peak_number: u64,
    /// State at the peak `peak_number`, if there was a later change; else that is the state of now.
    at_peak: T,
}

impl<T: Tally> Noted<T> {
    /// Notes the state `now` at the last peak before its first change after it. Calls `changed` if it is the first one after the
    /// last moment.
    #[inline]
    fn note(&mut self, now: T, peak_number: u64, n_moments: u64, changed: impl FnOnce()) {
        if self.n_moments != n_moments {
            self.n_moments = n_moments;
            changed();
        }
        if self.peak_number != peak_number {
            self.peak_number = peak_number;
            self.at_peak = now;
        }
    }
}

/// Consumes events.
#[derive(Debug, Default)]
pub(super) struct Events<T = Counts> {
    cells: Vec<Cell<T>>,
    /// Cell → size of its blocks, or of the first one; [`NO_SIZE`]: there is none.
    sizes: Vec<u64>,
    /// Cell → its earlier states.
    noted: Vec<Noted<T>>,
    n_rows: u32,
    /// Cells that changed since the last moment.
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

impl Events<Counts> {
    /// Adds a row, which is one cell, and returns its number; rows are numbered from 0. `None` when there are too many.
    pub(super) fn add_row(&mut self) -> Option<u32> {
        let row = self.next_row()?;
        self.add_cell(row, NO_SIZE);
        Some(row)
    }
}

impl<T: Tally> Events<T> {
    /// No event yet. `keep`: a log of all events is kept.
    pub(super) fn new(keep: Option<&KeepEvents>) -> Self {
        Events { log: keep.map(|options| LogWriter::new(options.file)), ..Events::default() }
    }

    fn next_row(&mut self) -> Option<u32> {
        let row = self.n_rows;
        self.n_rows = row.checked_add(1)?;
        Some(row)
    }

    fn add_cell(&mut self, row: u32, size: u64) {
        self.cells.push(Cell { now: T::default(), era: 0 });
        self.sizes.push(size);
        self.noted.push(Noted { row, ..Noted::default() });
    }

    /// Allocates a block of `size` bytes, or frees one. `block` identifies it until then, as far as the format can.
    #[inline(always)]
    pub(super) fn add(&mut self, cell: u32, size: u64, block: u64, is_free: bool) {
        let Events { cells, sizes, noted, state, peak, era, moments, changed, log, .. } = self;
        let (Some(entry), Some(usual)) = (cells.get_mut(cell as usize), sizes.get_mut(cell as usize)) else { return };
        if entry.era != *era + 1 {
            entry.era = *era + 1;
            if *usual == NO_SIZE {
                *usual = size;
            }
            if let Some(noted) = noted.get_mut(cell as usize) {
                noted.note(entry.now, peak.number, moments.n_taken(), || changed.push(cell));
            }
        }
        let is_temporary = is_free & (self.last_allocated == Some(block));
        self.last_allocated = (!is_free).then_some(block);
        entry.now.add(size, is_free, is_temporary);
        if let Some(log) = log {
            log.event(cell, size, *usual, is_free, is_temporary);
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
        if self.moments.is_due(&self.state, self.changed.len()) {
            self.take_moment();
        }
        let n_events = self.state.n_events;
        if self.log.as_ref().is_some_and(|log| log.wants_state(n_events, self.cells.len(), self.n_rows as usize)) {
            let rows = self.rows_now();
            self.log.as_mut().into_iter().for_each(|log| log.keep_state(n_events, &rows));
        }
        if let Some(log) = &mut self.log {
            log.stamp(nanos);
        }
    }

    /// Row → counters of now.
    fn rows_now(&self) -> Vec<Counts> {
        let mut rows = vec![Counts::default(); self.n_rows as usize];
        for ((cell, size), noted) in self.cells.iter().zip(&self.sizes).zip(&self.noted) {
            rows.get_mut(noted.row as usize).into_iter().for_each(|row| *row = row.plus(cell.now.counts(*size)));
        }
        rows
    }

    fn take_moment(&mut self) {
        self.state.log_place = self.log.as_ref().map_or(0, LogWriter::place);
        let Events { cells, sizes, noted, changed, .. } = self;
        let mut changes: Vec<(u32, Counts)> = Vec::with_capacity(changed.len());
        changes.extend(changed.drain(..).filter_map(|cell| {
            let (entry, size, noted) = (cells.get(cell as usize)?, *sizes.get(cell as usize)?, noted.get_mut(cell as usize)?);
            let before = std::mem::replace(&mut noted.at_moment, entry.now);
            Some((noted.row, entry.now.counts(size).since(before.counts(size))))
        }));
        changes.sort_unstable_by_key(|(row, _)| *row);
        changes.dedup_by(|next, kept| {
            let is_same = next.0 == kept.0;
            if is_same {
                kept.1 = kept.1.plus(next.1);
            }
            is_same
        });
        self.moments.take(self.state, &changes);
        self.era += 1;
        self.state.high = self.state.live;
    }

    /// Row → counters of now, and those at the peak. Takes the cells.
    fn take_rows(&mut self) -> Vec<[Counts; 2]> {
        let mut rows = vec![[Counts::default(); 2]; self.n_rows as usize];
        let (cells, sizes) = (std::mem::take(&mut self.cells), std::mem::take(&mut self.sizes));
        for ((cell, size), noted) in cells.iter().zip(sizes).zip(std::mem::take(&mut self.noted)) {
            let Some(row) = rows.get_mut(noted.row as usize) else { continue };
            let at_peak = if noted.peak_number == self.peak.number { noted.at_peak } else { cell.now };
            *row = [row[0].plus(cell.now.counts(size)), row[1].plus(at_peak.counts(size))];
        }
        rows
    }

    /// Sets the resident memory, bytes.
    pub(super) fn set_rss(&mut self, bytes: i64) {
        self.state.rss = bytes;
        self.peak_rss = self.peak_rss.max(bytes);
    }

    /// Forgets all events, not the cells: the recording begins here.
    pub(super) fn restart(&mut self) {
        let cells = vec![Cell { now: T::default(), era: 0 }; self.cells.len()];
        let noted = self.noted.iter().map(|noted| Noted { row: noted.row, ..Noted::default() }).collect();
        *self = Events {
            cells,
            sizes: std::mem::take(&mut self.sizes),
            noted,
            n_rows: self.n_rows,
            log: self.log.as_ref().map(LogWriter::anew),
            state: State { time: self.state.time, ..State::default() },
            ..Events::default()
        };
    }

    /// Time of the last stamp, nanoseconds.
    pub(super) fn time(&self) -> i64 {
        self.state.time
    }
}
