//! States of all rows every few million events of a log, so that only a bounded number of events is read for a state between.

use super::counts::Counts;
use super::journal::Changes;
use super::store::Store;
use crate::parse::options::OpenLogFile;

/// Least number of events between two states. Reading as many takes about 10 ms.
const EVERY: u64 = if cfg!(test) { 300 } else { 1 << 21 };

/// Events for each row: its counters take about as many bytes as these in the log.
const EVENTS_A_ROW: u64 = 8;

/// A state.
#[derive(Clone, Copy, Debug)]
struct Checkpoint {
    /// Place in the log of the events that follow.
    place: u64,
    /// Place of its bytes, their number, and the number of rows.
    start: u64,
    length: usize,
    n_rows: usize,
}

/// The states so far.
#[derive(Default)]
pub(super) struct Checkpoints {
    store: Store,
    /// In order of places.
    list: Vec<Checkpoint>,
    /// Number of events up to the last one.
    n_events: u64,
    /// There is no room for more.
    is_full: bool,
}

impl Checkpoints {
    /// Returns whether enough events came since the last one. Its cost is that of reading all cells and writing all rows.
    pub(super) fn is_due(&self, n_events: u64, n_cells: usize, n_rows: usize) -> bool {
        let cost = (n_cells as u64).max(EVENTS_A_ROW * n_rows as u64);
        n_events - self.n_events >= EVERY.max(cost) && !self.is_full
    }

    /// Adds the state after `n_events` events, which are in the log in front of `place`. `open`: makes a file.
    pub(super) fn add(&mut self, place: u64, n_events: u64, rows: &[Counts], open: Option<OpenLogFile>) {
        let state = Changes::new((0..).zip(rows.iter().copied()));
        let (start, length, n_rows) = (self.store.length, state.heap_bytes(), state.len());
        self.n_events = n_events;
        self.is_full = self.store.append(state.bytes(), open).is_err();
        if !self.is_full {
            self.list.push(Checkpoint { place, start, length, n_rows });
        }
    }

    /// The last state behind `from` and not behind `to`, both places in the log: its place, and the rows that are not zero, ascending.
    pub(super) fn between(&self, from: u64, to: u64) -> Option<(u64, Vec<(u32, Counts)>)> {
        let last = self.list.partition_point(|checkpoint| checkpoint.place <= to).checked_sub(1)?;
        let Checkpoint { place, start, length, n_rows } = *self.list.get(last).filter(|checkpoint| checkpoint.place > from)?;
        let mut bytes = vec![0; length];
        let mut filled = 0;
        while filled < length {
            filled += self.store.read(start + filled as u64, start + length as u64, &mut bytes[filled..])?.len();
        }
        Some((place, Changes::of_bytes(bytes, n_rows).iter().collect()))
    }
}
