//! Sawtooth detection: buffers that fill and are flushed, caches that are pruned, varying load.

use super::curve_fits::extent;

/// Returns whether `y` rises and falls repeatedly: at least two falls of a third of the whole range or more, and more regular
/// turns than noise. Noise turns at two of three dumps, and rises as often as it falls (Kendall and Stuart); both are tested at
/// 95%. O(n).
pub(super) fn is_sawtooth(y: &[f64]) -> bool {
    if falls(y) < 2 {
        return false;
    }
    let n = y.len() as f64;
    let turns = y.windows(3).filter(|w| (w[1] - w[0]) * (w[2] - w[1]) < 0.0).count() as f64;
    let turns_seldom = turns < 2.0 / 3.0 * (n - 2.0) - 1.645 * ((16.0 * n - 29.0) / 90.0).sqrt();
    let ups = y.windows(2).filter(|w| w[1] > w[0]).count() as f64;
    let downs = y.windows(2).filter(|w| w[1] < w[0]).count() as f64;
    let is_lopsided = (ups - downs).abs() / 2.0 > 1.96 * ((n + 1.0) / 12.0).sqrt();
    turns_seldom || is_lopsided
}

/// Number of falls by a third of the range, with rises as large between them. O(n).
fn falls(y: &[f64]) -> usize {
    let (low, high) = extent(y);
    let turn = (high - low) / 3.0;
    let (mut lowest, mut highest) = (y[0], y[0]);
    let mut n_falls = 0;
    let mut is_down = false;
    for &value in y {
        if is_down {
            lowest = lowest.min(value);
            if value - lowest >= turn {
                (is_down, highest) = (false, value);
            }
        } else {
            highest = highest.max(value);
            if highest - value >= turn {
                (is_down, lowest) = (true, value);
                n_falls += 1;
            }
        }
    }
    n_falls
}
