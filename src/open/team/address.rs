//! Addresses of dumps in a store.
//!
//! ```text
//! store://SERVICE                    all dumps of the service: a series
//! store://SERVICE@latest             the newest dump
//! store://SERVICE@VERSION            the newest dump of a version
//! store://SERVICE/ID                 the dump of a link, which ends with /d/ID/
//! store://SERVICE[@…]?NAME=VALUE&…   only dumps with these labels; `from` and `to` are times, `least` is bytes
//! ```
//!
//! A time is `2026-11-22T10:04:05Z`, a date, seconds since 1970, or `-7d`: before now, in s, m, h, d or w. `%` escapes bytes.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use percent_encoding::percent_decode_str;

use crate::store::{Selection, ShortId, is_name, time};

/// Beginning of these addresses.
const SCHEME: &str = "store://";

/// An address of dumps in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct StoreAddress {
    pub(crate) service: String,
    pub(crate) pick: Pick,
    /// Conditions.
    pub(crate) selection: Selection,
}

/// Which of the dumps that fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// All, as a series.
    All,
    /// The newest.
    Latest,
    /// This one.
    Dump(ShortId),
}

/// Returns whether an argument is such an address.
pub(crate) fn is_meant(path: &Path) -> bool {
    path.to_str().is_some_and(|text| text.get(..SCHEME.len()).is_some_and(|start| start.eq_ignore_ascii_case(SCHEME)))
}

impl StoreAddress {
    /// Reads an address; `now`: milliseconds since 1970 UTC.
    ///
    /// # Errors
    /// It is none; the message says what was expected.
    pub(crate) fn parse(text: &str, now: i64) -> Result<StoreAddress> {
        let wrong = |expected: &str| anyhow!("{text}: {expected}");
        let (place, query) = text
            .get(SCHEME.len()..)
            .unwrap_or_default()
            .split_once('?')
            .map_or_else(|| (text.get(SCHEME.len()..).unwrap_or_default(), ""), |(place, query)| (place, query));
        let decoded = |part: &str| {
            let decoded = percent_decode_str(part).decode_utf8().map(|text| text.into_owned());
            decoded.map_err(|_| wrong("`%` begins the two hexadecimal digits of a byte of UTF-8"))
        };
        let end = place.find(['@', '/']).unwrap_or(place.len());
        let service = decoded(&place[..end])?;
        if !is_name(&service) {
            return Err(wrong(
                "expected a service after store://, as in store://forest@latest, store://forest/ID or store://forest?from=-7d",
            ));
        }
        let mut selection = Selection::default();
        let pick = match (place[end..].chars().next(), place.get(end + 1..).unwrap_or_default()) {
            (Some('@'), "") => return Err(wrong("expected `latest` or a version after `@`")),
            (Some('@'), "latest") => Pick::Latest,
            (Some('@'), version) => {
                selection.labels.push(("version".to_owned(), decoded(version)?));
                Pick::Latest
            }
            (Some('/'), "") | (None, _) => Pick::All,
            (Some(_), id) => {
                let id = id.trim_end_matches('/').parse();
                Pick::Dump(id.map_err(|()| {
                    wrong("expected the identifier of a dump after the service: the 16 letters and digits at the end of its link; versions follow `@`")
                })?)
            }
        };
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            let Some((name, value)) = pair.split_once('=') else {
                bail!("{text}: expected NAME=VALUE after `?`, found {pair:?}");
            };
            let (name, value) = (decoded(name)?, decoded(value)?);
            let at = || {
                at(&value, now)
                    .ok_or_else(|| wrong(&format!("{name}={value}: expected a time such as -7d, -12h, 2026-11-22 or 2026-11-22T10:04:05Z")))
            };
            match name.as_str() {
                "from" => selection.from = Some(at()?),
                "to" => selection.to = Some(at()?),
                "least" => selection.least = Some(value.parse().map_err(|_| wrong(&format!("least={value}: expected a number of bytes")))?),
                "service" | "limit" | "id" => return Err(wrong(&format!("{name} is not a label of a dump"))),
                "time" | "since" | "until" | "after" | "before" => return Err(wrong(&format!("{name}: times are `from` and `to`"))),
                _ => selection.labels.push((name.strip_prefix("label.").unwrap_or(&name).to_owned(), value)),
            }
        }
        Ok(StoreAddress { service, pick, selection })
    }
}

/// Milliseconds since 1970 UTC of a time as text.
fn at(text: &str, now: i64) -> Option<i64> {
    if text == "now" {
        return Some(now);
    }
    if let Some(before) = text.strip_prefix('-') {
        let (number, unit) = before.split_at(before.find(|c: char| !c.is_ascii_digit())?);
        let seconds: i64 = match unit {
            "s" => 1,
            "m" | "min" => 60,
            "h" => 3600,
            "d" => 86_400,
            "w" => 7 * 86_400,
            _ => return None,
        };
        let before = number.parse::<i64>().ok()?.checked_mul(seconds * 1000)?;
        return Some(now.saturating_sub(before).max(0));
    }
    time(text).or_else(|| time(&format!("{text}T00:00:00Z")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_795_341_845_000;

    fn parse(text: &str) -> StoreAddress {
        StoreAddress::parse(text, NOW).unwrap()
    }

    #[test]
    fn addresses_name_a_dump_or_a_series() {
        let label = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        for text in ["store://forest", "store://forest/", "store://forest?", "STORE://forest"] {
            let all = StoreAddress { service: "forest".into(), pick: Pick::All, selection: Selection::default() };
            assert_eq!(parse(text), all, "{text}");
            assert!(is_meant(Path::new(text)));
        }
        assert_eq!(parse("store://forest@latest").pick, Pick::Latest);
        for (text, version) in
            [("store://forest@0.39", "0.39"), ("store://forest@1.0+build/5@x", "1.0+build/5@x"), ("store://forest@what%3f", "what?")]
        {
            let address = parse(text);
            assert_eq!((address.pick, address.selection.labels), (Pick::Latest, vec![label("version", version)]), "{text}");
        }
        let dump = parse("store://forest/xj4bnp4pahh6uqkb");
        assert_eq!(dump.pick, Pick::Dump("xj4bnp4pahh6uqkb".parse().unwrap()));
        let series = parse("store://forest?from=-7d&to=2026-11-22&least=5000&host=web-1&label.zone=eu+1");
        let selection = Selection {
            from: Some(NOW - 7 * 86_400_000),
            to: Some(1_795_305_600_000),
            least: Some(5000),
            labels: vec![label("host", "web-1"), label("zone", "eu+1")],
        };
        assert_eq!((series.pick, series.selection), (Pick::All, selection));
        for path in ["forest", "s3://bucket", "store:/forest", "st", "störe://x"] {
            assert!(!is_meant(Path::new(path)), "{path}");
        }
    }

    #[test]
    fn wrong_addresses_say_what_is_expected() {
        for (text, expected) in [
            ("store://", "expected a service"),
            ("store://a b", "expected a service"),
            ("store://@latest", "expected a service"),
            ("store://forest@", "expected `latest` or a version"),
            ("store://forest/0.39", "versions follow `@`"),
            ("store://forest?from", "expected NAME=VALUE"),
            ("store://forest?from=7d", "from=7d: expected a time"),
            ("store://forest?from=-7", "from=-7: expected a time"),
            ("store://forest?from=-é", "expected a time"),
            ("store://forest?to=-99999999999999999w", "expected a time"),
            ("store://forest?since=-7d", "times are `from` and `to`"),
            ("store://forest?limit=5", "is not a label"),
            ("store://forest?least=1M", "a number of bytes"),
            ("store://forest?host=%ff", "`%` begins"),
        ] {
            let error = StoreAddress::parse(text, NOW).unwrap_err().to_string();
            assert!(error.contains(expected) && error.starts_with(text), "{error}");
        }
    }
}
