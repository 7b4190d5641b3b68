//! Stacks as a tree: those of equal contents are one, whatever their numbers.

use crate::base::hash::HashMap;
use crate::base::id::LocationId;

/// Most nodes.
const MOST_NODES: usize = 1 << 26;
/// Most numbers of stacks.
const MOST_IDS: usize = 1 << 26;
/// Numbers that may be left out.
const MOST_GAP: usize = 1 << 10;
/// Most threads whose last stack is kept.
const MOST_THREADS: usize = 1 << 16;

/// Number of the empty stack.
pub(super) const ROOT: u32 = 0;

/// A location and its callers.
#[derive(Clone, Copy, Debug)]
struct Node {
    location: LocationId,
    caller: u32,
    /// The stack without the recorder's own frames, but for the entry into it.
    shown: u32,
    /// The location is the recorder's own.
    is_own: bool,
}

/// A numbered stack, and the row that it was looked up for last.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Numbered {
    pub(super) node: u32,
    /// Class of sizes of the row, from 1; 0: none yet.
    pub(super) class: u32,
    /// Thread of the row.
    pub(super) thread: u32,
    pub(super) row: u32,
    /// The row of what this stack frees, from 1; 0: none yet.
    pub(super) freeing_row: u32,
}

/// All stacks.
#[derive(Debug, Default)]
pub(super) struct Stacks {
    /// Node → itself, without the root.
    nodes: Vec<Node>,
    /// Caller and location → node.
    known: HashMap<(u32, LocationId), u32>,
    /// Number → stack: numbers that follow each other closely, and others.
    near: Vec<Option<Numbered>>,
    far: HashMap<u64, Numbered>,
    /// Thread → nodes of its last stack, outermost first.
    of_thread: HashMap<u32, Vec<u32>>,
}

impl Stacks {
    /// The stack that continues `caller` with this location; `None` if there are too many.
    pub(super) fn push(&mut self, caller: u32, location: LocationId, is_own: bool) -> Option<u32> {
        if let Some(node) = self.known.get(&(caller, location)) {
            return Some(*node);
        }
        if self.nodes.len() >= MOST_NODES {
            return None;
        }
        let number = self.nodes.len() as u32 + 1;
        let above = self.node(caller);
        let shown = above.filter(|above| is_own && above.is_own).map_or(number, |above| above.shown);
        self.nodes.push(Node { location, caller, shown, is_own });
        self.known.insert((caller, location), number);
        Some(number)
    }

    fn node(&self, number: u32) -> Option<&Node> {
        (number as usize).checked_sub(1).and_then(|at| self.nodes.get(at))
    }

    /// Gives the stack `id` the number `node`, less what is the recorder's. Returns false if there are too many.
    pub(super) fn number(&mut self, id: u64, node: u32) -> bool {
        let node = self.node(node).map_or(ROOT, |node| node.shown);
        let numbered = Numbered { node, ..Numbered::default() };
        match usize::try_from(id) {
            Ok(at) if at < self.near.len() => self.near[at] = Some(numbered),
            Ok(at) if at < (self.near.len() + MOST_GAP).min(MOST_IDS) => {
                self.near.resize(at, None);
                self.near.push(Some(numbered));
            }
            _ if self.far.len() < MOST_IDS / 4 || self.far.contains_key(&id) => {
                self.far.insert(id, numbered);
            }
            _ => return false,
        }
        true
    }

    /// The stack with this number.
    #[inline]
    pub(super) fn numbered(&mut self, id: u64) -> Option<&mut Numbered> {
        match usize::try_from(id).ok().filter(|at| *at < self.near.len()) {
            Some(at) => self.near[at].as_mut(),
            None => self.far.get_mut(&id),
        }
    }

    /// Takes the last stack of a thread out, without its first `n_gone` frames; all are gone if that is the largest number.
    pub(super) fn take_thread(&mut self, thread: u32, n_gone: u32) -> Vec<u32> {
        let mut nodes = self.of_thread.remove(&thread).unwrap_or_default();
        nodes.truncate(if n_gone == u32::MAX { 0 } else { nodes.len().saturating_sub(n_gone as usize) });
        nodes
    }

    /// Puts the last stack of a thread.
    pub(super) fn put_thread(&mut self, thread: u32, nodes: Vec<u32>) {
        if self.of_thread.len() < MOST_THREADS {
            self.of_thread.insert(thread, nodes);
        }
    }

    /// Locations of a stack, the leaf first.
    pub(super) fn locations(&self, node: u32) -> impl Iterator<Item = LocationId> + '_ {
        let mut next = node;
        std::iter::from_fn(move || {
            let node = self.node(next)?;
            next = node.caller;
            Some(node.location)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_of_the_recorder_are_left_out_but_for_the_entry() {
        let mut stacks = Stacks::default();
        let mut node = ROOT;
        // main, work, malloc of the recorder, and two functions in it; then one that the recorder is called back from.
        for (location, is_own) in [(1, false), (2, false), (3, true), (4, true), (5, true)] {
            node = stacks.push(node, LocationId(location), is_own).unwrap();
        }
        assert!(stacks.number(7, node));
        let shown = stacks.numbered(7).unwrap().node;
        assert_eq!(stacks.locations(shown).collect::<Vec<_>>(), [3, 2, 1].map(LocationId));
        let back = stacks.push(node, LocationId(2), false).unwrap();
        assert!(stacks.number(1 << 40, back));
        let shown = stacks.numbered(1 << 40).unwrap().node;
        assert_eq!(stacks.locations(shown).count(), 6);
        assert!(stacks.numbered(8).is_none() && stacks.numbered(u64::MAX).is_none());
    }
}
