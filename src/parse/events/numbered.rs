//! Events that name cells by number, many at a time: a part of what [`Events::add`] does is done once for all of them.
//!
//! Where the total is highest is known after a run of events. If that is a new peak, the events after it are taken back, the peak is
//! noted, and they are counted again: of a rise only the last peak of a run costs anything.

use super::moments::Moments;
use super::tally::Blocks;
use super::{Cell, Events, NO_SIZE, Noted, Peak, State};

/// Longest run: its cells stay in a core's cache.
const RUN: usize = 1 << 9;

/// An event that cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parse) enum Odd {
    /// There is no such cell.
    NoCell,
    /// None of its blocks is in use.
    NotInUse,
}

/// Cells, and what is noted of them.
struct Cells<'a> {
    cells: &'a mut [Cell<Blocks>],
    sizes: &'a [u64],
    noted: &'a mut [Noted<Blocks>],
    changed: &'a mut Vec<u32>,
    era: u64,
    peak_number: u64,
    n_moments: u64,
}

impl Cells<'_> {
    /// Counts an event.
    #[inline(always)]
    fn add(&mut self, code: u32, last: u32) -> Result<(), Odd> {
        let Some(cell) = self.cells.get_mut((code >> 1) as usize) else { return Err(Odd::NoCell) };
        let is_free = code & 1;
        // One branch: each of the two is as good as random.
        if (cell.now.n[0] == cell.now.n[1]) & (is_free == 1) {
            return Err(if has_no_size(self.sizes, code) { Odd::NoCell } else { Odd::NotInUse });
        }
        if cell.era != self.era {
            if has_no_size(self.sizes, code) {
                return Err(Odd::NoCell);
            }
            cell.era = self.era;
            if let Some(noted) = self.noted.get_mut((code >> 1) as usize) {
                noted.note(cell.now, self.peak_number, self.n_moments, || self.changed.push(code >> 1));
            }
        }
        cell.now.n[is_free as usize] += 1;
        cell.now.temporary += u64::from(is_temporary(code, last));
        Ok(())
    }

    /// Where events lead from `live` bytes: bytes in use after them, most bytes in use, and the first event after which they are.
    fn course(&self, codes: &[u32], mut live: i64) -> (i64, i64, usize) {
        let (mut high, mut high_at) = (i64::MIN, 0);
        for (at, &code) in codes.iter().enumerate() {
            let size = self.sizes.get((code >> 1) as usize).map_or(0, |size| *size as i64);
            let is_free = i64::from(code & 1);
            live = live.wrapping_add((size ^ -is_free).wrapping_add(is_free));
            high_at = if live > high { at } else { high_at };
            high = high.max(live);
        }
        (live, high, high_at)
    }

    /// Takes back an event that was counted.
    fn take_back(&mut self, code: u32, last: u32) {
        if let Some(cell) = self.cells.get_mut((code >> 1) as usize) {
            cell.now.n[(code & 1) as usize] -= 1;
            cell.now.temporary -= u64::from(is_temporary(code, last));
        }
    }
}

/// Returns whether there are no blocks of the event's cell.
fn has_no_size(sizes: &[u64], code: u32) -> bool {
    sizes.get((code >> 1) as usize).is_none_or(|size| *size == NO_SIZE)
}

/// Returns whether it frees what the event before has allocated. No event before: [`u32::MAX`].
#[inline(always)]
fn is_temporary(code: u32, last: u32) -> u32 {
    u32::from(code == last.wrapping_add(1)) & code
}

impl Events<Blocks> {
    /// Adds a row without cells, and returns its number; rows are numbered from 0. `None` when there are too many.
    pub(in crate::parse) fn add_row_of_cells(&mut self) -> Option<u32> {
        self.next_row()
    }

    /// Adds a cell, and returns its number; cells are numbered from 0. Without a row and a size it is a number that nothing has.
    pub(in crate::parse) fn add_blocks(&mut self, of: Option<(u32, u64)>) -> u32 {
        let (row, size) = of.unwrap_or((u32::MAX, NO_SIZE));
        self.add_cell(row, size);
        self.cells.len() as u32 - 1
    }

    /// Number of cells.
    pub(in crate::parse) fn n_cells(&self) -> usize {
        self.cells.len()
    }

    /// The size of the blocks of each cell, and the number of its allocations, if there are any.
    pub(in crate::parse) fn sizes(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.sizes.iter().copied().zip(self.cells.iter().map(|cell| cell.now.n[0])).filter(|(_, n)| *n > 0)
    }

    /// Adds events, each as twice the number of its cell, and one if it is a free. Calls `odd` with the place of each that cannot be.
    pub(in crate::parse) fn add_all(&mut self, codes: &[u32], mut odd: impl FnMut(usize, Odd)) {
        // Short after each that cannot be: what is computed of a run ahead is lost behind it.
        let (mut at, mut length) = (0, RUN);
        while at < codes.len() {
            let run = &codes[at..codes.len().min(at + length)];
            let (n, stopped) = self.add_run(run);
            at += n;
            length = (2 * length).min(RUN);
            if let Some(why) = stopped {
                odd(at, why);
                (at, length) = (at + 1, 1);
            }
        }
    }

    /// Adds events up to one that cannot be. Returns their number, and why the next one cannot.
    fn add_run(&mut self, codes: &[u32]) -> (usize, Option<Odd>) {
        let before = self.last_allocated.and_then(|number| u32::try_from(number << 1).ok()).unwrap_or(u32::MAX);
        let Events { cells, sizes, noted, changed, moments, state, peak, era, .. } = self;
        let n_moments = Moments::n_taken(moments);
        let mut all = Cells { cells, sizes, noted, changed, era: *era + 1, peak_number: peak.number, n_moments };
        let (mut live, mut high, mut high_at) = all.course(codes, state.live);
        let (mut last, mut n, mut stopped) = (before, 0, None);
        for &code in codes {
            if let Err(why) = all.add(code, last) {
                stopped = Some(why);
                break;
            }
            n += 1;
            last = code;
        }
        if stopped.is_some() {
            (live, high, high_at) = all.course(&codes[..n], state.live);
        }
        let codes = &codes[..n];
        let last_of = |at: usize| at.checked_sub(1).map_or(before, |at| codes[at]);
        if high > peak.live {
            for at in (high_at + 1..n).rev() {
                all.take_back(codes[at], last_of(at));
            }
            let State { time, n_events, rss, .. } = *state;
            *peak = Peak { number: peak.number + 1, live: high, time, n_events: n_events + high_at as u64 + 1, rss };
            *era += 1;
            (all.era, all.peak_number) = (*era + 1, peak.number);
            for (at, code) in codes.iter().enumerate().skip(high_at + 1) {
                // It could be before, so it can be again.
                let _ = all.add(*code, last_of(at));
            }
        }
        (state.live, state.high) = (live, state.high.max(high));
        state.n_events += n as u64;
        self.last_allocated = (last & 1 == 0).then_some(u64::from(last >> 1));
        if let Some(log) = &mut self.log {
            for (at, code) in codes.iter().enumerate() {
                log.event(code >> 1, 0, 0, code & 1 == 1, is_temporary(*code, last_of(at)) == 1);
            }
        }
        (n, stopped)
    }

    /// Allocates a block of a cell, or frees one; `block` identifies it until then.
    pub(in crate::parse) fn add_block(&mut self, cell: u32, block: u64, is_free: bool) {
        let size = self.sizes.get(cell as usize).copied().unwrap_or(0);
        self.add(cell, size, block, is_free);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::events::counts::Counts;
    use crate::parse::events::tally::Tally;

    #[test]
    fn temporary_is_what_the_next_event_frees() {
        assert_eq!(
            [is_temporary(5, 4), is_temporary(4, 5), is_temporary(4, 3), is_temporary(5, 5), is_temporary(0, u32::MAX)],
            [1, 0, 0, 0, 0]
        );
        assert_eq!(Blocks { n: [3, 1], temporary: 1 }.counts(8), Counts { n: [3, 1], bytes: [24, 8], temporary: [1, 8] });
    }
}
