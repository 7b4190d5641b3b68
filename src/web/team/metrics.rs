//! Counters since the start.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use axum::http::StatusCode;

use super::histogram::Histogram;
use crate::store::Uploaded;

/// Beginnings of paths, as labels of metrics; the first that fits. There are few, whatever is asked for.
const ROUTES: [&str; 17] = [
    "/api/v1/dumps",
    "/api/v1/binaries",
    "/api/v1/services",
    "/api/v1/links",
    "/api/",
    "/buildid/",
    "/d/",
    "/s/",
    "/l/",
    "/services/",
    "/assets/",
    "/metrics",
    "/healthz",
    "/login",
    "/push.v1.",
    "/ingest",
    "/v1development/",
];

/// What became of an upload, as a label of metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Outcome {
    Stored,
    /// Stored before.
    Known,
    /// The sender's mistake, or a quota.
    Refused,
    /// The server's or the store's.
    Failed,
}

impl Outcome {
    pub(super) fn name(self) -> &'static str {
        match self {
            Outcome::Stored => "stored",
            Outcome::Known => "known",
            Outcome::Refused => "refused",
            Outcome::Failed => "failed",
        }
    }
}

/// What answers took and were, by route.
#[derive(Default)]
pub(super) struct Answers {
    /// Route and status → answers.
    pub(super) counts: BTreeMap<(&'static str, u16), u64>,
    /// Route → times until the answer began.
    pub(super) times: BTreeMap<&'static str, Histogram>,
}

/// Counters since the start.
pub(in crate::web) struct Metrics {
    /// When it started, seconds since 1970.
    pub(super) started: u64,
    under_way: AtomicU64,
    waiting: AtomicU64,
    requests: AtomicU64,
    pub(super) bytes: AtomicU64,
    pub(super) store_errors: AtomicU64,
    pub(super) is_store_away: AtomicBool,
    /// Kind, `dump` or `binary`, and outcome → uploads.
    uploads: Mutex<BTreeMap<(&'static str, Outcome), u64>>,
    /// Feed and what became of a profile → profiles.
    fed: Mutex<BTreeMap<(&'static str, &'static str), u64>>,
    answers: Mutex<Answers>,
}

impl Default for Metrics {
    fn default() -> Self {
        let started = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
        Metrics {
            started,
            under_way: AtomicU64::default(),
            waiting: AtomicU64::default(),
            requests: AtomicU64::default(),
            bytes: AtomicU64::default(),
            store_errors: AtomicU64::default(),
            is_store_away: AtomicBool::default(),
            uploads: Mutex::default(),
            fed: Mutex::default(),
            answers: Mutex::default(),
        }
    }
}

/// Counts one until it is dropped.
pub(super) struct Counted<'a>(&'a AtomicU64);

impl<'a> Counted<'a> {
    fn new(counter: &'a AtomicU64) -> Self {
        counter.fetch_add(1, Ordering::Relaxed);
        Counted(counter)
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Metrics {
    /// A request begins to be answered.
    pub(super) fn begin(&self) -> Counted<'_> {
        Counted::new(&self.under_way)
    }

    pub(super) fn under_way(&self) -> u64 {
        self.under_way.load(Ordering::Relaxed)
    }

    /// Something waits for its turn to read dumps.
    pub(super) fn wait(&self) -> Counted<'_> {
        Counted::new(&self.waiting)
    }

    pub(super) fn waiting(&self) -> u64 {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Number of the next request.
    pub(super) fn next_request(&self) -> u64 {
        self.requests.fetch_add(1, Ordering::Relaxed) + 1
    }

    pub(super) fn stored(&self, uploaded: &Uploaded) {
        self.uploaded("dump", if uploaded.was_known { Outcome::Known } else { Outcome::Stored });
        self.bytes.fetch_add(uploaded.envelope.bytes, Ordering::Relaxed);
    }

    /// Counts a profile of an agent: the address it came to, and what became of it.
    pub(super) fn add_fed(&self, feed: &'static str, outcome: &'static str) {
        *lock(&self.fed).entry((feed, outcome)).or_default() += 1;
    }

    /// Feed and what became of a profile → profiles.
    pub(super) fn fed(&self) -> BTreeMap<(&'static str, &'static str), u64> {
        lock(&self.fed).clone()
    }

    /// Counts an upload of a `dump` or `binary`.
    pub(super) fn uploaded(&self, kind: &'static str, outcome: Outcome) {
        *lock(&self.uploads).entry((kind, outcome)).or_default() += 1;
    }

    /// Kind and outcome → uploads.
    pub(super) fn uploads(&self) -> BTreeMap<(&'static str, Outcome), u64> {
        lock(&self.uploads).clone()
    }

    /// Counts an error of the store.
    pub(super) fn store_error(&self) {
        self.store_errors.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether the store answers; returns whether that is new.
    pub(super) fn store_answers(&self, is_well: bool) -> bool {
        self.is_store_away.swap(!is_well, Ordering::Relaxed) == is_well
    }

    /// Counts an answer.
    pub(super) fn answered(&self, path: &str, status: StatusCode, time: Duration) {
        let route = ROUTES.iter().find(|start| path.starts_with(**start)).copied().unwrap_or("/");
        let mut answers = lock(&self.answers);
        *answers.counts.entry((route, status.as_u16())).or_default() += 1;
        answers.times.entry(route).or_default().add(time);
    }

    pub(super) fn answers(&self) -> MutexGuard<'_, Answers> {
        lock(&self.answers)
    }
}
