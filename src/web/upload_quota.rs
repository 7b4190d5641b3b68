//! Bytes that uploads may take.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::WebError;

/// Bytes of files that were taken, of so many that may be.
#[derive(Clone)]
pub(super) struct UploadQuota {
    taken: Arc<AtomicU64>,
    /// Bytes of them that belong to opened files.
    kept: Arc<AtomicU64>,
    most: u64,
}

impl UploadQuota {
    pub(super) fn new(most: u64) -> Self {
        UploadQuota { taken: Arc::default(), kept: Arc::default(), most }
    }

    /// Bytes that may still be taken.
    pub(super) fn left(&self) -> u64 {
        self.most.saturating_sub(self.taken.load(Ordering::Relaxed))
    }

    /// A share for a file that begins to come.
    pub(super) fn reserve(&self) -> Reservation {
        Reservation { quota: self.clone(), n: 0 }
    }

    /// Gives back the shares of all opened files: these were closed.
    pub(super) fn give_back(&self) {
        let kept = self.kept.swap(0, Ordering::Relaxed);
        self.taken.fetch_sub(kept, Ordering::Relaxed);
    }

    pub(super) fn too_big(&self) -> WebError {
        WebError::TooBig { most: self.most, left: self.left() }
    }
}

/// A file's share; given back when it is dropped and not kept.
pub(super) struct Reservation {
    quota: UploadQuota,
    n: u64,
}

impl Reservation {
    pub(super) fn grow(&mut self, n: u64) -> Result<(), WebError> {
        let fits = |taken: u64| taken.checked_add(n).filter(|sum| *sum <= self.quota.most);
        self.quota.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits).map_err(|_| self.quota.too_big())?;
        self.n += n;
        Ok(())
    }

    /// Bytes of the share.
    pub(super) fn n(&self) -> u64 {
        self.n
    }

    pub(super) fn keep(mut self) {
        self.quota.kept.fetch_add(self.n, Ordering::Relaxed);
        self.n = 0;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.quota.taken.fetch_sub(self.n, Ordering::Relaxed);
    }
}
