//! Linear trend of a series: slope, confidence interval, and a test against no trend. The slope is Theil–Sen's (median slope of
//! all pairs; robust against a fifth of the dumps), the test Mann–Kendall's, the interval the matching one (Sen 1968).
//!
//! Both assume independent dumps, which heaps violate: memory in use stays in use. Where neighbours are more alike than chance
//! explains, the variance is widened as for a first-order autoregressive process, the interval is at least that of a random walk,
//! and the test can also be passed by the signs of the increments, which a random walk would have evenly.

use super::chance::{both_tails, coin};

/// More alike than this neighbours are in sums of random steps only.
const RANDOM_WALK: f64 = 0.5;

/// Two sided, 95 %.
const Z: f64 = 1.959_964;

/// A line through numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Line {
    /// Growth per unit of the axis.
    pub(super) slope: f64,
    /// The interval of 95 %.
    pub(super) low: f64,
    /// Its upper end.
    pub(super) high: f64,
    /// p-value: probability of such numbers without a trend.
    pub(super) p: f64,
}

impl Line {
    /// Whether it rises significantly (95%).
    pub(super) fn rises(&self) -> bool {
        self.p < 0.05 && self.slope > 0.0 && self.low >= 0.0
    }

    /// The line with an interval of at least ±`half`.
    pub(super) fn widened(self, half: f64) -> Self {
        Line { low: self.low.min(self.slope - half), high: self.high.max(self.slope + half), ..self }
    }

    /// Whether it falls significantly.
    pub(super) fn falls(&self) -> bool {
        self.p < 0.05 && self.slope < 0.0 && self.high <= 0.0
    }
}

/// The line through `y` over `x`, which rises strictly; at least two dumps. O(n² ) for n dumps.
pub(super) fn line(x: &[f64], y: &[f64]) -> Line {
    let n = y.len();
    let mut slopes = Vec::with_capacity(n * (n - 1) / 2);
    let mut score = 0i64;
    for i in 0..n {
        for j in i + 1..n {
            slopes.push((y[j] - y[i]) / (x[j] - x[i]));
            score += i64::from(y[j] > y[i]) - i64::from(y[j] < y[i]);
        }
    }
    let slope = median(&mut slopes);
    let variance = score_variance(y);
    if variance == 0.0 {
        return Line { slope, low: slope, high: slope, p: 1.0 };
    }
    let alike = likeness(x, y, slope);
    let widened = variance * alike.map_or(1.0, |r| (1.0 + r) / (1.0 - r));
    let mut p = p_of(score, widened);
    // Places of the interval's ends among the slopes in order.
    let below = place_below(slopes.len(), widened);
    let mut low = nth(&mut slopes, below);
    let last = slopes.len() - 1;
    let mut high = nth(&mut slopes, last - below);
    if let Some(r) = alike {
        if r > RANDOM_WALK {
            let half = half_width(x, y, slope);
            let below = place_below(slopes.len(), variance);
            (low, high) = (nth(&mut slopes, below).min(slope - half), nth(&mut slopes, last - below).max(slope + half));
        }
        p = p.min(p_of(score, variance).max(p_of_steps(y)));
    }
    Line { slope, low, high, p }
}

/// Number of slopes below the 95% interval, given the variance of the score.
fn place_below(n_slopes: usize, variance: f64) -> usize {
    let below = ((n_slopes as f64 - Z * variance.sqrt()) / 2.0).max(0.0) as usize;
    below.saturating_sub(1)
}

/// Mann and Kendall: how likely chance gives such a score.
fn p_of(score: i64, variance: f64) -> f64 {
    both_tails(((score.abs() - 1).max(0)) as f64 / variance.sqrt())
}

/// p-value of the signs of the differences between dumps.
fn p_of_steps(y: &[f64]) -> f64 {
    let ups = y.windows(2).filter(|w| w[1] > w[0]).count();
    let downs = y.windows(2).filter(|w| w[1] < w[0]).count();
    coin(ups + downs, ups)
}

/// Variance of Kendall's score of numbers without a trend, where some are equal.
fn score_variance(y: &[f64]) -> f64 {
    let of = |n: f64| n * (n - 1.0) * (2.0 * n + 5.0);
    let mut sorted = y.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let ties: f64 = sorted.chunk_by(|a, b| a == b).map(|run| of(run.len() as f64)).sum();
    (of(y.len() as f64) - ties) / 18.0
}

/// Lag-one autocorrelation of the residuals, 0 to 1; `None` if not significant.
fn likeness(x: &[f64], y: &[f64], slope: f64) -> Option<f64> {
    let n = y.len() as f64;
    if y.len() < 5 {
        return None;
    }
    let mut residue: Vec<f64> = x.iter().zip(y).map(|(x, y)| y - slope * x).collect();
    let middle = median(&mut residue.clone());
    residue.iter_mut().for_each(|r| *r -= middle);
    let all: f64 = residue.iter().map(|r| r * r).sum();
    let neighbours: f64 = residue.windows(2).map(|w| w[0] * w[1]).sum();
    let r = neighbours / all;
    // A line through numbers that remember takes some of their likeness away (Kendall 1954).
    let true_r = ((r + 1.0 / n) / (1.0 - 4.0 / n)).min(1.0 - 2.0 / n);
    (all > 0.0 && r > 1.0 / n.sqrt()).then_some(true_r)
}

/// Half of the interval of the slope of a sum of random steps.
fn half_width(x: &[f64], y: &[f64], slope: f64) -> f64 {
    let n_steps = (y.len() - 1) as f64;
    let mut sum = 0.0;
    for i in 1..y.len() {
        let time = x[i] - x[i - 1];
        let more = y[i] - y[i - 1] - slope * time;
        sum += more * more / time;
    }
    // The last term: Student's quantile is wider when steps are few.
    (sum / (n_steps - 1.0) / (x[x.len() - 1] - x[0])).sqrt() * (Z + 2.4 / (n_steps - 1.0))
}

/// The median, of an even number the mean of both in the middle. Reorders. O(n).
pub(super) fn median(values: &mut [f64]) -> f64 {
    let half = values.len() / 2;
    let upper = nth(values, half);
    if values.len() % 2 == 1 {
        return upper;
    }
    let lower = values[..half].iter().copied().fold(f64::NEG_INFINITY, f64::max);
    (lower + upper) / 2.0
}

/// Value at this index of the sorted list. Reorders. O(n).
fn nth(values: &mut [f64], place: usize) -> f64 {
    *values.select_nth_unstable_by(place, f64::total_cmp).1
}
