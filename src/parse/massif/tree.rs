//! Trees of snapshots, and the stacks in them. However deep a tree is, nothing here recurses.

use super::super::frame_text::FrameNumbers;
use super::super::lines::{Decimal, Lines, Scan};
use super::snapshots::{MassifTree, Problem, Problems};
use crate::base::hash::HashMap;
use crate::profile::{BELOW_THRESHOLD, UNKNOWN_STACK};

/// A node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MassifNode<'a> {
    /// Number of nodes above it.
    pub depth: usize,
    /// Number of nodes directly below it.
    pub n_children: u64,
    /// Bytes of it and of all below.
    pub bytes: i64,
    /// The frame; of the root what the tree shows.
    pub detail: &'a [u8],
}

impl<'a> MassifNode<'a> {
    /// Reads a line: as many blanks as there are nodes above, `n`, the number of children, `: `, bytes, and the rest.
    fn new(line: &'a [u8]) -> Option<Self> {
        let depth = line.iter().position(|byte| *byte != b' ')?;
        let mut scan = Scan::new(&line[depth..]);
        scan.eat(b'n')?;
        let Decimal::Fits(n_children @ 0..) = scan.decimal()? else { return None };
        scan.eat(b':')?;
        let Decimal::Fits(bytes @ 0..) = scan.decimal()? else { return None };
        Some(MassifNode { depth, n_children: n_children as u64, bytes, detail: scan.rest().strip_prefix(b" ").unwrap_or(scan.rest()) })
    }

    /// Returns whether the recorder folded nodes into this one.
    pub fn is_folded(&self) -> bool {
        self.detail.starts_with(b"in ") && self.detail.windows(18).any(|window| window == b"below massif's thr")
    }
}

impl<'a> MassifTree<'a> {
    /// The nodes, as long as their lines are right.
    pub fn nodes(&self) -> impl Iterator<Item = MassifNode<'a>> + use<'a> {
        Lines::new(self.text, self.first_line).map_while(|line| MassifNode::new(line.bytes))
    }

    /// What the tree shows, such as `(heap allocation functions) malloc/new/new[], --alloc-fns, etc.`.
    pub(super) fn title(&self) -> &'a [u8] {
        self.nodes().next().map_or(b"", |root| root.detail)
    }
}

/// The stacks of all trees, by number; 0 is the one without frames.
#[derive(Debug)]
pub(super) struct Stacks<'a> {
    frames: FrameNumbers<'a>,
    /// Stack → the stack without its last caller, and that caller.
    steps: Vec<(u32, u32)>,
    /// The inverse.
    known: HashMap<(u32, u32), u32>,
}

/// A node whose children are read.
struct Open {
    stack: u32,
    bytes: i64,
    n_missing: u64,
    /// Bytes of its children so far.
    below: i64,
}

impl<'a> Stacks<'a> {
    pub(super) fn new() -> Self {
        Stacks { frames: FrameNumbers::default(), steps: vec![(0, 0)], known: HashMap::default() }
    }

    /// The stack with a further caller.
    pub(super) fn with(&mut self, stack: u32, frame: &'a [u8]) -> u32 {
        let step = (stack, self.frames.number(frame));
        *self.known.entry(step).or_insert_with(|| {
            self.steps.push(step);
            self.steps.len() as u32 - 1
        })
    }

    /// Number of stacks.
    pub(super) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Number of a frame → its text.
    pub(super) fn texts(&self) -> &[&'a [u8]] {
        self.frames.texts()
    }

    /// Fills in the numbers of a stack's frames, leaf first. O(depth).
    pub(super) fn frames_of(&self, mut stack: u32, frames: &mut Vec<u32>) {
        frames.clear();
        while stack != 0 {
            let (shorter, frame) = self.steps[stack as usize];
            frames.push(frame);
            stack = shorter;
        }
        frames.reverse();
    }

    /// Stacks with the bytes of their own, each once. O(nodes).
    pub(super) fn read(&mut self, tree: &MassifTree<'a>, problems: &mut Problems) -> Vec<(u32, i64)> {
        let mut open: Vec<Open> = Vec::new();
        let mut weights: Vec<(u32, i64)> = Vec::new();
        let mut line = tree.first_line;
        let mut is_complete = false;
        for node in tree.nodes() {
            if is_complete || node.depth != open.len() || node.depth > 0 && open[node.depth - 1].n_missing == 0 {
                break;
            }
            let stack = match open.last_mut() {
                None => 0,
                Some(caller) => {
                    caller.n_missing -= 1;
                    caller.below = caller.below.saturating_add(node.bytes);
                    let caller = caller.stack;
                    self.with(caller, if node.is_folded() { BELOW_THRESHOLD.as_bytes() } else { node.detail })
                }
            };
            open.push(Open { stack, bytes: node.bytes, n_missing: node.n_children, below: 0 });
            line += 1;
            while let Some(done) = open.pop_if(|node| node.n_missing == 0) {
                if done.below > done.bytes {
                    problems.add(Problem::Sum, line - 1);
                }
                self.add(&done, &mut weights);
            }
            is_complete = open.is_empty();
        }
        let n_lines = Lines::new(tree.text, 1).count();
        if !is_complete || line - tree.first_line < n_lines {
            let is_cut = tree.is_last && line - tree.first_line + 1 >= n_lines;
            problems.add(if is_cut { Problem::CutTree } else { Problem::Tree }, line);
        }
        while let Some(cut) = open.pop() {
            self.add(&cut, &mut weights);
        }
        weights
    }

    /// The bytes of a node that no child has. What is missing, and bytes without any frame, have an unknown stack.
    fn add(&mut self, node: &Open, weights: &mut Vec<(u32, i64)>) {
        let own = node.bytes.saturating_sub(node.below);
        if own > 0 {
            let is_known = node.n_missing == 0 && node.stack != 0;
            let stack = if is_known { node.stack } else { self.with(node.stack, UNKNOWN_STACK.as_bytes()) };
            weights.push((stack, own));
        }
    }
}
