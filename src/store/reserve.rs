//! Parts of quotas that uploads take.

use std::time::SystemTime;

use super::locks::read;
use super::quota::{Amount, OverQuota, Quota, Reserved};
use super::{Store, id};

impl Store {
    /// Takes a part of a token's quota for an upload, until the result is dropped: `dumps` new dumps and `bytes` bytes. With 0 bytes it
    /// only refuses tokens that have nothing left.
    ///
    /// # Errors
    /// The quota is used up.
    pub fn reserve(&self, token: &str, dumps: u64, bytes: u64) -> Result<Option<Reserved<'_>>, OverQuota> {
        let quota = read(&self.documents).0.quota_of(token);
        let Some(quota) = quota.filter(|quota| *quota != Quota::default()) else { return Ok(None) };
        let now = id::millis(SystemTime::now());
        let binaries = read(&self.builds).sent().bytes(token, now);
        let catalog = read(&self.catalog);
        self.pending.take(token, quota, (catalog.sent(), binaries), Amount { dumps, bytes }, now).map(Some)
    }
}
