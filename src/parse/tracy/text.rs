//! Text of a trace, read from front to back; unpacked ahead by a second thread.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::blocks::{End, Header, Unpacker};
use crate::base::parallel::alongside;

/// Blocks that may wait.
const AHEAD: usize = 16;

/// The text ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ended;

/// A block, or why there is none.
type Piece = Result<Vec<u8>, End>;

enum Source<'a> {
    Ahead(Receiver<Piece>, SyncSender<Vec<u8>>),
    Here(Unpacker<'a>),
}

/// The text from a place on.
pub(super) struct Text<'a> {
    source: Source<'a>,
    block: Vec<u8>,
    /// The place in `block`.
    at: usize,
    /// Bytes before `block`.
    before: u64,
    end: Option<End>,
}

/// Calls `read` with the text of a file.
pub(super) fn with_text<T>(bytes: &[u8], header: Header, most_text: usize, mut read: impl FnMut(&mut Text<'_>) -> T) -> T {
    let (full, blocks) = sync_channel::<Piece>(AHEAD);
    // Blocks come back to be filled again: their memory is warm.
    let (empty, used) = sync_channel::<Vec<u8>>(AHEAD + 2);
    let unpack = move || {
        let mut unpacker = Unpacker::new(bytes, header, most_text);
        loop {
            let mut block = used.try_recv().unwrap_or_default();
            let piece = unpacker.next(&mut block).map(|()| block);
            let is_last = piece.is_err();
            // Whoever wants no more misses nothing.
            if full.send(piece).is_err() || is_last {
                return;
            }
        }
    };
    let mut ahead = Some(Source::Ahead(blocks, empty));
    let result = alongside(unpack, || ahead.take().map(|source| read(&mut Text::new(source))));
    match result.flatten() {
        Some(result) => result,
        None => read(&mut Text::new(Source::Here(Unpacker::new(bytes, header, most_text)))),
    }
}

impl<'a> Text<'a> {
    fn new(source: Source<'a>) -> Self {
        Text { source, block: Vec::new(), at: 0, before: 0, end: None }
    }

    /// Bytes before the place.
    pub(super) fn at(&self) -> usize {
        usize::try_from(self.before).unwrap_or(usize::MAX).saturating_add(self.at)
    }

    /// Why there is no more text, if its end was met.
    pub(super) fn end(&self) -> Option<End> {
        self.end
    }

    #[cold]
    fn next_block(&mut self) -> Result<(), Ended> {
        if self.end.is_some() {
            return Err(Ended);
        }
        let old = std::mem::take(&mut self.block);
        self.before += old.len() as u64;
        self.at = 0;
        let piece = match &mut self.source {
            Source::Ahead(blocks, empty) => {
                // When the other thread has ended there is nobody to use it.
                let _ = empty.try_send(old);
                blocks.recv().unwrap_or(Err(End::Damaged))
            }
            Source::Here(unpacker) => {
                let mut block = old;
                unpacker.next(&mut block).map(|()| block)
            }
        };
        match piece {
            Ok(block) => self.block = block,
            Err(end) => self.end = Some(end),
        }
        if self.end.is_some() { Err(Ended) } else { Ok(()) }
    }

    /// The next bytes.
    #[inline]
    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], Ended> {
        if let Some(bytes) = self.block.get(self.at..).and_then(|rest| rest.first_chunk::<N>()) {
            self.at += N;
            return Ok(*bytes);
        }
        let mut bytes = [0; N];
        let mut filled = 0;
        while filled < N {
            let rest = self.block.get(self.at..).unwrap_or_default();
            let n = rest.len().min(N - filled);
            bytes[filled..filled + n].copy_from_slice(&rest[..n]);
            (self.at, filled) = (self.at + n, filled + n);
            if filled < N {
                self.next_block()?;
            }
        }
        Ok(bytes)
    }

    pub(super) fn u8(&mut self) -> Result<u8, Ended> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, Ended> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, Ended> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, Ended> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn i64(&mut self) -> Result<i64, Ended> {
        self.array().map(i64::from_le_bytes)
    }

    /// Skips so many bytes.
    pub(super) fn skip(&mut self, mut n: u64) -> Result<(), Ended> {
        loop {
            let rest = self.block.len() - self.at;
            if n <= rest as u64 {
                self.at += n as usize;
                return Ok(());
            }
            n -= rest as u64;
            self.next_block()?;
        }
    }

    /// Skips a table: a number of rows of 64 bits, and the rows.
    pub(super) fn skip_rows(&mut self, row_length: u64) -> Result<(), Ended> {
        let n = self.u64()?;
        self.skip(n.saturating_mul(row_length))
    }

    /// Appends a text with its length in front to `out`, at most so many bytes of it.
    pub(super) fn string(&mut self, most: usize, out: &mut Vec<u8>) -> Result<(), Ended> {
        let length = self.u64()?;
        let mut left = length.min(most as u64) as usize;
        let dropped = length - left as u64;
        while left > 0 {
            let rest = self.block.get(self.at..).unwrap_or_default();
            let n = rest.len().min(left);
            out.extend_from_slice(&rest[..n]);
            (self.at, left) = (self.at + n, left - n);
            if left > 0 {
                self.next_block()?;
            }
        }
        self.skip(dropped)
    }
}
