//! What is wrong with a file: counted by kind, with the place of the first one.

use crate::base::hash::HashMap;
use crate::parse::error::{Warning, WarningKind};

/// The format's name in messages.
pub(in crate::parse) const NAME: &str = "DHAT";

/// A kind of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Problem {
    /// A frame number that the table does not have.
    NoSuchFrame,
    /// A number beyond 63 bits.
    Huge,
    /// A number below 0.
    Negative,
    /// A value that is no number.
    NoNumber,
    /// A program point without frames.
    NoStack,
    /// A list of access counts that makes no sense.
    BadAccesses,
}

const ALL: [(Problem, &str); 6] = [
    (Problem::NoSuchFrame, "frame numbers that the file's table does not have, shown as `frame N`"),
    (Problem::Huge, "numbers that do not fit in 64 bits, clamped to the maximum"),
    (Problem::Negative, "negative numbers, taken for 0"),
    (Problem::NoNumber, "values that are not whole numbers, taken for 0"),
    (Problem::NoStack, "program points without `fs` (their frames), shown without a stack"),
    (Problem::BadAccesses, "lists of accesses (`acc`) that are damaged, left out"),
];

/// Problems so far.
#[derive(Debug, Default)]
pub(super) struct Problems {
    /// Kind → program point of the first one, from 1 (0: outside of them), and their number.
    found: [(usize, usize); ALL.len()],
    /// Field that program points lack → point of the first one, from 1, and their number.
    lacking: HashMap<&'static str, (usize, usize)>,
}

impl Problems {
    #[cold]
    pub(super) fn add(&mut self, problem: Problem, point: usize) {
        let (first, n) = &mut self.found[problem as usize];
        if *n == 0 {
            *first = point;
        }
        *n += 1;
    }

    #[cold]
    pub(super) fn add_lacking(&mut self, field: &'static str, point: usize) {
        self.lacking.entry(field).or_insert((point, 0)).1 += 1;
    }

    pub(super) fn warnings(&self) -> Vec<Warning> {
        let found = ALL.iter().map(|(problem, what)| (self.found[*problem as usize], *what)).filter(|((_, n), _)| *n > 0);
        let mut warnings: Vec<WarningKind> =
            found.map(|((first_point, count), what)| WarningKind::ProgramPoints { what: what.to_owned(), count, first_point }).collect();
        let mut lacking: Vec<(&str, (usize, usize))> = self.lacking.iter().map(|(field, found)| (*field, *found)).collect();
        lacking.sort_unstable();
        warnings.extend(lacking.into_iter().map(|(field, (first_point, count))| WarningKind::ProgramPoints {
            what: format!("program points without the field `{field}`, taken for 0"),
            count,
            first_point,
        }));
        warnings.into_iter().map(|kind| Warning { format: NAME, kind, at: None }).collect()
    }
}
