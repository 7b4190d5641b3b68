//! Text piece by piece, decompressed ahead by a second thread: for files whose text need not be in memory as a whole.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};

use super::container::{self, Sink, SinkError};
use super::error::{ParseError, WarningKind};
use crate::base::parallel::alongside;

/// Size of a piece, bytes: small enough to stay in a core's cache.
const PIECE: usize = 1 << 18;
/// Pieces that may wait.
const AHEAD: usize = 4;
/// Longest line, bytes; a longer one is taken for several.
const LONGEST_LINE: usize = 1 << 24;

/// Where the text comes from.
pub(super) enum Source<'a> {
    /// The text itself.
    Text(&'a [u8]),
    /// Compressed text.
    Packed(&'a [u8]),
    /// A file with the text, which may be larger than memory.
    File(&'a mut (dyn Read + Send)),
}

/// Gives all text to `take`, in order, in pieces of whole lines; the last line may have no end. `take` returns whether it wants
/// more. Returns a warning or an error about the source: what came before it was given to `take`.
pub(super) fn for_each_piece(source: Source<'_>, take: &mut dyn FnMut(&[u8]) -> bool) -> Result<Option<WarningKind>, ParseError> {
    match source {
        Source::Text(text) => {
            take(text);
            Ok(None)
        }
        Source::Packed(bytes) => pieces(&mut |sink| container::unpack_into(bytes, sink), take),
        Source::File(file) => pieces(&mut |sink| Ok(sink.read(file).err().map(|_| WarningKind::CutContainer { container: "file" })), take),
    }
}

type Fill<'a> = &'a mut (dyn FnMut(&mut dyn Sink) -> Result<Option<WarningKind>, ParseError> + Send);

fn pieces(fill: Fill<'_>, take: &mut dyn FnMut(&[u8]) -> bool) -> Result<Option<WarningKind>, ParseError> {
    let (full, pieces) = sync_channel::<Piece>(AHEAD);
    // Pieces come back to be filled again: their memory is warm.
    let (empty, used) = sync_channel::<Piece>(AHEAD + 2);
    let mut result = Ok(None);
    let fill_ahead = || {
        let mut sender = Sender { full, used, piece: Piece::default() };
        result = fill(&mut sender);
        sender.end();
    };
    let ran = alongside(fill_ahead, || {
        for piece in pieces {
            if !take(piece.text()) {
                return;
            }
            // When the other thread has ended there is nobody to use it.
            let _ = empty.try_send(Piece { filled: 0, ..piece });
        }
    });
    if ran.is_some() {
        return result;
    }
    let mut here = Here { take, piece: Piece::default(), is_over: false };
    let result = fill(&mut here);
    if !here.is_over && here.piece.filled > 0 {
        (here.take)(here.piece.text());
    }
    result
}

/// Text of which the last line may go on.
#[derive(Default)]
struct Piece {
    /// The text, and room behind it.
    bytes: Vec<u8>,
    /// Length of the text.
    filled: usize,
}

impl Piece {
    /// Reads until there is no room; makes more if there is none. Returns whether the member goes on.
    fn fill(&mut self, member: &mut dyn Read) -> io::Result<bool> {
        if self.filled == self.bytes.len() {
            self.bytes.resize((2 * self.filled).max(PIECE), 0);
        }
        while self.filled < self.bytes.len() {
            match member.read(&mut self.bytes[self.filled..]) {
                Ok(0) => return Ok(false),
                Ok(n) => self.filled += n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(true)
    }

    /// Length of the whole lines; all of it if its only line is too long.
    fn whole_lines(&self) -> usize {
        let end = self.bytes[..self.filled].iter().rposition(|&b| b == b'\n').map(|at| at + 1);
        end.unwrap_or(if self.filled > LONGEST_LINE { self.filled } else { 0 })
    }

    /// Moves the text from `at` on into `next`, which is empty.
    fn split_off(&mut self, at: usize, next: &mut Piece) {
        let rest = &self.bytes[at..self.filled];
        if next.bytes.len() < rest.len().max(PIECE) {
            next.bytes.resize(rest.len().max(PIECE), 0);
        }
        next.bytes[..rest.len()].copy_from_slice(rest);
        next.filled = rest.len();
        self.filled = at;
    }

    fn text(&self) -> &[u8] {
        &self.bytes[..self.filled]
    }
}

/// Sends pieces to another thread.
struct Sender {
    full: SyncSender<Piece>,
    used: Receiver<Piece>,
    piece: Piece,
}

impl Sender {
    /// Sends what is left.
    fn end(self) {
        if self.piece.filled > 0 {
            // Whoever wants no more misses nothing.
            let _ = self.full.send(self.piece);
        }
    }
}

impl Sink for Sender {
    fn read(&mut self, member: &mut dyn Read) -> Result<ControlFlow<()>, SinkError> {
        while self.piece.fill(member)? {
            let end = self.piece.whole_lines();
            if end > 0 {
                let mut next = self.used.try_recv().unwrap_or_default();
                self.piece.split_off(end, &mut next);
                if self.full.send(std::mem::replace(&mut self.piece, next)).is_err() {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

/// Takes pieces on the same thread.
struct Here<'a> {
    take: &'a mut dyn FnMut(&[u8]) -> bool,
    piece: Piece,
    is_over: bool,
}

impl Sink for Here<'_> {
    fn read(&mut self, member: &mut dyn Read) -> Result<ControlFlow<()>, SinkError> {
        while self.piece.fill(member)? {
            let end = self.piece.whole_lines();
            if end > 0 {
                self.is_over = !(self.take)(&self.piece.bytes[..end]);
                self.piece.bytes.copy_within(end..self.piece.filled, 0);
                self.piece.filled -= end;
                if self.is_over {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a few bytes at a time.
    struct Slow<'a>(&'a [u8]);

    impl Read for Slow<'_> {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = out.len().min(4099);
            self.0.read(&mut out[..n])
        }
    }

    #[test]
    fn pieces_are_whole_lines_and_nothing_is_lost() {
        let mut text: Vec<u8> = (0..200_000).flat_map(|n| format!("line {n}\n").into_bytes()).collect();
        text.extend(vec![b'x'; 3 * PIECE]);
        text.extend_from_slice(b"\nno end");
        let mut got = Vec::new();
        let mut n_pieces = 0;
        let odd = for_each_piece(Source::File(&mut Slow(&text)), &mut |piece| {
            assert!(got.is_empty() || got.last() == Some(&b'\n'));
            got.extend_from_slice(piece);
            n_pieces += 1;
            true
        });
        assert_eq!(odd, Ok(None));
        assert!(got == text && n_pieces > 5, "{n_pieces}");
        let mut got = Vec::new();
        let mut take = |piece: &[u8]| {
            got.extend_from_slice(piece);
            piece.ends_with(b"\n")
        };
        let mut here = Here { take: &mut take, piece: Piece::default(), is_over: false };
        assert!(here.read(&mut Slow(&text)).is_ok_and(|flow| flow.is_continue()));
        let rest = here.piece.text().to_vec();
        got.extend_from_slice(&rest);
        assert!(got == text && rest.ends_with(b"\nno end"));
    }

    #[test]
    fn who_wants_no_more_gets_no_more() {
        let text = b"a line\n".repeat(1 << 20);
        let mut n_pieces = 0;
        let odd = for_each_piece(Source::File(&mut &text[..]), &mut |_| {
            n_pieces += 1;
            n_pieces < 3
        });
        assert_eq!((odd, n_pieces), (Ok(None), 3));
    }
}
