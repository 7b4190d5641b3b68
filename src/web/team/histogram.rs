//! Times by which answers came, for `/metrics`.

use std::fmt::Write;
use std::time::Duration;

/// Upper bounds, milliseconds.
const BOUNDS: [u64; 12] = [5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000];

/// Counts of times by upper bound.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Histogram {
    counts: [u64; BOUNDS.len()],
    n: u64,
    sum: Duration,
}

impl Histogram {
    pub(super) fn add(&mut self, time: Duration) {
        self.n += 1;
        self.sum += time;
        let first = BOUNDS.partition_point(|&bound| Duration::from_millis(bound) < time);
        self.counts.get_mut(first..).unwrap_or_default().iter_mut().for_each(|count| *count += 1);
    }

    /// Rows of a metric in Prometheus' text format; `labels` as in `route="/d/"`.
    pub(super) fn write(&self, text: &mut String, name: &str, labels: &str) {
        // Writing to a text does not fail.
        for (bound, count) in BOUNDS.iter().zip(self.counts) {
            let seconds = Duration::from_millis(*bound).as_secs_f64();
            let _ = writeln!(text, "{name}_bucket{{{labels},le=\"{seconds}\"}} {count}");
        }
        let _ = writeln!(text, "{name}_bucket{{{labels},le=\"+Inf\"}} {}", self.n);
        let _ = writeln!(text, "{name}_sum{{{labels}}} {}", self.sum.as_secs_f64());
        let _ = writeln!(text, "{name}_count{{{labels}}} {}", self.n);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_below_their_bounds() {
        let mut histogram = Histogram::default();
        [1, 5, 6, 40_000].into_iter().for_each(|millis| histogram.add(Duration::from_millis(millis)));
        let mut text = String::new();
        histogram.write(&mut text, "x", "route=\"/\"");
        assert!(text.contains("x_bucket{route=\"/\",le=\"0.005\"} 2\nx_bucket{route=\"/\",le=\"0.01\"} 3\n"), "{text}");
        assert!(
            text.contains("le=\"30\"} 3\nx_bucket{route=\"/\",le=\"+Inf\"} 4\nx_sum{route=\"/\"} 40.012\nx_count{route=\"/\"} 4\n"),
            "{text}"
        );
    }
}
