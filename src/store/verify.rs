//! Verification: every upload has its bytes, and they are what their name says.

use std::collections::BTreeSet;

use super::error::StoreError;
use super::id::Hash;
use super::{Store, read};
use crate::parse::{ParseOptions, unpacked};

/// Most bytes of a dump: settings may have been larger when it came.
const MOST_UNPACKED: usize = 4 << 30;

/// Result of [`Store::verify`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// Dumps that are whole.
    pub good: usize,
    /// Uploads without bytes: the identifier of the upload and the hash.
    pub missing: Vec<(String, Hash)>,
    /// Dumps whose bytes are not those of their hash, and why.
    pub damaged: Vec<(Hash, String)>,
    /// Bytes that no upload names: uploads under way, interrupted or deleted; `gc` deletes them after a day.
    pub unfiled: Vec<Hash>,
    /// Warnings about the log, a sentence each.
    pub log: Vec<String>,
}

impl VerifyReport {
    /// Whether nothing is lost.
    pub fn is_good(&self) -> bool {
        self.missing.is_empty() && self.damaged.is_empty() && self.log.is_empty()
    }
}

impl Store {
    /// Reads everything; `each` is called after each dump with the number of dumps so far and of all.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn verify(&self, each: &dyn Fn(usize, usize)) -> Result<VerifyReport, StoreError> {
        self.refresh(true)?;
        let mut report = VerifyReport { log: self.warnings(), ..VerifyReport::default() };
        let mut uploads: Vec<(Hash, String)> = read(&self.catalog).all().map(|envelope| (envelope.sha256, envelope.id.clone())).collect();
        uploads.sort();
        uploads.dedup_by_key(|(dump, _)| *dump);
        let named: BTreeSet<Hash> = uploads.iter().map(|(dump, _)| *dump).collect();
        for (n, (dump, id)) in uploads.iter().enumerate() {
            match self.check(dump)? {
                None => report.missing.push((id.clone(), *dump)),
                Some(Ok(())) => report.good += 1,
                Some(Err(why)) => report.damaged.push((*dump, why)),
            }
            each(n + 1, uploads.len());
        }
        let stored = self.objects.list("raw/")?;
        report.unfiled = stored.iter().filter_map(|object| Hash::of_raw_key(&object.key)).filter(|dump| !named.contains(dump)).collect();
        Ok(report)
    }

    fn check(&self, dump: &Hash) -> Result<Option<Result<(), String>>, StoreError> {
        let Some(bytes) = self.dump(dump)? else { return Ok(None) };
        let options = ParseOptions { max_expanded: MOST_UNPACKED, ..ParseOptions::default() };
        Ok(Some(match unpacked(&bytes, &options) {
            Ok(plain) if Hash::of(&plain) == *dump => Ok(()),
            Ok(plain) => Err(format!("the hash of its {} bytes is {}", plain.len(), Hash::of(&plain))),
            Err(error) => Err(error.to_string()),
        }))
    }
}
