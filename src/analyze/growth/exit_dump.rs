//! Detection of the dump that a program writes at exit. Most of its memory has been freed by then, so this dump is not part of
//! the growth computation.

/// Dumps that there must be to recognize one.
const FEWEST: usize = 4;

/// Rows below this fraction of the total (1/n) are ignored.
const SMALL: i64 = 100;

/// Returns whether the last of `totals` was written at exit: it has at most half of the one before, no other dump fell so far, and two
/// thirds of the rows that matter fell with it. `rows`: their values in the last two dumps.
pub(super) fn is_exit(totals: &[i64], rows: &[Vec<i64>]) -> bool {
    let halves = |w: &[i64]| w[0] > 0 && w[1] <= w[0] / 2;
    let Some((last, before)) = totals.windows(2).collect::<Vec<_>>().split_last().map(|(last, before)| (*last, before.to_vec())) else {
        return false;
    };
    if totals.len() < FEWEST || !halves(last) || before.into_iter().any(halves) {
        return false;
    }
    let matters = |values: &&Vec<i64>| values.first().is_some_and(|value| *value > 0 && *value >= last[0] / SMALL);
    let n_rows = rows.iter().filter(matters).count();
    let n_fell = rows.iter().filter(matters).filter(|values| halves(values)).count();
    n_rows > 0 && 3 * n_fell >= 2 * n_rows
}
