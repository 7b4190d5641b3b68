//! Totals of sets of stacks, for reports of culprits, packages and types.

use std::borrow::Cow;

use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::gross_changes::Change;
use crate::analyze::tree::sampling_error::SamplingError;
use crate::base::pair::{Pairs, net, plus};
use crate::report::{Spread, SummarySum};

/// Totals of a set of stacks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Totals {
    /// `[value, base]` of what is shown, then of its companion.
    pub(crate) pairs: [[i64; 2]; 2],
    /// Sampling error; zero if every allocation is recorded.
    pub(crate) spread: SamplingError,
    /// Growth and shrinkage; zero without a base.
    pub(crate) gross: Change,
}

impl Totals {
    pub(crate) fn add(&mut self, other: &Totals) {
        let [value, companion] = other.pairs;
        self.pairs = [plus(self.pairs[0], value), plus(self.pairs[1], companion)];
        self.spread.add(other.spread);
        self.gross = plus(self.gross, other.gross);
    }

    /// Value less base.
    pub(crate) fn change(&self) -> i64 {
        net(self.pairs[0])
    }

    /// Sort key: the magnitude of the change, then of the larger side.
    pub(crate) fn size(&self) -> (i64, i64) {
        let [value, base] = self.pairs[0];
        (self.change().saturating_abs(), value.saturating_abs().max(base.saturating_abs()))
    }

    /// Converts for reports.
    pub(crate) fn to_report(self) -> SummarySum {
        let [[value, base], [companion, companion_base]] = self.pairs;
        SummarySum { value, base, companion, companion_base }
    }
}

/// Totals of rows under a view's filters.
pub(crate) struct Rows<'a> {
    /// Row → `[value, base]`.
    pub(crate) value: Cow<'a, Pairs>,
    /// Row → the same of the companion; empty where there is none.
    pub(crate) companion: Cow<'a, Pairs>,
    /// Row → how sure the value is; `None` where all is exact.
    pub(crate) spread: Option<Vec<SamplingError>>,
}

impl Default for Rows<'_> {
    fn default() -> Self {
        Rows { value: Cow::Owned(Pairs::default()), companion: Cow::Owned(Pairs::default()), spread: None }
    }
}

impl Rows<'_> {
    /// Number and sum of each row that holds anything.
    pub(crate) fn sums(&self) -> impl Iterator<Item = (usize, Totals)> + '_ {
        let all = (0..self.value.len()).map(|row| {
            let spread = self.spread.as_ref().map_or(SamplingError::default(), |rows| rows[row]);
            let pairs = [self.value.at(row), self.companion.at(row)];
            (row, Totals { pairs, spread, gross: [0; 2] })
        });
        all.filter(|(_, sum)| sum.pairs != [[0; 2]; 2])
    }

    /// Sampling error of a sum of rows.
    pub(crate) fn spread(&self, of: &Totals) -> Option<Spread> {
        self.spread.as_ref().map(|_| of.spread.to_report())
    }
}

/// Number of rows to list, of `n`.
pub(crate) fn most(context: &ReportContext, n: usize) -> usize {
    match context.view.nodecount() {
        0 => n,
        most => most.min(n),
    }
}

/// Sum of the rows that are not listed after `first`.
pub(crate) fn rest<'a>(first: Totals, others: impl Iterator<Item = &'a Totals>) -> SummarySum {
    let mut rest = first;
    others.for_each(|sum| rest.add(sum));
    rest.to_report()
}
