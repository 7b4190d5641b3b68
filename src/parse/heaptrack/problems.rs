//! What is wrong with lines: counted by kind, with the first line of each.

use super::version::NAME;
use crate::parse::error::Position;
use crate::parse::events::HUGE;
use crate::parse::problems::{self, Kind};

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

/// Problems so far.
pub(super) type Problems = problems::Problems<Problem>;

impl Kind for Problem {
    const FORMAT: &'static str = NAME;
    const ALL: &'static [(Problem, &'static str)] = &[
        (Problem::Unknown, "skipped lines that are not part of the format"),
        (Problem::Malformed, "lines with missing or invalid numbers"),
        (Problem::NoSuchEntry, "lines that name entries that do not exist"),
        (Problem::FreeWithoutAllocation, "ignored frees of blocks that are not in use"),
        (Problem::StillInUse, "allocations at an address in use, whose block was taken to be freed before"),
        (Problem::Backward, "time stamps that run backward; the earlier time was kept"),
        (Problem::HugeSize, HUGE),
        (Problem::SecondProgram, "a second process follows, probably a child; its events are not read"),
        (Problem::TooMany, "more stacks, names or kinds of allocations than fit into memory; the rest is left out"),
    ];

    fn position(at: usize) -> Option<Position> {
        Some(Position::Line(at))
    }
}
