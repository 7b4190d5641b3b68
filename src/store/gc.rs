//! Retention: dumps that are old enough go, first from the log, and their bytes a day later; binaries that nobody needs go.
//!
//! Every step can be repeated and interrupted. Bytes are deleted only if no envelope names them, before and after: an upload of the
//! same bytes at the same moment gets them back, as it also looks after its envelope was written. Where it cannot be known whether
//! an envelope names them, they come back too.

use std::collections::BTreeSet;
use std::time::{Duration, Instant, SystemTime};

use super::catalog::{GONE, LONGEST};
use super::envelope::Envelope;
use super::error::StoreError;
use super::id::{self, Hash};
use super::journal::INBOX;
use super::objects::{Content, keep};
use super::{Listed, Store, builds, exits, gone, read, write};

/// Age at which what nobody names is deleted: an upload may still be under way.
const GRACE: Duration = Duration::from_secs(24 * 3600);

const DAY: i64 = 24 * 3_600_000;

/// An object of the log that is not merged with others, bytes.
const LARGE: u64 = 8 << 20;

/// Bytes, and number, of dumps that are deleted between two looks at the log; they are in memory until the second.
const AT_ONCE: u64 = 64 << 20;
const MOST_AT_ONCE: usize = 1000;

/// Objects of the log of one day, to be merged.
#[derive(Default)]
struct Batch {
    keys: Vec<String>,
    text: Vec<u8>,
}

impl Batch {
    /// Takes the batch out if the object of this key does not belong to it, or it is large.
    fn next_to(&mut self, key: &str) -> Option<Batch> {
        // As in `inbox/2026-11-22T10/…`.
        let day = |key: &str| key.split('T').next().map(str::to_owned);
        let is_other = self.keys.first().is_some_and(|first| day(first) != day(key)) || self.text.len() as u64 >= LARGE;
        is_other.then(|| std::mem::take(self))
    }

    fn add(&mut self, key: String, text: Vec<u8>) {
        self.keys.push(key);
        self.text.extend(text);
        if !self.text.ends_with(b"\n") {
            self.text.push(b'\n');
        }
    }
}

/// What is deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Removal {
    /// An upload that is older than its service keeps.
    Dump(Box<Envelope>),
    /// Bytes of a dump that no upload names.
    Bytes(Hash, u64),
    /// A binary that no dump needs.
    Binary(String, u64),
    /// An object of the log all of whose uploads are deleted.
    Log(String),
}

/// Report of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GcReport {
    /// What is deleted, or would be.
    pub removals: Vec<Removal>,
    /// Bytes that are free afterwards.
    pub bytes: u64,
    /// Small objects of the log that became part of large ones.
    pub merged: usize,
}

/// Where the lists begin of what was deleted less than a day ago.
fn young_list(now: SystemTime) -> String {
    format!("{GONE}/{}", id::hour(id::millis(now.checked_sub(GRACE).unwrap_or(SystemTime::UNIX_EPOCH))))
}

impl Store {
    /// Deletes what is older than the settings keep; `is_dry`: only reports. `now` is the time.
    ///
    /// # Errors
    /// The store does not answer; the next run goes on from there.
    pub fn gc(&self, now: SystemTime, is_dry: bool) -> Result<GcReport, StoreError> {
        self.refresh(true)?;
        let mut report = GcReport::default();
        let expired = self.expired(id::millis(now))?;
        for lines in gone::lists(&expired).filter(|_| !is_dry) {
            let key = format!("{GONE}/{}/{}.jsonl", id::hour(id::millis(now)), id::unique(now)?);
            self.objects.create(&key, Content::Bytes(lines.as_bytes()))?;
            write(&self.catalog).take(vec![(key, lines.into_bytes())]);
            self.changed();
        }
        let gone: BTreeSet<String> = expired.iter().map(|envelope| envelope.id.clone()).collect();
        report.removals.extend(expired.into_iter().map(|envelope| Removal::Dump(Box::new(envelope))));
        if !is_dry {
            exits::kept(&*self.objects)?.1.iter().try_for_each(|key| self.objects.remove(key))?;
        }
        self.collect_bytes(now, is_dry, &mut report)?;
        self.collect_binaries(now, is_dry, &gone, &mut report)?;
        self.collect_log(now, is_dry, &mut report)?;
        Ok(report)
    }

    /// Uploads that are older than their services keep, not pinned and not among the last ones of processes.
    fn expired(&self, now: i64) -> Result<Vec<Envelope>, StoreError> {
        let settings = self.settings();
        let pins = self.objects.list("pins/")?;
        let pinned: BTreeSet<&str> = pins.iter().filter_map(|object| object.key.strip_prefix("pins/")).collect();
        let (last, _) = exits::kept(&*self.objects)?;
        let catalog = read(&self.catalog);
        let is_expired = |envelope: &&std::sync::Arc<Envelope>| {
            let days = settings.days_of(&envelope.origin.service);
            let is_old =
                days.is_some_and(|days| now - envelope.received > i64::try_from(days).unwrap_or(i64::MAX / DAY).saturating_mul(DAY));
            is_old && !pinned.contains(envelope.sha256.to_string().as_str()) && !last.contains(&envelope.sha256)
        };
        let mut expired: Vec<Envelope> = catalog.all().filter(is_expired).map(|envelope| Envelope::clone(envelope)).collect();
        expired.sort_by(|a, b| a.id.cmp(&b.id));
        Ok(expired)
    }

    /// Whether an upload names these bytes.
    fn is_named(&self, dump: &Hash) -> bool {
        read(&self.catalog).uploads(dump).next().is_some()
    }

    /// Dumps whose uploads were deleted less than a day ago.
    fn just_gone(&self, now: SystemTime) -> Result<BTreeSet<Hash>, StoreError> {
        let first = young_list(now);
        let mut dumps = BTreeSet::new();
        for object in self.objects.list(&format!("{GONE}/"))?.iter().filter(|object| object.key >= first) {
            let bytes = self.objects.read(&object.key, LONGEST)?.unwrap_or_default();
            dumps.extend(String::from_utf8_lossy(&bytes).lines().filter_map(gone::dump));
        }
        Ok(dumps)
    }

    fn collect_bytes(&self, now: SystemTime, is_dry: bool, report: &mut GcReport) -> Result<(), StoreError> {
        let just_gone = self.just_gone(now)?;
        let (mut batch, mut bytes) = (Vec::new(), 0u64);
        for object in self.objects.list("raw/")? {
            let Some(dump) = Hash::of_raw_key(&object.key) else { continue };
            let is_old = now.duration_since(object.modified).is_ok_and(|age| age > GRACE);
            if !is_old || just_gone.contains(&dump) || self.is_named(&dump) {
                continue;
            }
            if is_dry {
                report.bytes += object.len;
                report.removals.push(Removal::Bytes(dump, object.len));
                continue;
            }
            bytes = bytes.saturating_add(object.len);
            batch.push((dump, object));
            if bytes >= AT_ONCE || batch.len() == MOST_AT_ONCE {
                bytes = 0;
                self.remove_bytes(std::mem::take(&mut batch), report)?;
            }
        }
        self.remove_bytes(batch, report)
    }

    /// Deletes dumps that no upload names, neither before nor after. Those of which that is not known come back.
    fn remove_bytes(&self, batch: Vec<(Hash, Listed)>, report: &mut GcReport) -> Result<(), StoreError> {
        if batch.is_empty() {
            return Ok(());
        }
        let look = || self.look(Some(Instant::now()), false);
        look()?;
        let mut removed = Vec::new();
        let done = batch.into_iter().filter(|(dump, _)| !self.is_named(dump)).try_for_each(|(dump, object)| {
            let Some(bytes) = self.objects.read(&object.key, LONGEST.max(object.len))? else { return Ok(()) };
            let is_removed = self.objects.remove(&object.key);
            // Also where it failed: it may have been done.
            removed.push((dump, object, bytes));
            is_removed
        });
        let looked = look();
        let mut restored = Ok(());
        for (dump, object, bytes) in removed {
            if looked.is_err() || self.is_named(&dump) {
                let kept = keep(&*self.objects, &object.key, Content::Bytes(&bytes));
                restored = restored.and(kept.map(|_| ()));
            } else {
                report.bytes += object.len;
                report.removals.push(Removal::Bytes(dump, object.len));
            }
        }
        done.and(looked).and(restored)
    }

    fn collect_binaries(&self, now: SystemTime, is_dry: bool, gone: &BTreeSet<String>, report: &mut GcReport) -> Result<(), StoreError> {
        // Where nothing is deleted for its age, binaries may be for dumps to come.
        let Some(days) = Some(self.settings().keep_days).filter(|&days| days > 0) else { return Ok(()) };
        let age = Duration::from_secs(days.saturating_mul(24 * 3600)).max(GRACE);
        let needed: BTreeSet<String> = {
            let catalog = read(&self.catalog);
            let kept: Vec<_> = catalog.all().filter(|envelope| !gone.contains(&envelope.id)).collect();
            let versions: BTreeSet<(&str, &str)> =
                kept.iter().map(|envelope| (envelope.origin.service.as_str(), envelope.origin.version.as_str())).collect();
            let builds = read(&self.builds);
            let run = builds.run_by_any(|service, version| versions.contains(&(service, version)));
            let named = kept.iter().flat_map(|envelope| envelope.builds.iter().map(|build| &build.id).chain([&envelope.origin.build_id]));
            run.into_iter().map(str::to_owned).chain(named.cloned()).collect()
        };
        for (id, _) in self.binaries() {
            let files = self.objects.list(&format!("{}/{id}/", builds::FOLDER))?;
            let is_old = files.iter().all(|file| now.duration_since(file.modified).is_ok_and(|since| since > age));
            if needed.contains(&id) || !is_old {
                continue;
            }
            let bytes = files.iter().map(|file| file.len).sum();
            if !is_dry {
                // What says that it is there goes first.
                let (documents, others): (Vec<_>, Vec<_>) = files.iter().partition(|file| file.key.ends_with(".json"));
                documents.into_iter().chain(others).try_for_each(|file| self.objects.remove(&file.key))?;
                write(&self.builds).forget(&id);
                self.changed();
            }
            report.bytes += bytes;
            report.removals.push(Removal::Binary(id, bytes));
        }
        Ok(())
    }

    /// Writes a batch as one object and deletes its parts; returns how many they were. Who reads both meanwhile knows the uploads by
    /// their identifiers; who listed the parts and finds them gone looks again.
    fn merge(&self, batch: Option<Batch>, is_dry: bool) -> Result<usize, StoreError> {
        let Some(Batch { keys, text }) = batch.filter(|batch| batch.keys.len() > 1) else { return Ok(0) };
        if is_dry {
            return Ok(keys.len());
        }
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut merged: Vec<u8> = Vec::with_capacity(text.len());
        for line in text.split_inclusive(|&byte| byte == b'\n') {
            let id = serde_json::from_slice::<Envelope>(line).map(|envelope| envelope.id).unwrap_or_default();
            if !read(&self.catalog).is_gone(&id) && seen.insert(id) {
                merged.extend_from_slice(line);
            }
        }
        let folder = keys[0].rsplit_once('/').map_or(INBOX, |(folder, _)| folder);
        let key = format!("{folder}/{}.jsonl", Hash::of(&merged).short());
        keep(&*self.objects, &key, Content::Bytes(&merged))?;
        keys.iter().filter(|part| **part != key).try_for_each(|part| self.objects.remove(part))?;
        write(&self.catalog).take(vec![(key, merged)]);
        Ok(keys.len())
    }

    /// Deletes objects of the log that say nothing any more, and lists of deleted uploads that no object has. Small objects of a day
    /// become large ones: a server reads all of them when it starts.
    fn collect_log(&self, now: SystemTime, is_dry: bool, report: &mut GcReport) -> Result<(), StoreError> {
        let is_old = |object: &Listed| now.duration_since(object.modified).is_ok_and(|age| age > GRACE);
        let mut kept: BTreeSet<String> = BTreeSet::new();
        let mut empty = Vec::new();
        let mut batch = Batch::default();
        for object in self.objects.list(&format!("{INBOX}/"))? {
            let Some(bytes) = self.objects.read(&object.key, LONGEST)? else { continue };
            let lines = bytes.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
            let ids: Vec<Option<String>> = lines.map(|line| Some(serde_json::from_slice::<Envelope>(line).ok()?.id)).collect();
            // What cannot be read stays.
            let (is_readable, is_old) = (ids.iter().all(Option::is_some), is_old(&object));
            let ids: Vec<String> = ids.into_iter().flatten().collect();
            if is_old && is_readable && ids.iter().all(|id| read(&self.catalog).is_gone(id)) {
                empty.push(object.key);
                continue;
            }
            kept.extend(ids);
            if is_old && is_readable && object.len < LARGE {
                report.merged += self.merge(batch.next_to(&object.key), is_dry)?;
                batch.add(object.key, bytes);
            }
        }
        report.merged += self.merge(Some(batch), is_dry)?;
        let young = young_list(now);
        for object in self.objects.list(&format!("{GONE}/"))? {
            let Some(bytes) = self.objects.read(&object.key, LONGEST)? else { continue };
            let is_needed = String::from_utf8_lossy(&bytes).lines().any(|line| kept.contains(gone::upload(line)));
            if !is_needed && is_old(&object) && object.key < young {
                empty.push(object.key);
            }
        }
        for key in empty {
            if !is_dry {
                self.objects.remove(&key)?;
            }
            report.removals.push(Removal::Log(key));
        }
        if !is_dry {
            let listed: BTreeSet<String> = [INBOX, GONE]
                .iter()
                .map(|folder| self.objects.list(&format!("{folder}/")))
                .collect::<Result<Vec<_>, _>>()?
                .into_iter()
                .flatten()
                .map(|object| object.key)
                .collect();
            write(&self.catalog).keep_read(|key| listed.contains(key));
        }
        Ok(())
    }
}
