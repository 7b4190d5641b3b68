//! Text for sampling error and relative change beside a number.

use super::labels::Numbers;
use crate::base::units;
use crate::report::{Header, Spread};

/// Below this number of samples a value is only an indication.
const FEW: i64 = 10;

/// Returns whether chance alone makes differences of this size.
pub(super) fn is_noise(change: i64, spread: &Spread) -> bool {
    change != 0 && change.saturating_abs() < spread.change_error.saturating_mul(2)
}

/// `±1.20MB`; empty where all is exact.
pub(super) fn error(numbers: &Numbers, spread: Option<&Spread>) -> String {
    spread.map_or(String::new(), |spread| format!("±{}", numbers.value(spread.change_error)))
}

/// Remark on a number's reliability, in brackets; empty if it is reliable.
pub(super) fn doubt(header: &Header, change: i64, spread: Option<&Spread>) -> String {
    let Some(spread) = spread else { return String::new() };
    // Few large objects that are always seen are sure all the same.
    let is_vague = spread.change_error.saturating_mul(10) > change.saturating_abs();
    match spread.samples.saturating_add(spread.samples_base) {
        _ if header.has_base && is_noise(change, spread) => "  (within sampling error)".into(),
        1 if is_vague => "  (from 1 sample)".into(),
        n if n > 0 && n < FEW && is_vague => format!("  (from {n} samples)"),
        _ => String::new(),
    }
}

/// Explanation of sampling, for sampled profiles.
pub(super) fn sampling(header: &Header) -> Option<String> {
    let distance = units::iec_label(header.period, "bytes", "auto");
    header.spread.map(|_| format!("Sampled about every {distance}; ± is one standard error (68% of cases; 95% are within two)"))
}

/// Shares below this are not worth digits.
const SMALL: f64 = 0.0001;

/// `+12.3%`, or a word if there is no or hardly any change.
pub(super) fn growth(value: i64, base: i64) -> String {
    let change = value.saturating_sub(base);
    let sign = if change < 0 { "-" } else { "+" };
    match (value, base) {
        _ if change == 0 => "unchanged".into(),
        (_, 0) => "new".into(),
        (0, _) => "gone".into(),
        _ if (change as f64 / base as f64).abs() < SMALL => "less than 0.01%".into(),
        _ => format!("{sign}{}", units::percentage(change, base).trim()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_signed_shares_or_words() {
        let texts = [(112, 100), (90, 100), (5, 0), (0, 5), (5, 5), (-5, -10)].map(|(value, base)| growth(value, base));
        assert_eq!(texts, ["+12.00%", "-10.00%", "new", "gone", "unchanged", "+50.00%"]);
        assert_eq!(
            [(100_007, 100_000), (99_999, 100_000), (99_990, 100_000)].map(|(value, base)| growth(value, base)),
            ["less than 0.01%", "less than 0.01%", "-0.01%"]
        );
    }

    #[test]
    fn few_samples_and_noise_are_reported() {
        let spread = |samples, change_error| Spread { samples, samples_base: 1, error: 1, change_error };
        let with_base = Header { has_base: true, ..Header::default() };
        assert_eq!(doubt(&with_base, 19, Some(&spread(90, 10))), "  (within sampling error)");
        assert_eq!(doubt(&with_base, 20, Some(&spread(90, 10))), "");
        assert_eq!(doubt(&with_base, -30, Some(&spread(2, 10))), "  (from 3 samples)");
        assert_eq!(doubt(&Header::default(), 1, Some(&spread(0, 10))), "  (from 1 sample)");
        assert_eq!(doubt(&Header::default(), 101, Some(&spread(0, 10))), "");
        assert_eq!(doubt(&Header::default(), 1, None), "");
    }
}
