//! What is wrong with rows of a trace: counted by kind, with the place of the first one.

use super::version::NAME;
use crate::parse::error::{Position, Warning, WarningKind};

/// A kind of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// A number of a stack, text or thread that is not there.
    NoSuchEntry,
    /// An event before the one before.
    Backward,
    /// A time outside of the recording.
    NoTime,
    /// A size no machine has.
    HugeSize,
    /// A pool's sums are not those of its events.
    Disagrees,
    /// A table is full.
    TooMany,
    /// Zones in zones in zones.
    TooDeep,
}

const ALL: [(Problem, &str); 7] = [
    (Problem::NoSuchEntry, "rows that name entries that do not exist"),
    (Problem::Backward, "times that run backward; the later time was taken"),
    (Problem::NoTime, "times outside of the recording; the nearest time in it was taken"),
    (Problem::HugeSize, "sizes that no machine has, clamped to 256 TiB"),
    (Problem::Disagrees, "memory pools whose sums are not those of their events: the trace is damaged"),
    (Problem::TooMany, "more events, stacks or names than fit into memory; the rest is left out"),
    (Problem::TooDeep, "zones that are nested too deep; allocations have no zones from there on"),
];

/// Problems so far.
#[derive(Debug, Default)]
pub(super) struct Problems {
    /// Kind → byte of the first row (0: unknown), and number of rows.
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

    pub(super) fn has(&self, problem: Problem) -> bool {
        self.found[problem as usize].1 > 0
    }

    pub(super) fn warnings(&self) -> impl Iterator<Item = Warning> + '_ {
        let found = ALL.iter().map(|(problem, what)| (self.found[*problem as usize], *what)).filter(|((_, n), _)| *n > 0);
        found.map(|((first, count), what)| {
            let kind = WarningKind::Lines { what, count };
            Warning { format: NAME, kind, at: (first > 0).then_some(Position::Byte(first)) }
        })
    }
}
