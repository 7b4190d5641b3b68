//! What is wrong with events: counted by kind, with the place of the first one.

use crate::parse::error::Position;
use crate::parse::events::HUGE;
use crate::parse::problems::{self, Kind};

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

/// Problems so far.
pub(super) type Problems = problems::Problems<Problem>;

impl Kind for Problem {
    const FORMAT: &'static str = NAME;
    const ALL: &'static [(Problem, &'static str)] = &[
        (Problem::NoSuchEntry, "events that name entries that do not exist"),
        (Problem::StillInUse, "ignored allocations of blocks that are in use"),
        (Problem::Backward, "times that run backward; the later time was taken"),
        (Problem::NoTime, "times that are far outside of the recording; the time before was taken"),
        (Problem::HugeSize, HUGE),
        (Problem::Overrun, "blocks whose end was overwritten when they were freed: the program wrote beyond them"),
        (Problem::TooMany, "more stacks, names or kinds of allocations than fit into memory; the rest is left out"),
        (Problem::TooManyFiles, "binaries in the recording that were left out to bound memory"),
    ];

    fn position(at: usize) -> Option<Position> {
        Some(Position::Byte(at))
    }
}
