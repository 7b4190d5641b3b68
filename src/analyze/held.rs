//! What some stacks hold: sums that reports of who and what holds memory share.

use super::Answer;
use crate::pair::{net, plus};
use crate::report::SummarySum;

/// `[value, base]` of what is shown, then of its companion.
pub(super) type Sum = [[i64; 2]; 2];

/// How many of `n` are told.
pub(super) fn most(answer: &Answer, n: usize) -> usize {
    match answer.view.nodecount() {
        0 => n,
        most => most.min(n),
    }
}

/// What comes first: the largest change, then the largest side of it.
pub(super) fn size([value, _]: &Sum) -> (i64, i64) {
    (net(*value).saturating_abs(), value[0].saturating_abs().max(value[1].saturating_abs()))
}

/// Side by side.
pub(super) fn added(a: Sum, b: Sum) -> Sum {
    [plus(a[0], b[0]), plus(a[1], b[1])]
}

/// As reports say it.
pub(super) fn told([[value, base], [companion, companion_base]]: Sum) -> SummarySum {
    SummarySum { value, base, companion, companion_base }
}
