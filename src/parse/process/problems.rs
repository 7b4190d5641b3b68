//! Damage in files about processes: counted by kind, with the line of the first.

use crate::parse::error::{Position, Warning, WarningKind};

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

const ALL: [(Problem, &str); 7] = [
    (Problem::NoNumber, "lines without the number that was expected, as in `Rss: 12 kB`; read as 0"),
    (Problem::Overlap, "mappings that overlap earlier ones: the process changed while the file was read, so sums may be wrong"),
    (Problem::Cut, "the text ends too early; what follows is missing in the sums"),
    (Problem::Json, "statistics in JSON that are damaged or cut off; they are left out"),
    (Problem::OutOfRange, "numbers out of range, clamped"),
    (Problem::Earlier, "earlier statistics in the same file; the last ones are shown"),
    (Problem::NoTotal, "statistics without the totals that were expected; they are left out"),
];

/// Problems so far.
#[derive(Debug, Default)]
pub(super) struct Problems {
    /// Kind → line of the first, and their number.
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

    /// Whether so much JSON is damaged that no more is tried: each attempt may read to the end of the file.
    pub(super) fn is_json_hopeless(&self) -> bool {
        const MOST: usize = 20;
        self.found[Problem::Json as usize].1 >= MOST
    }

    pub(super) fn warnings(&self) -> Vec<Warning> {
        let found = ALL.iter().map(|(problem, what)| (self.found[*problem as usize], *what)).filter(|((_, n), _)| *n > 0);
        found
            .map(|((first, count), what)| Warning {
                format: NAME,
                kind: WarningKind::Lines { what, count },
                at: Some(Position::Line(first)),
            })
            .collect()
    }
}
