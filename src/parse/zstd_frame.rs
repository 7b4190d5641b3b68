//! A zstd frame (RFC 8878) block by block, so that one whose end is missing gives all it has.

use std::io::{self, Read};

/// What ends a frame whose last blocks are missing: an empty last block, and room for a checksum, which is not verified. A
/// decompressor gives all it has only when a frame ends.
pub(super) const END: &[u8] = &[1, 0, 0, 0, 0, 0, 0];

/// Reads the bytes of one frame, and no more of what follows. If its end is missing, the whole blocks are followed by [`END`].
pub(super) struct Frame<R> {
    from: R,
    /// A part of the frame, and how much of it was read.
    part: Vec<u8>,
    used: usize,
    next: Part,
    /// Its end is missing.
    pub(super) is_cut: bool,
}

/// Parts of a frame.
#[derive(Clone, Copy)]
enum Part {
    Header,
    Block { has_checksum: bool },
    Nothing,
}

impl<R: Read> Frame<R> {
    /// The frame that `from` begins with.
    pub(super) fn new(from: R) -> Self {
        Frame { from, part: Vec::new(), used: 0, next: Part::Header, is_cut: false }
    }

    /// Appends `n` bytes to the part. Returns whether they are there.
    fn append(&mut self, n: usize) -> io::Result<bool> {
        Ok((&mut self.from).take(n as u64).read_to_end(&mut self.part)? == n)
    }

    /// Reads the next part; none is left if it is empty.
    fn read_part(&mut self) -> io::Result<()> {
        self.part.clear();
        self.used = 0;
        let (is_whole, next) = match self.next {
            Part::Header => self.header()?,
            Part::Block { has_checksum } => self.block(has_checksum)?,
            Part::Nothing => return Ok(()),
        };
        self.next = next;
        if !is_whole {
            // Of a header alone nothing can be made.
            if !matches!(next, Part::Header) {
                END.clone_into(&mut self.part);
            }
            (self.is_cut, self.next) = (true, Part::Nothing);
        }
        Ok(())
    }

    /// Reads the header. Returns whether it is whole, and what follows it.
    fn header(&mut self) -> io::Result<(bool, Part)> {
        const START: usize = 5;
        if !self.append(START)? {
            return Ok((false, Part::Header));
        }
        let descriptor = self.part[START - 1];
        let has_window = descriptor & 0x20 == 0;
        let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
        let content_size = match descriptor >> 6 {
            0 => usize::from(!has_window),
            power => 1 << power,
        };
        let is_whole = self.append(usize::from(has_window) + dictionary + content_size)?;
        Ok((is_whole, if is_whole { Part::Block { has_checksum: descriptor & 4 != 0 } } else { Part::Header }))
    }

    /// Reads a block. Returns whether it is whole, and what follows it.
    fn block(&mut self, has_checksum: bool) -> io::Result<(bool, Part)> {
        let next = Part::Block { has_checksum };
        if !self.append(3)? {
            return Ok((false, next));
        }
        let header = u32::from_le_bytes([self.part[0], self.part[1], self.part[2], 0]);
        let size = if header >> 1 & 3 == 1 { 1 } else { (header >> 3) as usize };
        let is_last = header & 1 == 1;
        let is_whole = self.append(size)? && (!is_last || !has_checksum || self.append(4)?);
        Ok((is_whole, if is_whole && is_last { Part::Nothing } else { next }))
    }
}

impl<R: Read> Read for Frame<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.used == self.part.len() {
            self.read_part()?;
        }
        let n = self.part.get(self.used..).unwrap_or_default().read(out)?;
        self.used += n;
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_end_where_their_last_block_does() {
        // A raw block of three bytes, and a run of seven.
        let blocks = [3 << 3, 0, 0, b'a', b'b', b'c', 7 << 3 | 2 | 1, 0, 0, b'x'];
        for (header, checksum) in [(&[0x00, 0x58][..], 0), (&[0x24, 10], 4), (&[0x43, 0x58, 1, 2, 3, 4, 5, 6], 4)] {
            let checksum = if header[0] & 4 == 0 { 0 } else { checksum };
            let mut frame = [&[0x28, 0xb5, 0x2f, 0xfd], header, &blocks].concat();
            frame.extend(vec![0; checksum]);
            let whole = frame.len();
            let read = |bytes: &[u8]| {
                let (mut rest, mut out) = (bytes, Vec::new());
                let mut frame = Frame::new(&mut rest);
                frame.read_to_end(&mut out).unwrap();
                (out, frame.is_cut, rest.len())
            };
            assert_eq!(read(&[&frame[..], b"more"].concat()), (frame.clone(), false, 4));
            let start = 4 + header.len();
            for n in 0..whole {
                let (out, is_cut, _) = read(&frame[..n]);
                assert!(is_cut, "{n} of {whole}");
                match n {
                    _ if n < start => assert_eq!(out.len(), n.min(out.len())),
                    _ if n < start + 6 => assert_eq!(out, [&frame[..start], END].concat(), "{n} of {whole}"),
                    _ => assert_eq!(out, [&frame[..start + 6], END].concat(), "{n} of {whole}"),
                }
            }
        }
    }
}
