//! Names for somebody who watches while they are looked up: at once those of the symbol
//! tables, then all frames, those of the heaviest stacks first.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::demangle::Demangler;
use super::dwarf::Chain;
use super::names::lines;
use super::{Demangle, Progress};
use crate::id::{Id, LocationId, StackId};
use crate::profile::Profile;

/// What is found of one file goes to the one who watches.
pub(super) struct Early<'a> {
    progress: &'a dyn Progress,
    weights: &'a Weights,
    /// Address → locations.
    locations: &'a BTreeMap<u64, Vec<LocationId>>,
    demangler: Mutex<Demangler>,
}

impl<'a> Early<'a> {
    pub(super) fn new(
        progress: &'a dyn Progress,
        weights: &'a Weights,
        locations: &'a BTreeMap<u64, Vec<LocationId>>,
        mode: Demangle,
    ) -> Self {
        Early { progress, weights, locations, demangler: Mutex::new(Demangler::new(mode)) }
    }

    /// What passes through the calls at `address`.
    pub(super) fn weight(&self, address: u64) -> u64 {
        let locations = self.locations.get(&address).into_iter().flatten();
        locations.map(|location| self.weights.0[location.index()]).max().unwrap_or(0)
    }

    /// These frames were found at `address`; there may be more to come.
    pub(super) fn found(&self, address: u64, chain: &Chain) {
        let Ok(mut demangler) = self.demangler.lock() else { return };
        if chain.is_empty() {
            return;
        }
        let lines = lines(chain, &mut demangler);
        self.locations.get(&address).into_iter().flatten().for_each(|&location| self.progress.found(location, &lines));
    }
}

/// What passes through each location: the sum of the last value type, without signs.
pub(super) struct Weights(pub(super) Vec<u64>);

impl Weights {
    /// O(rows + stacks).
    pub(super) fn of(profile: &Profile) -> Self {
        let stacks = profile.stacks();
        let mut of_stack = vec![0u64; stacks.len()];
        let shown = profile.value_types().len().saturating_sub(1);
        for column in profile.columns().iter().filter(|column| column.value_type == shown) {
            for (row, &stack) in profile.samples().stack.iter().enumerate() {
                let sum = &mut of_stack[stack.index()];
                *sum = sum.saturating_add(column.get(row).unsigned_abs());
            }
        }
        let mut of_location = vec![0u64; profile.code().locations.len()];
        // Callees come after their callers.
        for at in (1..stacks.len()).rev() {
            let (weight, stack) = (of_stack[at], StackId(at as u32));
            let caller = &mut of_stack[stacks.parent[stack].index()];
            *caller = caller.saturating_add(weight);
            let of = &mut of_location[profile.code().frames[stacks.frame[stack]].location.index()];
            *of = of.saturating_add(weight);
        }
        Weights(of_location)
    }
}
