//! What grew since the base, and what shrank, apart: `+5` and `−5` below one allocator are two findings, not none.
//!
//! Stacks are compared as paths of names: what ends in a path now, less what ended in it then, either grew or
//! shrank, and all sums are over paths. Code that was inlined in one dump and called in the other is the same path,
//! and addresses play no part, so that two builds of a program compare.

use std::sync::OnceLock;

use super::change::{Change, Gross};
use crate::analyze::tree::call_tree::Shape;
use crate::analyze::tree::totals::Weights;
use crate::base::hash::HashMap;
use crate::base::pair::{net, plus};

impl Gross {
    /// O(nodes).
    pub(crate) fn new(shape: &Shape, weights: &Weights) -> Self {
        let (path, changes) = changes_of_paths(shape, weights);
        let mut left: Vec<Option<i64>> = changes.into_iter().map(Some).collect();
        let own: Vec<Change> = std::iter::zip(weights.own(shape), path)
            .map(|(value, path)| match net(*value) {
                0 => [0; 2],
                _ => change(left[path as usize].take().unwrap_or(0)),
            })
            .collect();
        let mut cum = own.clone();
        for node in (1..shape.len()).rev() {
            let parent = shape.parent[node] as usize;
            cum[parent] = plus(cum[parent], cum[node]);
        }
        Gross { own, cum, by_key: OnceLock::new() }
    }
}

impl Weights {
    /// What grew and what shrank since the base; `None` without a base, and of means.
    pub(crate) fn gross(&self, shape: &Shape) -> Option<&Gross> {
        let adds_up = self.has_base && self.divisor.is_none();
        adds_up.then(|| self.gross.get_or_init(|| Gross::new(shape, self)))
    }
}

fn change(difference: i64) -> Change {
    [difference.max(0), difference.min(0)]
}

/// Node → its path, and path → its difference. Most nodes have a path of their own; those of code that was called
/// and inlined at one place share it.
fn changes_of_paths(shape: &Shape, weights: &Weights) -> (Vec<u32>, Vec<i64>) {
    let mut numbers: HashMap<(u32, u32), u32> = HashMap::default();
    let mut path = vec![0u32; shape.len()];
    let mut changes = vec![0i64];
    for (node, value) in weights.own(shape).iter().enumerate() {
        if node > 0 {
            let above = path[shape.parent[node] as usize];
            path[node] = *numbers.entry((above, shape.key[node])).or_insert(changes.len() as u32);
            if path[node] as usize == changes.len() {
                changes.push(0);
            }
        }
        let sum = &mut changes[path[node] as usize];
        *sum = sum.saturating_add(net(*value));
    }
    (path, changes)
}
