//! Forecast of when memory reaches a limit if it continues to grow at the current rate.

use super::trend_line::Line;
use crate::report::GrowthShape;

/// Until the total reaches `limit`, counted from the last dump on the axis: soonest, likely, latest. The soonest
/// counts from the highest value, since what went up once may do so again. Empty when the total does not go on
/// growing; without the latest when it may as well not grow.
pub(super) fn until(limit: i64, last: i64, peak: i64, shape: GrowthShape, line: &Line) -> Vec<f64> {
    if limit <= 0 {
        return Vec::new();
    }
    let [from_last, from_peak] = [last, peak].map(|value| limit.saturating_sub(value).max(0) as f64);
    if from_last == 0.0 {
        return vec![0.0, 0.0, 0.0];
    }
    let keeps_growing = matches!(shape, GrowthShape::Leak | GrowthShape::Unknown);
    if line.slope <= 0.0 || !keeps_growing {
        return Vec::new();
    }
    let mut until = vec![from_peak / line.high.max(line.slope), from_last / line.slope];
    if line.low > 0.0 {
        until.push(from_last / line.low);
    }
    until
}

#[cfg(test)]
mod tests {
    use super::GrowthShape::{Leak, Plateau, Unknown};
    use super::*;

    #[test]
    fn runs_out_when_it_grows() {
        let line = Line { slope: 2.0, low: 1.0, high: 4.0, p: 0.0 };
        assert_eq!(until(100, 60, 80, Leak, &line), [5.0, 20.0, 40.0]);
        assert_eq!(until(100, 60, 60, Leak, &Line { low: -1.0, ..line }), [10.0, 20.0]);
        assert!(until(100, 60, 60, Leak, &Line { slope: -2.0, low: -3.0, high: 0.0, p: 0.0 }).is_empty());
        assert_eq!(until(100, 120, 120, Leak, &line), [0.0, 0.0, 0.0]);
        assert_eq!(until(100, 60, 80, Unknown, &line), [5.0, 20.0, 40.0]);
        assert!(until(100, 60, 80, Plateau, &line).is_empty());
        assert!(until(0, 120, 120, Leak, &line).is_empty());
    }
}
