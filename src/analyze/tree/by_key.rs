//! Numbers by key.

use crate::analyze::tree::call_tree::CallTree;

/// Something of every key: of the key itself, and with all that it calls.
#[derive(Clone, Debug)]
pub(crate) struct ByKey<T> {
    pub(crate) flat: Vec<T>,
    pub(crate) cum: Vec<T>,
}

impl<T> ByKey<T> {
    /// Values in both columns.
    pub(crate) fn len(&self) -> usize {
        self.flat.capacity() + self.cum.capacity()
    }
}

impl<T: Copy + Default> ByKey<T> {
    /// Adds up what ends in nodes and what subtrees hold; recursion counts once, and the root has no key. O(nodes).
    pub(crate) fn new(tree: &CallTree, own: impl Iterator<Item = (usize, T)>, cum: &[T], add: impl Fn(&mut T, T)) -> Self {
        let n = tree.keys.len();
        let mut by_key = ByKey { flat: vec![T::default(); n], cum: vec![T::default(); n] };
        for (node, value) in own.filter(|(node, _)| *node != 0) {
            add(&mut by_key.flat[tree.key[node] as usize], value);
        }
        for node in (1..tree.len()).filter(|&node| tree.outermost[node]) {
            add(&mut by_key.cum[tree.key[node] as usize], cum[node]);
        }
        by_key
    }
}
