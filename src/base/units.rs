//! Units of values: conversion and printing.
//!
//! Units in profiles are free text (`bytes`, `kB`, `nanoseconds`, `count`). Memory is printed in powers of 1024, like in pprof
//! (`internal/measurement`).

use std::borrow::Cow;

/// A family of units that convert into each other.
struct Family {
    /// Unit for values too small for any unit, and for requested units of another family.
    default: (&'static str, f64),
    /// Symbol, names without plural s in lower case, size in the smallest unit.
    units: &'static [(&'static str, &'static [&'static str], f64)],
}

const KIB: f64 = 1024.0;

const FAMILIES: [Family; 4] = [
    Family {
        default: ("B", 1.0),
        units: &[
            ("B", &["b", "byte"], 1.0),
            ("kB", &["kb", "kbyte", "kilobyte"], KIB),
            ("MB", &["mb", "mbyte", "megabyte"], KIB * KIB),
            ("GB", &["gb", "gbyte", "gigabyte"], KIB * KIB * KIB),
            ("TB", &["tb", "tbyte", "terabyte"], KIB * KIB * KIB * KIB),
            ("PB", &["pb", "pbyte", "petabyte"], KIB * KIB * KIB * KIB * KIB),
        ],
    },
    Family {
        default: ("s", 1e9),
        units: &[
            ("ns", &["ns", "nanosecond"], 1.0),
            ("us", &["μs", "us", "microsecond"], 1e3),
            ("ms", &["ms", "millisecond"], 1e6),
            ("s", &["s", "sec", "second"], 1e9),
            ("hrs", &["hour", "hr"], 3600e9),
        ],
    },
    // Times of valgrind.
    Family {
        default: ("instr", 1.0),
        units: &[
            ("instr", &["instr", "instruction"], 1.0),
            ("kinstr", &["kinstr"], 1e3),
            ("Minstr", &["minstr"], 1e6),
            ("Ginstr", &["ginstr"], 1e9),
            ("Tinstr", &["tinstr"], 1e12),
        ],
    },
    Family {
        default: ("GCU", 1.0),
        units: &[
            ("n*GCU", &["nanogcu"], 1e-9),
            ("u*GCU", &["microgcu"], 1e-6),
            ("m*GCU", &["milligcu"], 1e-3),
            ("GCU", &["gcu"], 1.0),
            ("k*GCU", &["kilogcu"], 1e3),
            ("M*GCU", &["megagcu"], 1e6),
            ("G*GCU", &["gigagcu"], 1e9),
            ("T*GCU", &["teragcu"], 1e12),
            ("P*GCU", &["petagcu"], 1e15),
        ],
    },
];

/// Units that mean: the one that suits the value.
const CHOOSE: [&str; 2] = ["minimum", "auto"];

fn find<'a>(family: &'a Family, unit: &str) -> Option<&'a (&'static str, &'static [&'static str], f64)> {
    // Every printed number comes here.
    let lower = if unit.is_ascii() { Cow::Borrowed(unit) } else { unit.to_lowercase().into() };
    let unit = lower.as_ref();
    let singular = if unit.chars().count() > 2 { unit.strip_suffix(['s', 'S']).unwrap_or(unit) } else { unit };
    family.units.iter().find(|(_, names, _)| names.iter().any(|name| name.eq_ignore_ascii_case(singular)))
}

/// Returns whether `unit` is a unit of memory or time that other units of its family convert to.
pub fn is_known(unit: &str) -> bool {
    FAMILIES.iter().any(|f| find(f, unit).is_some())
}

/// Parses a size into bytes: `500MB`, `2GiB`, `1.5g`, `4096`. Units are powers of 1024.
pub fn memory(text: &str) -> Result<u64, String> {
    let (number, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len()));
    let unit = unit.trim();
    let power = match unit.to_ascii_lowercase().trim_end_matches("ib").trim_end_matches('b') {
        "" => 0,
        "k" => 1,
        "m" => 2,
        "g" => 3,
        "t" => 4,
        _ => return Err(format!("unknown unit {unit:?}; expected B, kB, MB, GB or TB")),
    };
    let number: f64 = number.parse().map_err(|_| "expected a size such as 500MB or 2GB".to_owned())?;
    Ok((number * KIB.powi(power)) as u64)
}

/// Factor from `from` to `to`; `None` if they do not convert.
pub fn factor(from: &str, to: &str) -> Option<f64> {
    if from == to {
        return Some(1.0);
    }
    FAMILIES.iter().find_map(|family| Some(find(family, from)?.2 / find(family, to)?.2))
}

/// Converts `value` from unit `from` to unit `to`; returns the number and the symbol to print after it. `to` may be `minimum` or
/// `auto`; a unit of another family gives the family's default.
pub fn scale<'a>(value: i64, from: &str, to: &'a str) -> (f64, &'a str) {
    let choose = CHOOSE.contains(&to);
    for family in &FAMILIES {
        let Some(unit) = find(family, from) else { continue };
        let base = value as f64 * unit.2;
        if choose {
            let fitting = family.units.iter().rev().find(|(_, _, size)| base.abs() / size >= 1.0);
            return match fitting {
                Some((symbol, _, size)) => (base / size, symbol),
                None => (base / family.default.1, family.default.0),
            };
        }
        let (symbol, size) = find(family, to).map_or(family.default, |(symbol, _, size)| (symbol, *size));
        return (base / size, symbol);
    }
    let silent = choose || matches!(to, "count" | "sample" | "unit");
    (value as f64, if silent { "" } else { to })
}

/// `value` printed in the unit `to`: two decimals at most, `0` without a unit.
pub fn label(value: i64, from: &str, to: &str) -> String {
    let (scaled, symbol) = scale(value, from, to);
    let mut text = format!("{scaled:.2}");
    if let Some(whole) = text.strip_suffix(".00") {
        text.truncate(whole.len());
    }
    if text == "0" || text == "-0" { "0".into() } else { text + symbol }
}

/// `value` as our own reports print it, memory in the units of IEC as on the page: `34.6 MiB`, three digits at least; `to` as
/// of [`scale`]. Other units print as [`label`] has them.
pub fn iec_label(value: i64, from: &str, to: &str) -> String {
    const SYMBOLS: [&str; 6] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB"];
    let Some(factor) = factor(from, "bytes") else { return label(value, from, to) };
    let bytes = value as f64 * factor;
    let requested = FAMILIES[0].units.iter().position(|(symbol, ..)| find(&FAMILIES[0], to).is_some_and(|(of, ..)| of == symbol));
    // Four digits before the point are one too many for a column: 1,022.5 MiB is 1.00 GiB.
    let reaches = |power: i32| power == 0 || bytes.abs() / KIB.powi(power) >= if power == 1 { 1.0 } else { 999.95 / KIB };
    let fitting = || (0..SYMBOLS.len()).rev().find(|power| reaches(*power as i32)).unwrap_or(0);
    let power = requested.unwrap_or_else(fitting);
    let scaled = bytes / KIB.powi(power as i32);
    let decimals = match (power, requested) {
        (0, _) => 0,
        (_, None) if scaled.abs() >= 9.995 => 1,
        _ => 2,
    };
    format!("{scaled:.decimals$} {}", SYMBOLS[power])
}

/// `value` as a share of `total`, at least two significant digits, aligned to six columns.
pub fn percentage(value: i64, total: i64) -> String {
    share(if total == 0 { 0.0 } else { value as f64 / total as f64 })
}

/// Formats a fraction of one like [`percentage`].
pub fn share(of_one: f64) -> String {
    let ratio = of_one.abs() * 100.0;
    match ratio {
        r if (99.95..=100.05).contains(&r) => "  100%".into(),
        r if r >= 1.0 => format!("{r:5.2}%"),
        r => format!("{:>5}%", two_digits(r)),
    }
}

/// Two significant digits, as C's `%.2g` prints them.
fn two_digits(value: f64) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let scientific = format!("{value:.1e}");
    let Some((mantissa, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |digits: &str| match digits.contains('.') {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => digits.to_owned(),
    };
    if (-4..2).contains(&exponent) {
        trim(&format!("{value:.*}", (1 - exponent).max(0) as usize))
    } else {
        format!("{}e{}{:02}", trim(mantissa), if exponent < 0 { '-' } else { '+' }, exponent.abs())
    }
}

/// Formats bytes as a whole number of the largest binary unit that is not zero.
pub fn binary_size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{} KiB", bytes >> 10),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chooses_the_largest_unit_that_reaches_one() {
        assert_eq!(label(1023, "bytes", "auto"), "1023B");
        assert_eq!(label(1024, "bytes", "minimum"), "1kB");
        assert_eq!(label(-36_238_320, "bytes", "auto"), "-34.56MB");
        assert_eq!(label(0, "bytes", "auto"), "0");
        assert_eq!(label(1_500_000, "nanoseconds", "auto"), "1.50ms");
    }

    #[test]
    fn converts_within_a_family_only() {
        assert_eq!(factor("kB", "bytes"), Some(1024.0));
        assert_eq!(factor("bytes", "ns"), None);
        assert_eq!(label(2048, "bytes", "kb"), "2kB");
        assert_eq!(label(2048, "bytes", "count"), "2048B");
        assert_eq!(label(7, "count", "count"), "7");
        assert_eq!(label(7, "widgets", "auto"), "7");
        assert_eq!(label(7, "widgets", "boxes"), "7boxes");
    }

    #[test]
    fn our_own_reports_have_the_units_of_the_page() {
        for (bytes, text) in [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1.00 KiB"),
            (-36_238_320, "-34.6 MiB"),
            (1_047_527_425, "999.0 MiB"),
            (1_072_168_960, "1.00 GiB"),
            (i64::MAX, "8192.0 PiB"),
        ] {
            assert_eq!(iec_label(bytes, "bytes", "auto"), text);
        }
        assert_eq!(iec_label(3 << 19, "bytes", "MB"), "1.50 MiB");
        assert_eq!(iec_label(3, "kilobytes", "minimum"), "3.00 KiB");
        assert_eq!(iec_label(1_500_000, "nanoseconds", "auto"), "1.50ms");
        assert_eq!(iec_label(7, "count", "auto"), "7");
    }

    #[test]
    fn percentages_keep_two_digits() {
        assert_eq!(percentage(1, 1), "  100%");
        assert_eq!(percentage(-6216, 10000), "62.16%");
        assert_eq!(percentage(0, 5), "    0%");
        assert_eq!(percentage(77, 100_000), "0.077%");
        assert_eq!(percentage(1, 1000), "  0.1%");
        assert_eq!(percentage(1, 10_000_000), "1e-05%");
        assert_eq!(percentage(5, 0), "    0%");
    }

    #[test]
    fn sizes_are_read_as_people_type_them() {
        for (text, bytes) in [("4096", 4096), ("500MB", 500 << 20), ("2GiB", 2 << 30), ("1.5g", 3 << 29), ("0", 0), ("40 MiB", 40 << 20)] {
            assert_eq!(memory(text), Ok(bytes), "{text}");
        }
        for (wrong, why) in [("5 apples", "unknown unit"), ("MB", "such as 500MB"), ("", "such as 500MB"), ("-1", "unknown unit")] {
            assert!(memory(wrong).unwrap_err().contains(why), "{wrong}");
        }
    }
}
