//! Checks of services that run by themselves: what is checked, and what came of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::notes::check_service;
use super::{Store, documents, id};

/// Folder of the document with all checks.
const FOLDER: &str = "checks";

/// Folder of the documents with results, one for each service.
const RESULTS: &str = "results";

/// Versions of a result that are kept.
const KEPT: usize = 20;

/// Notices of one check that wait for their receiver; older ones are dropped.
const MOST_PENDING: usize = 20;

/// A check of a service.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Check {
    /// Interval, seconds.
    pub every: u64,
    /// Dumps of this time are checked, seconds.
    pub window: u64,
    /// Limits as of `heapview check`: `max-inuse`, `max-growth` or `budget`, and its value.
    pub limits: Vec<(String, String)>,
    /// Where changes of the verdict are sent; empty: nowhere.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub webhook: String,
    /// Header of these requests, `Name: value`; may hold a secret.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub header: String,
}

/// What came of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CheckResult {
    /// Epoch of the lease it was written under.
    pub epoch: u64,
    /// When it ran, by the store's clock, milliseconds since 1970 UTC.
    pub checked: i64,
    /// Since when the verdict is the same.
    pub since: i64,
    /// The last verdict; absent until there were dumps to check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
    /// Why the last run has no verdict of its own; empty if it has.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub problem: String,
    /// Notices that wait for their receiver, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pending: Vec<Notice>,
    /// Last error of the receiver; empty if it took the last notice.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub undelivered: String,
}

/// A verdict on a service.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Verdict {
    /// Whether all limits are kept.
    pub holds: bool,
    /// What was checked, such as `2 limits in 3 processes`.
    pub checked: String,
    /// Limits that are broken.
    pub broken: Vec<Broken>,
    /// Growth that is expected, and other remarks, a sentence each.
    pub notes: Vec<String>,
}

/// A broken limit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Broken {
    /// The limit, such as `growth`.
    pub limit: String,
    /// The limit and what is, a sentence.
    pub text: String,
    /// Value, in the unit of the limit.
    pub value: i64,
    /// Function behind most of it.
    pub culprit: String,
    /// Version of the dumps.
    pub version: String,
    /// Process of the dumps.
    pub process: String,
    /// Address of the series on the server, from `/` on.
    pub link: String,
}

/// A change of the verdict that is sent to a webhook.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Notice {
    /// Identifier: a receiver that gets it twice knows it by this.
    pub id: String,
    /// Body of the request.
    pub body: String,
    /// Attempts so far.
    pub attempts: u32,
    /// When it is tried next, by the store's clock, milliseconds since 1970 UTC.
    pub next: i64,
}

impl CheckResult {
    /// Takes the verdict of a run at `now`; returns whether it changed: it begins to break, or recovers.
    pub fn take(&mut self, now: i64, verdict: Verdict) -> bool {
        let held = self.verdict.as_ref().is_none_or(|verdict| verdict.holds);
        let changes = held != verdict.holds;
        if changes || self.verdict.is_none() {
            self.since = now;
        }
        (self.checked, self.problem) = (now, String::new());
        self.verdict = Some(verdict);
        changes
    }

    /// Adds a notice to those that wait.
    pub fn announce(&mut self, notice: Notice) {
        self.pending.push(notice);
        let n_over = self.pending.len().saturating_sub(MOST_PENDING);
        self.pending.drain(..n_over);
    }
}

/// Checks by service.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Checks {
    checks: BTreeMap<String, Check>,
}

/// When a job ran that has no other result.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Ran {
    epoch: u64,
    at: i64,
}

impl Store {
    /// Checks by service.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn checks(&self) -> Result<BTreeMap<String, Check>, StoreError> {
        Ok(documents::read::<Checks>(&*self.objects, FOLDER)?.0.checks)
    }

    /// Sets the check of a service; `None` removes it, with what came of it.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn set_check(&self, service: &str, check: Option<&Check>) -> Result<(), StoreError> {
        check_service(service)?;
        documents::change(&*self.objects, FOLDER, |document: &mut Checks| {
            match check {
                Some(check) => drop(document.checks.insert(service.to_owned(), check.clone())),
                None if document.checks.remove(service).is_none() => {
                    return Err(StoreError::Refused(format!("there is no check of {service}")));
                }
                None => {}
            }
            Ok(())
        })?;
        if check.is_none() {
            for object in self.objects.list(&format!("{RESULTS}/{service}/"))? {
                self.objects.remove(&object.key)?;
            }
        }
        Ok(())
    }

    /// What came of the check of a service.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn check_result(&self, service: &str) -> Result<CheckResult, StoreError> {
        check_service(service)?;
        Ok(documents::read(&*self.objects, &format!("{RESULTS}/{service}"))?.0)
    }

    /// Changes a result under the lease of this epoch; `None`: a later holder wrote it, so nothing is changed.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn change_result<R>(
        &self,
        service: &str,
        epoch: u64,
        change: impl Fn(&mut CheckResult) -> Result<R, StoreError>,
    ) -> Result<Option<R>, StoreError> {
        check_service(service)?;
        documents::change_keeping(&*self.objects, &format!("{RESULTS}/{service}"), KEPT, |result: &mut CheckResult| {
            if result.epoch > epoch {
                return Ok(None);
            }
            result.epoch = epoch;
            change(result).map(Some)
        })
    }

    /// A notice with this body, to be sent at `now`.
    ///
    /// # Errors
    /// There are no random bytes.
    pub fn notice(&self, now: i64, body: impl FnOnce(&str) -> String) -> Result<Notice, StoreError> {
        let id = id::unique(std::time::SystemTime::now())?;
        Ok(Notice { body: body(&id), id, attempts: 0, next: now })
    }

    /// When retention last ran by itself, milliseconds since 1970 UTC; 0: never.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn gc_ran(&self) -> Result<i64, StoreError> {
        Ok(documents::read::<Ran>(&*self.objects, "jobs/gc")?.0.at)
    }

    /// Notes that retention ran at `now`, under the lease of this epoch.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn set_gc_ran(&self, epoch: u64, now: i64) -> Result<(), StoreError> {
        documents::change_keeping(&*self.objects, "jobs/gc", KEPT, |ran: &mut Ran| {
            let is_later = ran.epoch <= epoch;
            if is_later {
                *ran = Ran { epoch, at: now };
            }
            Ok(is_later.then_some(()))
        })
        .map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::StoreOptions;

    #[test]
    fn only_changes_are_announced_and_late_holders_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("store").display().to_string();
        let store = Store::open(&place, StoreOptions { may_create: true, is_single_writer: true }).unwrap();
        let take = |epoch, now, holds| {
            store.change_result("forest", epoch, |result| Ok(result.take(now, Verdict { holds, ..Verdict::default() }))).unwrap()
        };
        // Nothing was broken before the first run.
        assert_eq!([take(1, 10, true), take(2, 20, false), take(3, 30, false)], [Some(false), Some(true), Some(false)]);
        assert_eq!(take(1, 40, true), None, "a late holder");
        let result = store.check_result("forest").unwrap();
        assert_eq!((result.epoch, result.checked, result.since), (3, 30, 20));
        assert_eq!(take(4, 50, true), Some(true));
        let mut result = CheckResult::default();
        (0..30).for_each(|n| result.announce(Notice { next: n, ..Notice::default() }));
        assert_eq!((result.pending.len(), result.pending[0].next), (20, 10));
        // The check goes with its result.
        assert!(store.set_check("forest", None).is_err());
        let check = Check { every: 60, ..Check::default() };
        store.set_check("forest", Some(&check)).unwrap();
        assert_eq!(store.checks().unwrap().get("forest"), Some(&check));
        store.set_check("forest", None).unwrap();
        assert_eq!(store.check_result("forest").unwrap(), CheckResult::default());
        assert_eq!(store.gc_ran().unwrap(), 0);
        store.set_gc_ran(2, 77).unwrap();
        store.set_gc_ran(1, 99).unwrap();
        assert_eq!(store.gc_ran().unwrap(), 77);
    }
}
