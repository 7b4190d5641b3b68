//! The only way to make a [`Profile`]: parsers add rows, `build` interns the stacks.

use std::cmp::Ordering;

use super::frames::{Code, Function, Line, Location, Mapping};
use super::labels::{Label, LabelInterner};
use super::samples::{Column, Samples, ValueType};
use super::stacks::Stacks;
use super::strings::Interner;
use super::{Dump, Meta, Profile};
use crate::base::hash::HashMap;
use crate::base::id::{DumpId, FunctionId, Id, LabelSetId, LocationId, MappingId, StackId, StrId};
use crate::base::parallel::alongside;

/// Longest path of a mapping (`PATH_MAX` of Linux), and longest build id in hexadecimal; bytes.
pub(super) const LONGEST_PATH: usize = 4096;
pub(super) const LONGEST_BUILD_ID: usize = 512;

/// Collects the contents of a dump. Equal functions, locations, label sets and stacks become
/// one; rows stay as they come.
///
/// ```
/// use heapview::profile::{Line, Labels, ProfileBuilder};
/// let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
/// let name = b.string("main");
/// let main = b.function_named(name);
/// let at = b.location(None, 0x1000, &[Line { function: Some(main), line: 3, column: 0 }]);
/// b.sample(&[at], Labels::NONE, &[96]);
/// assert_eq!(b.build().samples().len(), 1);
/// ```
pub struct ProfileBuilder {
    strings: Interner,
    code: Code,
    function_ids: HashMap<Function, FunctionId>,
    /// Locations without lines, by mapping and address: the hot path of text formats.
    bare: HashMap<(Option<MappingId>, u64), LocationId>,
    lined: HashMap<LocationKey, LocationId>,
    labels: LabelInterner,
    value_types: Vec<ValueType>,
    dumps: Vec<Dump>,
    meta: Meta,
    /// Locations of all rows, root first, one after the other.
    paths: Vec<LocationId>,
    /// Row → end in `paths`, which is never longer than a `u32` can index.
    path_end: Vec<u32>,
    row_labels: Vec<LabelSetId>,
    /// Value type → row → value.
    values: Vec<Vec<i64>>,
    /// Most nodes of the tree.
    most_nodes: usize,
    /// Rows whose stack had no room any more.
    n_lost: usize,
}

/// Most nodes of a tree: over twice what a million stacks take. One that grows past it (a few
/// kilobytes can ask for billions) is cut, with a warning.
pub(super) const MOST_NODES: usize = 1 << 25;
/// Nodes that any file may have, and bytes of a file for each further one. Reports take some sixty
/// bytes for a node; dumps of programs have ten bytes or more for one.
pub(super) const FREE_NODES: usize = 1 << 19;
const BYTES_PER_NODE: usize = 3;

type LocationKey = (Option<MappingId>, u64, bool, Box<[Line]>);

impl ProfileBuilder {
    /// A builder for one dump with these value types (kind, unit).
    pub fn new(value_types: &[(&str, &str)]) -> Self {
        let types: Vec<_> = value_types.iter().map(|&(kind, unit)| ValueType::new(kind, unit)).collect();
        Self::with_dump(types, Dump::default())
    }

    /// A builder for this dump.
    pub fn with_dump(value_types: Vec<ValueType>, dump: Dump) -> Self {
        Self::with_dumps(value_types, vec![dump])
    }

    /// Where numbers come from elsewhere, there may be any number of dumps.
    pub(super) fn with_dumps(value_types: Vec<ValueType>, dumps: Vec<Dump>) -> Self {
        ProfileBuilder {
            strings: Interner::default(),
            code: Code::default(),
            function_ids: HashMap::default(),
            bare: HashMap::default(),
            lined: HashMap::default(),
            labels: LabelInterner::default(),
            values: vec![Vec::new(); value_types.len()],
            value_types,
            dumps,
            meta: Meta::default(),
            paths: Vec::new(),
            path_end: Vec::new(),
            row_labels: Vec::new(),
            most_nodes: MOST_NODES,
            n_lost: 0,
        }
    }

    /// Bounds the tree of stacks by the length of the file that is read, in bytes.
    pub fn bound_by_input(&mut self, length: usize) {
        self.most_nodes = MOST_NODES.min(FREE_NODES + length / BYTES_PER_NODE);
    }

    /// Bounds the tree of stacks as that of `profile`, which the new one is made from.
    pub(super) fn bound_like(&mut self, profile: &Profile) {
        self.most_nodes = profile.most_nodes.max(profile.stacks.len());
    }

    /// Metadata of the profile.
    pub fn meta(&mut self) -> &mut Meta {
        &mut self.meta
    }

    /// The code so far.
    pub(super) fn code(&self) -> &Code {
        &self.code
    }

    /// The dump that is filled.
    pub fn dump(&mut self) -> &mut Dump {
        &mut self.dumps[0]
    }

    /// Interns a text.
    pub fn string(&mut self, text: &str) -> StrId {
        self.strings.intern(text)
    }

    /// The text of an interned string.
    pub fn text(&self, id: StrId) -> &str {
        self.strings.get(id)
    }

    /// Appends a mapping. Mappings are not made one: the caller decides. Paths and build ids that no system has are cut: many
    /// mappings may have the same long one, and answers name it for each.
    pub fn mapping(&mut self, mut mapping: Mapping) -> MappingId {
        mapping.file = self.strings.cut(mapping.file, LONGEST_PATH);
        mapping.build_id = self.strings.cut(mapping.build_id, LONGEST_BUILD_ID);
        self.code.mappings.push(mapping)
    }

    /// Says that `mapping` is resolved as far as its twin `other` is.
    pub(super) fn has_names(&mut self, mapping: MappingId, other: &Mapping) {
        let mapping = &mut self.code.mappings[mapping];
        mapping.has_functions |= other.has_functions;
        mapping.has_filenames |= other.has_filenames;
        mapping.has_line_numbers |= other.has_line_numbers;
        mapping.has_inline_frames |= other.has_inline_frames;
    }

    /// Interns a function.
    pub fn function(&mut self, function: Function) -> FunctionId {
        let Self { function_ids, code, .. } = self;
        *function_ids.entry(function).or_insert_with(|| code.functions.push(function))
    }

    /// Interns a function of which only the display name is known.
    pub fn function_named(&mut self, name: StrId) -> FunctionId {
        self.function(Function { name, ..Function::default() })
    }

    /// Interns a location; `lines` innermost first, none when nothing is known.
    pub fn location(&mut self, mapping: Option<MappingId>, address: u64, lines: &[Line]) -> LocationId {
        self.location_folded(mapping, address, lines, false)
    }

    /// [`ProfileBuilder::location`] for code that several functions share.
    pub fn location_folded(&mut self, mapping: Option<MappingId>, address: u64, lines: &[Line], is_folded: bool) -> LocationId {
        if lines.is_empty() && !is_folded {
            if let Some(&id) = self.bare.get(&(mapping, address)) {
                return id;
            }
            let id = self.push_location(mapping, address, lines, false);
            self.bare.insert((mapping, address), id);
            return id;
        }
        let key = (mapping, address, is_folded, Box::from(lines));
        if let Some(&id) = self.lined.get(&key) {
            return id;
        }
        let id = self.push_location(mapping, address, lines, is_folded);
        self.lined.insert(key, id);
        id
    }

    fn push_location(&mut self, mapping: Option<MappingId>, address: u64, lines: &[Line], is_folded: bool) -> LocationId {
        let id = LocationId::new(self.code.locations.len());
        let (first_frame, n_frames) = self.code.push_frames(id, lines);
        self.code.locations.push(Location { mapping, address, first_frame, n_frames, is_folded })
    }

    /// Interns a set of labels.
    pub fn label_set(&mut self, labels: &[Label]) -> LabelSetId {
        self.labels.intern(labels)
    }

    /// Adds a row. `stack` is leaf first; `values` has one number for each value type
    /// (missing ones are 0).
    pub fn sample(&mut self, stack: &[LocationId], labels: LabelSetId, values: &[i64]) {
        // 16 GB of locations are more than any machine has room for beside them.
        if self.paths.len() + stack.len() <= u32::MAX as usize {
            self.paths.extend(stack.iter().rev());
        } else {
            self.n_lost += 1;
        }
        self.path_end.push(self.paths.len() as u32);
        self.row_labels.push(labels);
        for (i, column) in self.values.iter_mut().enumerate() {
            column.push(values.get(i).copied().unwrap_or(0));
        }
    }

    /// Makes room for `n` more rows.
    pub fn reserve(&mut self, n: usize) {
        self.path_end.reserve_exact(n);
        self.row_labels.reserve_exact(n);
        self.values.iter_mut().for_each(|column| column.reserve_exact(n));
    }

    /// Number of rows so far.
    pub fn n_samples(&self) -> usize {
        self.path_end.len()
    }

    /// Interns the stacks and freezes everything. O(r log r · d) for r rows of depth d.
    pub fn build(mut self) -> Profile {
        let (stacks, row_stack, n_cut) = self.intern_stacks();
        let n_cut = n_cut + self.n_lost;
        self.paths = Vec::new();
        self.path_end = Vec::new();

        let samples = Samples { stack: row_stack, labels: self.row_labels };
        let columns = self.values.into_iter().enumerate().map(|(i, values)| Column::new(DumpId(0), i, values)).collect();
        Profile {
            strings: self.strings.finish(),
            code: self.code,
            stacks,
            samples,
            columns,
            labels: self.labels.finish(),
            value_types: self.value_types,
            dumps: self.dumps,
            meta: self.meta,
            logs: Vec::new(),
            accesses: Vec::new(),
            n_cut,
            most_nodes: self.most_nodes,
        }
    }

    /// Sorts the rows by their paths, so that the tree comes out in preorder
    /// without a single look-up. Returns the tree, row → stack, and how many rows lost callees because the
    /// tree grew too large.
    fn intern_stacks(&self) -> (Stacks, Vec<StackId>, usize) {
        let path = |row: usize| {
            let start = if row == 0 { 0 } else { self.path_end[row - 1] };
            &self.paths[start as usize..self.path_end[row] as usize]
        };
        let order = sorted(self.path_end.len(), |a, b| path(a as usize).cmp(path(b as usize)).then(a.cmp(&b)));

        let mut stacks = Stacks::default();
        let mut row_stack = vec![Stacks::ROOT; order.len()];
        // Node of each location on the path of the row before.
        let mut open: Vec<StackId> = Vec::new();
        let mut before: &[LocationId] = &[];
        let mut n_cut = 0;
        for &row in &order {
            let now = path(row as usize);
            let shared = before.iter().zip(now).take_while(|(a, b)| a == b).count();
            open.truncate(shared);
            for &location in &now[shared..] {
                if stacks.len() + self.code.locations[location].n_frames as usize > self.most_nodes {
                    n_cut += 1;
                    break;
                }
                let mut node = open.last().copied().unwrap_or(Stacks::ROOT);
                for frame in self.code.locations[location].frames().rev() {
                    node = stacks.push(node, frame);
                }
                open.push(node);
            }
            row_stack[row as usize] = open.last().copied().unwrap_or(Stacks::ROOT);
            // What was cut off is not shared with the next row.
            before = &now[..open.len()];
        }
        stacks.close();
        (stacks, row_stack, n_cut)
    }
}

/// Fewer rows than this are sorted by one thread.
const MANY: usize = 1 << 15;

/// The numbers below `n` in the order of `compare`, by two threads where there are many and threads can be had.
fn sorted(n: usize, compare: impl Fn(u32, u32) -> Ordering + Sync) -> Vec<u32> {
    let mut order: Vec<u32> = (0..n as u32).collect();
    let sort = |part: &mut [u32]| part.sort_unstable_by(|&a, &b| compare(a, b));
    if n < MANY {
        sort(&mut order);
        return order;
    }
    let (left, right) = order.split_at_mut(n / 2);
    if alongside(|| sort(left), || sort(right)).is_none() {
        sort(left);
        sort(right);
    }
    let (mut left, mut right) = (left.iter().copied().peekable(), right.iter().copied().peekable());
    let mut merged = Vec::with_capacity(n);
    while let (Some(&a), Some(&b)) = (left.peek(), right.peek()) {
        let first = if compare(a, b).is_le() { left.next() } else { right.next() };
        merged.extend(first);
    }
    merged.extend(left.chain(right));
    merged
}

impl Profile {
    /// A profile without dumps, value types and stacks: nothing is open yet.
    pub fn empty() -> Profile {
        ProfileBuilder::with_dumps(Vec::new(), Vec::new()).build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_no_system_has_are_cut() {
        let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
        let [long, usual] = [b.string(&"ö".repeat(5000)), b.string("/usr/lib/libc.so.6")];
        for file in [long, usual] {
            b.mapping(Mapping { file, build_id: long, ..Mapping::default() });
        }
        let profile = b.build();
        let texts: Vec<[&str; 2]> = profile.code().mappings.iter().map(|m| [m.file, m.build_id].map(|id| profile.text(id))).collect();
        assert_eq!(texts, [["ö".repeat(2048).as_str(), &"ö".repeat(256)], ["/usr/lib/libc.so.6", &"ö".repeat(256)]]);
    }
}
