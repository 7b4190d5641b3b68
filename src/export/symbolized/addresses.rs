//! Address written for each location.

use std::collections::BTreeMap;

use crate::base::hash::HashSet;
use crate::base::id::{Id, LocationId};
use crate::profile::{Mapping, Profile};

/// Return addresses: each location has one of its own.
pub(super) struct Addresses {
    /// `LocationId` → return address.
    of: Vec<u64>,
}

impl Addresses {
    /// One more than the call's address. Where that is unknown or taken, a free one.
    pub(super) fn new(profile: &Profile) -> Self {
        let locations = &profile.code().locations;
        let mut used: HashSet<u64> = HashSet::default();
        let own = locations.iter().map(|l| l.address.checked_add(1).filter(|&address| used.insert(address)));
        let of: Vec<Option<u64>> = own.collect();
        // Above all mappings, and far from each other: none is taken for another's neighbour.
        let mapped = profile.code().mappings.iter().filter(|m| !is_everything(m)).map(|m| m.limit).max().unwrap_or(0);
        let mut next = mapped.min(u64::MAX / 2) | 0xfff;
        let of = of.into_iter().map(|address| {
            address.unwrap_or_else(|| {
                next += 0x10;
                while !used.insert(next) {
                    next += 0x10;
                }
                next
            })
        });
        Addresses { of: of.collect() }
    }

    pub(super) fn of(&self, location: LocationId) -> u64 {
        self.of[location.index()]
    }

    /// Keys of the table: each call's address, and for jeprof the leaves' return addresses,
    /// which it looks up as they are.
    pub(super) fn keys(&self, profile: &Profile) -> BTreeMap<u64, LocationId> {
        let mut keys: BTreeMap<u64, LocationId> = self.of.iter().enumerate().map(|(i, a)| (a - 1, LocationId::new(i))).collect();
        for &stack in &profile.samples().stack {
            if let Some(leaf) = profile.locations(stack).next() {
                keys.entry(self.of(leaf)).or_insert(leaf);
            }
        }
        keys
    }
}

/// Returns whether this is the catch-all mapping.
pub(super) fn is_everything(m: &Mapping) -> bool {
    m.start == 0 && matches!(m.limit, 0 | u64::MAX)
}
