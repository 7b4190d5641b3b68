//! What grew since the base, and what shrank, apart: `+5` and `−5` below one allocator are two findings, not none.
//!
//! Stacks are compared as paths of names: what ends in a path now, less what ended in it then, either grew or
//! shrank, and all sums are over paths. Code that was inlined in one dump and called in the other is the same path,
//! and addresses play no part, so that two builds of a program compare.

use std::sync::OnceLock;

use super::shape::Shape;
use super::sums::ByKey;
use super::weigh::Weights;
use crate::hash::HashMap;
use crate::pair::{net, plus};
use crate::report::Gross as Told;

/// `[grown, shrunk]`, the second one not positive: their sum is the difference.
pub(super) type Change = [i64; 2];

/// Growth and shrinkage on a shape.
#[derive(Debug)]
pub(super) struct Gross {
    /// Node → of the path that ends there; of nodes with one path the first that changed has it all.
    pub(super) own: Vec<Change>,
    /// Node → with its subtree.
    pub(super) cum: Vec<Change>,
    by_key: OnceLock<ByKey<Change>>,
}

impl Gross {
    /// Bytes on the heap, with the table by key once it is made.
    pub(super) fn heap_bytes(&self) -> usize {
        let by_key = self.by_key.get().map_or(0, ByKey::len);
        (self.own.capacity() + self.cum.capacity() + by_key) * size_of::<Change>()
    }

    /// O(nodes).
    pub(super) fn new(shape: &Shape, weights: &Weights) -> Self {
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

    /// Of each key; recursion counts once. O(nodes) once.
    pub(super) fn by_key(&self, shape: &Shape) -> &ByKey<Change> {
        let add = |to: &mut Change, more: Change| *to = plus(*to, more);
        self.by_key.get_or_init(|| ByKey::new(shape, self.own.iter().copied().enumerate(), &self.cum, add))
    }
}

/// As it is told.
pub(super) fn told([grown, shrunk]: Change) -> Told {
    Told { grown, shrunk }
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
