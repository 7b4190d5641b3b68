//! The dumps of a store, in memory: all envelopes of the log except those that were deleted.
//!
//! A replica reads what others write: recent hours often, everything now and then. An envelope is about 1 kB here.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::envelope::{Build, Envelope};
use super::error::StoreError;
use super::gone;
use super::id::{self, Hash, ShortId};
use super::journal::INBOX;
use super::objects::{Listed, Objects};
use super::quota::Sent;
use crate::base::hash::HashSet;

/// Folder of lists of deleted envelopes.
pub(super) const GONE: &str = "gone";

/// Longest object of the log, bytes.
pub(super) const LONGEST: u64 = 64 << 20;

/// Objects that are read at the same time.
const AT_ONCE: usize = 16;

/// Bytes, and objects, that are read before they are taken.
const BATCH: u64 = 32 << 20;
const MOST_AT_ONCE: usize = 2000;

/// Difference of clocks, hours, that makes no difference here.
const SKEW: i64 = 2;

const HOUR: i64 = 3_600_000;

/// The dumps.
#[derive(Debug, Default)]
pub(super) struct Catalog {
    /// Uploads in order of time, by service.
    by_service: BTreeMap<String, BTreeSet<InTime>>,
    /// In order of hashes, so that a link, which is the beginning of one, finds it.
    by_dump: BTreeMap<Hash, Vec<Arc<Envelope>>>,
    /// Lists of binaries: all dumps of a process have the same.
    builds: HashSet<Arc<[Build]>>,
    /// What tokens sent in the last day.
    sent: Sent,
    /// Objects of the log that were read.
    read: HashSet<String>,
    /// Envelopes that were deleted.
    gone: HashSet<String>,
    /// Lines that could not be read; the first one with its place.
    damaged: (usize, String),
}

/// An upload, in order of time.
#[derive(Clone, Debug)]
struct InTime(Arc<Envelope>);

impl Ord for InTime {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.0.time, &self.0.id).cmp(&(other.0.time, &other.0.id))
    }
}

impl PartialOrd for InTime {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for InTime {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for InTime {}

/// Objects of the log. `everything`: also those of hours long ago.
pub(super) fn list(objects: &dyn Objects, everything: bool, now: i64) -> Result<Vec<Listed>, StoreError> {
    let folders: Vec<String> = match everything {
        true => [GONE, INBOX].map(|folder| format!("{folder}/")).to_vec(),
        false => {
            let hours = (-SKEW..=SKEW).map(|n| id::hour(now + n * HOUR));
            hours.flat_map(|hour| [GONE, INBOX].map(|folder| format!("{folder}/{hour}/"))).collect()
        }
    };
    let mut listed: Vec<Listed> = Vec::new();
    for folder in folders {
        listed.extend(objects.list(&folder)?);
    }
    listed.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(listed)
}

/// Parts of a list that are read at once: few bytes, and not many objects.
pub(super) fn batches(listed: &[Listed]) -> impl Iterator<Item = &[Listed]> {
    let mut rest = listed;
    std::iter::from_fn(move || {
        let mut bytes = 0u64;
        let fits = |object: &&Listed| {
            let is_first = bytes == 0;
            bytes = bytes.saturating_add(object.len.max(1));
            is_first || bytes <= BATCH
        };
        let n = rest.iter().take(MOST_AT_ONCE).take_while(fits).count();
        let (batch, others) = rest.split_at(n);
        rest = others;
        (n > 0).then_some(batch)
    })
}

/// Reads objects of the log. Those that were deleted meanwhile are left out.
pub(super) fn contents(objects: &dyn Objects, listed: &[Listed]) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
    let share = listed.len().div_ceil(AT_ONCE).max(1);
    let read = |listed: &[Listed]| -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        let read = |key: &str| objects.read(key, LONGEST).transpose();
        listed.iter().filter_map(|Listed { key, .. }| Some(read(key)?.map(|bytes| (key.clone(), bytes)))).collect()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = listed.chunks(share).map(|listed| scope.spawn(move || read(listed))).collect();
        let mut all = Vec::new();
        for thread in threads {
            all.extend(thread.join().map_err(|_| StoreError::Away("the log could not be read: internal error".into()))??);
        }
        Ok(all)
    })
}

impl Catalog {
    /// Those of the objects that were not read.
    pub(super) fn unread(&self, listed: Vec<Listed>) -> Vec<Listed> {
        listed.into_iter().filter(|object| !self.read.contains(&object.key)).collect()
    }

    /// Takes objects of the log; returns whether there was anything new.
    pub(super) fn take(&mut self, objects: Vec<(String, Vec<u8>)>) -> bool {
        let (mut is_new, mut has_gone) = (false, false);
        for (key, bytes) in objects {
            if !self.read.insert(key.clone()) {
                continue;
            }
            (is_new, has_gone) = (true, has_gone || key.starts_with(GONE));
            for (n, line) in bytes.split(|&byte| byte == b'\n').enumerate().filter(|(_, line)| !line.is_empty()) {
                let taken = match key.starts_with(GONE) {
                    true => std::str::from_utf8(line).map(|line| self.gone.insert(gone::upload(line).to_owned())).is_ok(),
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
        if has_gone {
            self.drop_gone();
        }
        is_new
    }

    /// Adds an upload; one that is known makes no difference. O(uploads of these bytes), and the logarithm of all.
    pub(super) fn add(&mut self, mut envelope: Envelope) {
        if self.gone.contains(&envelope.id) || self.uploads(&envelope.sha256).any(|known| known.id == envelope.id) {
            return;
        }
        match self.builds.get(&envelope.builds) {
            Some(same) => envelope.builds = same.clone(),
            None => drop(self.builds.insert(envelope.builds.clone())),
        }
        let envelope = Arc::new(envelope);
        let (dump, service) = (envelope.sha256, envelope.origin.service.clone());
        let before = self.find(&dump, Some(&service));
        if before.is_none() {
            self.sent.add(&envelope.token, envelope.received, 1, envelope.bytes);
        }
        match self.by_dump.get_mut(&dump) {
            Some(uploads) => uploads.push(envelope),
            None => drop(self.by_dump.insert(dump, vec![envelope])),
        }
        self.show(&dump, &service, before);
    }

    /// Drops uploads that were deleted since the last time. O(uploads)
    fn drop_gone(&mut self) {
        let uploads = self.by_dump.values().flatten();
        let gone: Vec<Arc<Envelope>> = uploads.filter(|envelope| self.gone.contains(&envelope.id)).cloned().collect();
        for envelope in gone {
            let (dump, service) = (envelope.sha256, &envelope.origin.service);
            let before = self.find(&dump, Some(service));
            if let Some(uploads) = self.by_dump.get_mut(&dump) {
                uploads.retain(|known| known.id != envelope.id);
                if uploads.is_empty() {
                    self.by_dump.remove(&dump);
                }
            }
            self.show(&dump, service, before);
        }
    }

    /// Lists the upload of a dump that counts for a service, instead of the one `before`. Of the same bytes the first upload counts,
    /// whichever is read first.
    fn show(&mut self, dump: &Hash, service: &str, before: Option<Arc<Envelope>>) {
        let now = self.find(dump, Some(service));
        if before.as_ref().map(|envelope| &envelope.id) == now.as_ref().map(|envelope| &envelope.id) {
            return;
        }
        let dumps = self.by_service.entry(service.to_owned()).or_default();
        before.map(|before| dumps.remove(&InTime(before)));
        now.map(|now| dumps.insert(InTime(now)));
        if dumps.is_empty() {
            self.by_service.remove(service);
        }
    }

    /// What tokens sent in the last day.
    pub(super) fn sent(&self) -> &Sent {
        &self.sent
    }

    /// Services, in order of names, and how many dumps each has.
    pub(super) fn services(&self) -> impl ExactSizeIterator<Item = (&str, usize)> {
        self.by_service.iter().map(|(service, dumps)| (service.as_str(), dumps.len()))
    }

    /// Whether a service has dumps.
    pub(super) fn has(&self, service: &str) -> bool {
        self.by_service.contains_key(service)
    }

    /// Dumps of a service in order of time; `None` if there is no such service.
    pub(super) fn dumps_of(&self, service: &str) -> Option<Vec<Arc<Envelope>>> {
        Some(self.by_service.get(service)?.iter().map(|InTime(envelope)| envelope.clone()).collect())
    }

    /// All uploads of a dump.
    pub(super) fn uploads(&self, dump: &Hash) -> impl Iterator<Item = &Arc<Envelope>> {
        self.by_dump.get(dump).into_iter().flatten()
    }

    /// The upload of a dump for a service; `None` for any service: the first.
    pub(super) fn find(&self, dump: &Hash, service: Option<&str>) -> Option<Arc<Envelope>> {
        let uploads = self.uploads(dump).filter(|envelope| service.is_none_or(|service| envelope.origin.service == service));
        uploads.min_by(|a, b| a.id.cmp(&b.id)).cloned()
    }

    /// The dump of a link.
    pub(super) fn linked(&self, link: &ShortId) -> Option<Hash> {
        let (first, last) = link.range();
        self.by_dump.range(first..=last).next().map(|(dump, _)| *dump)
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
        let of = |(service, n): (&str, usize)| {
            let dumps = catalog.dumps_of(service).unwrap();
            assert_eq!(dumps.len(), n);
            format!("{service}: {}", dumps.iter().map(|envelope| envelope.id.as_str()).collect::<Vec<_>>().join(" "))
        };
        catalog.services().map(of).collect()
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
