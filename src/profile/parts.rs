//! A profile made of finished tables, for a file that has them as they are: nothing is interned or sorted but texts.
//! Beside [`super::ProfileBuilder`] the only way to make one from bytes.

use super::builder::{LONGEST_BUILD_ID, LONGEST_PATH, MOST_NODES};
use super::frames::{Code, Function, Line, Location, Mapping};
use super::labels::{Label, Labels};
use super::samples::{Column, Samples, ValueType};
use super::stacks::Stacks;
use super::strings::Interner;
use super::{Dump, Meta, Profile, Violation};
use crate::base::id::{DumpId, FrameId, Id, LabelSetId, LocationId, MappingId, StackId, StrId};

/// The tables of a profile while they are filled. Numbers are in the order in which things are added.
pub struct ProfileParts {
    strings: Interner,
    code: Code,
    stacks: Stacks,
    /// Nodes from the root to the one added last.
    path: Vec<StackId>,
    labels: Labels,
    samples: Samples,
    columns: Vec<Column>,
    value_types: Vec<ValueType>,
    dumps: Vec<Dump>,
    meta: Meta,
}

impl ProfileParts {
    /// No code, stacks and rows yet.
    pub fn new(value_types: Vec<ValueType>, dumps: Vec<Dump>, meta: Meta) -> Self {
        ProfileParts {
            strings: Interner::default(),
            code: Code::default(),
            stacks: Stacks::default(),
            path: vec![Stacks::ROOT],
            labels: Labels::default(),
            samples: Samples::default(),
            columns: Vec::new(),
            value_types,
            dumps,
            meta,
        }
    }

    /// Adds a text. Equal ones get the same id.
    pub fn text(&mut self, text: &str) -> StrId {
        self.strings.intern(text)
    }

    /// Adds a mapping. Longer paths and build ids than any system has are cut.
    pub fn mapping(&mut self, mut mapping: Mapping) -> MappingId {
        mapping.file = self.strings.cut(mapping.file, LONGEST_PATH);
        mapping.build_id = self.strings.cut(mapping.build_id, LONGEST_BUILD_ID);
        self.code.mappings.push(mapping)
    }

    /// Adds a function.
    pub fn function(&mut self, function: Function) {
        self.code.functions.push(function);
    }

    /// Adds a location with its frames, innermost first; without any it has one that has no name.
    pub fn location(&mut self, mapping: Option<MappingId>, address: u64, is_folded: bool, lines: &[Line]) {
        let id = LocationId::new(self.code.locations.len());
        let (first_frame, n_frames) = self.code.push_frames(id, lines);
        self.code.locations.push(Location { mapping, address, first_frame, n_frames, is_folded });
    }

    /// Number of frames so far.
    pub fn n_frames(&self) -> usize {
        self.code.frames.len()
    }

    /// Adds a node of the tree of stacks in preorder, whose caller is `up` levels above the node before. Returns false if there
    /// is no such level, or no room for more nodes.
    pub fn node(&mut self, up: usize, frame: FrameId) -> bool {
        let Some(caller) = self.path.len().checked_sub(up + 1).and_then(|at| self.path.get(at).copied()) else { return false };
        if self.stacks.len() >= MOST_NODES {
            return false;
        }
        self.path.truncate(self.path.len() - up);
        self.path.push(self.stacks.push(caller, frame));
        true
    }

    /// Number of nodes so far, the root included.
    pub fn n_nodes(&self) -> usize {
        self.stacks.len()
    }

    /// Adds a set of labels behind the empty set.
    pub fn labels(&mut self, set: &[Label]) {
        self.labels.push(set);
    }

    /// Sets the rows: row → stack and row → label set.
    pub fn rows(&mut self, stack: Vec<StackId>, labels: Vec<LabelSetId>) {
        self.samples = Samples { stack, labels };
    }

    /// Adds a column: all value types of the first dump, then those of the next.
    pub fn column(&mut self, values: Vec<i64>) {
        let (dump, value_type) = self.next_column();
        self.columns.push(Column::new(dump, value_type, values));
    }

    /// Adds a sparse column of (row, value) pairs, by row.
    pub fn sparse_column(&mut self, pairs: Vec<(u32, i64)>) {
        let (dump, value_type) = self.next_column();
        self.columns.push(Column::of_pairs(dump, value_type, self.samples.len(), pairs));
    }

    fn next_column(&self) -> (DumpId, usize) {
        let n_types = self.value_types.len().max(1);
        (DumpId::new(self.columns.len() / n_types), self.columns.len() % n_types)
    }

    /// The profile. `n_cut`: rows that lost callees; `most_nodes`: bound of trees made from this one.
    ///
    /// # Errors
    /// An invariant that does not hold.
    pub fn finish(mut self, n_cut: usize, most_nodes: usize) -> Result<Profile, Violation> {
        self.stacks.close();
        let profile = Profile {
            strings: self.strings.finish(),
            code: self.code,
            stacks: self.stacks,
            samples: self.samples,
            columns: self.columns,
            labels: self.labels,
            value_types: self.value_types,
            dumps: self.dumps,
            meta: self.meta,
            logs: Vec::new(),
            accesses: Vec::new(),
            n_cut,
            most_nodes: most_nodes.min(MOST_NODES),
        };
        profile.validate()?;
        Ok(profile)
    }
}
