//! How sure sums are: standard errors by row, node and key.

use std::sync::OnceLock;

use super::by_key::ByKey;
use crate::analyze::tree::call_tree::Shape;
use crate::base::pair::net;
use crate::report::Spread;

/// How sure a value and its base are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Spreads {
    pub(crate) samples: [f64; 2],
    /// Variance of the value.
    pub(crate) value: f64,
    /// Variance of value less base.
    pub(crate) change: f64,
}

impl Spreads {
    pub(crate) fn add(&mut self, other: Spreads) {
        self.samples[0] += other.samples[0];
        self.samples[1] += other.samples[1];
        self.value += other.value;
        self.change += other.change;
    }

    /// In whole numbers, as they are told.
    pub(crate) fn told(self) -> Spread {
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

/// How sure the numbers of a view are.
#[derive(Debug)]
pub(crate) struct Noises {
    /// Row → itself.
    pub(crate) row: Vec<Spreads>,
    /// Node → with its subtree.
    pub(crate) cum: Vec<Spreads>,
    pub(crate) by_key: OnceLock<ByKey<Spreads>>,
}

impl Noises {
    /// Bytes on the heap, with the table by key once it is made.
    pub(crate) fn heap_bytes(&self) -> usize {
        let by_key = self.by_key.get().map_or(0, ByKey::len);
        (self.row.capacity() + self.cum.capacity() + by_key) * size_of::<Spreads>()
    }

    /// How sure the numbers of each key are; recursion counts once. O(rows + nodes) once.
    pub(crate) fn by_key(&self, shape: &Shape) -> &ByKey<Spreads> {
        self.by_key.get_or_init(|| ByKey::new(shape, on_nodes(shape, &self.row), &self.cum, Spreads::add))
    }

    /// Node → how sure what ends there is. O(rows + nodes).
    pub(crate) fn own(&self, shape: &Shape) -> Vec<Spreads> {
        let mut own = vec![Spreads::default(); shape.len()];
        on_nodes(shape, &self.row).for_each(|(node, spreads)| own[node].add(spreads));
        own
    }
}

/// Node and spread of each row that stands on anything.
fn on_nodes<'a>(shape: &'a Shape, row: &'a [Spreads]) -> impl Iterator<Item = (usize, Spreads)> + 'a {
    let sampled = row.iter().zip(&shape.node_of_row).filter(|(spreads, _)| spreads.samples != [0.0; 2]);
    sampled.map(|(spreads, node)| (*node as usize, *spreads))
}
