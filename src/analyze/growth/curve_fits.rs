//! Simple curves fitted to a series: level, line, line with one bend, step, step on a line. Least squares; a curve with more
//! parameters must reduce the error enough (Bayesian information criterion).

use libm::log;

use super::trend_line::median;

/// A course that numbers may have; slopes and heights in the numbers' own units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Course {
    /// Constant.
    Level,
    /// Constant slope.
    Line,
    /// One slope to this dump, another one from there.
    Bend { at: usize, before: f64, behind: f64 },
    /// Level, with a jump after this dump, up or down.
    Step { at: usize, height: f64 },
    /// Line, with a jump after this dump.
    StepOnLine { at: usize, height: f64 },
}

/// Dumps that each part of a course has at least; two are enough before a step.
const PART: usize = 3;

/// Misfits below this share of the range are none.
const TINY: f64 = 0.005;

/// The course that fits `y` over `x` best. `noise`: what one sample represents. O(n).
pub(super) fn course(x: &[f64], y: &[f64], noise: f64) -> Course {
    let n = y.len();
    let y = without_spikes(y);
    let (low, high) = extent(&y);
    let (range, span) = (high - low, x[n - 1] - x[0]);
    if range <= 0.0 {
        return Course::Level;
    }
    // Around the middle and of size one.
    let (x, y) = (centred(x, span), centred(&y, range));
    let [xx, xy, yy] = [(&x, &x), (&x, &y), (&y, &y)].map(|(a, b)| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>());
    let tiny = TINY * TINY + noise / range * (noise / range);
    let score = |misfit: f64, choices: f64| {
        let size = n as f64;
        // Few dumps are fitted by anything (Hurvich and Tsai).
        let few = size / (size - choices - 1.0).max(0.1);
        size * log(misfit.max(0.0) / size + tiny) + choices * few * log(size)
    };
    // Of each kind the best one: misfit and course.
    let (mut bend, mut step, mut step_on_line) = ((yy, Course::Level), (yy, Course::Level), (yy, Course::Level));
    let keep = |best: &mut (f64, Course), misfit: f64, course: Course| {
        if misfit < best.0 {
            *best = (misfit, course);
        }
    };
    // Sums over the values after the position.
    let (mut one, mut sx, mut sxx, mut sy, mut sxy) = (0.0, 0.0, 0.0, 0.0, 0.0);
    let unit = range / span;
    for at in (1..n - 1).rev() {
        let (vx, vy) = (x[at + 1], y[at + 1]);
        (one, sx, sxx, sy, sxy) = (one + 1.0, sx + vx, sxx + vx * vx, sy + vy, sxy + vx * vy);
        if n - 1 - at < PART {
            continue;
        }
        let jump = Extra::new(n, one, one, sx, sy);
        keep(&mut step, yy - jump.y * jump.y / jump.own, Course::Step { at, height: jump.y / jump.own * range });
        let (misfit, _, height) = jump.beside(xx, xy, yy);
        keep(&mut step_on_line, misfit, Course::StepOnLine { at, height: height * range });
        let from = x[at];
        if at + 1 < PART {
            continue;
        }
        let ramp = Extra::new(n, sx - from * one, sxx - 2.0 * from * sx + from * from * one, sxx - from * sx, sxy - from * sy);
        let (misfit, before, more) = ramp.beside(xx, xy, yy);
        keep(&mut bend, misfit, Course::Bend { at, before: before * unit, behind: (before + more) * unit });
    }
    // The position of a bend or jump is chosen among many, so it counts as two parameters.
    let offers = [
        (score(yy, 1.0), Course::Level),
        (score(yy - xy * xy / xx, 2.0), Course::Line),
        (score(step.0, 4.0), step.1),
        (score(bend.0, 5.0), bend.1),
        (score(step_on_line.0, 5.0), step_on_line.1),
    ];
    let first = offers[0];
    offers.into_iter().fold(first, |best, offer| if offer.0 < best.0 { offer } else { best }).1
}

/// Returns whether a bend or step explains the series: the residuals are noise, or zero. A random walk leaves autocorrelated
/// residuals. O(n).
pub(super) fn is_whole(x: &[f64], y: &[f64], course: Course, noise: f64) -> bool {
    let n = y.len();
    let y = without_spikes(y);
    let (low, high) = extent(&y);
    let extra: Vec<f64> = match course {
        Course::Bend { at, .. } => x.iter().map(|v| (v - x[at]).max(0.0)).collect(),
        Course::Step { at, .. } | Course::StepOnLine { at, .. } => (0..n).map(|i| f64::from(u8::from(i > at))).collect(),
        Course::Level | Course::Line => return true,
    };
    let (x, extra, y) = (centred(x, 1.0), centred(&extra, 1.0), centred(&y, 1.0));
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let all = Extra { own: product(&extra, &extra), x: product(&extra, &x), y: product(&extra, &y) };
    let (_, slope, share) = all.beside(product(&x, &x), product(&x, &y), product(&y, &y));
    let left: Vec<f64> = (0..n).map(|i| y[i] - slope * x[i] - share * extra[i]).collect();
    let size = product(&left, &left);
    let tiny = TINY * (high - low);
    let neighbours = left.windows(2).map(|w| w[0] * w[1]).sum::<f64>();
    size <= n as f64 * (tiny * tiny + noise * noise) || neighbours / size <= 1.645 / (n as f64).sqrt()
}

/// Additional regressor of a curve: products with itself, with x and with y, centred.
struct Extra {
    own: f64,
    x: f64,
    y: f64,
}

impl Extra {
    /// From plain sums of `n` dumps, where those of x and y are 0.
    fn new(n: usize, sum: f64, own: f64, x: f64, y: f64) -> Self {
        Extra { own: own - sum * sum / n as f64, x, y }
    }

    /// Misfit of a line with it, the line's slope and its own share.
    fn beside(&self, xx: f64, xy: f64, yy: f64) -> (f64, f64, f64) {
        let det = xx * self.own - self.x * self.x;
        if det <= 1e-12 * xx * self.own {
            return (yy, 0.0, 0.0);
        }
        let slope = (xy * self.own - self.y * self.x) / det;
        let share = (self.y * xx - xy * self.x) / det;
        (yy - slope * xy - share * self.y, slope, share)
    }
}

fn centred(values: &[f64], size: f64) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    values.iter().map(|v| (v - mean) / size).collect()
}

/// The smallest and the largest one.
pub(super) fn extent(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &v| (low.min(v), high.max(v)))
}

/// The numbers without dumps that stick out alone, the last one from where the two before it point to. The first one stays:
/// a program that starts has little.
pub(super) fn without_spikes(y: &[f64]) -> Vec<f64> {
    let n = y.len();
    let middle = |a: f64, b: f64, c: f64| a.max(b).min(a.min(b).max(c));
    let mut smooth: Vec<f64> = (0..n).map(|i| if i == 0 || i == n - 1 { y[i] } else { middle(y[i - 1], y[i], y[i + 1]) }).collect();
    smooth[n - 1] = middle(y[n - 1], smooth[n - 2], 3.0 * smooth[n - 2] - 2.0 * smooth[n - 3]);
    let usual = median(&mut y.iter().zip(&smooth).map(|(a, b)| (a - b).abs()).collect::<Vec<_>>());
    let (low, high) = extent(&smooth);
    let most = 6.0 * usual + 0.1 * (high - low);
    y.iter().zip(smooth).map(|(&y, smooth)| if (y - smooth).abs() > most { smooth } else { y }).collect()
}
