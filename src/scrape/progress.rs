//! What is known of a target between two visits, and when the next one is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use super::process::Identity;
use super::target::Target;
use crate::store::{Envelope, Measured, Said};

/// Time until a target is asked again after its first failure.
const RETRY: Duration = Duration::from_secs(5);

/// Time over which the first visits are spread.
const FIRST: Duration = Duration::from_secs(10);

/// The last dump that was stored.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) envelope: Envelope,
    /// Bytes in use then, as growth is measured; `None`: not known.
    pub(super) value: Option<u64>,
    pub(super) process: ProcessState,
    /// Key of its mark as the last dump of its process.
    pub(super) mark: Option<String>,
}

/// What became of the process of a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ProcessState {
    Running,
    /// It does not answer.
    Away,
    /// Another one is in its place.
    Ended,
}

/// A dump that the store did not take yet.
#[derive(Debug)]
pub(super) struct Unstored {
    pub(super) measured: Measured,
    pub(super) said: Said,
    pub(super) value: Option<u64>,
    /// Its process has ended.
    pub(super) is_last: bool,
    /// Counts its bytes.
    pub(super) waiting: Waiting,
}

/// Bytes of a dump that waits, part of a sum.
#[derive(Debug)]
pub(super) struct Waiting(Arc<AtomicU64>, u64);

impl Waiting {
    pub(super) fn new(sum: &Arc<AtomicU64>, bytes: usize) -> Self {
        sum.fetch_add(bytes as u64, Ordering::Relaxed);
        Waiting(sum.clone(), bytes as u64)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.fetch_sub(self.1, Ordering::Relaxed);
    }
}

/// State of a target.
#[derive(Debug)]
pub(super) struct Progress {
    /// Failures since the last success.
    pub(super) failures: u32,
    /// Whether the last visit succeeded; `None`: there was none.
    pub(super) is_up: Option<bool>,
    /// Why the last visit failed.
    pub(super) error: String,
    pub(super) identity: Identity,
    pub(super) kept: Option<Kept>,
    /// The oldest first; at most one of each process.
    pub(super) unstored: Vec<Unstored>,
    /// Bytes in use at the last visit.
    pub(super) value: Option<u64>,
    pub(super) n_stored: u64,
    /// The store was asked for dumps of earlier servers.
    pub(super) is_restored: bool,
    next_dump: Instant,
    next: Instant,
}

impl Progress {
    pub(super) fn new(target: &Target, now: Instant) -> Self {
        let shortest = target.job.interval.min(target.job.probe_interval);
        let first = now + part(FIRST.min(shortest), target.spread());
        Progress {
            failures: 0,
            is_up: None,
            error: String::new(),
            identity: Identity::default(),
            kept: None,
            unstored: Vec::new(),
            value: None,
            n_stored: 0,
            is_restored: false,
            next_dump: first,
            next: first,
        }
    }

    /// Time of the next visit.
    pub(super) fn next(&self) -> Instant {
        self.next
    }

    /// Whether a dump is due by the interval.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        now >= self.next_dump
    }

    /// Decides when the next visit is, after one that succeeded; `was_due`: the dump of the interval was taken.
    pub(super) fn succeeded(&mut self, target: &Target, was_due: bool, now: Instant, clock: SystemTime) {
        (self.failures, self.is_up) = (0, Some(true));
        self.error.clear();
        let job = &target.job;
        if was_due {
            self.next_dump = now + until_phase(job.interval, target.spread(), clock);
        }
        let look = job.growth.is_some().then(|| now + part(job.probe_interval / 5, target.spread()) + job.probe_interval * 9 / 10);
        self.next = look.map_or(self.next_dump, |look| look.min(self.next_dump));
    }

    /// Decides when the next visit is, after one that failed.
    pub(super) fn failed(&mut self, target: &Target, error: String, now: Instant) {
        (self.error, self.is_up) = (error, Some(false));
        let most = target.job.interval.max(RETRY);
        let wait = RETRY.min(target.job.interval).saturating_mul(1 << self.failures.min(16)).min(most);
        self.failures = self.failures.saturating_add(1);
        self.next = now + wait + part(wait / 5, target.spread());
    }

    /// Keeps a dump that the store did not take: the latest of each process.
    pub(super) fn put_aside(&mut self, dump: Unstored) {
        const MOST: usize = 4;
        self.unstored.pop_if(|last| !last.is_last);
        if self.unstored.len() == MOST {
            self.unstored.remove(0);
        }
        self.unstored.push(dump);
    }
}

/// A part of a time that depends on `spread`.
fn part(of: Duration, spread: u64) -> Duration {
    Duration::from_millis(spread % u64::try_from(of.as_millis()).unwrap_or(u64::MAX).max(1))
}

/// Time until the interval begins for a target with this `spread`, at least half an interval from now. All servers agree on it,
/// and targets are asked evenly over the interval.
fn until_phase(interval: Duration, spread: u64, clock: SystemTime) -> Duration {
    let interval_millis = interval.as_millis().max(1);
    let now = clock.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    let earliest = now + interval_millis / 2;
    let wait = (u128::from(spread) % interval_millis + interval_millis - earliest % interval_millis) % interval_millis;
    Duration::from_millis(u64::try_from(wait + interval_millis / 2).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scrape::{GrowthStep, ScrapeJob};

    fn target(growth: bool) -> Target {
        let mut job = ScrapeJob::new("shop");
        job.growth = growth.then_some(GrowthStep::Bytes(1));
        Target::new(&Arc::new(job), "h:1", &std::collections::BTreeMap::new()).unwrap()
    }

    #[test]
    fn targets_are_asked_evenly_over_the_interval() {
        let (now, clock) = (Instant::now(), UNIX_EPOCH + Duration::from_millis(1_795_341_845_123));
        let interval = Duration::from_secs(600);
        for spread in [0, 1, 599_999, 600_000, u64::MAX] {
            let wait = until_phase(interval, spread, clock);
            assert!((300..=900).contains(&wait.as_secs()), "{wait:?}");
            let again = until_phase(interval, spread, clock + wait);
            assert_eq!(again, interval, "from then on exactly");
        }
        let target = target(false);
        let mut progress = Progress::new(&target, now);
        assert!(progress.next() < now + FIRST && progress.is_due(now + FIRST));
        progress.succeeded(&target, true, now, clock);
        assert!(progress.next() > now + Duration::from_secs(299) && !progress.is_due(now + Duration::from_secs(299)));
    }

    #[test]
    fn growth_is_looked_at_between_dumps() {
        let (now, target) = (Instant::now(), target(true));
        let mut progress = Progress::new(&target, now);
        progress.succeeded(&target, true, now, SystemTime::now());
        let wait = progress.next() - now;
        assert!((27..=33).contains(&wait.as_secs()), "{wait:?}");
        assert!(!progress.is_due(progress.next()));
    }

    #[test]
    fn failures_wait_longer_each_time_up_to_the_interval() {
        let (now, target) = (Instant::now(), target(false));
        let mut progress = Progress::new(&target, now);
        let mut waits = Vec::new();
        for _ in 0..12 {
            progress.failed(&target, "no".into(), now);
            waits.push((progress.next() - now).as_secs());
        }
        assert!(waits[0] <= 6 && waits[3] >= 40 && waits[11] <= 720, "{waits:?}");
        progress.succeeded(&target, true, now, SystemTime::now());
        assert_eq!((progress.failures, progress.is_up, progress.error.as_str()), (0, Some(true), ""));
    }
}
