//! How much memory a process has, as it says itself: a metric in Prometheus' text, or a line of jemalloc's statistics.

/// What a probe says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Seen {
    /// Bytes in use.
    pub(super) bytes: Option<u64>,
    /// When the process started, seconds since 1970.
    pub(super) start: Option<u64>,
}

/// Metric of Prometheus' clients with the start of the process.
const START: &str = "process_start_time_seconds";

/// Reads an answer. `metric` is a name, or a name with labels as in the text; several rows of it are added up.
pub(super) fn read(text: &str, metric: &str) -> Seen {
    let bytes = sum(text, metric).or_else(|| jemalloc(text)).filter(|bytes| (0.0..1e18).contains(bytes));
    let start = sum(text, START).filter(|start| (1.0..1e11).contains(start));
    Seen { bytes: bytes.map(|bytes| bytes as u64), start: start.map(|start| start as u64) }
}

/// Sum of the rows of a metric: `name 5`, `name{a="b"} 5`, with an optional time behind.
fn sum(text: &str, metric: &str) -> Option<f64> {
    let of_line = |line: &str| -> Option<f64> {
        let rest = line.strip_prefix(metric)?;
        let rest = match rest.strip_prefix('{') {
            Some(labels) => labels.rsplit_once('}')?.1,
            None => rest.starts_with([' ', '\t']).then_some(rest)?,
        };
        rest.split_whitespace().next()?.parse().ok()
    };
    text.lines().filter_map(of_line).reduce(|sum, value| sum + value)
}

/// `Allocated: 123, active: …` of jemalloc's `malloc_stats_print`.
fn jemalloc(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.trim_start().strip_prefix("Allocated: "))?;
    line.split(',').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_and_statistics_are_read() {
        let text = "# HELP x y\nprocess_resident_memory_bytes 1.2e+07\nprocess_start_time_seconds 1.79534184e+09 1795341845000\n\
                    alloc{type=\"allocated\",x=\"}\"} 5\nalloc{type=\"allocated\",x=\"b\"} 6\nalloc{type=\"mapped\"} 9\n";
        let rss = "process_resident_memory_bytes";
        assert_eq!(read(text, rss), Seen { bytes: Some(12_000_000), start: Some(1_795_341_840) });
        assert_eq!(read(text, "alloc").bytes, Some(20));
        assert_eq!(read(text, "alloc{type=\"mapped\"}").bytes, Some(9));
        assert_eq!(read("___ Begin jemalloc statistics ___\nAllocated: 4096, active: 8192\n", rss).bytes, Some(4096));
        for nothing in
            ["", "process_resident_memory_bytes_max 5", "process_resident_memory_bytes NaN", "process_resident_memory_bytes -1", "<html>"]
        {
            assert_eq!(read(nothing, rss), Seen::default(), "{nothing}");
        }
    }
}
