//! The profile: its tables and their accessors.

use crate::base::id::{DumpId, FrameId, FunctionId, Id, LocationId, MappingId, StackId, StrId};

use super::accesses::{self, Accesses};
use super::dump::Dump;
use super::frames::{Code, Frame, Function, Location, Mapping};
use super::labels::Labels;
use super::meta::Meta;
use super::process::{self, ProcessFile};
use super::run_log::RunLog;
use super::samples::{Column, Samples, ValueType};
use super::stacks::Stacks;
use super::strings::Strings;

/// A heap profile, or several of one program merged.
#[derive(Clone, Debug)]
pub struct Profile {
    pub(super) strings: Strings,
    pub(super) code: Code,
    pub(super) stacks: Stacks,
    pub(super) samples: Samples,
    pub(super) columns: Vec<Column>,
    pub(super) labels: Labels,
    pub(super) value_types: Vec<ValueType>,
    pub(super) dumps: Vec<Dump>,
    pub(super) meta: Meta,
    /// Events of recordings, for states between the moments that have columns.
    pub(super) logs: Vec<RunLog>,
    /// How often single bytes of blocks were accessed.
    pub(super) accesses: Vec<Accesses>,
    /// Rows that lost callees because the tree would have grown too large.
    pub(super) n_cut: usize,
    /// Maximum number of nodes that a tree made from this one may have.
    pub(super) most_nodes: usize,
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

    /// Whether it comes from report data: what its names say is recorded.
    pub fn is_of_report(&self) -> bool {
        self.meta.recorded.is_some()
    }

    /// Most nodes that a tree made from this profile may have.
    pub fn most_nodes(&self) -> usize {
        self.most_nodes.max(self.stacks.len())
    }

    /// Metadata of the profile as a whole.
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

    /// The value type to show when the user names none: the writer's default,
    /// else the last one. `None` when the profile has no numbers at all.
    pub fn default_value_type(&self) -> Option<usize> {
        let named = self.value_types.iter().position(|t| t.kind == self.meta.default_type);
        named.or(self.value_types.len().checked_sub(1))
    }

    /// When the first of the dumps was taken, nanoseconds since 1970 UTC; 0 when unknown.
    pub fn time_nanos(&self) -> i64 {
        self.dumps.iter().map(|d| d.time_nanos).filter(|&t| t != 0).min().unwrap_or(0)
    }

    /// Duration of all dumps together, in nanoseconds.
    pub fn duration_nanos(&self) -> i64 {
        self.dumps.iter().fold(0, |sum, d| sum.saturating_add(d.duration_nanos))
    }

    /// Says where the profile's dumps came from and whether they are to be subtracted.
    pub fn set_origin(&mut self, name: &str, is_base: bool) {
        for dump in &mut self.dumps {
            dump.name = dump.moment.map_or_else(|| name.to_owned(), |moment| moment.name(name));
            dump.is_base = is_base;
        }
        for run in &mut self.meta.runs {
            run.name = name.to_owned();
        }
        for log in &mut self.logs {
            log.name = name.to_owned();
        }
    }

    /// Says which process the profile's dumps are of, and when their file was written. Moments of a recording are a series of their
    /// own.
    pub fn set_process(&mut self, series: &str, number: Option<u64>, file_time: i64) {
        let run = self.meta.runs.first().map(|run| run.name.as_str());
        for dump in &mut self.dumps {
            match dump.moment {
                Some(_) => run.unwrap_or_default().clone_into(&mut dump.series),
                // A process writes one recording: numbers in the names of several are processes.
                None if run.is_some() && number.is_some() => {
                    dump.series = number.map_or(String::new(), |number| format!("{series}.{number}"));
                    dump.file_time = file_time;
                }
                None => (dump.series, dump.number, dump.file_time) = (series.to_owned(), number, file_time),
            }
        }
    }

    /// Adds rules to all recordings, in front of their own.
    pub fn add_suppressions(&mut self, rules: &[String]) {
        for run in &mut self.meta.runs {
            run.suppressions.splice(..0, rules.iter().cloned());
        }
    }

    /// Says which growth is expected.
    pub fn set_expected(&mut self, expected: Vec<super::ExpectedGrowth>) {
        self.meta.expected = expected;
    }

    /// Returns whether there are no dumps.
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

    /// Dumps, to change their metadata.
    pub fn dumps_mut(&mut self) -> &mut [Dump] {
        &mut self.dumps
    }

    /// Reorders dumps: `order` lists old indexes, each once. O(dumps).
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
        let dump_of = |dump: u32| order.iter().position(|from| *from == dump as usize).map(|to| to as u32);
        let accesses = accesses::moved(&self.accesses, Some, dump_of).collect();
        Profile { columns: moved, dumps, accesses, ..self }
    }

    /// Returns whether two dumps have the same numbers. O(numbers).
    pub fn is_same_dump(&self, a: usize, b: usize) -> bool {
        let n_types = self.value_types.len();
        let columns = |dump: usize| &self.columns[dump * n_types..][..n_types];
        columns(a).iter().zip(columns(b)).all(|(a, b)| a.nonzero().eq(b.nonzero()))
    }

    /// Multiplies all values by `factor`, saturating.
    pub fn multiply(&mut self, factor: i64) {
        if factor != 1 {
            self.columns.iter_mut().for_each(|column| column.multiply(factor));
            self.logs.iter_mut().for_each(|log| log.factor = log.factor.saturating_mul(factor));
        }
    }

    /// Accesses of bytes, in the writer's order.
    pub fn accesses(&self) -> &[Accesses] {
        &self.accesses
    }

    /// Adds accesses; those of rows and dumps that do not exist are left out.
    #[must_use]
    pub fn with_accesses(mut self, accesses: Vec<Accesses>) -> Profile {
        let (n_rows, n_dumps) = (self.samples.len(), self.dumps.len());
        self.accesses.extend(accesses.into_iter().filter(|of| (of.row as usize) < n_rows && (of.dump as usize) < n_dumps));
        self
    }

    /// Adds files about the memory of the processes of its dumps.
    pub fn add_process_files(&mut self, files: Vec<ProcessFile>) {
        process::add(&mut self.meta.process_files, files);
    }

    /// Appends a comment.
    pub fn add_comment(&mut self, comment: String) {
        self.meta.comments.push(comment);
    }
}
