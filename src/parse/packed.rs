//! Compressed bytes as they come, with a look at what follows.

use std::io::{self, BufRead, Read};

/// Bytes that are read at a time.
const BUFFER: usize = 1 << 16;

/// Reads through a buffer.
pub(super) struct Packed<'a> {
    from: &'a mut dyn Read,
    buffer: Box<[u8]>,
    start: usize,
    end: usize,
}

impl<'a> Packed<'a> {
    pub(super) fn new(from: &'a mut dyn Read) -> Self {
        Packed { from, buffer: vec![0; BUFFER].into(), start: 0, end: 0 }
    }

    /// The next `n` bytes, fewer at the end; `n` is small.
    pub(super) fn peek(&mut self, n: usize) -> io::Result<&[u8]> {
        while self.end - self.start < n {
            if self.buffer.len() - self.start < n {
                self.buffer.copy_within(self.start..self.end, 0);
                (self.start, self.end) = (0, self.end - self.start);
            }
            match self.from.read(&mut self.buffer[self.end..]) {
                Ok(0) => break,
                Ok(read) => self.end += read,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(&self.buffer[self.start..self.end.min(self.start + n)])
    }

    /// Skips `n` bytes, or all that are left. Returns their number.
    pub(super) fn skip(&mut self, n: u64) -> io::Result<u64> {
        io::copy(&mut self.take(n), &mut io::sink())
    }
}

impl Read for Packed<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.fill_buf()?.read(out)?;
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Packed<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.peek(1)?;
        Ok(&self.buffer[self.start..self.end])
    }

    fn consume(&mut self, n: usize) {
        self.start = self.end.min(self.start + n);
    }
}
