//! What is wrong with lines: counted by kind, with the first line of each.

use super::version::NAME;
use crate::parse::error::{Position, Warning, WarningKind};

/// A kind of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// A line of no known letter.
    Unknown,
    /// Words that are missing or not numbers.
    Malformed,
    /// A number of a text, code address, stack or allocation that is not there.
    NoSuchEntry,
    /// More frees than allocations.
    FreeWithoutAllocation,
    /// An allocation at an address that is in use.
    StillInUse,
    /// A time before that of an earlier line.
    Backward,
    /// A size no machine has.
    HugeSize,
    /// A second program in the recording.
    SecondProgram,
    /// A table is full.
    TooMany,
}

const ALL: [(Problem, &str); 9] = [
    (Problem::Unknown, "skipped lines that are not part of the format"),
    (Problem::Malformed, "lines with missing or invalid numbers"),
    (Problem::NoSuchEntry, "lines that name entries that do not exist"),
    (Problem::FreeWithoutAllocation, "ignored frees of blocks that are not in use"),
    (Problem::StillInUse, "allocations at an address in use, whose block was taken to be freed before"),
    (Problem::Backward, "time stamps that run backward; the earlier time was kept"),
    (Problem::HugeSize, "sizes that no machine has, clamped to 256 TiB"),
    (Problem::SecondProgram, "a second process follows, probably a child; its events are not read"),
    (Problem::TooMany, "more stacks, names or kinds of allocations than fit into memory; the rest is left out"),
];

/// Problems so far.
#[derive(Debug, Default)]
pub(super) struct Problems {
    /// Kind → first line and number of lines.
    found: [(usize, usize); ALL.len()],
}

impl Problems {
    #[cold]
    pub(super) fn add(&mut self, problem: Problem, line: usize) {
        let (first, n) = &mut self.found[problem as usize];
        if *n == 0 {
            *first = line;
        }
        *n += 1;
    }

    pub(super) fn warnings(&self) -> impl Iterator<Item = Warning> + '_ {
        let found = ALL.iter().map(|(problem, what)| (self.found[*problem as usize], *what)).filter(|((_, n), _)| *n > 0);
        found.map(|((first, count), what)| {
            let kind = WarningKind::Lines { what, count };
            Warning { format: NAME, kind, at: Some(Position::Line(first)) }
        })
    }
}
