//! Times in a recording, as a user writes them.

/// A time in a recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The most memory was in use.
    Peak,
    /// The end.
    End,
    /// Nanoseconds since it began.
    At(i64),
}

const UNITS: [(&str, f64); 6] = [("h", 3600e9), ("min", 60e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0), ("s", 1e9)];

impl When {
    /// What [`When::from_text`] reads, for messages.
    pub const EXPECTED: &'static str = "a time since the recording began, such as 12.5s, 500ms or 1min30s, or peak or end";

    /// `peak`, `end`, or numbers with units: `12.5s`, `1h5min`, `500ms`. Without a unit: seconds.
    pub fn from_text(text: &str) -> Option<When> {
        match text {
            "peak" => return Some(When::Peak),
            "end" => return Some(When::End),
            _ => {}
        }
        let (mut rest, mut nanos, mut n_parts) = (text, 0.0, 0);
        while !rest.is_empty() {
            let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
            let (number, after) = rest.split_at(end);
            let number: f64 = number.parse().ok()?;
            let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
            let (unit, after) = after.split_at(end);
            let unit = if unit.is_empty() && n_parts == 0 && after.is_empty() { "s" } else { unit };
            let unit = if unit == "m" { "min" } else { unit };
            nanos += number * UNITS.iter().find(|(name, _)| *name == unit)?.1;
            (rest, n_parts) = (after, n_parts + 1);
        }
        (n_parts > 0 && nanos < 9e18).then(|| When::At(nanos.round() as i64))
    }

    /// The inverse of [`When::from_text`].
    pub fn to_text(self) -> String {
        match self {
            When::Peak => "peak".to_owned(),
            When::End => "end".to_owned(),
            When::At(nanos) => {
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
            assert_eq!(when, Some(When::At(nanos)), "{text}");
            assert_eq!(when.and_then(|when| When::from_text(&when.to_text())), when);
        }
        for text in ["", "s", "5 s", "5x", "-1s", "1e9", "5s3", "..", "99999999999h", "Peak"] {
            assert_eq!(When::from_text(text), None, "{text}");
        }
        assert_eq!([When::from_text("peak"), When::from_text("end")], [Some(When::Peak), Some(When::End)]);
    }
}
