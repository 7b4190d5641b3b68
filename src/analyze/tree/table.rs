//! Data of a table that is shared by its windows.

use std::sync::{Mutex, OnceLock, PoisonError};

use super::by_key::ByKey;
use crate::query::CutSpec;
use crate::report::Inlining;

/// Data shared by all windows of a table, since users scroll and search.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) sums: OnceLock<ByKey<[i64; 2]>>,
    /// Key → how it came into its callers.
    pub(crate) inlining: OnceLock<Vec<Inlining>>,
    /// Key → container type of most of its memory.
    pub(crate) types: OnceLock<Vec<(u32, [i64; 2])>>,
    /// Last order, with the options it was computed for.
    sorted: Mutex<Option<(CutSpec, Vec<u32>)>>,
}

impl Table {
    /// Bytes on the heap, as far as it is made.
    pub(crate) fn heap_bytes(&self) -> usize {
        let sums = self.sums.get().map_or(0, |sums| sums.len() * size_of::<[i64; 2]>());
        let inlining = self.inlining.get().map_or(0, |inlining| inlining.capacity() * size_of::<Inlining>());
        let types = self.types.get().map_or(0, |types| types.capacity() * size_of::<(u32, [i64; 2])>());
        let sorted = self.sorted.lock().unwrap_or_else(PoisonError::into_inner);
        sums + inlining + types + sorted.as_ref().map_or(0, |(_, keys)| keys.capacity() * size_of::<u32>())
    }

    /// Keys in the order of `cut`: sorted by `sort`, unless the previous request had the same order.
    pub(crate) fn sorted(&self, cut: &CutSpec, sort: impl FnOnce() -> Vec<u32>) -> Vec<u32> {
        let window = CutSpec { find: None, rows: None, seek: String::new(), ..cut.clone() };
        let kept = || self.sorted.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, keys)) = kept().as_ref().filter(|(known, _)| *known == window) {
            return keys.clone();
        }
        // Sorted without the lock: two may do it at once, none waits.
        let keys = sort();
        *kept() = Some((window, keys.clone()));
        keys
    }
}
