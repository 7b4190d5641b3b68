//! Text piece by piece, decompressed and cut up ahead by a second thread: for files whose text need not be in memory as a whole.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::mpsc::sync_channel;

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
    /// A file with compressed text, and its length, bytes.
    PackedFile(&'a mut (dyn Read + Send), u64),
}

/// Gives all text to `prepare`, in order, in pieces of whole lines; the last line may have no end. What it makes of a piece goes to
/// `take`, which returns whether it wants more; used ones come back to `prepare`. Returns a warning or an error about the source: what
/// came before it was given to `take`.
pub(super) fn for_each_piece<P: Default + Send>(
    mut source: Source<'_>,
    prepare: &mut (impl FnMut(&[u8], &mut P) + Send),
    take: &mut impl FnMut(&P) -> bool,
) -> Result<Option<WarningKind>, ParseError> {
    let (full, pieces) = sync_channel::<P>(AHEAD);
    // Pieces come back to be filled again: their memory is warm.
    let (empty, used) = sync_channel::<P>(AHEAD + 2);
    let mut result = Ok(None);
    let ahead = || {
        let (full, used) = (full, used);
        result = read(&mut source, &mut |text| {
            let mut piece = used.try_recv().unwrap_or_default();
            prepare(text, &mut piece);
            full.send(piece).is_ok()
        });
    };
    let ran = alongside(ahead, || {
        for piece in pieces {
            if !take(&piece) {
                return;
            }
            // When the other thread has ended there is nobody to use it.
            let _ = empty.try_send(piece);
        }
    });
    if ran.is_some() {
        return result;
    }
    let mut piece = P::default();
    read(&mut source, &mut |text| {
        prepare(text, &mut piece);
        take(&piece)
    })
}

/// Gives all text to `give`, until it wants no more.
fn read(source: &mut Source<'_>, give: &mut dyn FnMut(&[u8]) -> bool) -> Result<Option<WarningKind>, ParseError> {
    let mut lines = WholeLines { give, bytes: Vec::new(), filled: 0, is_over: false };
    let result = match source {
        Source::Text(text) => {
            let _ = lines.read(text);
            Ok(None)
        }
        Source::Packed(bytes) => container::unpack_into(bytes, &mut lines),
        Source::PackedFile(file, _) => container::unpack_into(*file, &mut lines),
        Source::File(file) => Ok(lines.read(*file).err().map(|_| WarningKind::CutContainer { container: "file" })),
    };
    if !lines.is_over && lines.filled > 0 {
        (lines.give)(&lines.bytes[..lines.filled]);
    }
    result
}

/// Gives pieces of whole lines.
struct WholeLines<'a> {
    give: &'a mut dyn FnMut(&[u8]) -> bool,
    /// Text of which the last line may go on, and room behind it.
    bytes: Vec<u8>,
    /// Length of the text.
    filled: usize,
    /// No more is wanted.
    is_over: bool,
}

impl WholeLines<'_> {
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
    fn length(&self) -> usize {
        let end = self.bytes[..self.filled].iter().rposition(|&b| b == b'\n').map(|at| at + 1);
        end.unwrap_or(if self.filled > LONGEST_LINE { self.filled } else { 0 })
    }
}

impl Sink for WholeLines<'_> {
    fn read(&mut self, member: &mut dyn Read) -> Result<ControlFlow<()>, SinkError> {
        while self.fill(member)? {
            let end = self.length();
            if end > 0 {
                self.is_over = !(self.give)(&self.bytes[..end]);
                self.bytes.copy_within(end..self.filled, 0);
                self.filled -= end;
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
        let (mut got, mut n_pieces) = (Vec::new(), 0);
        let odd = for_each_piece(Source::File(&mut Slow(&text)), &mut copy, &mut |piece: &Vec<u8>| {
            assert!(got.is_empty() || got.last() == Some(&b'\n'));
            got.extend_from_slice(piece);
            n_pieces += 1;
            true
        });
        assert_eq!(odd, Ok(None));
        assert!(got == text && n_pieces > 5, "{n_pieces}");
        let mut got = Vec::new();
        let odd = read(&mut Source::Text(&text), &mut |piece| {
            got.extend_from_slice(piece);
            true
        });
        assert!(odd == Ok(None) && got == text);
    }

    fn copy(text: &[u8], piece: &mut Vec<u8>) {
        text.clone_into(piece);
    }

    #[test]
    fn who_wants_no_more_gets_no_more() {
        let text = b"a line\n".repeat(1 << 20);
        let mut n_pieces = 0;
        let odd = for_each_piece(Source::File(&mut &text[..]), &mut copy, &mut |_| {
            n_pieces += 1;
            n_pieces < 3
        });
        assert_eq!((odd, n_pieces), (Ok(None), 3));
    }
}
