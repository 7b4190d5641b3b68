//! Call stacks as one prefix tree in preorder.
//!
//! Node 0 is the root and has no frame. A child has a greater number than its
//! parent, and the nodes below `i` are exactly `i + 1 .. end[i]`, so a subtree is a
//! range and sums towards the root are one loop backwards.

use crate::base::id::{FrameId, Id, IdVec, StackId};

/// The prefix tree of all stacks.
#[derive(Clone, Debug)]
pub struct Stacks {
    /// `StackId` → its caller; the root's is itself.
    pub parent: IdVec<StackId, StackId>,
    /// `StackId` → one past the last node below it.
    pub end: IdVec<StackId, StackId>,
    /// `StackId` → its frame; meaningless for the root.
    pub frame: IdVec<StackId, FrameId>,
}

impl Default for Stacks {
    fn default() -> Self {
        Stacks { parent: vec![StackId(0)].into(), end: vec![StackId(1)].into(), frame: vec![FrameId(0)].into() }
    }
}

impl Stacks {
    /// The root: the empty stack.
    pub const ROOT: StackId = StackId(0);

    /// Number of nodes, the root included.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Returns whether there is no stack but the empty one.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// Adds to the value of each node those of all nodes below it. `values`: one per node.
    /// Sums saturate. O(nodes).
    pub fn add_up(&self, values: &mut [i64]) {
        for i in (1..self.len()).rev() {
            let parent = self.parent[StackId::new(i)].index();
            values[parent] = values[parent].saturating_add(values[i]);
        }
    }

    /// The frames of `stack`, leaf first. O(depth).
    pub fn frames(&self, stack: StackId) -> impl Iterator<Item = FrameId> + '_ {
        let mut node = stack;
        std::iter::from_fn(move || {
            if node == Self::ROOT {
                return None;
            }
            let frame = self.frame[node];
            node = self.parent[node];
            Some(frame)
        })
    }

    /// Appends a node below `parent`, which must be on the rightmost path;
    /// `end` is set by [`Stacks::close`].
    pub(super) fn push(&mut self, parent: StackId, frame: FrameId) -> StackId {
        self.frame.push(frame);
        self.parent.push(parent)
    }

    /// Sets `end` of every node. O(nodes).
    pub(super) fn close(&mut self) {
        let n = self.len();
        let mut end: Vec<StackId> = (1..=n).map(StackId::new).collect();
        for i in (1..n).rev() {
            let p = self.parent[StackId::new(i)].index();
            end[p] = end[p].max(end[i]);
        }
        self.end = end.into();
    }
}
