//! State of the team server.

use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

use super::metrics::Metrics;
use super::sessions::Sessions;
use crate::scrape::Scraper;
use crate::store::{OpenDumps, Store};
use crate::web::access::{self, Failures};
use crate::web::app::Shared;
use crate::web::limits::Limits;
use crate::web::upload_quota::UploadQuota;

/// Configuration of a team server.
#[derive(Clone)]
pub struct TeamSetup {
    /// The store.
    pub store: Arc<Store>,
    /// Opens its dumps.
    pub opener: Arc<dyn OpenDumps>,
    /// Beginning of the server's addresses, such as `https://heap.example.org`; empty: the name that a request was sent to.
    pub url: String,
    /// While the store has no token, everybody may do everything: for servers that only this machine reaches.
    pub is_open: bool,
    /// Bytes that open profiles may take together.
    pub most_memory: usize,
    /// Bytes of uploads that are received or read at the same time.
    pub most_received: u64,
    /// Connections, times and bytes that visitors may use.
    pub limits: Limits,
    /// Takes dumps of running programs.
    pub scraper: Option<Scraper>,
}

/// Shared state of the request handlers.
#[derive(Clone)]
pub(in crate::web) struct Team(Arc<Inner>);

pub(in crate::web) struct Inner {
    pub(super) setup: TeamSetup,
    pub(super) sessions: Sessions,
    failures: Mutex<Failures>,
    /// Uploads that are received.
    pub(super) received: UploadQuota,
    /// Turns to read uploads.
    pub(super) turns: Arc<Semaphore>,
    metrics: Metrics,
    is_stopping: AtomicBool,
    /// Generation of the store whose binaries open profiles have names of.
    named: AtomicU64,
}

impl std::ops::Deref for Team {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

impl Team {
    pub(super) fn new(setup: TeamSetup) -> Self {
        Team(Arc::new(Inner {
            sessions: Sessions::new(setup.opener.clone(), setup.limits.clone(), Shared::new(&setup.limits), setup.most_memory),
            failures: Mutex::default(),
            received: UploadQuota::new(setup.most_received),
            turns: Arc::new(Semaphore::new(setup.limits.turns)),
            metrics: Metrics::default(),
            is_stopping: AtomicBool::new(false),
            named: AtomicU64::new(setup.store.binaries_generation()),
            setup,
        }))
    }

    pub(super) fn store(&self) -> &Arc<Store> {
        &self.setup.store
    }

    /// Counts a wrong token of `peer`; returns how long its sender should wait for the answer.
    pub(super) fn count_failure(&self, peer: Option<IpAddr>) -> Duration {
        access::delay(self.failures.lock().unwrap_or_else(PoisonError::into_inner).count(peer, Instant::now()))
    }

    pub(super) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Reads what other servers wrote, drops what is not used, and looks for names again when binaries came. Blocks.
    pub(super) fn refresh(&self) {
        match self.store().refresh(false) {
            Ok(()) => self.metrics.store_well(),
            Err(_) => self.metrics.store_error(),
        }
        self.name_again();
        self.sessions.tidy();
    }

    /// Looks for names of open profiles again if binaries came since the last time.
    pub(super) fn name_again(&self) {
        let now = self.store().binaries_generation();
        if self.named.swap(now, Ordering::Relaxed) != now {
            self.sessions.name_again();
        }
    }

    /// The server ends: it answers what is under way.
    pub(super) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }
}
