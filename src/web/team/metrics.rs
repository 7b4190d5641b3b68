//! Counters since the start.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use axum::http::StatusCode;

use crate::store::Uploaded;

/// Counters since the start.
#[derive(Default)]
pub(in crate::web) struct Metrics {
    under_way: AtomicU64,
    pub(super) stored: AtomicU64,
    pub(super) known: AtomicU64,
    pub(super) bytes: AtomicU64,
    pub(super) store_errors: AtomicU64,
    pub(super) is_store_away: AtomicBool,
    /// Feed and what became of a profile → profiles.
    pub(super) fed: Mutex<BTreeMap<(&'static str, &'static str), u64>>,
    /// Kind of address and status → answers.
    pub(super) answers: Mutex<BTreeMap<(&'static str, u16), u64>>,
}

/// A request that is being answered.
pub(super) struct Busy<'a>(&'a Metrics);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Metrics {
    pub(super) fn begin(&self) -> Busy<'_> {
        self.under_way.fetch_add(1, Ordering::Relaxed);
        Busy(self)
    }

    pub(super) fn under_way(&self) -> u64 {
        self.under_way.load(Ordering::Relaxed)
    }

    pub(super) fn stored(&self, uploaded: &Uploaded) {
        let counter = if uploaded.was_known { &self.known } else { &self.stored };
        counter.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(uploaded.envelope.bytes, Ordering::Relaxed);
    }

    pub(super) fn fed(&self, feed: &'static str, outcome: &'static str) {
        *self.fed.lock().unwrap_or_else(PoisonError::into_inner).entry((feed, outcome)).or_default() += 1;
    }

    pub(super) fn store_error(&self) {
        self.store_errors.fetch_add(1, Ordering::Relaxed);
        self.is_store_away.store(true, Ordering::Relaxed);
    }

    pub(super) fn store_well(&self) {
        self.is_store_away.store(false, Ordering::Relaxed);
    }

    pub(super) fn answered(&self, path: &str, status: StatusCode) {
        let kinds = [
            "/api/v1/dumps",
            "/api/v1/binaries",
            "/api/v1/",
            "/buildid/",
            "/d/",
            "/s/",
            "/services/",
            "/assets/",
            "/metrics",
            "/healthz",
            "/push.v1.",
            "/ingest",
            "/v1development/",
        ];
        let kind = kinds.iter().find(|start| path.starts_with(**start)).copied().unwrap_or("/");
        *self.answers.lock().unwrap_or_else(PoisonError::into_inner).entry((kind, status.as_u16())).or_default() += 1;
    }
}
