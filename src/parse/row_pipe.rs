//! Rows of heap text in batches, read ahead by a second thread for large inputs.
//!
//! Reading digits and looking addresses up take about the same time; side by side they
//! halve it. Only plain rows are read ahead: other lines are passed on unparsed, and
//! one place decides what it means.

use std::sync::mpsc::sync_channel;

use super::heap_row;
use super::lines::{Line, Lines};
use crate::base::parallel::alongside;

/// Text shorter than this is not worth a thread, bytes.
const MUCH: usize = 1 << 20;
/// Addresses in a batch: small enough to stay in a core's cache.
const BATCH: usize = 1 << 15;
/// Batches that may wait.
const AHEAD: usize = 4;

/// A row, or a line that is not a row.
pub(super) enum Piece<'a> {
    /// In use and allocated, objects and bytes; number of addresses; number of the line.
    Row([i64; 4], usize, usize),
    /// Any other line, unparsed.
    Other(Line<'a>),
}

/// Some pieces and the addresses of their rows, one after the other, leaf first.
#[derive(Default)]
pub(super) struct Batch<'a> {
    pub(super) pieces: Vec<Piece<'a>>,
    pub(super) addresses: Vec<u64>,
    /// Most digits of an address so far.
    pub(super) longest: usize,
}

impl<'a> Batch<'a> {
    /// Reads on; nothing is left when `pieces` stays empty.
    fn fill(&mut self, lines: &mut Lines<'a>) {
        self.pieces.clear();
        self.addresses.clear();
        while self.addresses.len() < BATCH && self.pieces.len() < BATCH {
            let Some(line) = lines.next() else { break };
            let before = self.addresses.len();
            let piece = match self.plain(line) {
                Some(counts) => Piece::Row(counts, self.addresses.len() - before, line.number),
                None => {
                    self.addresses.truncate(before);
                    Piece::Other(line)
                }
            };
            self.pieces.push(piece);
        }
    }

    /// The counts of a whole row, whose addresses are appended.
    fn plain(&mut self, line: Line<'a>) -> Option<[i64; 4]> {
        if !line.ended {
            return None;
        }
        let mut row = heap_row::row(line.bytes).ok()?;
        for address in row.addresses.by_ref() {
            self.addresses.push(address.value?);
            self.longest = self.longest.max(address.digits);
        }
        row.addresses.ended_well().then_some(row.counts)
    }
}

/// Gives all of `lines` to `take`, in order, until it is done or fails.
pub(super) fn for_each_batch<'a, E>(mut lines: Lines<'a>, mut take: impl FnMut(&Batch<'a>) -> Result<bool, E>) -> Result<(), E> {
    if lines.rest().len() >= MUCH
        && let Some(result) = by_two_threads(&mut lines, &mut take)
    {
        return result;
    }
    let mut batch = Batch::default();
    loop {
        batch.fill(&mut lines);
        if batch.pieces.is_empty() || !take(&batch)? {
            return Ok(());
        }
    }
}

/// The same, read ahead by a second thread; `None`, and nothing is read, if there is no thread for it.
fn by_two_threads<'a, E>(lines: &mut Lines<'a>, take: &mut impl FnMut(&Batch<'a>) -> Result<bool, E>) -> Option<Result<(), E>> {
    let (full, batches) = sync_channel::<Batch<'a>>(AHEAD);
    // Batches come back to be filled again: their memory is warm.
    let (empty, used) = sync_channel::<Batch<'a>>(AHEAD + 2);
    let read = move || {
        let mut longest = 0;
        loop {
            let mut batch = used.try_recv().unwrap_or_default();
            batch.longest = longest;
            batch.fill(lines);
            longest = batch.longest;
            // Nobody listens any more once an error was found.
            if batch.pieces.is_empty() || full.send(batch).is_err() {
                return;
            }
        }
    };
    alongside(read, move || {
        for batch in batches {
            if !take(&batch)? {
                break;
            }
            // When the reader has ended there is nobody to use it.
            let _ = empty.try_send(batch);
        }
        Ok(())
    })
}
