//! What is wrong with rows of a trace: counted by kind, with the place of the first one.

use super::version::NAME;
use crate::parse::error::Position;
use crate::parse::events::HUGE;
use crate::parse::problems::{self, Kind};

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

/// Problems so far.
pub(super) type Problems = problems::Problems<Problem>;

impl Kind for Problem {
    const FORMAT: &'static str = NAME;
    const ALL: &'static [(Problem, &'static str)] = &[
        (Problem::NoSuchEntry, "rows that name entries that do not exist"),
        (Problem::Backward, "times that run backward; the later time was taken"),
        (Problem::NoTime, "times outside of the recording; the nearest time in it was taken"),
        (Problem::HugeSize, HUGE),
        (Problem::Disagrees, "memory pools whose sums are not those of their events: the trace is damaged"),
        (Problem::TooMany, "more events, stacks or names than fit into memory; the rest is left out"),
        (Problem::TooDeep, "zones that are nested too deep; allocations have no zones from there on"),
    ];

    /// 0: unknown.
    fn position(at: usize) -> Option<Position> {
        (at > 0).then_some(Position::Byte(at))
    }
}
