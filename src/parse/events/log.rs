//! A log of all events, for the states between the moments that have columns.
//!
//! An entry takes two to six bytes: cell, whether it frees, whether the block was temporary, and whether its size is that of the cell's
//! first block; if not, the size follows. Time stamps are entries, too. Where there are no files the log ends when it gets long.

use std::fmt;

use super::checkpoints::Checkpoints;
use super::counts::Counts;
use super::store::{BLOCK, Store};
use crate::parse::options::OpenLogFile;
use crate::profile::{EventLog, LoggedChanges};

/// Longest entry: a code and a size, bytes.
const LONGEST: usize = 16;
/// Distance of the stamps that are found without reading what is before, bytes.
const STAMP_EVERY: u64 = if cfg!(test) { 1 << 16 } else { 1 << 20 };

const FREES: u64 = 1;
const IS_TEMPORARY: u64 = 2;
/// A size or a time follows.
const HAS_NUMBER: u64 = 4;
const FLAGS: u32 = 3;

/// Lengths of a code by its lowest two bits, and of a number, bytes.
const CODE_LENGTHS: [usize; 4] = [2, 3, 4, 6];
const NUMBER_LENGTHS: [usize; 4] = [1, 2, 4, 8];

/// The number with its length, and the length. Numbers beyond the longest one are cut.
#[inline(always)]
fn packed(number: u64, lengths: [usize; 4]) -> (u64, usize) {
    let bits = 64 - (number << 2).leading_zeros() as usize;
    let class = usize::from(bits > 8 * lengths[0]) + usize::from(bits > 8 * lengths[1]) + usize::from(bits > 8 * lengths[2]);
    (number << 2 | class as u64, lengths[class])
}

/// The number at the start of `bytes`, and its length.
#[inline(always)]
fn unpacked(bytes: &[u8], lengths: [usize; 4]) -> Option<(u64, usize)> {
    let word = u64::from_le_bytes(*bytes.first_chunk::<8>()?);
    let length = lengths[(word & 3) as usize];
    Some(((word & u64::MAX >> (64 - 8 * length)) >> 2, length))
}

/// The log while it is written.
pub(super) struct LogWriter {
    open: Option<OpenLogFile>,
    store: Store,
    /// What follows, and room.
    buffer: Vec<u8>,
    filled: usize,
    /// Some stamps and their places, ascending.
    stamps: Vec<(i64, u64)>,
    checkpoints: Checkpoints,
    /// There is no room for more.
    is_cut: bool,
}

impl LogWriter {
    /// `open`: makes a file for a long log.
    pub(super) fn new(open: Option<OpenLogFile>) -> Self {
        LogWriter {
            open,
            store: Store::default(),
            buffer: vec![0; BLOCK],
            filled: 0,
            stamps: Vec::new(),
            checkpoints: Checkpoints::default(),
            is_cut: false,
        }
    }

    /// An empty log that is written to the same kind of place.
    pub(super) fn anew(&self) -> Self {
        LogWriter::new(self.open)
    }

    /// Place of the next entry.
    pub(super) fn place(&self) -> u64 {
        self.store.length + self.filled as u64
    }

    /// Adds an event. `usual`: size of the cell's first block.
    #[inline(always)]
    pub(super) fn event(&mut self, cell: u32, size: u64, usual: u64, is_free: bool, is_temporary: bool) {
        let flags = (u64::from(is_free) * FREES) | (u64::from(is_temporary) * IS_TEMPORARY);
        self.push((u64::from(cell) + 1) << FLAGS | flags, size, size != usual);
    }

    /// Returns whether the state of all rows is to be kept. `n_events` so far; `n_cells` are to be read for it.
    pub(super) fn wants_state(&self, n_events: u64, n_cells: usize, n_rows: usize) -> bool {
        !self.is_cut && self.open.is_some() && self.checkpoints.is_due(n_events, n_cells, n_rows)
    }

    /// Keeps the state of all rows after `n_events` events. Row → its counters.
    pub(super) fn keep_state(&mut self, n_events: u64, rows: &[Counts]) {
        let place = self.place();
        self.checkpoints.add(place, n_events, rows, self.open);
    }

    /// Adds a time stamp.
    pub(super) fn stamp(&mut self, nanos: i64) {
        let place = self.place();
        if place >= self.stamps.last().map_or(0, |(_, last)| last + STAMP_EVERY) && !self.is_cut {
            self.stamps.push((nanos, place));
        }
        self.push(0, nanos.unsigned_abs(), true);
    }

    #[inline(always)]
    fn push(&mut self, code: u64, number: u64, has_number: bool) {
        let (code, code_length) = packed(code | (u64::from(has_number) * HAS_NUMBER), CODE_LENGTHS);
        let (number, number_length) = packed(number, NUMBER_LENGTHS);
        let Some(room) = self.buffer.get_mut(self.filled..self.filled + LONGEST) else { return };
        room[..8].copy_from_slice(&code.to_le_bytes());
        room[code_length..code_length + 8].copy_from_slice(&number.to_le_bytes());
        self.filled += code_length + if has_number { number_length } else { 0 };
        if self.filled + LONGEST > BLOCK {
            self.flush();
        }
    }

    #[cold]
    fn flush(&mut self) {
        let filled = std::mem::take(&mut self.filled);
        if !self.is_cut {
            self.is_cut = self.store.append(&self.buffer[..filled], self.open).is_err();
        }
        if self.is_cut {
            // A half-written block counts for nothing.
            self.buffer = Vec::new();
        }
    }

    /// The log for reading.
    pub(super) fn finish(mut self, cells: Cells) -> Log {
        self.flush();
        let length = self.store.length;
        self.stamps.retain(|(_, place)| *place < length);
        Log { store: self.store, cells, stamps: self.stamps.into(), checkpoints: self.checkpoints, is_cut: self.is_cut }
    }
}

impl fmt::Debug for LogWriter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogWriter").field("place", &self.place()).finish_non_exhaustive()
    }
}

/// What entries say only once.
pub(super) struct Cells {
    /// Cell → size of its first block.
    pub(super) size: Box<[u64]>,
    /// Cell → its row.
    pub(super) row: Box<[u32]>,
}

/// A whole log.
pub(super) struct Log {
    store: Store,
    cells: Cells,
    /// Some stamps and their places, ascending.
    stamps: Box<[(i64, u64)]>,
    checkpoints: Checkpoints,
    is_cut: bool,
}

impl fmt::Debug for Log {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Log").field("length", &self.store.length).finish_non_exhaustive()
    }
}

/// An entry.
struct Entry {
    place: u64,
    code: u64,
    number: u64,
}

impl Log {
    /// Gives all entries between two places to `take`, until it returns false. `None` if they cannot be read.
    fn for_each(&self, from: u64, to: u64, mut take: impl FnMut(Entry) -> bool) -> Option<()> {
        let mut buffer = vec![0; BLOCK + LONGEST];
        let mut at = from;
        let end = to.min(self.store.length);
        while at < end {
            let n = self.store.read(at, end, &mut buffer)?.len();
            // Behind the last entry there are zeros.
            buffer[n..n + LONGEST].fill(0);
            let is_last = at + n as u64 == end;
            let mut used = 0;
            while used < n && (is_last || used + LONGEST <= n) {
                let place = at + used as u64;
                let (code, length) = unpacked(&buffer[used..], CODE_LENGTHS)?;
                used += length;
                let mut number = 0;
                if code & HAS_NUMBER != 0 {
                    let (found, length) = unpacked(&buffer[used..], NUMBER_LENGTHS)?;
                    number = found;
                    used += length;
                }
                if !take(Entry { place, code, number }) {
                    return Some(());
                }
            }
            at += used as u64;
        }
        Some(())
    }
}

impl EventLog for Log {
    fn changes(&self, offset: u64, nanos: i64) -> Option<LoggedChanges> {
        let before = &self.stamps[..self.stamps.partition_point(|(time, _)| *time <= nanos)];
        let (mut at, mut end) = before.last().copied().filter(|(_, place)| *place >= offset).unwrap_or((0, offset));
        self.for_each(end, u64::MAX, |entry| {
            if entry.code >> FLAGS == 0 {
                (at, end) = (entry.number as i64, entry.place);
            }
            at < nanos
        })?;
        let Cells { size, row } = &self.cells;
        let n_rows = row.iter().filter(|row| **row != u32::MAX).max().map_or(0, |last| *last as usize + 1);
        let mut slot_of = vec![u32::MAX; n_rows];
        let checkpoint = self.checkpoints.between(offset, end);
        let is_whole = checkpoint.is_some();
        let (from, mut changed) = checkpoint.unwrap_or((offset, Vec::new()));
        for (slot, (row, _)) in (0..).zip(&changed) {
            slot_of.get_mut(*row as usize).into_iter().for_each(|of_row| *of_row = slot);
        }
        self.for_each(from, end, |Entry { code, number, .. }| {
            let Some(cell) = (code >> FLAGS).checked_sub(1).map(|cell| cell as usize) else { return true };
            let (Some(usual), Some(&row)) = (size.get(cell), row.get(cell)) else { return true };
            let Some(slot) = slot_of.get_mut(row as usize) else { return true };
            if *slot == u32::MAX {
                *slot = changed.len() as u32;
                changed.push((row, Counts::default()));
            }
            let size = if code & HAS_NUMBER == 0 { *usual } else { number };
            changed[*slot as usize].1.add(size, code & FREES != 0, code & IS_TEMPORARY != 0);
            true
        })?;
        let rows = changed.into_iter().map(|(row, counts)| (row, counts.values())).collect();
        Some(LoggedChanges { at, rows, is_whole, is_cut: self.is_cut && at < nanos })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::parse::options::LogFile;

    #[test]
    fn numbers_come_back() {
        let mut buffer = [0; 2 * LONGEST];
        for lengths in [CODE_LENGTHS, NUMBER_LENGTHS] {
            let longest = 8 * lengths[3] - 2;
            for number in (0..longest).flat_map(|bits| [1u64 << bits, (1u64 << bits) - 1]) {
                let (word, length) = packed(number, lengths);
                buffer[..8].copy_from_slice(&word.to_le_bytes());
                buffer[length..length + 8].fill(0xff);
                assert_eq!(unpacked(&buffer, lengths), Some((number, length)), "{number:#x}");
            }
        }
    }

    fn in_memory() -> Option<Box<dyn LogFile>> {
        Some(Box::new(Cursor::new(Vec::new())))
    }

    #[test]
    fn long_logs_are_in_files_or_end() {
        const N: u64 = 400_000;
        for (open, is_whole) in [(Some(in_memory as OpenLogFile), true), (Some(|| None), false), (None, false)] {
            let mut log = LogWriter::new(open);
            for n in 0..N {
                if n % 1000 == 0 {
                    log.stamp(n as i64);
                }
                log.event((n % 3000) as u32, 8 + n % 2 * 1000, 8, false, false);
            }
            let log = log.finish(Cells { size: vec![8; 3000].into(), row: (0..3000).collect() });
            let early = log.changes(0, 1001).unwrap();
            assert_eq!((early.at, early.is_cut, early.rows.len()), (2000, false, 2000));
            assert_eq!(early.rows[1], (1, [1, 1008, 1, 1008, 0, 0]));
            let late = log.changes(0, N as i64 - 1000).unwrap();
            assert_eq!((late.at == N as i64 - 1000, late.is_cut), (is_whole, !is_whole));
            assert_eq!(late.rows.iter().map(|row| row.1[0]).sum::<i64>(), late.at);
        }
    }
}
