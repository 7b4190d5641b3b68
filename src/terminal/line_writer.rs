//! Writer that collects bytes and passes whole lines to a function.

use std::io::{self, Write};

/// Writes to `out` what `each` makes of each line of `write`, without its end. Lines longer than `longest` bytes come in
/// pieces, which never divide a character.
pub(crate) fn by_line(
    out: &mut dyn Write,
    longest: usize,
    each: impl FnMut(&[u8], &mut dyn Write) -> io::Result<()>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut lines = Lines { out, longest, each, line: Vec::new() };
    write(&mut lines)?;
    lines.end(true)
}

struct Lines<'a, F> {
    out: &'a mut dyn Write,
    longest: usize,
    each: F,
    line: Vec<u8>,
}

impl<F: FnMut(&[u8], &mut dyn Write) -> io::Result<()>> Lines<'_, F> {
    /// Hands over what is collected; a character that is not complete yet waits for the rest of it.
    fn end(&mut self, is_whole: bool) -> io::Result<()> {
        let waits = match std::str::from_utf8(&self.line) {
            Err(error) if !is_whole && error.error_len().is_none() => self.line.len() - error.valid_up_to(),
            _ => 0,
        };
        let rest = self.line.split_off(self.line.len() - waits);
        (self.each)(&self.line, self.out)?;
        self.line = rest;
        Ok(())
    }
}

impl<F: FnMut(&[u8], &mut dyn Write) -> io::Result<()>> Write for Lines<'_, F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&b| b == b'\n') {
            let (text, is_whole) = part.strip_suffix(b"\n").map_or((part, false), |text| (text, true));
            self.line.extend_from_slice(text);
            if is_whole {
                self.end(true)?;
                self.out.write_all(b"\n")?;
            } else if self.line.len() > self.longest {
                self.end(false)?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_written_whole_and_long_lines_in_pieces() {
        let mut seen = Vec::new();
        let mut out = Vec::new();
        let each = |line: &[u8], out: &mut dyn Write| {
            seen.push(String::from_utf8(line.to_vec()).unwrap());
            out.write_all(line)
        };
        let pieces: [&[u8]; 5] = [b"a", b"b\n\nlong", b"er l\xc3", b"\xb6ine\n", b"end"];
        by_line(&mut out, 6, each, |out| pieces.iter().try_for_each(|piece| out.write_all(piece))).unwrap();
        assert_eq!(seen, ["ab", "", "longer l", "öine", "end"]);
        assert_eq!(out, "ab\n\nlonger löine\nend".as_bytes());
    }
}
