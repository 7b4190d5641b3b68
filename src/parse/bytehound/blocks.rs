//! Blocks in use.

use std::collections::hash_map::Entry;

use super::decode::BlockId;
use crate::base::hash::HashMap;

/// A block in use.
#[derive(Clone, Copy, Debug)]
pub(super) struct Live {
    pub(super) row: u32,
    /// Number of sizes that it had.
    pub(super) n_sizes: u32,
    pub(super) size: u64,
    /// When it got this size, nanoseconds.
    pub(super) at: i64,
}

/// Identity of a block that was overwritten.
pub(super) const OVERWRITTEN: (u64, u64) = (u64::MAX, u64::MAX);

/// Bits of a counter of allocations, and of an address, that fit into a short key.
const LOW_BITS: u32 = 40;
const ADDRESS_BITS: u32 = 56;
/// Above an address in a short key.
const IS_ADDRESS: u64 = 1 << 63;

/// The identity of a block; its address if it has none or lost it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// Both counters, or an address: nearly all blocks.
    Short(u64),
    /// Larger ones.
    Long((u64, u64)),
}

impl Key {
    #[inline]
    pub(super) fn of(id: BlockId, address: u64) -> Key {
        match id {
            None | Some((0, 0) | OVERWRITTEN) if address >> ADDRESS_BITS == 0 => Key::Short(IS_ADDRESS | address),
            None | Some((0, 0) | OVERWRITTEN) => Key::Long((u64::MAX, address)),
            Some((thread, n)) if thread >> (63 - LOW_BITS) == 0 && n >> LOW_BITS == 0 => Key::Short(thread << LOW_BITS | n),
            Some(id) => Key::Long(id),
        }
    }

    /// The identity in one number; different ones hardly ever are equal.
    #[inline]
    pub(super) fn number(self) -> u64 {
        match self {
            Key::Short(key) => key,
            Key::Long((thread, n)) => thread.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ n,
        }
    }
}

/// Blocks in use by identity.
#[derive(Debug, Default)]
pub(super) struct Blocks {
    short: HashMap<u64, Live>,
    long: HashMap<(u64, u64), Live>,
}

impl Blocks {
    /// Adds a block; returns false, and changes nothing, if there is one.
    #[inline]
    pub(super) fn insert(&mut self, key: Key, live: Live) -> bool {
        fn insert<K: Eq + std::hash::Hash>(entry: Entry<'_, K, Live>, live: Live) -> bool {
            match entry {
                Entry::Occupied(_) => false,
                Entry::Vacant(place) => {
                    place.insert(live);
                    true
                }
            }
        }
        match key {
            Key::Short(key) => insert(self.short.entry(key), live),
            Key::Long(key) => insert(self.long.entry(key), live),
        }
    }

    #[inline]
    pub(super) fn remove(&mut self, key: Key) -> Option<Live> {
        match key {
            Key::Short(key) => self.short.remove(&key),
            Key::Long(key) => self.long.remove(&key),
        }
    }

    /// All blocks, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Live> {
        self.short.values().chain(self.long.values())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identities_differ() {
        let ids = [None, Some((0, 0)), Some(OVERWRITTEN), Some((0, 1)), Some((1, 0)), Some((1 << 23, 0)), Some((0, 1 << 40)), Some((5, 7))];
        let keys = ids.map(|id| Key::of(id, 7));
        assert!(keys[..3].iter().all(|key| *key == Key::Short(IS_ADDRESS | 7)));
        assert_eq!(keys[5..7], [Key::Long((1 << 23, 0)), Key::Long((0, 1 << 40))]);
        assert_eq!(Key::of(None, 1 << 60), Key::Long((u64::MAX, 1 << 60)));
        let mut blocks = Blocks::default();
        let live = Live { row: 0, n_sizes: 1, size: 8, at: 0 };
        assert!(keys[2..].iter().all(|key| blocks.insert(*key, live)) && !blocks.insert(keys[0], live));
        assert_eq!(blocks.iter().count(), 6);
        assert!(keys[2..].iter().all(|key| blocks.remove(*key).is_some()) && blocks.remove(keys[0]).is_none());
    }
}
