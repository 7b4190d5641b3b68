//! Durations of settings: `90s`, `30m`, `24h`, `7d`.

use super::error::StoreError;

/// Units and their seconds, the largest first.
const UNITS: [(char, u64); 4] = [('d', 86_400), ('h', 3_600), ('m', 60), ('s', 1)];

/// Reads a duration of at least a second, seconds.
///
/// # Errors
/// It is none.
pub fn duration(text: &str) -> Result<u64, StoreError> {
    let read = |(unit, factor): &(char, u64)| text.strip_suffix(*unit)?.parse::<u64>().ok()?.checked_mul(*factor);
    let seconds = UNITS.iter().find_map(read).filter(|&seconds| (1..=366 * 86_400).contains(&seconds));
    seconds.ok_or_else(|| StoreError::Refused(format!("{text:?} is no duration; expected 90s, 30m, 24h or 7d, at most a year")))
}

/// A duration as it is written, of seconds.
pub fn duration_text(seconds: u64) -> String {
    let (unit, factor) = UNITS.iter().find(|(_, factor)| seconds > 0 && seconds.is_multiple_of(*factor)).unwrap_or(&UNITS[3]);
    format!("{}{unit}", seconds / factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units() {
        for (text, seconds) in [("1s", 1), ("90s", 90), ("30m", 1800), ("24h", 86_400), ("7d", 604_800)] {
            assert_eq!(duration(text).unwrap(), seconds);
        }
        for wrong in ["", "1", "s", "-1s", "0h", "1w", "1.5h", "400d", "99999999999999999d"] {
            assert!(duration(wrong).is_err(), "{wrong}");
        }
        assert_eq!([1, 90, 1800, 86_400, 604_800].map(duration_text), ["1s", "90s", "30m", "1d", "7d"]);
    }
}
