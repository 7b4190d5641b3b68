//! Times in a recording, as a user writes them.

use crate::base::run_clock::RunClock;

/// A time in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The most memory was in use.
    Peak,
    /// The end.
    End,
    /// Time since it began, by a clock.
    At(i64, RunClock),
}

const UNITS: [(&str, f64, RunClock); 19] = [
    ("h", 3600e9, RunClock::Time),
    ("min", 60e9, RunClock::Time),
    ("ms", 1e6, RunClock::Time),
    ("us", 1e3, RunClock::Time),
    ("ns", 1.0, RunClock::Time),
    ("s", 1e9, RunClock::Time),
    ("i", 1.0, RunClock::Instructions),
    ("ki", 1e3, RunClock::Instructions),
    ("Mi", 1e6, RunClock::Instructions),
    ("Gi", 1e9, RunClock::Instructions),
    ("B", 1.0, RunClock::AllocatedBytes),
    ("kB", 1024.0, RunClock::AllocatedBytes),
    ("MB", 1048576.0, RunClock::AllocatedBytes),
    ("GB", 1073741824.0, RunClock::AllocatedBytes),
    ("KiB", 1024.0, RunClock::AllocatedBytes),
    ("MiB", 1048576.0, RunClock::AllocatedBytes),
    ("GiB", 1073741824.0, RunClock::AllocatedBytes),
    ("TiB", 1099511627776.0, RunClock::AllocatedBytes),
    ("u", 1.0, RunClock::Units),
];

impl When {
    /// What [`When::from_text`] reads, for messages.
    pub const EXPECTED: &'static str = "a time since the recording began, such as 12.5s, 500ms or 1min30s, or peak or end";

    /// `peak`, `end`, or numbers with units: `12.5s`, `1h5min`, `500ms`; without a unit seconds. valgrind's recordings may count
    /// instructions (`1200000i`, `1.2Mi`: a million and 200,000) or bytes (`500kB`, `6.4MiB`).
    pub fn from_text(text: &str) -> Option<When> {
        match text {
            "peak" => return Some(When::Peak),
            "end" => return Some(When::End),
            _ => {}
        }
        let (mut rest, mut sum, mut clocks) = (text, 0.0, Vec::new());
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let (number, after) = rest.split_at(end);
            let number: f64 = number.parse().ok()?;
            let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
            let (unit, after) = after.split_at(end);
            let unit = if unit.is_empty() && clocks.is_empty() && after.is_empty() { "s" } else { unit };
            let unit = if unit == "m" { "min" } else { unit };
            let (_, size, clock) = *UNITS.iter().find(|(name, ..)| *name == unit)?;
            sum += number * size;
            rest = after;
            clocks.push(clock);
        }
        let clock = *clocks.first()?;
        (sum < 9e18 && clocks.iter().all(|other| *other == clock)).then(|| When::At(sum.round() as i64, clock))
    }

    /// The inverse of [`When::from_text`].
    pub fn to_text(self) -> String {
        match self {
            When::Peak => "peak".to_owned(),
            When::End => "end".to_owned(),
            When::At(count, RunClock::Instructions) => format!("{count}i"),
            When::At(bytes, RunClock::AllocatedBytes) => format!("{bytes}B"),
            When::At(units, RunClock::Units) => format!("{units}u"),
            When::At(nanos, RunClock::Time) => {
                let (scale, unit) = match nanos {
                    _ if nanos % 1_000_000_000 == 0 => (1_000_000_000, "s"),
                    _ if nanos % 1_000_000 == 0 => (1_000_000, "ms"),
                    _ => (1, "ns"),
                };
                format!("{}{unit}", nanos / scale)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, nanos) in [
            ("12.5s", 12_500_000_000),
            ("12.5", 12_500_000_000),
            ("0", 0),
            ("500ms", 500_000_000),
            ("1min30s", 90_000_000_000),
            ("1m30s", 90_000_000_000),
            ("2h", 7_200_000_000_000),
            ("7us", 7000),
            ("1.001s", 1_001_000_000),
        ] {
            let when = When::from_text(text);
            assert_eq!(when, Some(When::At(nanos, RunClock::Time)), "{text}");
            assert_eq!(when.and_then(|when| When::from_text(&when.to_text())), when);
        }
        for text in ["", "s", "5 s", "5x", "-1s", "1e9", "5s3", "5s3i", "1mi", "..", "99999999999h", "Peak"] {
            assert_eq!(When::from_text(text), None, "{text}");
        }
        let of = |text: &str| When::from_text(text).filter(|when| When::from_text(&when.to_text()) == Some(*when));
        assert_eq!(of("1.2Mi"), Some(When::At(1_200_000, RunClock::Instructions)));
        assert_eq!(of("1.5kB"), Some(When::At(1536, RunClock::AllocatedBytes)));
        assert_eq!([When::from_text("peak"), When::from_text("end")], [Some(When::Peak), Some(When::End)]);
    }
}
