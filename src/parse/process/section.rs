//! A part of a file that a reader takes.

use crate::parse::lines::Lines;

/// The text from the first line of a section on; readers move it behind what they took, at least one line.
pub(super) struct Section<'a> {
    pub(super) text: &'a [u8],
    /// Number of the first line.
    pub(super) line: usize,
}

impl<'a> Section<'a> {
    /// Continues with these lines.
    pub(super) fn advance(&mut self, lines: &Lines<'a>) {
        (self.text, self.line) = (lines.rest(), lines.next_number());
    }

    /// Continues with the line after `n` bytes: what follows in their last line is not read, however many sections it has.
    pub(super) fn skip(&mut self, n: usize) {
        let n = n.min(self.text.len());
        self.line += self.text[..n].iter().filter(|byte| **byte == b'\n').count();
        let mut lines = Lines::new(&self.text[n..], self.line);
        if self.text[..n].last() != Some(&b'\n') {
            lines.next();
        }
        self.advance(&lines);
    }
}
