//! Notes of a service's owners on functions, and growth that they expect.

use std::cmp::Ordering;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::{Envelope, Store, documents, id, is_name};
use crate::base::units::iec_label;
use crate::profile::{ExpectedGrowth, Profile};

/// Folder of the documents, one for each service.
const FOLDER: &str = "notes";

/// Versions of a document that are kept.
const KEPT: usize = 20;

/// Most notes of a service.
const MOST: usize = 1000;

/// Longest name of a function and longest text, characters.
const LONGEST_NAME: usize = 500;
const LONGEST_TEXT: usize = 2000;

/// A note on a function.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Note {
    /// Identifier in the service.
    pub id: String,
    /// The function that holds the memory: its name or the end of it, `*` for anything.
    pub culprit: String,
    /// Text; of expected growth the reason.
    pub text: String,
    /// Name of the token, or the account of the machine that ran the command.
    pub by: String,
    /// When it was written, milliseconds since 1970 UTC.
    pub time: i64,
    /// Its growth is expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<Expectation>,
}

/// How long growth is expected; without conditions: for ever.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Expectation {
    /// Most bytes in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up_to: Option<u64>,
    /// In dumps taken before this time, milliseconds since 1970 UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<i64>,
    /// In versions that sort before this one.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub until_version: String,
}

impl Expectation {
    fn holds(&self, version: &str, time: i64) -> bool {
        let is_before = self.until_version.is_empty() || by_version(version, &self.until_version) == Ordering::Less;
        self.until.is_none_or(|until| time < until) && is_before
    }

    /// Its conditions, such as `up to 200MiB, until version 0.41`.
    pub fn conditions(&self) -> String {
        let up_to = self.up_to.map(|bytes| format!("up to {}", iec_label(i64::try_from(bytes).unwrap_or(i64::MAX), "bytes", "auto")));
        let until = self.until.map(|until| format!("until {}", crate::api::utc(until.saturating_mul(1_000_000))));
        let version = Some(&self.until_version).filter(|version| !version.is_empty()).map(|version| format!("until version {version}"));
        up_to.into_iter().chain(until).chain(version).collect::<Vec<_>>().join(", ")
    }
}

impl Note {
    /// What is expected, for people; empty if it is only a note.
    pub fn expectation(&self) -> String {
        let Some(expected) = &self.expected else { return String::new() };
        let conditions = expected.conditions();
        if conditions.is_empty() { "growth expected".into() } else { format!("growth expected {conditions}") }
    }
}

/// The document.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Notes {
    notes: Vec<Note>,
}

impl Store {
    /// Notes of a service, in the order in which they were written.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn notes(&self, service: &str) -> Result<Vec<Note>, StoreError> {
        check_service(service)?;
        Ok(documents::read::<Notes>(&*self.objects, &format!("{FOLDER}/{service}"))?.0.notes)
    }

    /// Adds a note, which gets its identifier and time here; returns it.
    ///
    /// # Errors
    /// It is too long, or the store does not answer.
    pub fn add_note(&self, service: &str, note: Note) -> Result<Note, StoreError> {
        check_service(service)?;
        let is_in = |text: &str, most: usize| !text.trim().is_empty() && text.chars().count() <= most;
        if !is_in(&note.culprit, LONGEST_NAME) || !is_in(&note.text, LONGEST_TEXT) {
            let error = format!("a note has a function, at most {LONGEST_NAME} characters, and a text, at most {LONGEST_TEXT}");
            return Err(StoreError::Refused(error));
        }
        let now = SystemTime::now();
        let plain = |text: &str| crate::base::plain::one_line(text.trim()).into_owned();
        let (culprit, text) = (plain(&note.culprit), plain(&note.text));
        let note = Note { id: id::unique(now)?, time: id::millis(now), culprit, text, ..note };
        let added = documents::change_keeping(&*self.objects, &format!("{FOLDER}/{service}"), KEPT, |document: &mut Notes| {
            if document.notes.len() >= MOST {
                return Err(StoreError::Refused(format!("{service} has {MOST} notes, the limit; remove some")));
            }
            document.notes.push(note.clone());
            Ok(Some(note.clone()))
        })?;
        added.ok_or_else(|| StoreError::Away("the note is not written".into()))
    }

    /// Removes a note.
    ///
    /// # Errors
    /// There is none of this identifier, or the store does not answer.
    pub fn remove_note(&self, service: &str, id: &str) -> Result<(), StoreError> {
        check_service(service)?;
        documents::change_keeping(&*self.objects, &format!("{FOLDER}/{service}"), KEPT, |document: &mut Notes| {
            let n = document.notes.len();
            document.notes.retain(|note| note.id != id);
            match document.notes.len() < n {
                true => Ok(Some(())),
                false => Err(StoreError::Refused(format!("{service} has no note {id}"))),
            }
        })
        .map(|_| ())
    }

    /// Tells a profile which growth is expected in dumps like `last`, the latest of them. All that opens dumps of a store calls it.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn mark_expected(&self, profile: &mut Profile, last: &Envelope) -> Result<(), StoreError> {
        let notes = self.notes(&last.origin.service)?;
        let holding = notes.iter().filter(|note| note.expected.as_ref().is_some_and(|e| e.holds(&last.origin.version, last.time)));
        let expected = holding.map(|note| ExpectedGrowth {
            culprit: note.culprit.clone(),
            up_to: note.expected.as_ref().and_then(|expected| expected.up_to).map(|bytes| i64::try_from(bytes).unwrap_or(i64::MAX)),
            text: [note.expectation(), format!("{} ({})", note.text, note.by)].join(": "),
        });
        profile.set_expected(expected.collect());
        Ok(())
    }
}

pub(super) fn check_service(service: &str) -> Result<(), StoreError> {
    match is_name(service) {
        true => Ok(()),
        false => Err(StoreError::Refused(format!("{service:?} is no name of a service"))),
    }
}

/// Order of versions: numbers by value, other parts as text.
fn by_version(a: &str, b: &str) -> Ordering {
    let (mut a, mut b) = (a.trim_start_matches('v'), b.trim_start_matches('v'));
    loop {
        let run = |text: &str| {
            let is_digit = text.starts_with(|c: char| c.is_ascii_digit());
            text.find(|c: char| c.is_ascii_digit() != is_digit).unwrap_or(text.len())
        };
        let ((left, rest_a), (right, rest_b)) = (a.split_at(run(a)), b.split_at(run(b)));
        let order = match (left.parse::<u64>(), right.parse::<u64>()) {
            (Ok(left), Ok(right)) => left.cmp(&right),
            _ => left.cmp(right),
        };
        if order != Ordering::Equal || left.is_empty() {
            return order;
        }
        (a, b) = (rest_a, rest_b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreOptions;

    #[test]
    fn versions_sort_by_their_numbers() {
        for pair in ["0.9", "0.39", "0.40", "0.40.1", "1.0-rc2", "1.0-rc10", "2"].windows(2) {
            assert_eq!(by_version(pair[0], pair[1]), Ordering::Less, "{pair:?}");
            assert_eq!(by_version(pair[1], pair[0]), Ordering::Greater, "{pair:?}");
        }
        assert_eq!(by_version("v1.2", "1.2"), Ordering::Equal);
    }

    #[test]
    fn notes_are_kept_with_the_service() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("store").display().to_string();
        let store = Store::open(&place, StoreOptions { may_create: true, is_single_writer: true }).unwrap();
        let note = |culprit: &str, text: &str| Note { culprit: culprit.into(), text: text.into(), by: "ci".into(), ..Note::default() };
        let expected = Some(Expectation { up_to: Some(200 << 20), until: Some(2000), until_version: "0.41".into() });
        store.add_note("forest", note("Cache::insert", "fills up\nfor a day")).unwrap();
        let mark = store.add_note("forest", Note { expected, ..note("Index::*", "grows with the catalogue") }).unwrap();
        assert_eq!(store.notes("forest").unwrap()[0].text, r"fills up\nfor a day");
        assert!(store.notes("shop").unwrap().is_empty());
        // Marks hold for dumps before their ends.
        for (version, time, n) in [("0.40", 1000, 1), ("0.41", 1000, 0), ("0.40", 2000, 0)] {
            let mut last = Envelope { time, ..Envelope::default() };
            (last.origin.service, last.origin.version) = ("forest".into(), version.into());
            let mut profile = crate::profile::ProfileBuilder::new(&[("inuse_space", "bytes")]).build();
            store.mark_expected(&mut profile, &last).unwrap();
            assert_eq!(profile.meta().expected.len(), n, "{version} {time}");
            if let [expected] = &profile.meta().expected[..] {
                assert!(expected.text.contains("up to 200MiB") && expected.text.contains("(ci)"), "{}", expected.text);
            }
        }
        store.remove_note("forest", &mark.id).unwrap();
        assert!(store.remove_note("forest", &mark.id).is_err());
        for (service, culprit, text) in [("forest", "", "x"), ("forest", "x", " "), ("a/b", "x", "x"), ("forest", &"x".repeat(501), "x")] {
            assert!(store.add_note(service, note(culprit, text)).is_err(), "{service} {culprit}");
        }
    }
}
