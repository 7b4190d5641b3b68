//! What is wrong with events: counted by kind, with the place of the first one.

use crate::parse::error::{Position, Warning, WarningKind};

/// The format's name in messages.
pub(in crate::parse) const NAME: &str = "bytehound";

/// A kind of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// A number of a stack, frame or text that is not there.
    NoSuchEntry,
    /// An allocation with the identity of a block that is in use.
    StillInUse,
    /// An event far before others.
    Backward,
    /// A time that is centuries away.
    NoTime,
    /// A size no machine has.
    HugeSize,
    /// A block whose identity was overwritten.
    Overrun,
    /// A table is full.
    TooMany,
    /// More contents of files than are kept.
    TooManyFiles,
}

const ALL: [(Problem, &str); 8] = [
    (Problem::NoSuchEntry, "events that name entries that do not exist"),
    (Problem::StillInUse, "ignored allocations of blocks that are in use"),
    (Problem::Backward, "times that run backward; the later time was taken"),
    (Problem::NoTime, "times that are far outside of the recording; the time before was taken"),
    (Problem::HugeSize, "sizes that no machine has, clamped to 256 TiB"),
    (Problem::Overrun, "blocks whose end was overwritten when they were freed: the program wrote beyond them"),
    (Problem::TooMany, "more stacks, names or kinds of allocations than fit into memory; the rest is left out"),
    (Problem::TooManyFiles, "binaries in the recording that were left out to bound memory"),
];

/// Problems so far.
#[derive(Debug, Default)]
pub(super) struct Problems {
    /// Kind → byte of the first event, and number of events.
    found: [(usize, usize); ALL.len()],
}

impl Problems {
    #[cold]
    pub(super) fn add(&mut self, problem: Problem, at: usize) {
        let (first, n) = &mut self.found[problem as usize];
        if *n == 0 {
            *first = at;
        }
        *n += 1;
    }

    pub(super) fn warnings(&self) -> impl Iterator<Item = Warning> + '_ {
        let found = ALL.iter().map(|(problem, what)| (self.found[*problem as usize], *what)).filter(|((_, n), _)| *n > 0);
        found.map(|((first, count), what)| {
            let kind = WarningKind::Lines { what, count };
            Warning { format: NAME, kind, at: Some(Position::Byte(first)) }
        })
    }
}
