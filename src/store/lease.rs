//! Leases: of several servers of a store, one does a job. Others take over when it has not renewed its lease in time.
//!
//! A lease is a document ([`documents`]), so of two servers that take it at once one is refused. Its end is a time of the store's
//! clock, which is read from the date of an object that was just written: clocks of machines are never compared. A holder that
//! slept (a paused machine) may go on after its end; what it writes carries the epoch of its lease, and is refused when a later
//! epoch was there.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::objects::{Content, Objects};
use super::{documents, id};

/// Folder of the documents.
const FOLDER: &str = "lease";

/// Versions of a lease that are kept.
const KEPT: usize = 20;

/// Age at which the store's clock is read again.
const READ_AGAIN: Duration = Duration::from_secs(600);

/// Longest time that reading the clock may take.
const SLOW: Duration = Duration::from_secs(3);

/// Attempts to read the clock in that time.
const ATTEMPTS: usize = 3;

/// Time after the end before another holder takes it: stores date objects in whole seconds, and reading the clock takes time.
const SLACK: i64 = 5_000;

/// The document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Document {
    /// Identifier of the holder; empty: given back.
    holder: String,
    /// Grows by one with each holder.
    epoch: u64,
    /// End by the store's clock, milliseconds since 1970 UTC.
    until: i64,
}

/// A lease that this process has.
#[derive(Debug)]
pub struct Lease {
    job: String,
    epoch: u64,
    term: Duration,
    ends: Instant,
}

impl Lease {
    /// Number of this holder among all that the lease had; later ones have larger ones.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Whether the holder may go on: others have not taken it.
    pub fn is_live(&self) -> bool {
        Instant::now() < self.ends
    }
}

/// The leases of a store, as one process sees them.
#[derive(Debug)]
pub struct Leases {
    objects: Arc<dyn Objects>,
    holder: String,
    /// When the clock was read, and what it showed.
    clock: Mutex<Option<(Instant, i64)>>,
}

impl Leases {
    pub(super) fn new(objects: Arc<dyn Objects>) -> Result<Self, StoreError> {
        Ok(Leases { objects, holder: id::unique(SystemTime::now())?, clock: Mutex::default() })
    }

    /// The time by the store's clock, milliseconds since 1970 UTC. Not later than it is there, and at most some seconds earlier.
    ///
    /// # Errors
    /// The store does not answer, or slowly.
    pub fn now(&self) -> Result<i64, StoreError> {
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, shown) = match *clock {
            Some(read) if read.0.elapsed() < READ_AGAIN => read,
            _ => *clock.insert(self.read_clock()?),
        };
        Ok(shown.saturating_add(i64::try_from(at.elapsed().as_millis()).unwrap_or(i64::MAX)))
    }

    fn read_clock(&self) -> Result<(Instant, i64), StoreError> {
        for _ in 0..ATTEMPTS {
            let started = Instant::now();
            let folder = format!("probe/{}", id::unique(SystemTime::now())?);
            let key = format!("{folder}/clock");
            self.objects.create(&key, Content::Bytes(b"clock"))?;
            let listed = self.objects.list(&format!("{folder}/"));
            let read = Instant::now();
            self.objects.remove(&key)?;
            let Some(object) = listed?.into_iter().next() else { continue };
            if read - started < SLOW {
                return Ok((read, id::millis(object.modified)));
            }
        }
        Err(StoreError::Away("it takes too long to read its clock".into()))
    }

    fn folder(job: &str) -> String {
        format!("{FOLDER}/{job}")
    }

    /// Takes the lease of a job for `term`, of some seconds or more; `None`: another holder has it.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn take(&self, job: &str, term: Duration) -> Result<Option<Lease>, StoreError> {
        let (started, now) = (Instant::now(), self.now()?);
        let epoch = documents::change_keeping(&*self.objects, &Leases::folder(job), KEPT, |document: &mut Document| {
            let is_taken = !document.holder.is_empty() && document.until.saturating_add(SLACK) > now;
            if is_taken {
                return Ok(None);
            }
            let epoch = document.epoch.saturating_add(1);
            *document = Document { holder: self.holder.clone(), epoch, until: until(now, term) };
            Ok(Some(epoch))
        })?;
        Ok(epoch.map(|epoch| Lease { job: job.to_owned(), epoch, term, ends: started + term }))
    }

    /// Prolongs a lease by its term from now on; false: another holder has it.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn renew(&self, lease: &mut Lease) -> Result<bool, StoreError> {
        let (started, now) = (Instant::now(), self.now()?);
        let is_own = self.change_own(lease, |document| document.until = until(now, lease.term))?;
        lease.ends = if is_own { started + lease.term } else { started };
        Ok(is_own)
    }

    /// Does `work`, prolonging the lease meanwhile.
    pub fn during<T>(&self, lease: &mut Lease, work: impl FnOnce() -> T) -> T {
        let (done, is_done) = std::sync::mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                while is_done.recv_timeout(lease.term / 3) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
                    // A store that is away may be back before the end.
                    if self.renew(lease).is_ok_and(|is_own| !is_own) {
                        return;
                    }
                }
            });
            let result = work();
            drop(done);
            result
        })
    }

    /// Gives a lease back, so that the next holder need not wait.
    ///
    /// # Errors
    /// The store does not answer; the lease then ends by itself.
    pub fn give_back(&self, lease: &Lease) -> Result<(), StoreError> {
        self.change_own(lease, |document| document.holder.clear()).map(|_| ())
    }

    /// Changes a document that this process holds; false: it does not.
    fn change_own(&self, lease: &Lease, change: impl Fn(&mut Document)) -> Result<bool, StoreError> {
        documents::change_keeping(&*self.objects, &Leases::folder(&lease.job), KEPT, |document: &mut Document| {
            let is_own = document.holder == self.holder && document.epoch == lease.epoch;
            if is_own {
                change(document);
            }
            Ok(is_own.then_some(true))
        })
        .map(|own| own.is_some())
    }
}

fn until(now: i64, term: Duration) -> i64 {
    now.saturating_add(i64::try_from(term.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::super::directory::Directory;
    use super::super::objects::{Created, Listed};
    use super::*;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::{AtomicI64, Ordering};

    const MINUTE: Duration = Duration::from_secs(60);

    /// A store whose clock differs from the machine's, by seconds.
    #[derive(Debug)]
    struct Shifted(Directory, AtomicI64);

    impl Objects for Shifted {
        fn create(&self, key: &str, content: Content<'_>) -> Result<Created, StoreError> {
            self.0.create(key, content)
        }
        fn read(&self, key: &str, most: u64) -> Result<Option<Vec<u8>>, StoreError> {
            self.0.read(key, most)
        }
        fn length(&self, key: &str) -> Result<Option<u64>, StoreError> {
            self.0.length(key)
        }
        fn local(&self, key: &str) -> Result<Option<PathBuf>, StoreError> {
            self.0.local(key)
        }
        fn list(&self, prefix: &str) -> Result<Vec<Listed>, StoreError> {
            let shift = self.1.load(Ordering::Relaxed);
            let by = Duration::from_secs(shift.unsigned_abs());
            let shifted = |at: SystemTime| if shift < 0 { at - by } else { at + by };
            Ok(self.0.list(prefix)?.into_iter().map(|object| Listed { modified: shifted(object.modified), ..object }).collect())
        }
        fn remove(&self, key: &str) -> Result<(), StoreError> {
            self.0.remove(key)
        }
        fn spool(&self) -> &Path {
            self.0.spool()
        }
        fn linger(&self) -> Duration {
            self.0.linger()
        }
        fn place(&self) -> String {
            self.0.place()
        }
    }

    fn forget_clock(leases: &Leases) {
        *leases.clock.lock().unwrap() = None;
    }

    fn directory() -> (tempfile::TempDir, Arc<dyn Objects>) {
        let folder = tempfile::tempdir().unwrap();
        let objects = Arc::new(Directory::open(folder.path()).unwrap());
        (folder, objects)
    }

    #[cfg(feature = "cloud-store")]
    fn stores() -> Vec<(Option<tempfile::TempDir>, Arc<dyn Objects>)> {
        let (folder, objects) = directory();
        vec![(Some(folder), objects), (None, Arc::new(super::super::cloud::Cloud::open("memory:///leases").unwrap()))]
    }

    #[cfg(not(feature = "cloud-store"))]
    fn stores() -> Vec<(Option<tempfile::TempDir>, Arc<dyn Objects>)> {
        let (folder, objects) = directory();
        vec![(Some(folder), objects)]
    }

    #[test]
    fn of_many_that_race_one_has_it() {
        for (_folder, objects) in stores() {
            for round in 1..=5 {
                let taken: Vec<(Leases, Option<Lease>)> = std::thread::scope(|scope| {
                    let take = || {
                        let leases = Leases::new(objects.clone()).unwrap();
                        let lease = leases.take("gc", MINUTE).unwrap();
                        (leases, lease)
                    };
                    let racing: Vec<_> = (0..6).map(|_| scope.spawn(take)).collect();
                    racing.into_iter().map(|thread| thread.join().unwrap()).collect()
                });
                let held: Vec<_> = taken.iter().filter_map(|(leases, lease)| Some((leases, lease.as_ref()?))).collect();
                assert_eq!(held.len(), 1, "round {round}");
                assert_eq!(held[0].1.epoch(), round);
                // Another job is another lease.
                let other = Leases::new(objects.clone()).unwrap();
                assert!(other.take(&format!("check/{round}"), MINUTE).unwrap().is_some());
                held[0].0.give_back(held[0].1).unwrap();
            }
        }
    }

    #[test]
    fn ends_are_those_of_the_stores_clock() {
        // A day off in either direction changes nothing.
        for shift in [-86_400, 0, 86_400] {
            let folder = tempfile::tempdir().unwrap();
            let objects = Arc::new(Shifted(Directory::open(folder.path()).unwrap(), AtomicI64::new(shift)));
            let [first, second] = [(); 2].map(|()| Leases::new(objects.clone()).unwrap());
            let mut lease = first.take("gc", MINUTE).unwrap().unwrap();
            assert!(lease.is_live());
            assert!(second.take("gc", MINUTE).unwrap().is_none(), "live");
            assert!(first.renew(&mut lease).unwrap());
            // Until its end and some seconds it is not taken; then it is.
            for (after, may) in [(58, false), (63, false), (67, true)] {
                objects.1.store(shift + after, Ordering::Relaxed);
                forget_clock(&second);
                assert_eq!(second.take("gc", MINUTE).unwrap().map(|lease| lease.epoch()), may.then_some(2), "{after}");
            }
            // The first holder finds out, and cannot give back what another one has.
            assert!(!first.renew(&mut lease).unwrap() && !lease.is_live());
            first.give_back(&lease).unwrap();
            assert!(first.take("gc", MINUTE).unwrap().is_none());
        }
    }

    #[test]
    fn few_versions_are_kept() {
        let (_folder, objects) = directory();
        let leases = Leases::new(objects.clone()).unwrap();
        for _ in 0..30 {
            leases.give_back(&leases.take("gc", MINUTE).unwrap().unwrap()).unwrap();
        }
        assert_eq!(objects.list("lease/gc/").unwrap().len(), KEPT);
        assert_eq!(leases.take("gc", MINUTE).unwrap().unwrap().epoch(), 31);
        assert!(objects.list("probe/").unwrap().is_empty());
    }
}
