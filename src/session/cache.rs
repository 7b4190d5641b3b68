//! Call trees and totals that were computed, up to so many bytes.
//!
//! The profile itself is not counted. What was used last goes last; what was not used between two calls of
//! [`Cache::drop_unused`] goes, too.

use std::sync::Arc;

use crate::analyze::{AtMoment, CallTree, CallTreeKey, LabelledProfile, LabelledProfileKey, MomentKey, TreeTotals};
use crate::attribution::Attribution;
use crate::profile::Profile;
use crate::query::{KindRules, WeightSpec};

/// Most entries, whatever their sizes: they are searched one by one.
const ENTRIES: usize = 64;

/// Value of an entry.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "there are few")]
pub(super) enum Key {
    AtMoment(MomentKey),
    LabelledProfile(LabelledProfileKey),
    Attribution(KindRules),
    CallTree(CallTreeKey),
    TreeTotals(CallTreeKey, WeightSpec),
}

/// An entry.
#[derive(Clone)]
pub(super) enum Value {
    AtMoment(Arc<AtMoment>),
    LabelledProfile(Arc<LabelledProfile>),
    Attribution(Arc<Attribution>),
    CallTree(Arc<CallTree>),
    TreeTotals(Arc<TreeTotals>),
}

/// Something that takes memory.
pub(super) trait HeapBytes {
    /// Bytes on the heap, as they are now.
    fn heap_bytes(&self) -> usize;
}

impl HeapBytes for Value {
    fn heap_bytes(&self) -> usize {
        match self {
            Value::AtMoment(moment) => moment.profile.as_ref().map_or(0, Profile::heap_bytes),
            Value::LabelledProfile(ground) => ground.heap_bytes(),
            Value::Attribution(packages) => packages.heap_bytes(),
            Value::CallTree(tree) => tree.heap_bytes(),
            Value::TreeTotals(totals) => totals.heap_bytes(),
        }
    }
}

struct Entry<K, V> {
    key: K,
    value: V,
    was_used: bool,
}

/// Entries, the latest used last.
pub(super) struct Cache<K, V> {
    entries: Vec<Entry<K, V>>,
    most_bytes: usize,
}

impl<K: PartialEq, V: HeapBytes + Clone> Cache<K, V> {
    /// An empty cache of at most this size.
    pub(super) fn new(most_bytes: usize) -> Self {
        Cache { entries: Vec::new(), most_bytes }
    }

    /// The entry under `key`.
    pub(super) fn get(&mut self, key: &K) -> Option<V> {
        let at = self.entries.iter().position(|entry| entry.key == *key)?;
        let mut entry = self.entries.remove(at);
        entry.was_used = true;
        let value = entry.value.clone();
        self.entries.push(entry);
        Some(value)
    }

    /// Keeps `value`, and drops what was used longest ago until all fits. One that does not fit alone is not kept.
    pub(super) fn put(&mut self, key: K, value: V) {
        self.entries.retain(|entry| entry.key != key);
        self.entries.push(Entry { key, value, was_used: true });
        // Some grow while they are used.
        let mut sizes: Vec<usize> = self.entries.iter().map(|entry| entry.value.heap_bytes()).collect();
        let mut sum: usize = sizes.iter().fold(0, |sum, size| sum.saturating_add(*size));
        let mut n = 0;
        sizes.reverse();
        while sum > self.most_bytes || self.entries.len() - n > ENTRIES {
            sum -= sizes.pop().unwrap_or(sum);
            n += 1;
        }
        self.entries.drain(..n);
    }

    /// Bytes that the entries take now. O(entries).
    pub(super) fn heap_bytes(&self) -> usize {
        self.entries.iter().fold(0, |sum, entry| sum.saturating_add(entry.value.heap_bytes()))
    }

    /// Drops what was not used since the last time.
    pub(super) fn drop_unused(&mut self) {
        self.entries.retain_mut(|entry| std::mem::take(&mut entry.was_used));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Debug, PartialEq)]
    struct Block(usize);

    impl HeapBytes for Block {
        fn heap_bytes(&self) -> usize {
            self.0
        }
    }

    fn keys(cache: &Cache<u32, Block>) -> Vec<u32> {
        cache.entries.iter().map(|entry| entry.key).collect()
    }

    #[test]
    fn entries_are_kept_up_to_a_number_of_bytes() {
        let mut cache = Cache::new(100);
        (1..=4).for_each(|key| cache.put(key, Block(30)));
        assert_eq!(keys(&cache), [2, 3, 4]);
        assert_eq!(cache.get(&2), Some(Block(30)));
        cache.put(5, Block(60));
        assert_eq!(keys(&cache), [2, 5], "the latest used stay");
        cache.put(5, Block(80));
        assert_eq!(keys(&cache), [5]);
        cache.put(6, Block(101));
        assert_eq!(keys(&cache), [0; 0], "larger than the cache");
        (0..100).for_each(|key| cache.put(key, Block(0)));
        assert_eq!(keys(&cache).len(), ENTRIES);
    }

    #[test]
    fn unused_entries_go() {
        let mut cache = Cache::new(100);
        (1..=3).for_each(|key| cache.put(key, Block(30)));
        cache.drop_unused();
        assert_eq!(keys(&cache), [1, 2, 3]);
        assert_eq!(cache.get(&1), Some(Block(30)));
        cache.drop_unused();
        assert_eq!(keys(&cache), [1]);
        cache.drop_unused();
        assert_eq!(keys(&cache), [0; 0]);
    }
}
