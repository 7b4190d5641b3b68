//! The dumps of a store, in memory: all envelopes of the log except those that were deleted.
//!
//! A replica reads what others write: recent hours often, everything now and then. An envelope is about 1 kB here.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::envelope::Envelope;
use super::error::StoreError;
use super::id::{self, Hash, ShortId};
use super::journal::INBOX;
use super::objects::Objects;
use super::quota::Sent;
use crate::base::hash::{HashMap, HashSet};

/// Folder of lists of deleted envelopes.
pub(super) const GONE: &str = "gone";

/// Longest object of the log, bytes.
pub(super) const LONGEST: u64 = 64 << 20;

/// Objects that are read at the same time.
const AT_ONCE: usize = 16;

/// Difference of clocks, hours, that makes no difference here.
const SKEW: i64 = 2;

const HOUR: i64 = 3_600_000;

/// The dumps.
#[derive(Debug, Default)]
pub(super) struct Catalog {
    /// Uploads in order of time, by service.
    by_service: BTreeMap<String, Vec<Arc<Envelope>>>,
    by_dump: HashMap<Hash, Vec<Arc<Envelope>>>,
    by_link: HashMap<ShortId, Hash>,
    /// What tokens sent in the last day.
    sent: Sent,
    /// Objects of the log that were read.
    read: HashSet<String>,
    /// Envelopes that were deleted.
    gone: HashSet<String>,
    /// Lines that could not be read; the first one with its place.
    damaged: (usize, String),
}

impl Catalog {
    /// Reads objects of the log that are new. `everything`: also those of hours long ago.
    pub(super) fn unread(&self, objects: &dyn Objects, everything: bool, now: i64) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let folders: Vec<String> = match everything {
            true => [GONE, INBOX].map(|folder| format!("{folder}/")).to_vec(),
            false => {
                let hours = (-SKEW..=SKEW).map(|n| id::hour(now + n * HOUR));
                hours.flat_map(|hour| [GONE, INBOX].map(|folder| format!("{folder}/{hour}/"))).collect()
            }
        };
        let mut keys: Vec<String> = Vec::new();
        for folder in folders {
            keys.extend(objects.list(&folder)?.into_iter().map(|object| object.key).filter(|key| !self.read.contains(key)));
        }
        keys.sort();
        let share = keys.len().div_ceil(AT_ONCE).max(1);
        let read = |keys: &[String]| -> Result<Vec<(String, Vec<u8>)>, StoreError> {
            // What is not there any more was deleted a moment ago.
            keys.iter().filter_map(|key| Some(objects.read(key, LONGEST).transpose()?.map(|bytes| (key.clone(), bytes)))).collect()
        };
        std::thread::scope(|scope| {
            let threads: Vec<_> = keys.chunks(share).map(|keys| scope.spawn(move || read(keys))).collect();
            let mut all = Vec::new();
            for thread in threads {
                all.extend(thread.join().map_err(|_| StoreError::Away("the log could not be read: internal error".into()))??);
            }
            Ok(all)
        })
    }

    /// Takes objects of the log; returns whether there was anything new.
    pub(super) fn take(&mut self, objects: Vec<(String, Vec<u8>)>) -> bool {
        let mut is_new = false;
        for (key, bytes) in objects {
            if !self.read.insert(key.clone()) {
                continue;
            }
            is_new = true;
            for (n, line) in bytes.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
                let taken = match key.starts_with(GONE) {
                    true => std::str::from_utf8(line).map(|id| self.forget(id)).is_ok(),
                    false => serde_json::from_slice(line).map(|envelope| self.add(envelope)).is_ok(),
                };
                if !taken {
                    self.damaged.0 += 1;
                    if self.damaged.0 == 1 {
                        self.damaged.1 = format!("{key}, line {}", n + 1);
                    }
                }
            }
        }
        is_new
    }

    /// Adds an upload; one that is known makes no difference.
    pub(super) fn add(&mut self, envelope: Envelope) {
        let (token, received, bytes) = (envelope.token.clone(), envelope.received, envelope.bytes);
        if self.insert(envelope) {
            self.sent.add(&token, received, 1, bytes);
        }
    }

    /// Returns whether it is the first upload of these bytes for its service.
    fn insert(&mut self, envelope: Envelope) -> bool {
        let same = self.by_dump.get(&envelope.sha256).into_iter().flatten();
        if self.gone.contains(&envelope.id) || same.clone().any(|known| known.id == envelope.id) {
            return false;
        }
        let envelope = Arc::new(envelope);
        self.by_link.entry(envelope.sha256.short()).or_insert(envelope.sha256);
        self.by_dump.entry(envelope.sha256).or_default().push(envelope.clone());
        // Of the same bytes for the same service the first upload counts, whichever is read first.
        let mut is_first = false;
        let dumps = self.by_service.entry(envelope.origin.service.clone()).or_default();
        match dumps.iter().position(|known| known.sha256 == envelope.sha256) {
            Some(at) if dumps[at].id <= envelope.id => return false,
            Some(at) => drop(dumps.remove(at)),
            None => is_first = true,
        }
        let at = dumps.partition_point(|known| (known.time, &known.id) < (envelope.time, &envelope.id));
        dumps.insert(at, envelope);
        is_first
    }

    fn forget(&mut self, id: &str) {
        if !self.gone.insert(id.to_owned()) {
            return;
        }
        let Some(gone) = self.by_dump.values().flatten().find(|envelope| envelope.id == id).cloned() else { return };
        let rest: Vec<Arc<Envelope>> =
            self.by_dump.remove(&gone.sha256).into_iter().flatten().filter(|envelope| envelope.id != id).collect();
        if let Some(dumps) = self.by_service.get_mut(&gone.origin.service) {
            dumps.retain(|envelope| envelope.sha256 != gone.sha256);
            if dumps.is_empty() {
                self.by_service.remove(&gone.origin.service);
            }
        }
        if rest.is_empty() {
            self.by_link.remove(&gone.sha256.short());
        }
        for envelope in rest {
            self.insert(Envelope::clone(&envelope));
        }
    }

    /// What tokens sent in the last day.
    pub(super) fn sent(&self) -> &Sent {
        &self.sent
    }

    /// Dumps by service, in order of time.
    pub(super) fn services(&self) -> &BTreeMap<String, Vec<Arc<Envelope>>> {
        &self.by_service
    }

    /// The upload of a dump for a service; `None` for any service: the first.
    pub(super) fn find(&self, dump: &Hash, service: Option<&str>) -> Option<Arc<Envelope>> {
        let uploads = self.by_dump.get(dump)?.iter();
        uploads.filter(|envelope| service.is_none_or(|service| envelope.origin.service == service)).min_by(|a, b| a.id.cmp(&b.id)).cloned()
    }

    /// The dump of a link.
    pub(super) fn linked(&self, link: &ShortId) -> Option<Hash> {
        self.by_link.get(link).copied()
    }

    /// All uploads, also several of the same bytes.
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<Envelope>> {
        self.by_dump.values().flatten()
    }

    /// Uploads that were deleted.
    pub(super) fn is_gone(&self, id: &str) -> bool {
        self.gone.contains(id)
    }

    /// Warning about lines that could not be read.
    pub(super) fn damaged(&self) -> Option<String> {
        let (n, first) = &self.damaged;
        (*n > 0).then(|| format!("lines of the log that cannot be read: {n}, the first one in {first}"))
    }

    /// Drops the list of objects that no longer exist. O(objects)
    pub(super) fn keep_read(&mut self, exist: impl Fn(&str) -> bool) {
        self.read.retain(|key| exist(key));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::envelope::Origin;

    fn line(id: &str, dump: &str, service: &str, time: i64) -> String {
        let origin = Origin { service: service.into(), ..Origin::default() };
        let envelope = Envelope { id: id.into(), sha256: Hash::of(dump.as_bytes()), origin, time, ..Envelope::default() };
        serde_json::to_string(&envelope).unwrap()
    }

    fn ids(catalog: &Catalog) -> Vec<String> {
        let of = |(service, dumps): (&String, &Vec<Arc<Envelope>>)| {
            format!("{service}: {}", dumps.iter().map(|envelope| envelope.id.as_str()).collect::<Vec<_>>().join(" "))
        };
        catalog.services().iter().map(of).collect()
    }

    #[test]
    fn the_order_in_which_the_log_is_read_makes_no_difference() {
        let lines = [line("1", "x", "a", 50), line("2", "x", "a", 50), line("3", "y", "a", 40), line("4", "x", "b", 50)];
        let objects = [("inbox/h/1", &lines[0]), ("inbox/h/2", &lines[1]), ("inbox/h/3", &lines[2]), ("inbox/h/4", &lines[3])];
        let object = |&(key, text): &(&str, &String)| (key.to_owned(), text.clone().into_bytes());
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2]] {
            let mut catalog = Catalog::default();
            for at in order {
                assert!(catalog.take(vec![object(&objects[at])]));
            }
            assert!(!catalog.take(vec![object(&objects[0])]), "read once");
            assert_eq!(ids(&catalog), ["a: 3 1", "b: 4"]);
            let link = Hash::of(b"x").short();
            assert_eq!(catalog.linked(&link), Some(Hash::of(b"x")));
            catalog.take(vec![("gone/h/1".into(), b"1\n".to_vec())]);
            assert_eq!(ids(&catalog), ["a: 3 2", "b: 4"], "the same bytes were uploaded again");
            catalog.take(vec![("gone/h/2".into(), b"2\n4\n".to_vec())]);
            assert_eq!(ids(&catalog), ["a: 3"]);
            assert_eq!((catalog.linked(&link), catalog.find(&Hash::of(b"x"), None)), (None, None));
        }
    }

    #[test]
    fn deleted_before_it_is_read() {
        let mut catalog = Catalog::default();
        catalog.take(vec![("gone/h/1".into(), b"1\n".to_vec()), ("inbox/h/1".into(), line("1", "x", "a", 5).into_bytes())]);
        assert!(ids(&catalog).is_empty());
        assert_eq!(catalog.damaged(), None);
        catalog.take(vec![("inbox/h/2".into(), b"{}\n{\"upload\":3}\nnothing".to_vec())]);
        assert_eq!(catalog.damaged().unwrap(), "lines of the log that cannot be read: 2, the first one in inbox/h/2, line 2");
    }
}
