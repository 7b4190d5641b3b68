//! The tree of a view: the profile's stacks with frames grouped by key, hidden frames left out, and stacks cut at their root end.
//!
//! A tree depends on no number, so it is computed once and shared by all views that differ in weight, cut or show only.

use super::keys::{KeySpec, Keys};
use super::visibility::Visibility;
use crate::analyze::tree::labelled::LabelledProfileKey;
use crate::attribution::Attribution;
use crate::base::cancel;
use crate::base::id::{FrameId, Id, StackId};
use crate::profile::{Profile, Stacks};
use crate::query::{KindRules, ShapeSpec, View, ViewKind};

/// Marks a missing node.
pub(crate) const NONE: u32 = u32::MAX;

/// The tree, in preorder: node 0 is the root, the nodes below `i` are `i + 1 .. end[i]`.
#[derive(Debug)]
pub struct CallTree {
    /// Node → its caller; the root's is itself.
    pub parent: Vec<u32>,
    /// Node → one past the last node below it.
    pub end: Vec<u32>,
    /// Node → key; of the root meaningless.
    pub key: Vec<u32>,
    /// Node → its code was inlined into the node above.
    pub inlined: Vec<bool>,
    /// Node → no node above it has the same key: where recursion is counted.
    pub outermost: Vec<bool>,
    /// Row of the profile → node; `u32::MAX`: the row is dropped.
    pub node_of_row: Vec<u32>,
    /// Every node has a key of its own.
    pub is_call_tree: bool,
    /// The keys.
    pub keys: Keys,
    /// `FrameId` → left out because of its kind; empty: none is.
    pub(crate) folded: Vec<bool>,
    /// Messages about expressions that matched nothing.
    pub warnings: Vec<String>,
}

/// Cache key: the options that a tree depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct CallTreeKey {
    keys: KeySpec,
    pub(crate) spec: ShapeSpec,
    /// Key of the labelled profile.
    ground: Option<LabelledProfileKey>,
    /// Code that was called and code that was inlined at one place is one box: two builds compare.
    joins_inlined: bool,
}

impl CallTreeKey {
    /// Equal to this one, without the memory of compiled expressions: for caches.
    pub fn stored(&self) -> Self {
        CallTreeKey { spec: self.spec.stored(), keys: self.keys, ground: self.ground.clone(), joins_inlined: self.joins_inlined }
    }

    /// Key of the tree of `view`.
    pub fn of(view: &View) -> Self {
        let call_tree = view.shape.call_tree && view.kind == ViewKind::Graph;
        let mut spec = ShapeSpec {
            granularity: None,
            by: None,
            showcolumns: false,
            noinlines: view.noinlines(),
            culprit: view.culprit(),
            call_tree,
            ..view.shape.clone()
        };
        if !view.uses_kinds() {
            // Rules change nothing.
            spec.kinds = KindRules::default();
        }
        let has_base = view.weight.base.is_some() || view.weight.diff_base.is_some();
        CallTreeKey {
            keys: KeySpec::of(view),
            spec,
            ground: LabelledProfileKey::of(view),
            joins_inlined: view.kind == ViewKind::Flame && has_base,
        }
    }
}

impl CallTree {
    /// Number of nodes, the root included.
    pub fn len(&self) -> usize {
        self.parent.len()
    }

    /// Bytes on the heap. O(keys).
    pub fn heap_bytes(&self) -> usize {
        let CallTree { parent, end, key, inlined, outermost, node_of_row, keys, folded, .. } = self;
        let numbers = parent.capacity() + end.capacity() + key.capacity() + node_of_row.capacity();
        numbers * size_of::<u32>() + inlined.capacity() + outermost.capacity() + keys.heap_bytes() + folded.capacity()
    }

    /// Returns whether there is no node but the root.
    pub fn is_empty(&self) -> bool {
        self.len() <= 1
    }

    /// The tree for one answer only: where no frame is hidden it is the profile's own, with
    /// siblings that share a key left apart. Sums come out the same; boxes would not. O(n).
    pub fn once(profile: &Profile, packages: &Attribution, key: &CallTreeKey) -> Self {
        let ShapeSpec {
            hide: None, show: None, show_from: None, prune_from: None, noinlines: false, call_tree: false, culprit: false, ..
        } = key.spec
        else {
            return CallTree::new(profile, packages, key);
        };
        let keys = Keys::new(profile, packages, key.keys, &key.spec.paths);
        if !key.spec.hide_kind.is_empty() || !keys.joins.is_empty() {
            return CallTree::new(profile, packages, key);
        }
        let (stacks, frames) = (profile.stacks(), &profile.code().frames);
        let numbers = |column: &[StackId]| column.iter().map(|node| node.0).collect::<Vec<u32>>();
        let key_of_node = |node: StackId| if node == Stacks::ROOT { 0 } else { keys.of_frame[stacks.frame[node].index()] };
        let node_key: Vec<u32> = stacks.parent.ids().map(key_of_node).collect();
        let end = numbers(stacks.end.as_slice());
        CallTree {
            parent: numbers(stacks.parent.as_slice()),
            outermost: outermost(&node_key, &end, keys.len()),
            inlined: stacks.parent.ids().map(|node| node != Stacks::ROOT && frames[stacks.frame[node]].inlined).collect(),
            node_of_row: numbers(&profile.samples().stack),
            end,
            key: node_key,
            is_call_tree: false,
            keys,
            folded: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Builds the tree. O(n log s) for n nodes with s siblings.
    pub fn new(profile: &Profile, packages: &Attribution, key: &CallTreeKey) -> Self {
        let mut frames = Visibility::new(profile, packages, &key.spec);
        if key.spec.culprit {
            frames.keep_last_culprits(profile, packages);
        }
        let mut keys = Keys::new(profile, packages, key.keys, &key.spec.paths);
        let mut tree = Grower::new(profile, &frames, &keys);
        tree.joins_inlined = key.spec.call_tree || key.joins_inlined;
        tree.grow();
        let Grower { parent, end, key: mut key_of_node, inlined, node_of, .. } = tree;
        if key.spec.call_tree {
            keys.of_nodes(&mut key_of_node);
        }
        let outermost = outermost(&key_of_node, &end, keys.len());
        let stack_end = frames.ends.as_ref().map(|ends| stack_ends(profile, ends));
        let culprit = key.spec.culprit.then(|| packages.culprits(profile));
        let wanted = frames.wanted(profile);
        let node_of_stack = |&stack: &StackId| {
            let [pruned, blamed] = [stack_end.as_deref(), culprit].map(|ends| ends.map_or(stack, |end| end[stack.index()]));
            // Of two ends on one way the one nearer to the root comes first in preorder.
            let end = pruned.min(blamed);
            let mut node = node_of[end.index()];
            if end != blamed && frames.keeps(end) {
                // Culprit of other stacks.
                node = parent[node as usize];
            }
            let is_left = wanted.as_ref().is_some_and(|wanted| wanted[pruned.index()]);
            // Nothing of the stack is left: pprof drops the sample.
            let is_dropped = node == 0 && !is_left && (stack != Stacks::ROOT || frames.filters);
            if is_dropped { NONE } else { node }
        };
        let node_of_row = profile.samples().stack.iter().map(node_of_stack).collect();
        let is_call_tree = key.spec.call_tree;
        let Visibility { folded, warnings, .. } = frames;
        CallTree { parent, end, key: key_of_node, inlined, outermost, node_of_row, is_call_tree, keys, folded, warnings }
    }
}

/// Node → whether no node above has its key. A subtree is a range, so it is enough to
/// remember where the last outermost one of each key ends.
pub(crate) fn outermost(key: &[u32], end: &[u32], n_keys: usize) -> Vec<bool> {
    let mut open = vec![0; n_keys];
    let mut first = vec![false; key.len()];
    for i in 1..key.len() {
        let open = &mut open[key[i] as usize];
        if i as u32 >= *open {
            *open = end[i];
            first[i] = true;
        }
    }
    first
}

/// `StackId` → where a stack that ends there ends when it is cut below the marked location
/// nearest to its leaf.
fn stack_ends(profile: &Profile, marked: &[bool]) -> Vec<StackId> {
    let stacks = profile.stacks();
    let mut ends: Vec<Option<StackId>> = vec![None; stacks.len()];
    for node in (1..stacks.len()).map(StackId::new) {
        let frame = profile.code().frames[stacks.frame[node]];
        // The frames of a location are one chain: its innermost one is the end.
        ends[node.index()] = if marked[frame.location.index()] { Some(node) } else { ends[stacks.parent[node].index()] };
    }
    ends.into_iter().enumerate().map(|(node, end)| end.unwrap_or(StackId::new(node))).collect()
}

/// A node of the profile's tree on its way into the tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Child {
    /// Key and inlined bit: siblings that agree become one.
    group: u64,
    node: u32,
}

/// Merges siblings level by level, depth first, so that nodes come out in preorder.
struct Grower<'a> {
    profile: &'a Profile,
    frames: &'a Visibility,
    keys: &'a Keys,
    parent: Vec<u32>,
    end: Vec<u32>,
    key: Vec<u32>,
    inlined: Vec<bool>,
    /// `StackId` → node.
    node_of: Vec<u32>,
    /// Children still to be visited, of all open nodes.
    pending: Vec<Child>,
    /// Nodes whose children are collected next.
    scan: Vec<u32>,
    /// Inlined and called siblings with one key are one node.
    joins_inlined: bool,
}

impl<'a> Grower<'a> {
    fn new(profile: &'a Profile, frames: &'a Visibility, keys: &'a Keys) -> Self {
        let n = profile.stacks().len();
        Grower {
            profile,
            frames,
            keys,
            parent: vec![0],
            end: vec![1],
            key: vec![0],
            inlined: vec![false],
            node_of: vec![0; n],
            pending: Vec::new(),
            scan: Vec::new(),
            joins_inlined: false,
        }
    }

    fn grow(&mut self) {
        /// A node whose children are in `pending[at..end]`.
        struct Open {
            node: u32,
            start: usize,
            at: usize,
        }
        self.gather(0, &[0], self.frames.begins.is_none());
        let mut open = vec![Open { node: 0, start: 0, at: 0 }];
        let mut group: Vec<u32> = Vec::new();
        while let Some(top) = open.last_mut() {
            cancel::check();
            let Some(first) = self.pending.get(top.at).copied() else {
                // The last list on the stack is always the innermost node's.
                self.pending.truncate(top.start);
                self.end[top.node as usize] = self.parent.len() as u32;
                open.pop();
                continue;
            };
            group.clear();
            let shift = if self.joins_inlined { 1 } else { 0 };
            let same = self.pending[top.at..].iter().take_while(|c| c.group >> shift == first.group >> shift);
            group.extend(same.map(|c| c.node));
            top.at += group.len();
            let node = self.parent.len() as u32;
            self.parent.push(top.node);
            self.end.push(node + 1);
            self.key.push((first.group >> 1) as u32);
            self.inlined.push(first.group & 1 == 1);
            for &member in &group {
                self.node_of[member as usize] = node;
            }
            let start = self.pending.len();
            self.gather(node, &group, true);
            open.push(Open { node, start, at: start });
        }
    }

    fn child(&self, frame: FrameId, node: u32) -> Child {
        let (key, inlined) = (self.keys.of_frame[frame.index()], self.frames.inlined[frame.index()]);
        Child { group: u64::from(key) << 1 | u64::from(inlined), node }
    }

    /// Returns whether a frame below `node` is part of it: hidden, or a call that is none.
    fn is_passed(&self, frame: FrameId, node: u32) -> bool {
        let joins = || node != 0 && self.keys.joins.get(frame.index()).is_some_and(|joins| *joins);
        self.frames.hidden[frame.index()] || joins() && self.keys.of_frame[frame.index()] == self.key[node as usize]
    }

    /// Makes `hidden` part of `node`; a culprit that is kept is a box of its own without callees beside that.
    fn pass(&mut self, node: u32, frame: FrameId, hidden: u32) {
        self.node_of[hidden as usize] = node;
        if self.frames.keeps(StackId(hidden)) {
            self.pending.push(self.child(frame, hidden));
        }
    }

    /// Appends the visible children of the `members` of `node`, sorted; hidden ones
    /// are looked through, and what ends in them belongs to `node`. Nothing is visible
    /// before the stack has `started`.
    fn gather(&mut self, node: u32, members: &[u32], started: bool) {
        let stacks = self.profile.stacks();
        let frames = &self.profile.code().frames;
        let start = self.pending.len();
        self.scan.clear();
        self.scan.extend_from_slice(members);
        let mut started_below = started;
        // Nodes above the beginning come first; once it is passed, all below is begun.
        while let Some(from) = self.scan.pop() {
            if self.frames.keeps(StackId(from)) {
                // Callees were already found from above.
                continue;
            }
            let end = stacks.end[StackId(from)].0;
            let mut child = from + 1;
            while child < end {
                let id = StackId(child);
                let frame = stacks.frame[id];
                let below = stacks.end[id].0;
                if !started {
                    started_below = self.frames.begins.as_ref().is_none_or(|b| b[frames[frame].location.index()]);
                }
                if !started_below {
                    self.node_of[child as usize] = 0;
                    self.scan.push(child);
                } else if self.is_passed(frame, node) {
                    self.pass(node, frame, child);
                    self.look_through(node, child);
                } else {
                    self.pending.push(self.child(frame, child));
                }
                child = below;
            }
        }
        self.pending[start..].sort_unstable();
    }

    /// Appends the nearest visible nodes below a hidden one.
    fn look_through(&mut self, node: u32, hidden: u32) {
        let stacks = self.profile.stacks();
        let end = stacks.end[StackId(hidden)].0;
        let mut child = hidden + 1;
        while child < end {
            let id = StackId(child);
            let frame = stacks.frame[id];
            if self.is_passed(frame, node) {
                self.pass(node, frame, child);
                child += 1;
            } else {
                self.pending.push(self.child(frame, child));
                child = stacks.end[id].0;
            }
        }
    }
}
