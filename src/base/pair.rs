//! Pairs of value and base: every number of a report is one, so that each view is a difference, too.

/// Value less base.
#[inline]
pub fn net([value, base]: [i64; 2]) -> i64 {
    value.saturating_sub(base)
}

/// Values added to values, bases to bases.
#[inline]
pub fn plus(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [a[0].saturating_add(b[0]), a[1].saturating_add(b[1])]
}

/// A sum as a mean, whole numbers as pprof has them; the sum itself where there is nothing to divide by.
pub fn quotient(sum: i64, by: i64) -> i64 {
    if by == 0 { sum } else { sum.wrapping_div(by) }
}
