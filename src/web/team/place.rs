//! Addresses: links to dumps, and what an address of a profile means.

use axum::http::HeaderMap;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::error::TeamError;
use super::state::Team;
use super::stored::find;
use crate::store::{Selection, ShortId, Wanted, thinned, time};
pub(super) use crate::store::{path_part as part, series_address as series};

/// Most dumps that an address names one by one.
const MOST_NAMED: usize = 20;

/// Escaped in the value of a query.
const VALUE: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'#').add(b'&').add(b'+').add(b'%').add(b'<').add(b'>').add(b'\'');

/// A value of a query.
pub(super) fn value(text: &str) -> String {
    utf8_percent_encode(text, VALUE).to_string()
}

/// Makes whole links.
pub(super) struct Links(String);

impl Links {
    /// For the sender of a request with these headers.
    pub(super) fn of(team: &Team, headers: &HeaderMap) -> Links {
        let url = &team.setup.url;
        if !url.is_empty() {
            return Links(url.trim_end_matches('/').to_owned());
        }
        let host = headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or("localhost");
        Links(format!("http://{host}"))
    }

    /// The permalink of a dump.
    pub(super) fn dump(&self, id: &ShortId) -> String {
        format!("{}/d/{id}/", self.0)
    }
}

/// Profiles below an address: its beginning, and how the dumps are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// `/d/A`, `/d/A,B`: dumps by identifier.
    Dumps(Vec<String>),
    /// `/d/A..B`: B less A.
    Difference(String, String),
    /// `/s/service/FROM..TO;label=value`: a series.
    Series(String, Selection),
}

/// Splits the path of a request into the beginning of the profile's addresses and the rest, which begins with `/`; `None`: there is
/// no rest.
pub(super) fn split(path: &str) -> (&str, Option<&str>) {
    let n_parts = if path.starts_with("/s/") { 3 } else { 2 };
    match path.match_indices('/').nth(n_parts) {
        Some((at, _)) => (&path[..at], Some(&path[at..])),
        None => (path, None),
    }
}

impl Place {
    /// Reads the beginning of addresses; `None`: it names no profile.
    pub(super) fn parse(prefix: &str) -> Option<Place> {
        let parts: Vec<String> =
            prefix.split('/').skip(1).map(|part| percent_decode_str(part).decode_utf8().ok().map(Into::into)).collect::<Option<_>>()?;
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        match parts[..] {
            ["d", ids] => match ids.split_once("..") {
                Some((base, shown)) => Some(Place::Difference(base.to_owned(), shown.to_owned())),
                None => Some(Place::Dumps(ids.split(',').map(str::to_owned).collect())),
            },
            ["s", service, range] => {
                let mut words = range.split(';');
                let (from, to) = words.next()?.split_once("..")?;
                let millis = |text: &str| if text.is_empty() { Some(None) } else { time(text).map(Some) };
                let labels = words.map(|word| word.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned())));
                let labels = labels.collect::<Option<Vec<_>>>()?;
                Some(Place::Series(service.to_owned(), Selection { from: millis(from)?, to: millis(to)?, least: None, labels }))
            }
            _ => None,
        }
    }

    /// The dumps that it means now. Asks the store.
    pub(super) fn wanted(&self, team: &Team) -> Result<Wanted, TeamError> {
        match self {
            Place::Difference(base, shown) => {
                let dumps = vec![find(team, shown)?, find(team, base)?];
                Ok(Wanted { dumps, has_base: true, ..Wanted::default() })
            }
            Place::Dumps(ids) if ids.len() > MOST_NAMED => {
                Err(TeamError::not_found(format!("an address names at most {MOST_NAMED} dumps; use a series: /s/SERVICE?from=…&to=…")))
            }
            Place::Dumps(ids) => {
                let dumps = ids.iter().map(|id| find(team, id)).collect::<Result<_, _>>()?;
                Ok(Wanted { dumps, ..Wanted::default() })
            }
            Place::Series(service, selection) => {
                let all = team.store().dumps_of(service).ok_or_else(|| no_service(service))?;
                let dumps = selection.of(&all);
                if dumps.is_empty() {
                    return Err(TeamError::not_found(format!("the service {service} has no dumps of this time with these labels")));
                }
                let n = dumps.len();
                let dumps = thinned(dumps);
                let note = format!("{} of {n} dumps are shown, evenly chosen; a shorter time shows all", dumps.len());
                let notes = if dumps.len() < n { vec![note] } else { Vec::new() };
                Ok(Wanted { dumps, is_series: true, has_base: false, notes })
            }
        }
    }
}

pub(super) fn no_service(service: &str) -> TeamError {
    TeamError::not_found(format!("there are no dumps of a service {service:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        assert_eq!(split("/d/abc/top"), ("/d/abc", Some("/top")));
        assert_eq!(split("/d/abc/"), ("/d/abc", Some("/")));
        assert_eq!(split("/d/abc"), ("/d/abc", None));
        assert_eq!(split("/s/forest/a..b/api/v1/top"), ("/s/forest/a..b", Some("/api/v1/top")));
        let texts = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>();
        assert_eq!(Place::parse("/d/a,b"), Some(Place::Dumps(texts(&["a", "b"]))));
        assert_eq!(Place::parse("/d/a..b"), Some(Place::Difference("a".into(), "b".into())));
        let selection =
            Selection { from: Some(1_795_341_845_000), to: None, least: None, labels: vec![("version".into(), "0.39 b".into())] };
        assert_eq!(
            Place::parse("/s/forest/2026-11-22T10:04:05Z..;version=0.39%20b"),
            Some(Place::Series("forest".into(), selection.clone()))
        );
        let address = series("forest", &selection, 1_795_341_845_000, 1_795_341_846_001);
        assert_eq!(address, "/s/forest/2026-11-22T10:04:05Z..2026-11-22T10:04:07Z;version=0.39%20b/");
        for wrong in ["/s/forest", "/s/forest/x", "/s/forest/x..y", "/x/y", "/d", "/s/forest/..;version", "/d/%ff"] {
            assert_eq!(Place::parse(wrong), None, "{wrong}");
        }
    }
}
