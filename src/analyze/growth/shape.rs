//! What a series of numbers does: leak, step, plateau, sawtooth, noise, shrinking, flat; and since when it grows.
//!
//! A leak is what grows surely ([`Line::rises`]) and still does: a cache that has filled, a start that is over, a buffer
//! that happens to be full are none. In this order it is asked: is it too little; does it fall back again and
//! again ([`is_sawtooth`]); does it move in jumps ([`steps`]); which course does it take ([`course`]).

use super::fits::{Course, course, extent};
use super::line::{Line, line};
use super::sawtooth::is_sawtooth;
use super::steps::steps;
use crate::report::GrowthShape;

/// Dumps that there must be to tell a shape: with fewer even what grows every time may do so by chance.
pub(super) const FEWEST: usize = 5;

/// What a series does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Judged {
    pub(super) shape: GrowthShape,
    /// A leak that rests between jumps.
    pub(super) in_steps: bool,
    /// The last dump before it grew.
    pub(super) began: Option<usize>,
    /// The line through all, or of a leak since it began.
    pub(super) line: Line,
}

/// Judges `y` over `x`, which rises strictly; at least two dumps. `noise`: numbers may be wrong by so much
/// (standard error). O(n²).
pub(super) fn judge(x: &[f64], y: &[f64], noise: f64) -> Judged {
    let n = y.len();
    let all = line(x, y);
    let judged = |shape: GrowthShape, began: Option<usize>| Judged { shape, in_steps: false, began, line: all };
    let (low, high) = extent(y);
    let range = high - low;
    if range == 0.0 {
        return judged(GrowthShape::Flat, None);
    }
    if n < FEWEST {
        let began = (y[n - 1] > y[0]).then(|| (0..n - 1).find(|&i| y[i + 1] > y[i]).unwrap_or(0));
        return judged(GrowthShape::Unknown, began);
    }
    // Without direction: whether that is much, beside what is there.
    let level = if range <= 0.1 * low.abs().max(high.abs()) { GrowthShape::Flat } else { GrowthShape::Noise };
    if is_sawtooth(y) {
        return judged(if level == GrowthShape::Flat { level } else { GrowthShape::Sawtooth }, None);
    }
    if let Some(steps) = steps(x, y, (0.01 * range).max(3.0 * noise)) {
        let began = Some(steps.began);
        return match steps.n_jumps {
            // What jumped in the last dump only may be back in the next one.
            1 if steps.began == n - 2 => judged(level, None),
            _ if steps.goes_on => Judged { in_steps: true, ..judged(GrowthShape::Leak, began) },
            1 | 2 => judged(GrowthShape::Step, began),
            _ => judged(GrowthShape::Plateau, began),
        };
    }
    let leak = |from: usize| Judged { line: line(&x[from..], &y[from..]), ..judged(GrowthShape::Leak, Some(from)) };
    let flat_or_falling = if all.falls() { GrowthShape::Shrinking } else { level };
    if !all.rises() {
        return judged(flat_or_falling, None);
    }
    match course(x, y, noise) {
        Course::Level | Course::Line => judged(GrowthShape::Leak, Some(0)),
        Course::Step { at, height } | Course::StepOnLine { at, height } if height > 0.0 => match still_grows(x, y, at + 1) {
            true if at + 1 < n / 4 => leak(at + 1),
            true => judged(GrowthShape::Leak, Some(0)),
            false => judged(GrowthShape::Step, Some(at)),
        },
        Course::Step { .. } | Course::StepOnLine { .. } => judged(GrowthShape::Leak, Some(0)),
        Course::Bend { at, before, behind } if behind > 0.0 && still_grows(x, y, at) => {
            // It began here, or what came before was another thing: a start. Else it is one growth.
            if before <= 0.3 * behind {
                leak(at)
            } else if behind >= 0.3 * before {
                judged(GrowthShape::Leak, Some(0))
            } else if levels_off(x, y, at, noise) {
                judged(GrowthShape::Plateau, Some(0))
            } else {
                leak(at)
            }
        }
        Course::Bend { before, .. } if before > 0.0 => judged(GrowthShape::Plateau, Some(0)),
        Course::Bend { at, .. } => leak(at),
    }
}

/// Whether what lies behind the dump surely grows by itself, or is too short to tell.
fn still_grows(x: &[f64], y: &[f64], from: usize) -> bool {
    if y.len() - from < FEWEST {
        let (first, last) = (from.saturating_sub(1), y.len() - 1);
        return y[last] > y[first] && y[last] >= y[last - 1];
    }
    line(&x[from..], &y[from..]).rises()
}

/// Whether growth behind the dump gets less and less.
fn levels_off(x: &[f64], y: &[f64], from: usize, noise: f64) -> bool {
    if y.len() - from < 2 * FEWEST {
        return true;
    }
    matches!(course(&x[from..], &y[from..], noise), Course::Bend { before, behind, .. } if behind < 0.7 * before)
}
