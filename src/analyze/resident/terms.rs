//! Terms of the sum while it is made.

use crate::report::{MemoryBar, MemoryPart};

/// Terms so far.
#[derive(Default)]
pub(crate) struct Terms {
    pub(crate) bars: Vec<MemoryBar>,
    sum: i64,
}

/// A term: its kind, name and formula.
pub(crate) struct Term {
    pub(crate) part: MemoryPart,
    pub(crate) name: &'static str,
    pub(crate) formula: String,
    pub(crate) advice: &'static str,
}

/// A term without advice.
pub(crate) fn term(part: MemoryPart, name: &'static str, formula: impl Into<String>) -> Term {
    Term { part, name, formula: formula.into(), advice: "" }
}

impl Term {
    pub(crate) fn with_advice(self, advice: &'static str) -> Term {
        Term { advice, ..self }
    }
}

impl Terms {
    /// Adds a term of known size.
    pub(crate) fn add(&mut self, bytes: i64, source: &[usize], term: Term) {
        self.put(bytes, source, term, true);
    }

    /// Adds the rest of a sum, which several things share.
    pub(crate) fn add_unknown(&mut self, bytes: i64, source: &[usize], term: Term) {
        self.put(bytes, source, term, false);
    }

    fn put(&mut self, bytes: i64, source: &[usize], term: Term, is_known: bool) {
        let Term { part, name, formula, advice } = term;
        let mut source = source.to_vec();
        source.sort_unstable();
        source.dedup();
        let bar = MemoryBar { part, name: name.to_owned(), bytes, start: self.sum, is_known, formula, source, advice: advice.to_owned() };
        self.sum = self.sum.saturating_add(bytes);
        self.bars.push(bar);
    }

    /// Sum of all terms.
    pub(crate) fn sum(&self) -> i64 {
        self.sum
    }
}
