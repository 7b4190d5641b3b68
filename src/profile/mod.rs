//! The one model that every format becomes and every report reads.
//!
//! A [`Profile`] is immutable and columnar: strings, code (mappings, functions,
//! locations, frames), a prefix tree of stacks, rows of samples, and one column of
//! numbers for each dump and value type. Two dumps are not two profiles but two
//! columns; a difference is a weight on columns.
//!
//! Does no input or output, knows no format, no clock and no global.

mod allocator_library;
mod builder;
mod check;
mod copy;
mod files;
mod frames;
mod label_frames;
mod labels;
mod merge;
mod paths;
mod rewrite;
mod samples;
mod series;
mod simple_name;
mod stacks;
mod strings;
mod thin;

pub use allocator_library::is_allocator_library;
pub use builder::ProfileBuilder;
pub use check::Violation;
pub use copy::Copier;
pub use frames::{Code, Frame, Function, Line, Location, Mapping};
pub use labels::{Label, LabelValue, Labels};
pub use merge::{MergeError, Merger, merge, merge_into};
pub use rewrite::{CallChange, NamedLine, Names};
pub use samples::{Column, Samples, ValueType};
pub use series::{Axis, Series};
pub use simple_name::simple_name;
pub use stacks::Stacks;
pub use strings::Strings;

/// Name of the only frame of a stack that stands for rows which gperftools dropped for lack of room. Nobody's code.
pub const LOST_ROWS: &str = "[rows lost by gperftools' buffer limit]";

use crate::id::{DumpId, FrameId, FunctionId, Id, LocationId, MappingId, StackId, StrId};

/// A heap profile, or several of one program merged.
#[derive(Clone, Debug)]
pub struct Profile {
    strings: Strings,
    code: Code,
    stacks: Stacks,
    samples: Samples,
    columns: Vec<Column>,
    labels: Labels,
    value_types: Vec<ValueType>,
    dumps: Vec<Dump>,
    meta: Meta,
    /// Rows that lost callees because the tree would have grown too large.
    n_cut: usize,
    /// Most nodes that a tree made from this one may have.
    most_nodes: usize,
}

/// One profile as it was read: where it came from and when it was taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dump {
    /// Path or address it was read from, for people.
    pub name: String,
    /// End of collection, nanoseconds since 1970 UTC; 0 when unknown.
    pub time_nanos: i64,
    /// Length of collection, nanoseconds; 0 for a snapshot.
    pub duration_nanos: i64,
    /// The process that it is of, as names of dumps tell it, such as `jeprof.13992`; empty when none does.
    pub series: String,
    /// Which of its dumps it is, in the order of the process; `None` when its name does not tell.
    pub number: Option<u64>,
    /// When its file was written last, nanoseconds since 1970 UTC; 0 when unknown.
    pub file_time: i64,
    /// Given to be subtracted: not shown unless a view names it.
    pub is_base: bool,
    /// Not shown unless a view names it: another dump of a series is, or it was opened beside the others while
    /// people looked at them.
    pub is_added: bool,
    /// Its numbers were dropped to save memory; the dump stays in the list, so that numbers of others hold.
    pub is_thinned: bool,
    /// From another machine or another program: it was fetched, or opened in the page.
    pub is_foreign: bool,
    /// Mean distance of samples, bytes; 0 when unknown or every allocation was recorded.
    pub period: i64,
}

impl Dump {
    /// Whether it is shown when a view names no dump.
    pub fn counts(&self) -> bool {
        !self.is_base && !self.is_added && !self.is_thinned
    }
}

/// What is said of the profile as a whole.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// What a sample is taken every so often of.
    pub period_type: Option<ValueType>,
    /// Mean distance of samples in the period type's unit; 0 when unknown, 1 when exact.
    pub period: i64,
    /// Kind of the value type to show first; empty: the last one.
    pub default_type: String,
    /// Lines for people, each once where profiles were merged. At most [`MOST_COMMENTS`] of them.
    pub comments: Vec<String>,
    /// Where the numbers are explained.
    pub doc_url: String,
    /// Functions below which (and with which) stacks end: allocator internals.
    /// A regular expression on the whole name.
    pub drop_frames: String,
    /// Exceptions to `drop_frames`.
    pub keep_frames: String,
    /// The builds of one program that the dumps are of, when there are several.
    pub matched_builds: Option<MatchedBuilds>,
}

/// Builds of one program, and how many functions have one name in several of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchedBuilds {
    /// The builds.
    pub builds: Vec<MatchedBuild>,
    /// Functions that several builds call the same.
    pub n_by_name: usize,
    /// Functions matched by the normal form of their names.
    pub n_by_form: usize,
    /// Functions matched by the last part of their names, and file or line.
    pub n_by_last_part: usize,
    /// Functions matched by the last part of their names and their callers, where one name stands for several functions.
    pub n_by_place: usize,
    /// Inlined calls that some builds have no name for, and that are part of their callers instead.
    pub n_folded_calls: usize,
    /// Builds without any function name.
    pub nameless: Vec<NamelessBuild>,
}

/// A build whose functions cannot be matched: there are no names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NamelessBuild {
    /// As [`MatchedBuild::file`].
    pub file: String,
    /// All of its dumps are subtracted.
    pub is_base: bool,
}

/// A build of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchedBuild {
    /// Path of the program with the beginning of its build id; of dumps without a program the name of the first one.
    pub file: String,
    /// Functions in its stacks.
    pub n_functions: usize,
    /// Those of them that another build has, too.
    pub n_matched: usize,
}

/// Most comments of a profile. Each is an index of a few bits into a table of texts, so that a file of a
/// kilobyte can ask for gigabytes.
pub const MOST_COMMENTS: usize = 10_000;

/// Most bytes of all comments together.
pub const MOST_COMMENT_BYTES: usize = 1 << 20;

impl Meta {
    /// Number of leading comments in `lengths` (bytes) that fit behind those that are there.
    pub fn room_for_comments(&self, lengths: impl Iterator<Item = usize>) -> usize {
        let mut left = MOST_COMMENT_BYTES.saturating_sub(self.comments.iter().map(String::len).sum());
        let fits = move |length: &usize| match left.checked_sub(*length) {
            Some(rest) => {
                left = rest;
                true
            }
            None => false,
        };
        lengths.take(MOST_COMMENTS.saturating_sub(self.comments.len())).take_while(fits).count()
    }
}

/// Stacks as locations ([`Profile::calls`]).
pub struct Calls<'a> {
    profile: &'a Profile,
    /// Node → the nearest node, itself included, whose frame is not inlined.
    outermost: Vec<StackId>,
}

impl Calls<'_> {
    /// The locations of a stack, leaf first, as [`Profile::locations`] gives them.
    pub fn of(&self, stack: StackId) -> impl Iterator<Item = LocationId> + '_ {
        let Profile { stacks, code, .. } = self.profile;
        let mut node = self.outermost[stack.index()];
        std::iter::from_fn(move || {
            if node == Stacks::ROOT {
                return None;
            }
            let location = code.frames[stacks.frame[node]].location;
            node = self.outermost[stacks.parent[node].index()];
            Some(location)
        })
    }
}

impl Profile {
    /// A text.
    pub fn text(&self, id: StrId) -> &str {
        self.strings.get(id)
    }

    /// All texts.
    pub fn strings(&self) -> &Strings {
        &self.strings
    }

    /// Mappings, functions, locations, frames.
    pub fn code(&self) -> &Code {
        &self.code
    }

    /// The prefix tree of stacks.
    pub fn stacks(&self) -> &Stacks {
        &self.stacks
    }

    /// The rows.
    pub fn samples(&self) -> &Samples {
        &self.samples
    }

    /// The numbers: one column for each dump and value type, dump by dump.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Row → value of one type in one dump. O(rows).
    pub fn values(&self, dump: usize, value_type: usize) -> Vec<i64> {
        let mut values = vec![0; self.samples.len()];
        self.columns[dump * self.value_types.len() + value_type].add_to(1.0, &mut values);
        values
    }

    /// Label sets.
    pub fn labels(&self) -> &Labels {
        &self.labels
    }

    /// Kinds and units of numbers, in the writer's order.
    pub fn value_types(&self) -> &[ValueType] {
        &self.value_types
    }

    /// The dumps, in the order given.
    pub fn dumps(&self) -> &[Dump] {
        &self.dumps
    }

    /// Rows that lost callees because the tree of stacks would have grown too large.
    pub fn n_cut(&self) -> usize {
        self.n_cut
    }

    /// What is said of the whole.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Bytes on the heap, about: of texts, code, stacks, rows and numbers. O(dumps × value types).
    pub fn heap_bytes(&self) -> usize {
        let Code { mappings, functions, locations, frames } = &self.code;
        let code = mappings.len() * size_of::<Mapping>()
            + functions.len() * size_of::<Function>()
            + locations.len() * size_of::<Location>()
            + frames.len() * size_of::<Frame>();
        let stacks = self.stacks.len() * 3 * size_of::<u32>() + self.samples.len() * 2 * size_of::<u32>();
        let columns = self.columns.iter().map(Column::heap_bytes).sum::<usize>();
        self.strings.heap_bytes() + code + stacks + columns + self.labels.heap_bytes()
    }

    /// The function of a frame.
    pub fn function_of(&self, frame: FrameId) -> Option<(FunctionId, &Function)> {
        let id = self.code.frames[frame].function?;
        Some((id, &self.code.functions[id]))
    }

    /// The mapping of a location.
    pub fn mapping_of(&self, location: LocationId) -> Option<(MappingId, &Mapping)> {
        let id = self.code.locations[location].mapping?;
        Some((id, &self.code.mappings[id]))
    }

    /// The locations of a stack, leaf first. O(depth).
    pub fn locations(&self, stack: StackId) -> impl Iterator<Item = LocationId> + '_ {
        // A location's frames are neighbours on the path; its outermost one comes last.
        self.stacks.frames(stack).filter_map(|frame| {
            let frame = &self.code.frames[frame];
            (!frame.inlined).then_some(frame.location)
        })
    }

    /// The locations of many stacks: after O(nodes), those of one in O(locations), however many frames are inlined.
    pub fn calls(&self) -> Calls<'_> {
        let (stacks, frames) = (&self.stacks, &self.code.frames);
        let mut outermost: Vec<StackId> = (0..stacks.len()).map(StackId::new).collect();
        for node in (1..stacks.len()).map(StackId::new) {
            if frames[stacks.frame[node]].inlined {
                outermost[node.index()] = outermost[stacks.parent[node].index()];
            }
        }
        Calls { profile: self, outermost }
    }

    /// The value type to show when the person names none: the writer's default,
    /// else the last one. `None` when the profile has no numbers at all.
    pub fn default_value_type(&self) -> Option<usize> {
        let named = self.value_types.iter().position(|t| t.kind == self.meta.default_type);
        named.or(self.value_types.len().checked_sub(1))
    }

    /// When the first of the dumps was taken, nanoseconds since 1970 UTC; 0 when unknown.
    pub fn time_nanos(&self) -> i64 {
        self.dumps.iter().map(|d| d.time_nanos).filter(|&t| t != 0).min().unwrap_or(0)
    }

    /// How long all dumps took, nanoseconds.
    pub fn duration_nanos(&self) -> i64 {
        self.dumps.iter().fold(0, |sum, d| sum.saturating_add(d.duration_nanos))
    }

    /// Says where the profile's dumps came from and whether they are to be subtracted.
    pub fn set_origin(&mut self, name: &str, is_base: bool) {
        for dump in &mut self.dumps {
            dump.name = name.to_owned();
            dump.is_base = is_base;
        }
    }

    /// A profile without dumps, value types and stacks: nothing is open yet.
    pub fn empty() -> Profile {
        ProfileBuilder::with_dumps(Vec::new(), Vec::new()).build()
    }

    /// Whether there are no dumps.
    pub fn is_empty(&self) -> bool {
        self.dumps.is_empty()
    }

    /// Says that the profile's dumps are to be subtracted.
    pub fn mark_base(&mut self) {
        self.dumps.iter_mut().for_each(|dump| dump.is_base = true);
    }

    /// Says that the profile's dumps were opened beside others.
    pub fn mark_added(&mut self) {
        self.dumps.iter_mut().for_each(|dump| dump.is_added = true);
    }

    /// Says that the profile's dumps are from another machine or program.
    pub fn mark_foreign(&mut self) {
        self.dumps.iter_mut().for_each(|dump| dump.is_foreign = true);
    }

    /// The dumps, to say more of them.
    pub fn dumps_mut(&mut self) -> &mut [Dump] {
        &mut self.dumps
    }

    /// The same with its dumps in this order: new index → index now, each once. O(dumps).
    pub fn reordered(self, order: &[usize]) -> Profile {
        let n_types = self.value_types.len();
        let mut columns: Vec<Option<Column>> = self.columns.into_iter().map(Some).collect();
        let mut moved = Vec::with_capacity(columns.len());
        for (dump, &from) in order.iter().enumerate() {
            let taken = columns[from * n_types..][..n_types].iter_mut().filter_map(Option::take);
            moved.extend(taken.map(|mut column| {
                column.dump = DumpId::new(dump);
                column
            }));
        }
        let dumps = order.iter().map(|&from| self.dumps[from].clone()).collect();
        Profile { columns: moved, dumps, ..self }
    }

    /// Whether two dumps have the same numbers. O(numbers).
    pub fn is_same_dump(&self, a: usize, b: usize) -> bool {
        let n_types = self.value_types.len();
        let columns = |dump: usize| &self.columns[dump * n_types..][..n_types];
        columns(a).iter().zip(columns(b)).all(|(a, b)| a.nonzero().eq(b.nonzero()))
    }

    /// Makes every value `factor` times as great, as far as it can be.
    pub fn multiply(&mut self, factor: i64) {
        if factor != 1 {
            self.columns.iter_mut().for_each(|column| column.multiply(factor));
        }
    }

    /// Appends a comment.
    pub fn add_comment(&mut self, comment: String) {
        self.meta.comments.push(comment);
    }
}
