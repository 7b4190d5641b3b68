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

    /// Continues behind `n` bytes.
    pub(super) fn skip(&mut self, n: usize) {
        let (taken, rest) = self.text.split_at(n.min(self.text.len()));
        self.line += taken.iter().filter(|byte| **byte == b'\n').count();
        self.text = rest;
    }
}
