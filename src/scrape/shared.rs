//! What all visits use.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::status::ScrapeResult;
use crate::store::Store;

/// What all visits use.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) store: Arc<Store>,
    /// Held while a dump is read.
    pub(super) reading: Mutex<()>,
    /// Bytes of answers in memory.
    pub(super) received: AtomicU64,
    /// Bytes of dumps that the store did not take yet.
    pub(super) waiting: Arc<AtomicU64>,
    counters: Mutex<BTreeMap<(String, ScrapeResult), u64>>,
}

impl Shared {
    pub(super) fn new(store: Arc<Store>) -> Self {
        Shared { store, reading: Mutex::default(), received: AtomicU64::new(0), waiting: Arc::default(), counters: Mutex::default() }
    }

    /// Job and result → answers since the start.
    pub(super) fn counters(&self) -> Vec<(String, ScrapeResult, u64)> {
        lock(&self.counters).iter().map(|((job, result), n)| (job.clone(), *result, *n)).collect()
    }

    pub(super) fn count(&self, job: &str, result: ScrapeResult) {
        *lock(&self.counters).entry((job.to_owned(), result)).or_default() += 1;
    }
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
