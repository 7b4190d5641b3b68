//! When each target is visited, and by which thread.
//!
//! One thread decides; each visit has a thread of its own, at most [`MOST_VISITS`] at a time, and those to targets that failed take
//! at most half of them, so that slow targets never stop the others.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, mpsc};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::discovery::{Discovered, discover};
use super::duty::{Duties, RENEWAL};
use super::job::ScrapeJob;
use super::progress::Progress;
use super::requests::Failure;
use super::shared::{Shared, lock};
use super::status::{ScrapeResult, TargetStatus};
use super::target::Target;
use super::visit::{deliver, farewell, visit};
use crate::store::Store;

/// Most visits at the same time.
const MOST_VISITS: usize = 16;

/// Interval at which files with targets are read.
const DISCOVERY: Duration = Duration::from_secs(15);

/// Time for visits that are under way when the server is stopped.
const STOP: Duration = Duration::from_secs(10);

type Key = (String, String, String);

/// A target and what is known of it.
struct Slot {
    target: Arc<Target>,
    /// `None` while it is visited.
    progress: Option<Progress>,
    status: TargetStatus,
    next: Instant,
    has_failed: bool,
    /// This server asks it.
    is_own: bool,
    /// It is no longer listed.
    is_removed: bool,
}

impl Slot {
    /// It is visited, or has dumps that the store did not take yet.
    fn is_unfinished(&self) -> bool {
        self.progress.as_ref().is_none_or(|progress| !progress.unstored.is_empty())
    }
}

#[derive(Default)]
struct State {
    jobs: Vec<Arc<ScrapeJob>>,
    slots: BTreeMap<Key, Slot>,
    /// What discovery could not read.
    problems: Vec<String>,
    /// Time of the next discovery; `None`: now.
    discovery: Option<Instant>,
    /// Visits under way, and those to targets that failed.
    running: (usize, usize),
    /// Jobs that this server does; others belong to other servers of the store.
    own: BTreeSet<String>,
    /// The thread that decides has ended.
    has_ended: bool,
}

struct Inner {
    shared: Shared,
    state: Mutex<State>,
    changed: Condvar,
    is_stopping: AtomicBool,
}

/// Takes dumps of the targets of its jobs.
#[derive(Clone)]
pub struct Scraper(Arc<Inner>);

impl Scraper {
    /// Starts to take dumps into `store`.
    pub fn start(store: Arc<Store>, jobs: Vec<ScrapeJob>) -> Self {
        let inner =
            Inner { shared: Shared::new(store), state: Mutex::default(), changed: Condvar::new(), is_stopping: AtomicBool::new(false) };
        let scraper = Scraper(Arc::new(inner));
        scraper.reload(jobs);
        let own = scraper.clone();
        std::thread::spawn(move || own.run());
        scraper
    }

    /// Replaces the jobs. Targets that stay keep their state.
    pub fn reload(&self, jobs: Vec<ScrapeJob>) {
        let mut state = lock(&self.0.state);
        state.jobs = jobs.into_iter().map(Arc::new).collect();
        state.discovery = None;
        self.0.changed.notify_all();
    }

    /// Begins no more visits, and waits for those under way; what they took is stored.
    pub fn stop(&self) {
        self.0.is_stopping.store(true, Ordering::Relaxed);
        self.0.changed.notify_all();
        let end = Instant::now() + STOP;
        let mut state = lock(&self.0.state);
        while (state.running.0 > 0 || !state.has_ended) && Instant::now() < end {
            state =
                self.0.changed.wait_timeout(state, Duration::from_millis(50)).map_or_else(|error| error.into_inner().0, |(state, _)| state);
        }
        drop(state);
        let (done, wait) = mpsc::channel();
        let scraper = self.clone();
        std::thread::spawn(move || {
            scraper.deliver_all();
            let _ = done.send(());
        });
        // What the store does not take in time is lost.
        let _ = wait.recv_timeout(STOP);
    }

    /// Stores what waits, a last time.
    fn deliver_all(&self) {
        let mut state = lock(&self.0.state);
        let mut waiting = Vec::new();
        for slot in state.slots.values_mut() {
            waiting.extend(slot.progress.take_if(|progress| !progress.unstored.is_empty()).map(|progress| (slot.target.clone(), progress)));
        }
        drop(state);
        for (target, mut progress) in waiting {
            let _ = deliver(&self.0.shared, &target, &mut progress);
            if let Some(slot) = lock(&self.0.state).slots.get_mut(&target.key()) {
                slot.status = TargetStatus { elsewhere: slot.status.elsewhere, ..status(&target, &progress, Instant::now()) };
                slot.progress = Some(progress);
            }
        }
    }

    /// State of all targets, by job and address.
    pub fn targets(&self) -> Vec<TargetStatus> {
        lock(&self.0.state).slots.values().filter(|slot| !slot.is_removed).map(|slot| slot.status.clone()).collect()
    }

    /// Files with targets that cannot be used, a sentence each.
    pub fn problems(&self) -> Vec<String> {
        lock(&self.0.state).problems.clone()
    }

    /// Job and result → answers since the start.
    pub fn counters(&self) -> Vec<(String, ScrapeResult, u64)> {
        self.0.shared.counters()
    }

    fn run(&self) {
        let mut duties = Duties::default();
        let mut renewal: Option<Instant> = None;
        let mut state = lock(&self.0.state);
        while !self.0.is_stopping.load(Ordering::Relaxed) {
            let now = Instant::now();
            let is_new = state.discovery.is_none();
            if is_new || renewal.is_none_or(|at| now >= at) {
                renewal = Some(now + RENEWAL);
                let jobs = state.jobs.clone();
                drop(state);
                duties.refresh(&self.0.shared.store, &jobs);
                state = lock(&self.0.state);
                state.set_own(&jobs, &duties);
            }
            if state.discovery.is_none_or(|at| now >= at) {
                state.discovery = Some(now + DISCOVERY);
                let jobs = state.jobs.clone();
                drop(state);
                let found: Vec<Discovered> = jobs.iter().map(discover).collect();
                state = lock(&self.0.state);
                // They may have been replaced meanwhile.
                if state.jobs == jobs {
                    state.take(&jobs, found, now);
                }
                continue;
            }
            self.begin(&mut state, now);
            let next = state
                .slots
                .values()
                .filter(|slot| slot.progress.is_some() && (slot.is_own || slot.is_unfinished()))
                .map(|slot| slot.next)
                .chain(state.discovery)
                .min();
            let wait = next.map_or(DISCOVERY, |next| next.saturating_duration_since(Instant::now()));
            // Where there is no turn, the end of a visit wakes it.
            let wait = wait.clamp(Duration::from_millis(20), Duration::from_secs(1));
            state = self.0.changed.wait_timeout(state, wait).map_or_else(|error| error.into_inner().0, |(state, _)| state);
        }
        drop(state);
        duties.end(&self.0.shared.store);
        lock(&self.0.state).has_ended = true;
        self.0.changed.notify_all();
    }

    /// Begins visits that are due, as far as there are turns.
    fn begin(&self, state: &mut State, now: Instant) {
        let is_ready = |slot: &&mut Slot| slot.progress.is_some() && (slot.is_own || slot.is_unfinished()) && slot.next <= now;
        let mut due: Vec<&mut Slot> = state.slots.values_mut().filter(is_ready).collect();
        due.sort_by_key(|slot| slot.next);
        for slot in due {
            let (running, failed) = state.running;
            if running >= MOST_VISITS {
                break;
            }
            if slot.has_failed && failed >= MOST_VISITS / 2 {
                continue;
            }
            let Some(progress) = slot.progress.take() else { continue };
            let (scraper, target) = (self.clone(), slot.target.clone());
            let is_of_failed = slot.has_failed;
            state.running = (running + 1, failed + usize::from(is_of_failed));
            let (is_own, is_removed) = (slot.is_own, slot.is_removed);
            std::thread::spawn(move || scraper.visit(&target, progress, (is_own, is_removed), is_of_failed));
        }
    }

    fn visit(&self, target: &Target, mut progress: Progress, (is_own, is_removed): (bool, bool), is_of_failed: bool) {
        let shared = &self.0.shared;
        let is_due = progress.is_due(Instant::now());
        let work = || match (is_own, is_removed) {
            (false, _) => deliver(shared, target, &mut progress),
            (true, true) => farewell(shared, target, &mut progress),
            (true, false) => visit(shared, target, &mut progress, is_due),
        };
        let work = std::panic::AssertUnwindSafe(work);
        let done = std::panic::catch_unwind(work).unwrap_or_else(|_| Err(Failure::new("reading the answer failed")));
        let now = Instant::now();
        match &done {
            Ok(()) => progress.succeeded(target, is_due, now, SystemTime::now()),
            Err(failure) => {
                shared.count(&target.job.name, ScrapeResult::Failed);
                progress.failed(target, failure.error.clone(), now);
            }
        }
        let mut state = lock(&self.0.state);
        state.running = (state.running.0 - 1, state.running.1 - usize::from(is_of_failed));
        if let Some(slot) = state.slots.get_mut(&target.key()) {
            slot.has_failed = done.is_err();
            slot.next = progress.next();
            slot.status = TargetStatus { elsewhere: !slot.is_own, ..status(target, &progress, now) };
            slot.progress = Some(progress);
            if is_removed && slot.is_removed && done.is_ok() {
                state.slots.remove(&target.key());
            } else if slot.is_removed {
                slot.next = if is_removed { slot.next } else { now };
            }
        }
        drop(state);
        self.0.changed.notify_all();
    }
}

impl State {
    /// Notes which jobs this server does. What it takes over may have dumps of another server.
    fn set_own(&mut self, jobs: &[Arc<ScrapeJob>], duties: &Duties) {
        let own: BTreeSet<String> = jobs.iter().map(|job| job.name.clone()).filter(|job| duties.has(job)).collect();
        // What is no longer listed is ended by the server that had it.
        let is_listed = |slot: &&mut Slot| !slot.is_removed && jobs.contains(&slot.target.job);
        for slot in self.slots.values_mut().filter(is_listed) {
            let is_own = own.contains(&slot.target.job.name);
            if let Some(progress) = slot.progress.as_mut().filter(|_| is_own && !slot.is_own) {
                progress.is_restored = false;
            }
            (slot.is_own, slot.status.elsewhere) = (is_own, !is_own);
        }
        self.own = own;
    }

    /// Takes what discovery found.
    fn take(&mut self, jobs: &[Arc<ScrapeJob>], found: Vec<Discovered>, now: Instant) {
        self.problems = found.iter().flat_map(|found| found.problems.clone()).collect();
        // A file that cannot be read at the moment removes none of its own.
        let unread: BTreeMap<&str, &[PathBuf]> =
            jobs.iter().zip(&found).map(|(job, found)| (job.name.as_str(), &found.unread[..])).collect();
        for Slot { target, is_removed, .. } in self.slots.values_mut() {
            let of_job = unread.get(target.job.name.as_str()).copied().unwrap_or_default();
            *is_removed = !target.file.as_ref().is_some_and(|file| of_job.iter().any(|unread| file.starts_with(unread)));
        }
        for target in found.into_iter().flat_map(|found| found.targets) {
            let target = Arc::new(target);
            match self.slots.get_mut(&target.key()) {
                Some(slot) => (slot.target, slot.is_removed) = (target, false),
                None => {
                    let progress = Progress::new(&target, now);
                    let (mut status, next, key) = (status(&target, &progress, now), progress.next(), target.key());
                    let is_own = self.own.contains(&target.job.name);
                    status.elsewhere = !is_own;
                    let slot = Slot { target, progress: Some(progress), status, next, has_failed: false, is_own, is_removed: false };
                    self.slots.insert(key, slot);
                }
            }
        }
        self.slots.retain(|_, slot| slot.is_own || !slot.is_removed || slot.is_unfinished());
        self.slots.values_mut().filter(|slot| slot.is_removed && slot.progress.is_some()).for_each(|slot| slot.next = now);
    }
}

fn status(target: &Target, progress: &Progress, now: Instant) -> TargetStatus {
    let clock = SystemTime::now() + progress.next().saturating_duration_since(now);
    let next = clock.duration_since(UNIX_EPOCH).map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX));
    let kept = progress.kept.as_ref();
    TargetStatus {
        job: target.job.name.clone(),
        service: target.value("service").to_owned(),
        instance: target.instance.clone(),
        address: target.address.to_string(),
        up: progress.is_up,
        error: progress.error.clone(),
        failures: progress.failures,
        stored: progress.n_stored,
        waiting: progress.unstored.len() as u64,
        in_use: progress.value,
        last_dump: kept.map_or(String::new(), |kept| kept.envelope.sha256.short().to_string()),
        last_dump_time: kept.map_or(0, |kept| kept.envelope.received),
        last_before_exit: kept.is_some_and(|kept| kept.mark.is_some()),
        next,
        elsewhere: false,
    }
}
