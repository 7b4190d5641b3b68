//! Growth in jumps: a vector that doubles when it is full, a table that grows, a pool that takes one more chunk. Between
//! jumps nothing is seen of it, so a rest means little: what counts is whether the next jump is overdue.

use super::line::median;

/// Jumps with rests between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Steps {
    /// The last dump before the first jump.
    pub(super) began: usize,
    pub(super) n_jumps: usize,
    /// The next jump is not overdue, if it goes on as it went.
    pub(super) goes_on: bool,
}

/// The jumps that `y` consists of; `None`: it moves all the time, or falls. `still`: less than this is no movement.
/// O(n + jumps² ).
pub(super) fn steps(x: &[f64], y: &[f64], still: f64) -> Option<Steps> {
    let n = y.len();
    let (first, last) = (y[0], y[n - 1]);
    let falls: f64 = y.windows(2).map(|w| (w[0] - w[1]).max(0.0)).sum();
    let rests = y.windows(2).filter(|w| (w[1] - w[0]).abs() <= still).count();
    if last - first <= still || falls > 0.1 * (last - first) || 5 * rests < 2 * (n - 1) {
        return None;
    }
    // Jump after jump: the dumps before and behind it. Those without a rest between them are one.
    let mut jumps: Vec<(usize, usize)> = Vec::new();
    for i in 1..n {
        if y[i] - y[i - 1] > still {
            match jumps.last_mut() {
                Some((_, to)) if *to == i - 1 => *to = i,
                _ => jumps.push((i - 1, i)),
            }
        }
    }
    let &(began, _) = jumps.first()?;
    let &(from, to) = jumps.last()?;
    // What was there before a jump was full at its time: these points tell how fast it fills.
    let full: Vec<(f64, f64)> = jumps.iter().map(|&(from, to)| ((x[from] + x[to]) / 2.0, y[from])).collect();
    let mut rates: Vec<f64> = Vec::new();
    for (i, a) in full.iter().enumerate() {
        rates.extend(full[i + 1..].iter().map(|b| (b.1 - a.1) / (b.0 - a.0)));
    }
    let goes_on = !rates.is_empty() && {
        let rate = median(&mut rates);
        let rest = x[n - 1] - (x[from] + x[to]) / 2.0;
        // A quarter more, since the dumps fall where they fall.
        rate > 0.0 && rest <= 1.25 * (y[to] - y[from]) / rate
    };
    Some(Steps { began, n_jumps: jumps.len(), goes_on })
}
