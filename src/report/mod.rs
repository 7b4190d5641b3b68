//! Answers as plain data, in the words of the person who asked.
//!
//! A report has no logic and no link back to the profile: renderers and the web page
//! need nothing else. Long lists are columns of equal length. Values are whole numbers
//! in `header.unit`; where there is a base, `…_base` columns stand beside them and the
//! difference is value − base.

mod calls;
mod change;
mod check;
mod disasm;
mod doctor;
mod flame;
mod graph;
mod growth;
mod jeprof;
mod peek;
mod rows;
mod sizes;
mod source;
mod summary;
mod tags;
mod traces;
mod types;

pub use calls::{Call, CallsReport, Place};
pub use change::{Gross, Spread};
pub use check::{CheckOf, CheckReport, CheckRow};
pub use disasm::{CodeCall, CodePlace, CodeRoutine, CodeRow, DisasmReport, SampledAddress};
pub use doctor::{DoctorModule, DoctorReport};
pub use flame::{BoxId, FlameReport};
pub use graph::{GraphEdges, GraphReport, GraphTag};
pub use growth::{GrowthDump, GrowthReport, GrowthRow, GrowthShape, Trend};
pub use jeprof::{
    JeprofCall, JeprofCalls, JeprofEdge, JeprofGraph, JeprofHeader, JeprofPlace, JeprofRow, JeprofStacks, JeprofText, JeprofUnit,
};
pub use peek::{PeekEntry, PeekLink, PeekReport};
pub use rows::{Inlining, Row, TopReport};
pub use sizes::{SizeClass, SizePart, SizeSum, SizesFrom, SizesReport};
pub use source::{MissingSource, SourceCall, SourceEntry, SourceInstruction, SourceLines, SourceReport, SourceStep};
pub use summary::{SummaryCulprit, SummaryPackage, SummaryReport, SummarySum, SummaryTotal};
pub use tags::{TagKey, TagNumber, TagRange, TagValue, TagsReport};
pub use traces::{StoredTrace, Trace, Traces, TracesReport};
pub use types::{HeldType, TypeRow, TypesReport};

use serde::Serialize;
use utoipa::ToSchema;

/// Any report.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Report {
    /// Totals, culprits, packages.
    Summary(SummaryReport),
    /// Functions (or lines, files, addresses) by weight.
    Top(TopReport),
    /// Each function between its callers and callees.
    Peek(PeekReport),
    /// The tree of stacks, from the root or from the leaves.
    Flame(FlameReport),
    /// The call graph.
    Graph(GraphReport),
    /// Stack by stack.
    Traces(TracesReport),
    /// Values of labels.
    Tags(TagsReport),
    /// Objects by size.
    Sizes(SizesReport),
    /// Source lines of functions.
    Source(SourceReport),
    /// Code of functions.
    Disasm(DisasmReport),
    /// What containers hold the memory.
    Types(TypesReport),
    /// What grows from dump to dump.
    Growth(GrowthReport),
}

impl Report {
    /// What every report says first.
    pub fn header(&self) -> &Header {
        match self {
            Report::Summary(r) => &r.header,
            Report::Top(r) => &r.header,
            Report::Peek(r) => &r.header,
            Report::Flame(r) => &r.header,
            Report::Graph(r) => &r.header,
            Report::Traces(r) => &r.header,
            Report::Tags(r) => &r.header,
            Report::Sizes(r) => &r.header,
            Report::Source(r) => &r.header,
            Report::Disasm(r) => &r.header,
            Report::Types(r) => &r.header,
            Report::Growth(r) => &r.header,
        }
    }

    fn header_mut(&mut self) -> &mut Header {
        match self {
            Report::Summary(r) => &mut r.header,
            Report::Top(r) => &mut r.header,
            Report::Peek(r) => &mut r.header,
            Report::Flame(r) => &mut r.header,
            Report::Graph(r) => &mut r.header,
            Report::Traces(r) => &mut r.header,
            Report::Tags(r) => &mut r.header,
            Report::Sizes(r) => &mut r.header,
            Report::Source(r) => &mut r.header,
            Report::Disasm(r) => &mut r.header,
            Report::Types(r) => &mut r.header,
            Report::Growth(r) => &mut r.header,
        }
    }
}

impl Report {
    /// Adds to what the person should know.
    pub fn warn(&mut self, warnings: impl IntoIterator<Item = String>) {
        self.header_mut().warnings.extend(warnings);
    }

    /// Every row that the report has, for those who know more about names.
    pub fn for_each_row(&mut self, mut change: impl FnMut(&mut Row)) {
        match self {
            Report::Summary(r) => r.culprit.iter_mut().for_each(|culprit| change(&mut culprit.row)),
            Report::Top(r) => r.row.iter_mut().for_each(change),
            Report::Flame(r) => r.row.iter_mut().for_each(change),
            Report::Graph(r) => r.row.iter_mut().for_each(change),
            Report::Sizes(r) => r.row.iter_mut().for_each(change),
            Report::Types(r) => r.row.iter_mut().flat_map(|t| &mut t.culprit).for_each(|culprit| change(&mut culprit.row)),
            Report::Growth(r) => r.row.iter_mut().for_each(|row| change(&mut row.row)),
            Report::Peek(r) => r.entry.iter_mut().for_each(|entry| {
                change(&mut entry.row);
                entry.callers.iter_mut().chain(&mut entry.callees).for_each(|link| change(&mut link.row));
            }),
            Report::Traces(_) | Report::Tags(_) | Report::Source(_) | Report::Disasm(_) => {}
        }
    }
}

/// What every report says first: of what, how much, and what is left out.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Header {
    /// Base name of the main binary; empty when unknown.
    pub file: String,
    /// Its build id.
    pub build_id: String,
    /// Value type shown, such as `inuse_space`.
    pub value_type: String,
    /// Unit of every value in the report, as the profile names it (`bytes`, `count`).
    pub unit: String,
    /// Unit to print values in; `minimum` and `auto` mean: choose.
    pub output_unit: String,
    /// What stands beside every value, such as `inuse_objects`; empty when it was not asked for or is not there.
    pub companion_type: String,
    /// Its unit.
    pub companion_unit: String,
    /// What every value is divided by before it is printed.
    pub divide_by: f64,
    /// What 100 % is: before filters, unless percentages are relative.
    pub total: i64,
    /// Whether there is a base; values are then differences to be taken.
    pub has_base: bool,
    /// Sum of the values of all samples that passed the filters.
    pub value_total: i64,
    /// The same of the base.
    pub base_total: i64,
    /// Mean distance of samples, bytes, the largest where dumps differ; 0 when every allocation was recorded, or nobody knows.
    pub period: i64,
    /// How sure the sum of values is; absent unless asked for, and where every allocation was recorded.
    pub spread: Option<Spread>,
    /// What grew and shrank since the base in all; absent unless asked for, and without a base.
    pub gross: Option<Gross>,
    /// Rows of the whole table that the base has not; 0 unless `gross` is there.
    pub n_new: usize,
    /// Rows that only the base has.
    pub n_gone: usize,
    /// With a base and `spread`: how much of the rows' differences, signs left out, is within the noise of sampling.
    pub within_noise: i64,
    /// Sum of flat (value − base) of what is shown.
    pub shown: i64,
    /// Rows, nodes or boxes shown.
    pub n_shown: usize,
    /// How many there were after small ones were dropped and before the count was limited.
    pub n_total: usize,
    /// How many were dropped for being small.
    pub dropped_nodes: usize,
    /// They were smaller than this.
    pub node_cutoff: i64,
    /// How many edges were dropped for being small.
    pub dropped_edges: usize,
    /// They were smaller than this.
    pub edge_cutoff: i64,
    /// Filters in force, one `name=value` each, in pprof's order.
    pub filters: Vec<String>,
    /// The whole view as canonical pairs without defaults: the query of its address.
    pub query: Vec<(String, String)>,
    /// End of collection, nanoseconds since 1970 UTC; 0 when unknown.
    pub time_nanos: i64,
    /// Length of collection, nanoseconds; 0 for a snapshot.
    pub duration_nanos: i64,
    /// The profile's comments.
    pub comments: Vec<String>,
    /// Where the numbers are explained; empty when the profile does not say.
    pub doc_url: String,
    /// Allocation wrappers (`xmalloc` and the like) whose callers are charged, those with most bytes first; only in reports
    /// that charge culprits. A rule `function:NAME=own` charges one of them again.
    pub wrappers: Vec<String>,
    /// What the person should know, a sentence each.
    pub warnings: Vec<String>,
    /// Fewer labels in the text output.
    pub compact: bool,
}
