//! Early results for background symbolization: first names from symbol tables, then full frames, heaviest stacks first.

use std::collections::BTreeMap;
use std::sync::Mutex;

use super::dwarf::Chain;
use super::inline_budget::{InlineBudget, lines};
use super::progress::Progress;
use crate::base::id::{Id, LocationId};
use crate::demangle::{Demangle, Demangler};
use crate::profile::Profile;

/// Reports early results of one file.
pub(super) struct ProvisionalNames<'a> {
    progress: &'a dyn Progress,
    weights: &'a Weights,
    inlined: &'a InlineBudget,
    /// Address → locations.
    locations: &'a BTreeMap<u64, Vec<LocationId>>,
    demangler: Mutex<Demangler>,
}

impl<'a> ProvisionalNames<'a> {
    pub(super) fn new(
        progress: &'a dyn Progress,
        weights: &'a Weights,
        inlined: &'a InlineBudget,
        locations: &'a BTreeMap<u64, Vec<LocationId>>,
        mode: Demangle,
    ) -> Self {
        ProvisionalNames { progress, weights, inlined, locations, demangler: Mutex::new(Demangler::new(mode)) }
    }

    /// Value of the stacks through `address`.
    pub(super) fn weight(&self, address: u64) -> i64 {
        let locations = self.locations.get(&address).into_iter().flatten();
        locations.map(|location| self.weights.0[location.index()]).max().unwrap_or(0)
    }

    /// These frames were found at `address`; there may be more to come.
    pub(super) fn found(&self, address: u64, chain: &Chain) {
        let Ok(mut demangler) = self.demangler.lock() else { return };
        if chain.is_empty() {
            return;
        }
        for &location in self.locations.get(&address).into_iter().flatten() {
            self.progress.found(location, &lines(&self.inlined.fitting(location, chain), &mut demangler));
        }
    }
}

/// Value of the stacks through each location, of the default value type, without signs.
pub(super) struct Weights(pub(super) Vec<i64>);

impl Weights {
    /// O(rows + stacks).
    pub(super) fn of(profile: &Profile) -> Self {
        let (code, stacks, shown) = (profile.code(), profile.stacks(), profile.default_value_type());
        let mut value_by_stack = vec![0i64; stacks.len()];
        for column in profile.columns().iter().filter(|column| Some(column.value_type) == shown) {
            for (row, value) in column.nonzero() {
                let sum = &mut value_by_stack[profile.samples().stack[row].index()];
                *sum = sum.saturating_add(value.saturating_abs());
            }
        }
        stacks.add_up(&mut value_by_stack);
        let mut value_by_location = vec![0i64; code.locations.len()];
        for (&frame, weight) in stacks.frame.iter().zip(value_by_stack).skip(1) {
            let of = &mut value_by_location[code.frames[frame].location.index()];
            *of = of.saturating_add(weight);
        }
        Weights(value_by_location)
    }
}
