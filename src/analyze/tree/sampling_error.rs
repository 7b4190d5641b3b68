//! Standard errors of sums, by row, node and key.

use std::sync::OnceLock;

use super::by_key::ByKey;
use crate::analyze::tree::call_tree::CallTree;
use crate::base::pair::net;
use crate::report::Spread;

/// Variances of a value and its base.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct SamplingError {
    pub(crate) samples: [f64; 2],
    /// Variance of the value.
    pub(crate) value: f64,
    /// Variance of value less base.
    pub(crate) change: f64,
}

impl SamplingError {
    pub(crate) fn add(&mut self, other: SamplingError) {
        self.samples[0] += other.samples[0];
        self.samples[1] += other.samples[1];
        self.value += other.value;
        self.change += other.change;
    }

    /// Converts to standard errors as integers, for reports.
    pub(crate) fn to_report(self) -> Spread {
        let whole = |number: f64| number.round() as i64;
        Spread {
            samples: whole(self.samples[0]),
            samples_base: whole(self.samples[1]),
            error: whole(self.value.sqrt()),
            change_error: whole(self.change.sqrt()),
        }
    }

    /// A difference that chance alone makes in one of twenty cases.
    pub(crate) fn hides(self, value: [i64; 2]) -> bool {
        let change = net(value) as f64;
        change != 0.0 && change * change < 4.0 * self.change
    }
}

/// Sampling errors of the numbers of a view.
#[derive(Debug)]
pub(crate) struct SamplingErrors {
    /// Row → itself.
    pub(crate) row: Vec<SamplingError>,
    /// Node → with its subtree.
    pub(crate) cum: Vec<SamplingError>,
    pub(crate) by_key: OnceLock<ByKey<SamplingError>>,
}

impl SamplingErrors {
    /// Bytes on the heap, with the table by key once it is made.
    pub(crate) fn heap_bytes(&self) -> usize {
        let by_key = self.by_key.get().map_or(0, ByKey::len);
        (self.row.capacity() + self.cum.capacity() + by_key) * size_of::<SamplingError>()
    }

    /// Sampling errors of the numbers of each key; recursion counts once. O(rows + nodes) once.
    pub(crate) fn by_key(&self, tree: &CallTree) -> &ByKey<SamplingError> {
        self.by_key.get_or_init(|| ByKey::new(tree, on_nodes(tree, &self.row), &self.cum, SamplingError::add))
    }

    /// Node → how sure what ends there is. O(rows + nodes).
    pub(crate) fn own(&self, tree: &CallTree) -> Vec<SamplingError> {
        let mut own = vec![SamplingError::default(); tree.len()];
        on_nodes(tree, &self.row).for_each(|(node, spreads)| own[node].add(spreads));
        own
    }
}

/// Node and variance of each row with samples.
fn on_nodes<'a>(tree: &'a CallTree, row: &'a [SamplingError]) -> impl Iterator<Item = (usize, SamplingError)> + 'a {
    let sampled = row.iter().zip(&tree.node_of_row).filter(|(spreads, _)| spreads.samples != [0.0; 2]);
    sampled.map(|(spreads, node)| (*node as usize, *spreads))
}
