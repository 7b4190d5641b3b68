//! Growth and shrinkage since the base, kept apart: `+5` and `−5` below one allocator are two findings, not none.
//!
//! Stacks are compared as paths of names: the value of a path minus its value in the base is either growth or shrinkage, and all
//! sums are over paths. A function that was inlined in one dump and called in the other has the same path, and addresses are
//! ignored, so that two builds of a program can be compared.

use std::sync::OnceLock;

use super::gross_changes::{Change, GrossChanges};
use crate::analyze::tree::call_tree::CallTree;
use crate::analyze::tree::totals::TreeTotals;
use crate::base::hash::HashMap;
use crate::base::pair::{net, plus};

impl GrossChanges {
    /// O(nodes).
    pub(crate) fn new(tree: &CallTree, totals: &TreeTotals) -> Self {
        let (path, changes) = changes_of_paths(tree, totals);
        let mut left: Vec<Option<i64>> = changes.into_iter().map(Some).collect();
        let own: Vec<Change> = std::iter::zip(totals.own(tree), path)
            .map(|(value, path)| match net(*value) {
                0 => [0; 2],
                _ => change(left[path as usize].take().unwrap_or(0)),
            })
            .collect();
        let mut cum = own.clone();
        for node in (1..tree.len()).rev() {
            let parent = tree.parent[node] as usize;
            cum[parent] = plus(cum[parent], cum[node]);
        }
        GrossChanges { own, cum, by_key: OnceLock::new() }
    }
}

impl TreeTotals {
    /// Growth and shrinkage since the base; `None` without a base, and for means.
    pub(crate) fn gross(&self, tree: &CallTree) -> Option<&GrossChanges> {
        let adds_up = self.has_base && self.divisor.is_none();
        adds_up.then(|| self.gross.get_or_init(|| GrossChanges::new(tree, self)))
    }
}

fn change(difference: i64) -> Change {
    [difference.max(0), difference.min(0)]
}

/// Node → its path, and path → its difference. Most nodes have a path of their own; those of code that was called
/// and inlined at one place share it.
fn changes_of_paths(tree: &CallTree, totals: &TreeTotals) -> (Vec<u32>, Vec<i64>) {
    let mut numbers: HashMap<(u32, u32), u32> = HashMap::default();
    let mut path = vec![0u32; tree.len()];
    let mut changes = vec![0i64];
    for (node, value) in totals.own(tree).iter().enumerate() {
        if node > 0 {
            let above = path[tree.parent[node] as usize];
            path[node] = *numbers.entry((above, tree.key[node])).or_insert(changes.len() as u32);
            if path[node] as usize == changes.len() {
                changes.push(0);
            }
        }
        let sum = &mut changes[path[node] as usize];
        *sum = sum.saturating_add(net(*value));
    }
    (path, changes)
}
