//! Damage of recordings, counted by kind, with the first place of each: millions of events may be wrong.

use super::error::{Position, Warning, WarningKind};

/// Kinds of damage of a format.
pub(super) trait Kind: Copy + PartialEq + 'static {
    /// The format's name in messages.
    const FORMAT: &'static str;
    /// Each kind and what is said of it, in the order of warnings.
    const ALL: &'static [(Self, &'static str)];
    /// The warning about `count` of them.
    fn warning(self, what: &'static str, count: usize) -> WarningKind {
        WarningKind::Lines { what, count }
    }
    /// The place `at` in messages; `None` if it is unknown.
    fn position(at: usize) -> Option<Position>;
}

/// Damage so far.
#[derive(Clone, Debug)]
pub(super) struct Problems<K> {
    found: Vec<Found<K>>,
}

#[derive(Clone, Copy, Debug)]
struct Found<K> {
    kind: K,
    /// Place of the first one.
    first: usize,
    n: usize,
}

impl<K> Default for Problems<K> {
    fn default() -> Self {
        Problems { found: Vec::new() }
    }
}

impl<K: Kind> Problems<K> {
    /// Counts one more. O(kinds).
    #[cold]
    pub(super) fn add(&mut self, kind: K, at: usize) {
        match self.found.iter_mut().find(|found| found.kind == kind) {
            Some(found) => found.n += 1,
            None => self.found.push(Found { kind, first: at, n: 1 }),
        }
    }

    /// Number of those of this kind.
    pub(super) fn count(&self, kind: K) -> usize {
        self.found.iter().find(|found| found.kind == kind).map_or(0, |found| found.n)
    }

    /// Whether there is one of this kind.
    pub(super) fn has(&self, kind: K) -> bool {
        self.count(kind) > 0
    }

    pub(super) fn warnings(&self) -> impl Iterator<Item = Warning> + '_ {
        K::ALL.iter().filter_map(|(kind, what)| {
            let found = self.found.iter().find(|found| found.kind == *kind)?;
            Some(Warning { format: K::FORMAT, kind: kind.warning(what, found.n), at: K::position(found.first) })
        })
    }
}
