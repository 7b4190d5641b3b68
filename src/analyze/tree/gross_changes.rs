//! Growth and shrinkage kept apart, by node and by key.

use std::sync::OnceLock;

use super::by_key::ByKey;
use crate::analyze::tree::call_tree::CallTree;
use crate::base::pair::plus;
use crate::report::Gross;

/// `[grown, shrunk]`, the second one not positive: their sum is the difference.
pub(crate) type Change = [i64; 2];

/// Growth and shrinkage on a call tree.
#[derive(Debug)]
pub(crate) struct GrossChanges {
    /// Node → of the path that ends there; of nodes with one path the first that changed has it all.
    pub(crate) own: Vec<Change>,
    /// Node → with its subtree.
    pub(crate) cum: Vec<Change>,
    pub(crate) by_key: OnceLock<ByKey<Change>>,
}

impl GrossChanges {
    /// Bytes on the heap, with the table by key once it is made.
    pub(crate) fn heap_bytes(&self) -> usize {
        let by_key = self.by_key.get().map_or(0, ByKey::len);
        (self.own.capacity() + self.cum.capacity() + by_key) * size_of::<Change>()
    }

    /// Changes of each key; recursion counts once. O(nodes) once.
    pub(crate) fn by_key(&self, shape: &CallTree) -> &ByKey<Change> {
        let add = |to: &mut Change, more: Change| *to = plus(*to, more);
        self.by_key.get_or_init(|| ByKey::new(shape, self.own.iter().copied().enumerate(), &self.cum, add))
    }
}

/// Converts for reports.
pub(crate) fn to_report([grown, shrunk]: Change) -> Gross {
    Gross { grown, shrunk }
}
