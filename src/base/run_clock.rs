//! What the times of a recording count.

use serde::{Deserialize, Serialize};

use super::units;

/// What the times of a recording count: valgrind can count instructions or bytes in place of time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum RunClock {
    /// Nanoseconds.
    #[default]
    Time,
    /// Instructions that the program executed.
    Instructions,
    /// Bytes that the program allocated and freed.
    AllocatedBytes,
    /// Units that are not known.
    Units,
}

impl RunClock {
    const ALL: [RunClock; 4] = [RunClock::Time, RunClock::Instructions, RunClock::AllocatedBytes, RunClock::Units];

    /// A time as a phrase: `2.25s`, `1.23 M instructions`, `6.37 MiB allocated`. Times are whole milliseconds, which is what
    /// recorders write.
    pub fn label(self, at: i64) -> String {
        match self {
            RunClock::Time => match at / 1_000_000 {
                0 => "0ms".to_owned(),
                millis => units::label(millis, "milliseconds", "auto"),
            },
            RunClock::Instructions => format!("{} instructions", short_count(at)),
            RunClock::AllocatedBytes => format!("{} allocated", units::iec_label(at, "bytes", "auto")),
            RunClock::Units => format!("{} units", short_count(at)),
        }
    }

    /// Unit of an axis of such times, and its length.
    pub fn axis(self) -> (&'static str, f64) {
        match self {
            RunClock::Time => ("s", 1e9),
            RunClock::Instructions => ("Minstr", 1e6),
            RunClock::AllocatedBytes => ("MiB", (1 << 20) as f64),
            RunClock::Units => ("Munit", 1e6),
        }
    }

    /// The clock of an axis with this unit.
    pub fn of_axis(unit: &str) -> Option<RunClock> {
        RunClock::ALL.into_iter().find(|clock| clock.axis().0 == unit)
    }

    /// Returns whether it is the default: nanoseconds.
    pub fn is_time(&self) -> bool {
        *self == RunClock::Time
    }
}

/// Three digits and a decimal prefix: `805`, `1.23 M`, `12.3 G`.
fn short_count(count: i64) -> String {
    const PREFIXES: [&str; 5] = ["k", "M", "G", "T", "P"];
    let (mut rest, mut prefix) = (count as f64, "");
    for next in PREFIXES {
        if rest.abs() < 999.5 {
            break;
        }
        (rest, prefix) = (rest / 1000.0, next);
    }
    match prefix {
        "" => count.to_string(),
        _ if rest.abs() < 9.995 => format!("{rest:.2} {prefix}"),
        _ if rest.abs() < 99.95 => format!("{rest:.1} {prefix}"),
        _ => format!("{rest:.0} {prefix}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_the_unit_of_their_clock() {
        for (clock, at, text) in [
            (RunClock::Time, 0, "0ms"),
            (RunClock::Time, 2_250_000_000, "2.25s"),
            (RunClock::Instructions, 805, "805 instructions"),
            (RunClock::Instructions, 999_499, "999 k instructions"),
            (RunClock::Instructions, 1_234_567, "1.23 M instructions"),
            (RunClock::Instructions, i64::MAX, "9223 P instructions"),
            (RunClock::AllocatedBytes, 6_675_000, "6.37 MiB allocated"),
        ] {
            assert_eq!(clock.label(at), text);
        }
        assert!(RunClock::ALL.iter().all(|clock| RunClock::of_axis(clock.axis().0) == Some(*clock)));
        assert_eq!(RunClock::of_axis("dump"), None);
    }
}
