//! Last dumps of processes that ended: what a process held before it was killed is often the only dump that explains it.
//!
//! A mark is an object `exits/<service>/<received>-<hash>`. Retention keeps the latest [`KEPT`] of each service whatever their age.

use std::collections::{BTreeMap, BTreeSet};

use super::envelope::Envelope;
use super::error::StoreError;
use super::id::Hash;
use super::objects::Content;
use super::{Objects, Store};

/// Folder of the marks.
const FOLDER: &str = "exits";

/// Marked dumps of a service that are kept whatever their age.
const KEPT: usize = 20;

impl Store {
    /// Marks a dump as the last one of a process; returns the key of the mark.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn mark_last(&self, envelope: &Envelope) -> Result<String, StoreError> {
        let key = format!("{FOLDER}/{}/{:013}-{}", envelope.origin.service, envelope.received.max(0), envelope.sha256);
        self.objects.create(&key, Content::Bytes(b"{}\n"))?;
        Ok(key)
    }

    /// Takes a mark back: the process did not end.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn unmark_last(&self, key: &str) -> Result<(), StoreError> {
        self.objects.remove(key)
    }

    /// Dumps of a service that are marked as last ones, the latest last.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn last_dumps(&self, service: &str) -> Result<Vec<Hash>, StoreError> {
        let marks = self.objects.list(&format!("{FOLDER}/{service}/"))?;
        Ok(marks.iter().filter_map(|mark| hash_of(&mark.key)).collect())
    }
}

fn hash_of(key: &str) -> Option<Hash> {
    key.rsplit_once('-')?.1.parse().ok()
}

/// Dumps that are kept as last ones, and keys of the marks that are too many.
pub(super) fn kept(objects: &dyn Objects) -> Result<(BTreeSet<Hash>, Vec<String>), StoreError> {
    let mut by_service: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for mark in objects.list(&format!("{FOLDER}/"))? {
        if let Some((service, _)) = mark.key.rsplit_once('/') {
            by_service.entry(service.to_owned()).or_default().push(mark.key);
        }
    }
    let (mut kept, mut spare) = (BTreeSet::new(), Vec::new());
    for mut keys in by_service.into_values() {
        let latest = keys.split_off(keys.len().saturating_sub(KEPT));
        kept.extend(latest.iter().filter_map(|key| hash_of(key)));
        spare.extend(keys);
    }
    Ok((kept, spare))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::store::{Said, StoreOptions, measure};

    #[test]
    fn the_latest_of_each_service_outlive_retention() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().to_str().unwrap(), StoreOptions { may_create: true, is_single_writer: false }).unwrap();
        store.change_settings(&[("keep_days".into(), "7".into())]).unwrap();
        let mut hashes = Vec::new();
        for n in 0..KEPT + 3 {
            let mut said = Said::default();
            said.origin.service = "shop".into();
            let measured = measure(format!("main;load {}\n", n + 1).into_bytes(), &store.settings()).unwrap();
            let mut envelope = store.upload(measured, said, "scrape/shop").unwrap().envelope;
            hashes.push(envelope.sha256);
            envelope.received += n as i64;
            if n > 0 {
                store.mark_last(&envelope).unwrap();
            }
        }
        let back = store.mark_last(&Envelope { sha256: hashes[0], ..store.dumps_of("shop").unwrap()[0].as_ref().clone() }).unwrap();
        store.unmark_last(&back).unwrap();
        assert_eq!(store.last_dumps("shop").unwrap(), hashes[1..]);
        store.gc(SystemTime::now() + Duration::from_secs(30 * 86_400), false).unwrap();
        let mut left: Vec<Hash> = store.dumps_of("shop").unwrap().iter().map(|envelope| envelope.sha256).collect();
        left.sort();
        let mut expected = hashes[3..].to_vec();
        expected.sort();
        assert_eq!(left, expected);
        assert_eq!(store.last_dumps("shop").unwrap().len(), KEPT);
    }
}
