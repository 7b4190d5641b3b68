//! Resident memory of the program: the sum of its regions.

use crate::base::hash::HashMap;

/// Most regions; more are not counted.
const MOST: usize = 1 << 20;

/// The recorder's own memory.
const OWN: &[u8] = b"[anon:bytehound]";

/// Regions by map and address.
#[derive(Debug, Default)]
pub(super) struct Resident {
    /// KiB of each; `None`: the recorder's own.
    regions: HashMap<(u64, u64), Option<u64>>,
    /// Sum of all, KiB.
    kilobytes: u64,
}

impl Resident {
    pub(super) fn add(&mut self, map: u64, address: u64, name: &[u8]) {
        if self.regions.len() < MOST {
            self.remove(map, address);
            self.regions.insert((map, address), (name != OWN).then_some(0));
        }
    }

    pub(super) fn remove(&mut self, map: u64, address: u64) {
        if let Some(Some(kilobytes)) = self.regions.remove(&(map, address)) {
            self.kilobytes -= kilobytes;
        }
    }

    pub(super) fn set(&mut self, map: u64, address: u64, kilobytes: u64) {
        if self.regions.len() >= MOST && !self.regions.contains_key(&(map, address)) {
            return;
        }
        // No machine has more.
        let kilobytes = kilobytes.min(1 << 40);
        if let Some(known) = self.regions.entry((map, address)).or_insert(Some(0)) {
            self.kilobytes = self.kilobytes - *known + kilobytes;
            *known = kilobytes;
        }
    }

    /// Sum of all, bytes.
    pub(super) fn bytes(&self) -> i64 {
        i64::try_from(self.kilobytes).unwrap_or(i64::MAX).saturating_mul(1024)
    }
}
