//! Uploads: where a dump came from, and the order in which things become durable.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use thiserror::Error;

use super::envelope::{Envelope, Origin};
use super::error::StoreError;
use super::ingest::Measured;
use super::objects::{Content, Created, keep};
use super::settings::Settings;
use super::tokens::is_name;
use super::{Store, id, read, write};

/// Most characters of a label's value.
const MOST_VALUE: usize = 200;

/// Milliseconds that a sender's clock may be ahead.
const MOST_AHEAD: i64 = 600_000;

/// Why a description of an upload is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadOrigin {
    /// No service.
    #[error("the parameter `service` is missing; add ?service=NAME to the address")]
    NoService,
    /// A service whose name cannot be part of an address.
    #[error("{0:?} is no name of a service; use letters, digits, `.`, `_` and `-`, at most 60")]
    Service(String),
    /// A parameter that means nothing.
    #[error(
        "unknown parameter {0:?}; expected service, version, env, host, pod, pid, seq, time, file_time, name, build_id, or label.NAME for \
         other labels"
    )]
    Unknown(String),
    /// A parameter given twice.
    #[error("the parameter {0:?} is given twice")]
    Twice(String),
    /// A value that cannot be kept.
    #[error("{name}: expected {expected}")]
    Value {
        /// The parameter.
        name: String,
        /// What it must be.
        expected: String,
    },
    /// Too many labels.
    #[error("the upload has {found} labels; the limit `most_labels` of this store is {most}")]
    Labels {
        /// Labels of the upload.
        found: u64,
        /// The limit.
        most: u64,
    },
    /// Too many services.
    #[error("this store has {0} services already, its limit `most_services`; is the service's name a variable?")]
    Services(u64),
}

/// What a sender says of an upload.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Said {
    /// Where it came from.
    pub origin: Origin,
    /// When it was taken, milliseconds since 1970 UTC; `None`: not said.
    pub time: Option<i64>,
    /// When its file was written, milliseconds since 1970 UTC: for dumps that have no time.
    pub file_time: Option<i64>,
}

/// A stored dump.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uploaded {
    /// Its envelope: of dumps that were known, the first one.
    pub envelope: Envelope,
    /// Whether it was stored before, for the same service.
    pub was_known: bool,
}

/// Reads parameters of an upload.
///
/// # Errors
/// The first of them that cannot be kept.
pub fn said(pairs: &[(String, String)], settings: &Settings) -> Result<Said, BadOrigin> {
    let mut said = Said::default();
    let mut seen: Vec<&str> = Vec::new();
    let origin = &mut said.origin;
    for (name, value) in pairs {
        if seen.contains(&name.as_str()) {
            return Err(BadOrigin::Twice(name.clone()));
        }
        seen.push(name);
        let bad = |expected: &str| BadOrigin::Value { name: name.clone(), expected: expected.to_owned() };
        if value.chars().count() > MOST_VALUE || value.chars().any(char::is_control) {
            return Err(bad(&format!("at most {MOST_VALUE} characters, none of which controls a terminal")));
        }
        let place = match name.as_str() {
            "service" => &mut origin.service,
            "version" => &mut origin.version,
            "env" => &mut origin.env,
            "host" => &mut origin.host,
            "pod" => &mut origin.pod,
            "pid" => &mut origin.pid,
            "name" => &mut origin.name,
            "build_id" => &mut origin.build_id,
            "seq" => {
                origin.seq = Some(value.parse().map_err(|_| bad("a number from 0 on"))?);
                continue;
            }
            "time" => {
                let expected = "a time such as 2026-11-22T10:04:05Z, or seconds or milliseconds since 1970";
                said.time = Some(time(value).ok_or_else(|| bad(expected))?);
                continue;
            }
            "file_time" => {
                said.file_time = Some(time(value).ok_or_else(|| bad("a time such as 2026-11-22T10:04:05Z"))?);
                continue;
            }
            _ => match name.strip_prefix("label.") {
                Some(label) if is_name(label) => origin.labels.entry(label.to_owned()).or_default(),
                Some(_) => return Err(bad("a name of letters, digits, `.`, `_` and `-` after `label.`")),
                None => return Err(BadOrigin::Unknown(name.clone())),
            },
        };
        value.clone_into(place);
    }
    if origin.service.is_empty() {
        return Err(BadOrigin::NoService);
    }
    if !is_name(&origin.service) {
        return Err(BadOrigin::Service(origin.service.clone()));
    }
    let name = std::mem::take(&mut origin.name);
    origin.name = crate::base::plain::base_name_of_any_system(&name).to_owned();
    origin.build_id = origin.build_id.to_ascii_lowercase();
    if !origin.build_id.is_empty() && !super::is_build_id(&origin.build_id) {
        return Err(BadOrigin::Value { name: "build_id".into(), expected: "3 to 128 hexadecimal digits".into() });
    }
    let (found, most) = (origin.labels.len() as u64, settings.most_labels);
    if found > most { Err(BadOrigin::Labels { found, most }) } else { Ok(said) }
}

/// Milliseconds since 1970 UTC of a time as text: RFC 3339, or seconds, milliseconds or nanoseconds since 1970.
pub fn time(text: &str) -> Option<i64> {
    if let Ok(number) = text.parse::<i64>() {
        return match number {
            ..0 => None,
            0..100_000_000_000 => Some(number * 1000),
            100_000_000_000..100_000_000_000_000 => Some(number),
            _ => Some(number / 1_000_000),
        };
    }
    let time: jiff::Timestamp = text.parse().ok()?;
    Some(time.as_millisecond()).filter(|millis| *millis >= 0)
}

impl Store {
    /// Stores a dump. When this returns, it survives a crash: first its bytes, then its envelope. The same bytes for the same
    /// service are stored once.
    ///
    /// # Errors
    /// The store does not answer, or is full; nothing that can be seen was stored.
    pub fn upload(&self, measured: Measured, said: Said, token: &str) -> Result<Uploaded, StoreError> {
        let Measured { mut envelope, packed, .. } = measured;
        if let Some(known) = self.known(&envelope.sha256, &said.origin.service, &packed)? {
            return Ok(Uploaded { envelope: Envelope::clone(&known), was_known: true });
        }
        let now = SystemTime::now();
        let received = id::millis(now);
        let taken = said.time.or(Some(envelope.time).filter(|&time| time > 0)).or(said.file_time).unwrap_or(received);
        envelope.was_in_future = taken > received + MOST_AHEAD;
        envelope.time = if envelope.was_in_future { received } else { taken };
        (envelope.origin, envelope.received, envelope.id, envelope.token) = (said.origin, received, id::unique(now)?, token.to_owned());
        let key = envelope.sha256.raw_key();
        keep(&*self.objects, &key, Content::Bytes(&packed))?;
        self.journal.append(&envelope)?;
        // It may have been deleted as nobody's between the two; whoever deletes looks at the log once more after that.
        if self.objects.length(&key)?.is_none() {
            keep(&*self.objects, &key, Content::Bytes(&packed))?;
        }
        let first = {
            let mut catalog = write(&self.catalog);
            catalog.add(envelope.clone());
            catalog.find(&envelope.sha256, Some(&envelope.origin.service))
        };
        self.changed();
        let was_known = first.as_ref().is_some_and(|first| first.id != envelope.id);
        Ok(Uploaded { envelope: first.map_or(envelope, |first| Envelope::clone(&first)), was_known })
    }

    /// The upload of these bytes for this service. Another server may have deleted it a moment ago, so the store is asked.
    fn known(&self, dump: &super::Hash, service: &str, packed: &[u8]) -> Result<Option<Arc<Envelope>>, StoreError> {
        let find = || read(&self.catalog).find(dump, Some(service));
        if find().is_none() {
            return Ok(None);
        }
        self.look(Some(Instant::now()), false)?;
        let key = dump.raw_key();
        if find().is_some() && self.objects.length(&key)?.is_none() {
            self.refresh(true)?;
            if find().is_some() {
                keep(&*self.objects, &key, Content::Bytes(packed))?;
            }
        }
        Ok(find())
    }

    /// Whether these bytes are stored for this service, as far as this server knows.
    pub fn knows(&self, dump: &super::Hash, service: &str) -> bool {
        read(&self.catalog).find(dump, Some(service)).is_some()
    }

    /// Refuses a service that would be one too many.
    ///
    /// # Errors
    /// It is new, and there is no room.
    pub fn check_service(&self, service: &str) -> Result<(), BadOrigin> {
        let most = self.settings().most_services;
        let catalog = read(&self.catalog);
        let (is_known, n) = (catalog.has(service), catalog.services().len() as u64);
        if !is_known && n >= most { Err(BadOrigin::Services(n)) } else { Ok(()) }
    }

    /// Keeps a dump whatever its age, or no longer.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn pin(&self, dump: &super::Hash, is_pinned: bool) -> Result<bool, StoreError> {
        let key = format!("pins/{dump}");
        if is_pinned {
            return Ok(keep(&*self.objects, &key, Content::Bytes(b"{}\n"))? == Created::New);
        }
        let was_pinned = self.objects.length(&key)?.is_some();
        self.objects.remove(&key)?;
        Ok(was_pinned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<Said, BadOrigin> {
        let pairs: Vec<(String, String)> =
            query.split('&').filter_map(|pair| pair.split_once('=')).map(|(name, value)| (name.into(), value.into())).collect();
        said(&pairs, &Settings { most_labels: 2, ..Settings::default() })
    }

    #[test]
    fn parameters_say_where_a_dump_is_from() {
        let said = read("service=forest&version=0.39&pid=12&seq=3&time=2026-11-22T10:04:05Z&name=/tmp/a.heap&label.zone=eu").unwrap();
        assert_eq!((said.origin.service.as_str(), said.origin.seq, said.origin.name.as_str()), ("forest", Some(3), "a.heap"));
        assert_eq!(said.origin.labels["zone"], "eu");
        assert_eq!(said.time, Some(1_795_341_845_000));
        for (text, millis) in [("1795341845", 1_795_341_845_000), ("1795341845000", 1_795_341_845_000), ("0", 0)] {
            assert_eq!(time(text), Some(millis), "{text}");
        }
        assert_eq!(time("1795341845000000000"), Some(1_795_341_845_000));
    }

    #[test]
    fn parameters_that_cannot_be_kept_are_named() {
        let error = |query: &str| read(query).unwrap_err();
        assert_eq!(error(""), BadOrigin::NoService);
        assert_eq!(error("service=a b"), BadOrigin::Service("a b".into()));
        assert_eq!(error("service=.."), BadOrigin::Service("..".into()));
        assert_eq!(error("service=a&verison=1"), BadOrigin::Unknown("verison".into()));
        assert_eq!(error("service=a&service=b"), BadOrigin::Twice("service".into()));
        assert_eq!(error("service=a&label.x=1&label.y=1&label.z=1"), BadOrigin::Labels { found: 3, most: 2 });
        for query in ["service=a&seq=-1", "service=a&time=yesterday", "service=a&time=-5", "service=a&label.=1", "service=a&build_id=xyz"] {
            assert!(matches!(error(query), BadOrigin::Value { .. }), "{query}");
        }
        assert!(matches!(error(&format!("service=a&version={}", "x".repeat(201))), BadOrigin::Value { .. }));
        assert!(matches!(error("service=a&version=\u{1b}[2J"), BadOrigin::Value { .. }));
    }
}
