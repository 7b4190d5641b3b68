//! Prefix tree of several profiles, extended by one profile after another. Nodes are numbered in order of arrival; the tree in
//! preorder is built from them at the end.

use super::Profile;
use super::builder::MOST_NODES;
use super::frames::Code;
use super::stacks::Stacks;
use crate::base::hash::HashMap;
use crate::base::id::{Id, LocationId, StackId};

/// Paths of locations. Node 0 is the root.
pub(super) struct Paths {
    /// Node → its caller.
    parent: Vec<u32>,
    /// Node → its location; meaningless for the root.
    location: Vec<LocationId>,
    /// Caller and location → node.
    child: HashMap<(u32, LocationId), u32>,
    /// Nodes that the tree will have: one for each frame of a location.
    n_frames: usize,
    /// Most of them.
    most: usize,
}

impl Default for Paths {
    fn default() -> Self {
        Paths { parent: vec![0], location: vec![LocationId(0)], child: HashMap::default(), n_frames: 1, most: MOST_NODES }
    }
}

impl Paths {
    /// `StackId` of `from` → node, and whether callees are lost there because the tree would have grown too
    /// large. Only the stacks that are `wanted` and what is above them become nodes. `locations`: of `from` →
    /// those of `code`. O(nodes).
    pub(super) fn add(&mut self, from: &Profile, mut wanted: Vec<bool>, locations: &[LocationId], code: &Code) -> Vec<(u32, bool)> {
        let stacks = &from.stacks;
        for node in (1..stacks.len()).rev().map(StackId::new) {
            if wanted[node.index()] {
                wanted[stacks.parent[node].index()] = true;
            }
        }
        let mut nodes = vec![(0, false); stacks.len()];
        for node in (1..stacks.len()).map(StackId::new).filter(|node| wanted[node.index()]) {
            let above = nodes[stacks.parent[node].index()];
            let frame = &from.code.frames[stacks.frame[node]];
            nodes[node.index()] = match frame.inlined || above.1 {
                // Inlined frames are part of their location, which is there already.
                true => above,
                false => self.below(above.0, locations[frame.location.index()], code),
            };
        }
        nodes
    }

    fn below(&mut self, node: u32, location: LocationId, code: &Code) -> (u32, bool) {
        if let Some(&child) = self.child.get(&(node, location)) {
            return (child, false);
        }
        let n_frames = code.locations[location].n_frames as usize;
        if self.n_frames + n_frames > self.most {
            return (node, true);
        }
        self.n_frames += n_frames;
        let child = self.parent.len() as u32;
        self.parent.push(node);
        self.location.push(location);
        self.child.insert((node, location), child);
        (child, false)
    }

    /// The tree in preorder, callees by location, and node → where it is in it. O(n log n).
    pub(super) fn finish(self, code: &Code) -> (Stacks, Vec<StackId>) {
        let Paths { parent, location, child, .. } = self;
        drop(child);
        // Sorted backwards, so that the first callee is taken from the end first.
        let mut sorted: Vec<u32> = (1..parent.len() as u32).collect();
        sorted.sort_unstable_by_key(|&node| std::cmp::Reverse((parent[node as usize], location[node as usize])));
        let mut begin = vec![sorted.len(); parent.len() + 1];
        for (at, &node) in sorted.iter().enumerate().rev() {
            begin[parent[node as usize] as usize] = at;
        }
        let mut stacks = Stacks::default();
        let mut place = vec![Stacks::ROOT; parent.len()];
        let mut open: Vec<u32> = vec![0];
        while let Some(node) = open.pop() {
            if node != 0 {
                let mut to = place[parent[node as usize] as usize];
                for frame in code.locations[location[node as usize]].frames().rev() {
                    to = stacks.push(to, frame);
                }
                place[node as usize] = to;
            }
            let callees = &sorted[begin[node as usize]..];
            open.extend(callees.iter().take_while(|callee| parent[**callee as usize] == node));
        }
        stacks.close();
        (stacks, place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Labels, ProfileBuilder};

    #[test]
    fn a_tree_that_would_grow_too_large_is_cut() {
        let mut builder = ProfileBuilder::new(&[("space", "bytes")]);
        let path: Vec<LocationId> = (1..=4).map(|address| builder.location(None, address, &[])).collect();
        builder.sample(&path, Labels::NONE, &[1]);
        let profile = builder.build();
        let mut paths = Paths { most: 3, ..Paths::default() };
        let nodes = paths.add(&profile, vec![true; 5], &path, profile.code());
        assert_eq!(nodes, [(0, false), (1, false), (2, false), (2, true), (2, true)]);
        let (stacks, place) = paths.finish(profile.code());
        assert_eq!((stacks.len(), place.len()), (3, 3));
    }
}
