//! Indexes of nodes, and ranges of them in the pool.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeId(pub(super) u32);

impl NodeId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Nodes one after the other.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct List {
    pub(super) from: u32,
    pub(super) len: u32,
}

impl List {
    pub(super) fn len(self) -> usize {
        self.len as usize
    }

    pub(super) fn is_empty(self) -> bool {
        self.len == 0
    }
}
