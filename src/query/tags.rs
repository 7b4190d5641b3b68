//! Filters on labels, in pprof's notation: `[key=]32kb`, `[key=]:64kb`, `[key=]4mb:`,
//! `[key=]12kb:64mb` for numbers, `[key=]regex,…` for texts.

use super::Pattern;
use crate::units;

/// A filter on labels.
#[derive(Clone, Debug, PartialEq)]
pub struct TagFilter {
    source: String,
    key: Option<String>,
    test: Test,
}

#[derive(Clone, Debug, PartialEq)]
enum Test {
    Range { low: Option<f64>, high: Option<f64>, unit: String },
    Texts(Vec<Pattern>),
}

impl TagFilter {
    /// Reads a filter; the error says what is wrong with an expression in it.
    pub fn new(source: &str) -> Result<Self, String> {
        let (key, value) = match source.split_once('=') {
            Some((key, value)) => (Some(key.to_owned()), value),
            None => (None, source),
        };
        let test = match range(value) {
            Some(test) => test,
            None => Test::Texts(value.split(',').map(Pattern::new).collect::<Result<_, _>>()?),
        };
        Ok(TagFilter { source: source.to_owned(), key, test })
    }

    /// What was read.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Whether a sample with these labels passes. Without a key every expression must
    /// match some `key:value`; with one, any must match a value of that key.
    pub fn matches(&self, texts: &[(&str, &str)], numbers: &[(&str, i64, &str)]) -> bool {
        let of_key = |key: &str| self.key.as_deref().is_none_or(|wanted| wanted == key);
        match &self.test {
            Test::Range { low, high, unit } => numbers.iter().any(|&(key, value, from)| {
                let (scaled, symbol) = units::scale(value, from, unit);
                of_key(key) && symbol == unit && low.is_none_or(|l| scaled >= l) && high.is_none_or(|h| scaled <= h)
            }),
            Test::Texts(patterns) if self.key.is_some() => {
                texts.iter().any(|&(key, value)| of_key(key) && patterns.iter().any(|p| p.is_match(value)))
            }
            Test::Texts(patterns) => patterns.iter().all(|p| texts.iter().any(|(key, value)| p.is_match(&format!("{key}:{value}")))),
        }
    }
}

/// A range of numbers, if `value` is one.
fn range(value: &str) -> Option<Test> {
    let (low, high) = match value.split_once(':') {
        Some(("", high)) => (None, Some(quantity(high)?)),
        Some((low, "")) => (Some(quantity(low)?), None),
        Some((low, high)) => (Some(quantity(low)?), Some(quantity(high)?)),
        None => {
            let exact = quantity(value)?;
            (Some(exact), Some(exact))
        }
    };
    let unit = low.or(high)?.1;
    let symbol = units::scale(1, unit, unit).1;
    let scaled = |(number, from): (i64, &str)| {
        let (value, to) = units::scale(number, from, if from == unit { unit } else { symbol });
        (to == symbol).then_some(value)
    };
    let both = |bound: Option<(i64, &str)>| bound.map_or(Some(None), |b| scaled(b).map(Some));
    Some(Test::Range { low: both(low)?, high: both(high)?, unit: symbol.to_owned() })
}

/// A whole number with a unit of letters behind it, or none.
fn quantity(text: &str) -> Option<(i64, &str)> {
    let signs = usize::from(text.starts_with(['+', '-']));
    let digits = text[signs..].bytes().take_while(u8::is_ascii_digit).count();
    let (number, unit) = text.split_at(signs + digits);
    let unit_ok = unit.bytes().all(|b| b.is_ascii_alphabetic());
    (digits > 0 && unit_ok).then_some((number.parse().ok()?, unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn passes(filter: &str, bytes: i64) -> bool {
        TagFilter::new(filter).unwrap().matches(&[], &[("bytes", bytes, "bytes")])
    }

    #[test]
    fn ranges_include_their_ends() {
        assert!(passes("bytes=4kb:", 4096) && !passes("bytes=4kb:", 4095));
        assert!(passes(":64b", 64) && !passes(":64b", 65));
        assert!(passes("1kb:2kb", 1500) && !passes("1kb:2kb", 2049));
        assert!(passes("512b", 512) && !passes("512b", 511));
        assert!(!passes("other=1b:", 512));
    }

    #[test]
    fn texts_match_by_key_or_all() {
        let labels = [("thread", "main"), ("pool", "io")];
        let passes = |f: &str| TagFilter::new(f).unwrap().matches(&labels, &[]);
        assert!(passes("thread=main,worker") && passes("main,io") && !passes("main,disk") && !passes("pool=main"));
    }
}
