//! Filters on labels, in pprof's notation: `[key=]32kb`, `[key=]:64kb`, `[key=]4mb:`, `[key=]12kb:64mb` for numbers,
//! `[key=]regex,…` for text. Extensions: after a key the list may also contain ranges (`bytes=16b,1kb:2kb`), and filters can be
//! joined by ` && ` and ` || ` with blanks around them; ` && ` binds tighter.

use super::Pattern;
use crate::base::units;

/// Most expressions in a visitor's filter.
const MOST_EXPRESSIONS: usize = 100;

/// A filter on labels, compared by its source.
#[derive(Clone, Debug)]
pub struct TagFilter {
    source: String,
    /// Alternatives; each is a conjunction of clauses.
    any: Vec<Vec<Clause>>,
}

impl PartialEq for TagFilter {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

/// One filter in pprof's notation.
#[derive(Clone, Debug)]
struct Clause {
    key: Option<String>,
    test: Test,
}

#[derive(Clone, Debug)]
enum Test {
    Number(Range),
    /// Regexps, and those of them that are ranges; the second list is used only with a key.
    Texts(Vec<Pattern>, Vec<Range>),
}

#[derive(Clone, Debug)]
struct Range {
    low: Option<f64>,
    high: Option<f64>,
    unit: String,
}

impl TagFilter {
    /// Parses a filter; the error describes the invalid regexp.
    pub fn new(source: &str) -> Result<Self, String> {
        let all = |alternative: &str| alternative.split(" && ").map(Clause::new).collect::<Result<Vec<_>, _>>();
        let any = source.split(" || ").map(all).collect::<Result<_, _>>()?;
        Ok(TagFilter { source: source.to_owned(), any })
    }

    /// Returns whether the expressions in `source` are within a limit of their compiled sizes together, in bytes.
    pub(super) fn check(source: &str, limit: usize) -> Result<(), String> {
        let clauses = source.split(" || ").flat_map(|all| all.split(" && "));
        let values = clauses.flat_map(|clause| clause.split_once('=').map_or(clause, |(_, value)| value).split(','));
        let mut n = 0;
        for value in values.filter(|value| range(value).is_none()) {
            n += 1;
            // Even the smallest one takes some thousand bytes.
            if n > MOST_EXPRESSIONS {
                return Err(format!("is too large: it has more than {MOST_EXPRESSIONS} expressions"));
            }
            Pattern::within(value, limit)?;
        }
        Ok(())
    }

    /// Equal to this one, but takes no memory for its expressions: for keys of caches.
    pub fn key(&self) -> Self {
        TagFilter { source: self.source.clone(), any: Vec::new() }
    }

    /// Source of the filter.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns whether a sample with these labels passes. Without a key every expression must
    /// match some `key:value`; with one, any must match a value of that key.
    pub fn matches(&self, texts: &[(&str, &str)], numbers: &[(&str, i64, &str)]) -> bool {
        self.any.iter().any(|all| all.iter().all(|clause| clause.matches(texts, numbers)))
    }
}

impl Clause {
    fn new(source: &str) -> Result<Self, String> {
        let (key, value) = match source.split_once('=') {
            Some((key, value)) => (Some(key.to_owned()), value),
            None => (None, source),
        };
        let test = match range(value) {
            Some(range) => Test::Number(range),
            None => {
                let patterns = value.split(',').map(Pattern::new).collect::<Result<_, _>>()?;
                Test::Texts(patterns, value.split(',').filter_map(range).collect())
            }
        };
        Ok(Clause { key, test })
    }

    fn matches(&self, texts: &[(&str, &str)], numbers: &[(&str, i64, &str)]) -> bool {
        let matches_key = |key: &str| self.key.as_deref().is_none_or(|wanted| wanted == key);
        let within = |range: &Range| numbers.iter().any(|&(key, value, unit)| matches_key(key) && range.has(value, unit));
        match &self.test {
            Test::Number(range) => within(range),
            Test::Texts(patterns, ranges) if self.key.is_some() => {
                texts.iter().any(|&(key, value)| matches_key(key) && patterns.iter().any(|p| p.is_match(value)))
                    || ranges.iter().any(within)
            }
            Test::Texts(patterns, _) => patterns.iter().all(|p| texts.iter().any(|(key, value)| p.is_match(&format!("{key}:{value}")))),
        }
    }
}

impl Range {
    fn has(&self, value: i64, unit: &str) -> bool {
        let (scaled, symbol) = units::scale(value, unit, &self.unit);
        symbol == self.unit && self.low.is_none_or(|l| scaled >= l) && self.high.is_none_or(|h| scaled <= h)
    }
}

/// A range of numbers, if `value` is one.
fn range(value: &str) -> Option<Range> {
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
    Some(Range { low: both(low)?, high: both(high)?, unit: symbol.to_owned() })
}

/// Parses an integer followed by a unit in letters, or by nothing.
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
    #[test]
    fn lists_behind_a_key_may_have_ranges() {
        assert!(passes("bytes=16b,1kb:2kb", 16) && passes("bytes=16b,1kb:2kb", 1500) && !passes("bytes=16b,1kb:2kb", 17));
        // Texts that look like numbers are found as before.
        assert!(TagFilter::new("id=7,8").unwrap().matches(&[("id", "18")], &[]));
    }

    #[test]
    fn filters_are_joined_and_binds_closer() {
        let passes = |f: &str| TagFilter::new(f).unwrap().matches(&[("thread", "main"), ("pool", "io")], &[("bytes", 64, "bytes")]);
        assert!(passes("thread=^main$ && bytes=64b") && !passes("thread=^main$ && bytes=65b:") && !passes("thread=x && pool=io"));
        assert!(passes("thread=x || pool=io") && passes("thread=main || pool=x && bytes=1b") && !passes("thread=x || pool=io && bytes=1b"));
        assert!(TagFilter::new("thread=( || pool=io").is_err());
    }
}
