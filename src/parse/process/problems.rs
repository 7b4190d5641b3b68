//! Damage in files about processes: counted by kind, with the line of the first.

use crate::parse::error::Position;
use crate::parse::problems::{self, Kind};

/// Name of these files in messages.
pub(super) const NAME: &str = "process memory";

/// A kind of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// `Key: 12 kB` was expected.
    NoNumber,
    /// Mappings that overlap one before.
    Overlap,
    /// The text ends within a mapping, or before the end of statistics.
    Cut,
    /// JSON that cannot be read.
    Json,
    /// A number below zero, or beyond 64 bits.
    OutOfRange,
    /// Statistics that later ones replace.
    Earlier,
    /// A total of an allocator that its text lacks.
    NoTotal,
}

/// Problems so far.
pub(super) type Problems = problems::Problems<Problem>;

impl Kind for Problem {
    const FORMAT: &'static str = NAME;
    const ALL: &'static [(Problem, &'static str)] = &[
        (Problem::NoNumber, "lines without the number that was expected, as in `Rss: 12 kB`; read as 0"),
        (Problem::Overlap, "mappings that overlap earlier ones: the process changed while the file was read, so sums may be wrong"),
        (Problem::Cut, "the text ends too early; what follows is missing in the sums"),
        (Problem::Json, "statistics in JSON that are damaged or cut off; they are left out"),
        (Problem::OutOfRange, "numbers out of range, clamped"),
        (Problem::Earlier, "earlier statistics in the same file; the last ones are shown"),
        (Problem::NoTotal, "statistics without the totals that were expected; they are left out"),
    ];

    fn position(at: usize) -> Option<Position> {
        Some(Position::Line(at))
    }
}

/// Whether so much JSON is damaged that no more is tried: each attempt may read to the end of the file.
pub(super) fn is_json_hopeless(problems: &Problems) -> bool {
    const MOST: usize = 20;
    problems.count(Problem::Json) >= MOST
}
