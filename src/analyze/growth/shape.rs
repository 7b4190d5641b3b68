//! Classification of a series of numbers (leak, step, plateau, sawtooth, noise, shrinking, flat) and of the start of its growth.
//!
//! A leak grows significantly ([`Line::rises`]) and still does; a filled cache, a finished start-up or a buffer that happens to
//! be full are none. Tests in order: too small; repeated drops ([`is_sawtooth`]); jumps ([`steps`]); the best curve ([`course`]).

use super::curve_fits::{Course, course, extent, is_whole, without_spikes};
use super::sawtooth::is_sawtooth;
use super::steps::steps;
use super::trend_line::{Line, line};
use crate::report::GrowthShape;

/// Minimum number of dumps for a classification: with fewer, growth in every step may be chance.
pub(super) const FEWEST: usize = 5;

/// Longer series are thinned to this length: the slope takes quadratic time.
pub(super) const MOST: usize = 500;

/// Sampled rows with never more samples than this are not classified.
const FEW_SAMPLES: f64 = 10.0;

/// Classification of a series.
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

/// Judges `y` over `x`, which rises strictly; at least two dumps. `noise`: what one sample
/// represents, 0 where all was recorded. O(n + min(n, [`MOST`])²).
pub(super) fn judge(x: &[f64], y: &[f64], noise: f64) -> Judged {
    let n = y.len();
    if n <= MOST {
        return judge_all(x, y, noise);
    }
    // The first and the last one, and those between them at even distances from the last.
    let mut place: Vec<usize> = (0..n).rev().step_by(n.div_ceil(MOST - 1)).collect();
    place.reverse();
    if place[0] != 0 {
        place.insert(0, 0);
    }
    let [x, y] = [x, y].map(|all| place.iter().map(|&i| all[i]).collect::<Vec<f64>>());
    let judged = judge_all(&x, &y, noise);
    Judged { began: judged.began.map(|i| place[i]), ..judged }
}

fn judge_all(x: &[f64], y: &[f64], noise: f64) -> Judged {
    let n = y.len();
    // One dump that sticks out, be it the last one, changes nothing from here on.
    let calm = &if n < FEWEST { y.to_vec() } else { without_spikes(y) }[..];
    // The error of what was sampled: the root of the number of samples that growth consists of.
    let (low, high) = extent(y);
    let sampling_error = |from: usize| 1.96 * (noise * (high - low)).sqrt() / (x[n - 1] - x[from]);
    let line = |from: usize, y: &[f64]| line(&x[from..], &y[from..]).widened(sampling_error(from));
    let all = line(0, calm);
    let judged = |shape: GrowthShape, began: Option<usize>| Judged { shape, in_steps: false, began, line: all };
    if high == low {
        return judged(GrowthShape::Flat, None);
    }
    if n < FEWEST {
        let began = (y[n - 1] > y[0]).then(|| (0..n - 1).find(|&i| y[i + 1] > y[i]).unwrap_or(0));
        return judged(GrowthShape::Unknown, began);
    }
    if noise > 0.0 && high.max(-low) <= FEW_SAMPLES * noise {
        return judged(GrowthShape::Unknown, None);
    }
    // Without direction: whether that is much, beside what is there.
    let level = if high - low <= 0.1 * low.abs().max(high.abs()) { GrowthShape::Flat } else { GrowthShape::Noise };
    // A change of some samples may be chance: its error is the root of their number.
    if high - low <= 6.0 * noise {
        return judged(level, None);
    }
    if is_sawtooth(y) {
        return judged(if level == GrowthShape::Flat { level } else { GrowthShape::Sawtooth }, None);
    }
    let otherwise = if all.falls() { GrowthShape::Shrinking } else { level };
    let leak = |from: usize| {
        let line = if from == 0 { all } else { line(from, y) };
        // Memory that is freed is no leak, unless all at once in the last dump: programs free memory when they end.
        match y[n - 1].max(y[n - 2]) - calm[from] < 0.3 * line.slope * (x[n - 1] - x[from]) {
            true => judged(otherwise, None),
            false => Judged { line, ..judged(GrowthShape::Leak, Some(from)) },
        }
    };
    let plateau = |began: usize| if climbs(x, calm, &all) { leak(0) } else { judged(GrowthShape::Plateau, Some(began)) };
    if let Some(steps) = steps(x, calm, noise) {
        let began = Some(steps.began);
        if let Some((slow, fast)) = steps.goes_on {
            // There is as much room as is used, or twice that; a fifth less, since the dumps fall where they fall.
            let line =
                Line { low: (0.8 * slow).max(0.0).min(all.slope), high: (2.0 * fast).max(all.slope), ..all }.widened(sampling_error(0));
            return Judged { line, in_steps: true, ..judged(GrowthShape::Leak, began) };
        }
        let is_long = n - steps.settled >= 2 * FEWEST;
        return match steps.n_jumps {
            _ if is_long && still_grows(x, y, steps.settled) && !levels_off(x, calm, steps.settled, noise) => leak(steps.settled),
            1 | 2 => judged(GrowthShape::Step, began),
            _ => plateau(steps.began),
        };
    }
    let course = course(x, calm, noise);
    let is_sure = all.rises() || !matches!(course, Course::Level | Course::Line) && is_whole(x, calm, course, noise);
    match course {
        Course::Bend { at, before, behind } if before > 0.0 && behind < 0.3 * before && stays(calm, at) => {
            // A start that is over and a leak, or the end of what filled up.
            let keeps_growing = is_sure && behind > 0.0 && still_grows(x, y, at) && !levels_off(x, calm, at, noise);
            if keeps_growing { leak(at) } else { plateau(0) }
        }
        _ if !is_sure => judged(otherwise, None),
        Course::Bend { at, before, behind } if before <= 0.3 * behind && still_grows(x, y, at) => leak(at),
        // A jump that is little beside the rest is part of it.
        Course::Step { at, height } | Course::StepOnLine { at, height } if height > 0.3 * (high - low) => match still_grows(x, y, at + 1) {
            // A single jump is not growth.
            true => leak(at + 1),
            false => judged(GrowthShape::Step, Some(at)),
        },
        _ if all.rises() && is_stopping(x, calm, &all) => judged(GrowthShape::Plateau, Some(0)),
        _ if all.rises() => leak(0),
        _ => judged(otherwise, None),
    }
}

/// Returns whether the last third of many dumps, but for the very last one, grew in both of its halves nearly as the line does: what has
/// filled up does not.
fn climbs(x: &[f64], y: &[f64], line: &Line) -> bool {
    let n = y.len();
    let (half, last) = (n / 6, n.saturating_sub(2));
    let grew = |from: usize, to: usize| y[to] - y[from] >= 0.4 * line.slope * (x[to] - x[from]);
    n >= 12 && line.rises() && grew(last - 2 * half, last - half) && grew(last - half, last)
}

/// Returns whether the last third of a short series grew much less than the line; for long ones the fitted curve decides.
fn is_stopping(x: &[f64], y: &[f64], line: &Line) -> bool {
    let last = y.len() - 1;
    let from = last - y.len() / 3;
    y.len() < 12 && y[last] - y[from] < 0.3 * line.slope * (x[last] - x[from])
}

/// Returns whether the dump is a peak after which little was freed.
fn stays(y: &[f64], at: usize) -> bool {
    let (low, high) = extent(y);
    y[at] - y[0] >= 0.6 * (high - low) && y[y.len() - 1] - y[0] >= 0.7 * (y[at] - y[0])
}

/// Returns whether the dumps after `from` grow significantly on their own; if they are too few, whether every step is upward.
fn still_grows(x: &[f64], y: &[f64], from: usize) -> bool {
    let behind = &y[from..];
    if behind.len() < FEWEST {
        return behind.windows(2).all(|w| w[0] < w[1]);
    }
    line(&x[from..], behind).rises()
}

/// Returns whether growth after `from` slows down.
fn levels_off(x: &[f64], y: &[f64], from: usize, noise: f64) -> bool {
    if y.len() - from < 2 * FEWEST {
        return true;
    }
    matches!(course(&x[from..], &y[from..], noise), Course::Bend { before, behind, .. } if behind < 0.7 * before)
}
