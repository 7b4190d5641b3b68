//! The audit log: who changed what besides uploads, which are in envelopes.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::objects::Content;
use super::{Store, id};

/// Folder of the log.
const FOLDER: &str = "audit";

/// Longest entry, bytes.
const LONGEST: u64 = 1 << 16;

/// An entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Event {
    /// When, milliseconds since 1970 UTC.
    pub time: i64,
    /// Name of the token, or the account of the machine that ran a command.
    pub who: String,
    /// What was done, such as `token add`.
    pub what: String,
    /// To what.
    pub of: String,
}

impl Store {
    /// Writes an entry.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn log(&self, who: &str, what: &str, of: &str) -> Result<(), StoreError> {
        let now = SystemTime::now();
        let event = Event { time: id::millis(now), who: who.to_owned(), what: what.to_owned(), of: of.to_owned() };
        let text = serde_json::to_vec(&event).map_err(|error| StoreError::Refused(error.to_string()))?;
        let key = format!("{FOLDER}/{}/{}.json", id::hour(event.time), id::unique(now)?);
        self.objects.create(&key, Content::Bytes(&text)).map(|_| ())
    }

    /// The latest entries, the latest last.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn audit(&self, most: usize) -> Result<Vec<Event>, StoreError> {
        let keys = self.objects.list(&format!("{FOLDER}/"))?;
        let mut events = Vec::new();
        for object in &keys[keys.len().saturating_sub(most)..] {
            let bytes = self.objects.read(&object.key, LONGEST)?.unwrap_or_default();
            events.extend(serde_json::from_slice::<Event>(&bytes).ok());
        }
        Ok(events)
    }
}
