//! Growth in jumps: a vector that doubles when it is full, a pool that adds a chunk. Nothing is seen between jumps, so a pause
//! means little: the question is whether the next jump is overdue.

use super::curve_fits::extent;
use super::trend_line::median;

/// Jumps with rests between them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Steps {
    /// The last dump before the first jump.
    pub(super) began: usize,
    /// First dump after the last large jump.
    pub(super) settled: usize,
    pub(super) n_jumps: usize,
    /// Slowest and fastest rate of filling; `None` if the next jump is overdue.
    pub(super) goes_on: Option<(f64, f64)>,
}

/// From one dump to another one, without a rest between them.
#[derive(Clone, Copy)]
struct Jump {
    from: usize,
    to: usize,
}

/// The jumps that `y` consists of; `None`: it moves all the time, or falls. `noise`: what one sample
/// represents. O(n + jumps²).
pub(super) fn steps(x: &[f64], y: &[f64], noise: f64) -> Option<Steps> {
    let n = y.len();
    let growth = y[n - 1] - y[0];
    let moves: Vec<f64> = y.windows(2).map(|w| w[1] - w[0]).collect();
    // Ignored as jumps: a fifth of what a line would give, little relative to the whole, or within the noise.
    let middle = median(&mut moves.clone());
    let usual = median(&mut moves.iter().map(|m| (m - middle).abs()).collect::<Vec<_>>());
    let fluctuation = (4.0 * usual).max(3.0 * noise);
    let threshold = fluctuation.max(0.2 * growth / (n - 1) as f64).max(0.02 * growth);
    let rests = moves.iter().filter(|m| m.abs() <= threshold).count();
    let falls = moves.iter().fold(0.0, |sum, m| sum - m.min(0.0));
    let jumped = moves.iter().filter(|m| **m > threshold).sum::<f64>();
    if growth <= threshold || falls > 0.1 * growth || 5 * rests < 2 * (n - 1) || jumped < 0.8 * growth {
        return None;
    }
    let mut jumps: Vec<Jump> = Vec::new();
    for to in (1..n).filter(|&to| moves[to - 1] > threshold) {
        match jumps.last_mut() {
            Some(last) if last.to == to - 1 => last.to = to,
            _ => jumps.push(Jump { from: to - 1, to }),
        }
    }
    let began = moves.iter().position(|m| *m > fluctuation)?;
    // A rise over many dumps is a slope, no jump.
    if jumps.iter().any(|jump| jump.to - jump.from > 4 && y[jump.to] - y[jump.from] > 0.3 * growth) {
        return None;
    }
    let settled = jumps.iter().rfind(|jump| y[jump.to] - y[jump.from] >= 0.1 * growth).or(jumps.last())?.to;
    Some(Steps { began, settled, n_jumps: jumps.len(), goes_on: goes_on(x, y, &jumps) })
}

/// Slowest and fastest rate of filling; `None` if the next jump is overdue. The buffer was full just before each jump, so these
/// points show the rate. Where many vectors double at about the same time, only the first jump after a long rest counts.
fn goes_on(x: &[f64], y: &[f64], jumps: &[Jump]) -> Option<(f64, f64)> {
    let mean = {
        let rests = jumps.windows(2).map(|w| x[w[1].from] - x[w[0].to]);
        rests.sum::<f64>() / (jumps.len() - 1).max(1) as f64
    };
    let is_late = |i: usize| i == 0 || x[jumps[i].from] - x[jumps[i - 1].to] >= 0.9 * mean;
    let late: Vec<Jump> = (0..jumps.len()).filter(|&i| is_late(i)).map(|i| jumps[i]).collect();
    let time = |jump: &Jump| (x[jump.from] + x[jump.to]) / 2.0;
    let mut rates: Vec<f64> = Vec::new();
    for (i, a) in late.iter().enumerate() {
        rates.extend(late[i + 1..].iter().map(|b| (y[b.from] - y[a.from]) / (time(b) - time(a))));
    }
    let last = late.last().filter(|_| !rates.is_empty())?;
    let rate = median(&mut rates);
    let end = y.len() - 1;
    // A quarter more, since the dumps fall where they fall.
    (rate > 0.0 && x[end] - time(last) <= 1.25 * (y[end] - y[last.from]) / rate).then(|| extent(&rates))
}
