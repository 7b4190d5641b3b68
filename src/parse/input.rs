//! Input of a format's parser.

use super::error::{Warning, WarningKind};
use super::options::Threads;
use super::symbols::Symbols;

/// Input of a parser.
#[derive(Clone, Copy)]
pub(super) struct Input<'a> {
    /// The dump, without containers.
    pub(super) text: &'a [u8],
    /// Number of its first line in the file.
    pub(super) first_line: usize,
    /// The container that ended too early.
    pub(super) cut: Option<&'static str>,
    /// Names that came with the dump.
    pub(super) symbols: &'a Symbols<'a>,
    /// Handling of thread rows.
    pub(super) threads: Threads,
    /// Fraction of the unit that values are in.
    pub(super) parts: i64,
}

impl Input<'_> {
    /// The warning that the container ended too early, for formats that go on.
    pub(super) fn warning(&self, format: &'static str) -> Option<Warning> {
        let container = self.cut?;
        Some(Warning { format, kind: WarningKind::CutContainer { container }, at: None })
    }
}

/// Length of the head that format detection uses, in bytes.
pub(super) const HEAD: usize = 1 << 14;
