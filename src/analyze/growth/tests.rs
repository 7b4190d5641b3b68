//! Series from formulas and random numbers: their classification, its error rate, and the coverage of confidence intervals.

use super::shape::{FEWEST, Judged, MOST, judge};
use super::trend_line::{line, median};
use crate::report::GrowthShape::{self, Flat, Leak, Noise, Plateau, Sawtooth, Shrinking, Step, Unknown};

/// Numbers that look like chance, the same in every run (splitmix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Approximately normally distributed: the sum of twelve uniform numbers.
    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }

    /// A sum of random steps.
    fn walk(&mut self, n: usize, drift: f64) -> Vec<f64> {
        let mut at = 0.0;
        let mut step = |_| {
            at += drift + self.normal();
            at
        };
        (0..n).map(&mut step).collect()
    }
}

fn places(n: usize) -> Vec<f64> {
    (0..n).map(|i| i as f64).collect()
}

fn judged(y: &[f64]) -> Judged {
    judge(&places(y.len()), y, 0.0)
}

/// Series of `value` at each dump's relative position, 0 to 1, plus noise of this size.
fn drawn(n: usize, dice: &mut Dice, noise: f64, value: impl Fn(f64) -> f64) -> Vec<f64> {
    (0..n).map(|i| value(i as f64 / n as f64) + noise * dice.normal()).collect()
}

/// The smallest power of two that has room.
fn doubled(used: f64) -> f64 {
    std::iter::successors(Some(1.0), |c| Some(c * 2.0)).find(|c| *c >= used).unwrap_or(used)
}

type Draw = fn(usize, &mut Dice) -> Vec<f64>;

/// Name, series, its shape, whether in steps, and how many of 100 must be classified so.
const KINDS: &[(&str, Draw, GrowthShape, bool, usize)] = &[
    ("leak", |n, d| drawn(n, d, 0.0, |t| 5.0 + t), Leak, false, 100),
    ("leak under noise", |n, d| drawn(n, d, 0.1, |t| t), Leak, false, 93),
    ("leak under much noise", |n, d| drawn(n, d, 0.25, |t| t), Leak, false, 70),
    ("leak by random steps", |n, d| d.walk(n, 1.0), Leak, false, 80),
    ("leak since half time", |n, d| drawn(n, d, 0.02, |t| 1.0 + (t - 0.5).max(0.0)), Leak, false, 95),
    ("leak that began late", |n, d| drawn(n, d, 0.01, |t| 1.0 + (t - 0.7).max(0.0)), Leak, false, 95),
    ("leak behind a start", |n, d| drawn(n, d, 0.01, |t| t + 8.0 * t.min(0.2)), Leak, false, 70),
    ("leak with one last peak", |n, d| [drawn(n - 1, d, 0.02, |t| t), vec![20.0]].concat(), Leak, false, 95),
    ("leak with small teeth", |n, _| (0..n).map(|i| i as f64 + 0.2 * (i % 5) as f64).collect(), Leak, false, 100),
    ("vector that doubles", |n, d| vectors(n, 1, d, 1.0), Leak, true, 95),
    ("six vectors that double", |n, d| vectors(n, 6, d, 1.0), Leak, true, 88),
    ("table that is full", |n, d| vectors(n, 1, d, 0.2), Step, false, 0),
    ("cache", |n, d| drawn(n, d, 0.01, |t| (t / 0.5).min(1.0)), Plateau, false, 90),
    ("cache that fills late", |n, d| drawn(n, d, 0.01, |t| (t / 0.7).min(1.0)), Plateau, false, 90),
    ("cache under noise", |n, d| drawn(n, d, 0.1, |t| (t / 0.3).min(1.0)), Plateau, false, 85),
    ("cache of chance", |n, d| drawn(n, d, 0.003, |t| 1.0 - (-4.0 * t).exp()), Plateau, false, 95),
    ("step", |n, d| drawn(n, d, 0.01, |t| if t < 0.5 { 0.0 } else { 1.0 }), Step, false, 93),
    ("step at the start", |n, d| drawn(n, d, 0.01, |t| if t < 0.1 { 0.0 } else { 1.0 }), Step, false, 93),
    ("teeth", |n, d| drawn(n, d, 0.01, |t| (t * 4.3 + 0.2) % 1.0), Sawtooth, false, 95),
    ("teeth that end high", |n, d| drawn(n, d, 0.01, |t| (t * 2.99) % 1.0), Sawtooth, false, 95),
    ("waves", |n, d| drawn(n, d, 0.05, |t| (20.0 * t).sin()), Sawtooth, false, 95),
    ("noise", |n, d| drawn(n, d, 1.0, |_| 0.0), Noise, false, 70),
    ("noise on much", |n, d| drawn(n, d, 1.0, |_| 1000.0), Flat, false, 80),
    ("one peak", |n, d| drawn(n, d, 0.02, |t| if t == 0.5 { 1.0 } else { 0.0 }), Noise, false, 70),
    ("one last peak", |n, d| [drawn(n - 1, d, 0.02, |_| 0.0), vec![1.0]].concat(), Noise, false, 75),
    ("shrinking", |n, d| drawn(n, d, 0.1, |t| -t), Shrinking, false, 90),
];

/// Vectors that double while they are filled at about the same speed, until a share of the series has passed.
fn vectors(n: usize, count: usize, dice: &mut Dice, until: f64) -> Vec<f64> {
    let first = 1.0 + 3.0 * dice.next();
    let speeds: Vec<f64> = (0..count).map(|_| first * (1.0 + 0.1 * dice.next())).collect();
    let used = |i: usize| ((i + 1) as f64).min(until * n as f64);
    (0..n).map(|i| speeds.iter().map(|speed| doubled(speed * used(i))).sum()).collect()
}

#[test]
fn shapes_are_called_what_they_are() {
    for (name, draw, shape, in_steps, most) in KINDS {
        for n in [20, 40, 100] {
            let all: Vec<Judged> = (0..100).map(|seed| judged(&draw(n, &mut Dice(seed * 7919 + n as u64)))).collect();
            let right = all.iter().filter(|j| j.shape == *shape && j.in_steps == *in_steps).count();
            assert!(right >= *most, "{name} of {n}: {right} of 100 right: {:?}", all.iter().map(|j| j.shape).collect::<Vec<_>>());
            // No false leaks.
            let leaks = all.iter().filter(|j| j.shape == Leak).count();
            assert!(*shape == Leak || leaks <= 12, "{name} of {n}: {leaks} of 100 are called leaks");
        }
    }
}

#[test]
fn a_last_dump_that_fell_hides_no_leak() {
    for n in [12, 21, 40] {
        let climb: Vec<f64> = (0..n).map(|i| 100.0 + 50.0 * i as f64).collect();
        for last in [0.0, 0.5 * climb[n - 2], 0.999 * climb[n - 2]] {
            let found = judged(&[&climb[..n - 1], &[last]].concat());
            assert_eq!((found.shape, found.began, found.line.slope.round()), (Leak, Some(0), 50.0), "{n} {last}");
        }
        // Two dumps that fell are an end.
        assert_ne!(judged(&[&climb[..n - 2], &[0.0, 0.0]].concat()).shape, Leak);
    }
    // Samples that come in lumps make a climb uneven, not a cache.
    let noise = 524_288.0;
    let lumps: Vec<f64> = (0..37).map(|i| f64::from(13 + 9 * i / 2 + [0, 4, 2, -3, 1][i as usize % 5]) * noise).collect();
    assert_eq!(judge(&places(37), &lumps, noise).shape, Leak);
    assert_eq!(judge(&places(7), &[0.0, 1.0, 2.0, 3.0, 3.0, 4.0, 5.0].map(|n| n * noise), noise).shape, Unknown);
}

#[test]
fn long_series_are_thinned() {
    for n in [MOST, MOST + 1, 7 * MOST + 3] {
        let bend: Vec<f64> = (0..n).map(|i| 100.0 + i.saturating_sub(n / 2) as f64).collect();
        let found = judged(&bend);
        assert_eq!((found.shape, found.line.slope), (Leak, 1.0), "{n}");
        assert!(found.began.unwrap().abs_diff(n / 2) <= n / 50, "{n}: {:?}", found.began);
    }
}

#[test]
fn few_dumps_with_a_leak() {
    let leaks = |n: usize, noise: f64| (0..100).filter(|&seed| judged(&drawn(n, &mut Dice(seed), noise, |t| t)).shape == Leak).count();
    assert_eq!((leaks(FEWEST - 1, 0.0), leaks(FEWEST, 0.0), leaks(6, 0.0)), (0, 100, 100));
    assert!(leaks(8, 0.1) >= 70, "{}", leaks(8, 0.1));
    assert_eq!(judged(&[1.0, 2.0]).shape, Unknown);
}

#[test]
fn a_constant_is_flat() {
    for n in 2..30 {
        let Judged { shape, began, line, .. } = judged(&vec![7e9; n]);
        assert_eq!((shape, began, line.slope, line.low, line.high, line.p), (Flat, None, 0.0, 0.0, 0.0, 1.0));
    }
}

#[test]
fn growth_begins_where_it_begins() {
    let bend: Vec<f64> = (0..40).map(|i| 100.0 + f64::from((i - 25).max(0))).collect();
    let found = judged(&bend);
    assert_eq!((found.shape, found.line.slope), (Leak, 1.0));
    assert!((24..=26).contains(&found.began.unwrap()), "{:?}", found.began);
    let step: Vec<f64> = (0..20).map(|i| if i <= 12 { 1.0 } else { 5.0 }).collect();
    assert_eq!((judged(&step).shape, judged(&step).began), (Step, Some(12)));
    // A start-up jump does not hide a later leak.
    let start: Vec<f64> = (0..20).map(|i| if i < 3 { 0.0 } else { 1000.0 + f64::from(i) }).collect();
    assert_eq!((judged(&start).shape, judged(&start).began, judged(&start).line.slope), (Leak, Some(3), 1.0));
}

/// Share of 400 series whose slope interval contains the true slope, 1.
fn coverage(n: usize, draw: impl Fn(&mut Dice) -> Vec<f64>) -> f64 {
    let contains_truth = |seed: &u64| {
        let line = line(&places(n), &draw(&mut Dice(seed + 1000)));
        line.low <= 1.0 && 1.0 <= line.high
    };
    (0..400).filter(contains_truth).count() as f64 / 400.0
}

#[test]
fn intervals_hold_the_true_slope() {
    for n in [8, 12, 20, 40, 100] {
        let noisy = coverage(n, |d| (0..n).map(|i| i as f64 + 2.0 * d.normal()).collect());
        assert!((0.93..=0.995).contains(&noisy), "noise, {n}: {noisy}");
        // Random walks are hard to distinguish from lines when dumps are few.
        let walk = coverage(n, |d| d.walk(n, 0.0).iter().enumerate().map(|(i, w)| (i + 1) as f64 + 0.5 * w).collect());
        assert!(walk >= if n < 20 { 0.6 } else { 0.78 }, "steps, {n}: {walk}");
    }
}

#[test]
fn lines_are_those_of_the_book() {
    for seed in 0..50 {
        let mut dice = Dice(seed);
        let n = 2 + (dice.next() * 30.0) as usize;
        let y: Vec<f64> = (0..n).map(|_| (dice.next() * 10.0).floor()).collect();
        let mut x = vec![0.0];
        (1..n).for_each(|i| x.push(x[i - 1] + 0.5 + dice.next()));
        let mut slopes: Vec<f64> = Vec::new();
        for i in 0..n {
            slopes.extend((i + 1..n).map(|j| (y[j] - y[i]) / (x[j] - x[i])));
        }
        let found = line(&x, &y);
        slopes.sort_by(f64::total_cmp);
        let half = slopes.len() / 2;
        let middle = if slopes.len() % 2 == 1 { slopes[half] } else { (slopes[half - 1] + slopes[half]) / 2.0 };
        assert_eq!((found.slope, median(&mut slopes)), (middle, middle));
        assert!(found.low <= middle && middle <= found.high && (0.0..=1.0).contains(&found.p), "{found:?}");
        // Ten times as much in a tenth of the time.
        let (fast, more): (Vec<f64>, Vec<f64>) = x.iter().zip(&y).map(|(x, y)| (x / 8.0, y * 4.0)).unzip();
        let scaled = line(&fast, &more);
        assert!((scaled.slope - 32.0 * found.slope).abs() < 1e-9 && (scaled.p - found.p).abs() < 1e-9, "{scaled:?} {found:?}");
    }
    // Gilbert, Statistical Methods for Environmental Pollution Monitoring: all ten pairs rise.
    let rising = line(&places(5), &[1.0, 2.0, 4.0, 5.0, 7.0]);
    assert!((rising.p - 0.0275).abs() < 0.001, "{}", rising.p);
}

#[test]
fn no_number_is_too_strange() {
    for y in [
        vec![-1e300, 1e300, -1e300, 1e300, 0.0, 1e300],
        vec![0.0, 0.0, 0.0, 0.0, 0.0, 1e-300],
        vec![i64::MIN as f64; 7],
        vec![9e18, -9e18, 9e18, 9e18, 9e18],
    ] {
        let Judged { line, .. } = judged(&y);
        assert!(!line.p.is_nan() && !line.slope.is_nan(), "{y:?} {line:?}");
    }
}

#[test]
fn the_largest_rows_are_kept_with_the_first() {
    let ranked = [7, 3, 9, 1, 5, 2];
    let kept = |most: usize, largest: &[u32]| {
        let n = super::n_first(&ranked, most, largest);
        ranked.iter().enumerate().filter(|(at, row)| *at < n || largest.contains(row)).map(|(_, row)| *row).collect::<Vec<u32>>()
    };
    assert_eq!(kept(3, &[]), [7, 3, 9]);
    assert_eq!(kept(4, &[2, 5]), [7, 3, 5, 2]);
    assert_eq!(kept(4, &[2, 3]), [7, 3, 9, 2]);
    assert_eq!(kept(3, &[9, 1]), [7, 9, 1]);
    assert_eq!(kept(9, &[2, 5]), ranked);
    assert!(kept(0, &[]).is_empty());
}
