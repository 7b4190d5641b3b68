//! Answers as plain data, in the words of the person who asked.
//!
//! A report has no logic and no link back to the profile: renderers and the web page
//! need nothing else. Long lists are columns of equal length. Values are whole numbers
//! in `header.unit`; where there is a base, `…_base` columns stand beside them and the
//! difference is value − base.

mod builds;
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

pub use builds::{MatchedBuild, MatchedBuilds};
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
pub use peek::{PeekCalls, PeekEntries, PeekEntry, PeekLink, PeekLinks, PeekReport, StoredEntry};
pub use rows::{Inlining, Row, TopReport};
pub use sizes::{SizeClass, SizePart, SizeSum, SizesFrom, SizesReport};
pub use source::{MissingSource, SourceCall, SourceEntry, SourceInstruction, SourceLines, SourceReport, SourceStep};
pub use summary::{SummaryCulprit, SummaryPackage, SummaryReport, SummarySum, SummaryTotal};
pub use tags::{TagKey, TagNumber, TagRange, TagValue, TagsReport};
pub use traces::{StoredTrace, Trace, Traces, TracesReport};
pub use types::{HeldType, TypeRow, TypesReport};

use serde::Serialize;
use utoipa::ToSchema;

use crate::kind::PackageKind;

/// Any report.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Report {
    /// Totals, culprits, packages.
    Summary(SummaryReport),
    /// Functions, lines, files or addresses sorted by memory.
    Top(TopReport),
    /// Each function with its callers and callees.
    Peek(PeekReport),
    /// Call tree, from the root or from the leaves.
    Flame(FlameReport),
    /// The call graph.
    Graph(GraphReport),
    /// All samples as stack traces.
    Traces(TracesReport),
    /// Label values and their totals.
    Tags(TagsReport),
    /// Allocation sizes.
    Sizes(SizesReport),
    /// Source lines of functions.
    Source(SourceReport),
    /// Machine code of functions.
    Disasm(DisasmReport),
    /// Container types that use the memory.
    Types(TypesReport),
    /// What grows over a series of dumps.
    Growth(GrowthReport),
}

impl Report {
    /// Common header.
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
    /// Adds warnings.
    pub fn warn(&mut self, warnings: impl IntoIterator<Item = String>) {
        self.header_mut().warnings.extend(warnings);
    }

    /// Calls `act` for every row of the report.
    pub fn for_each_row(&mut self, mut change: impl FnMut(&mut Row)) {
        match self {
            Report::Summary(r) => r.culprit.iter_mut().for_each(|culprit| change(&mut culprit.row)),
            Report::Top(r) => r.row.iter_mut().for_each(change),
            Report::Flame(r) => r.row.iter_mut().for_each(change),
            Report::Graph(r) => r.row.iter_mut().for_each(change),
            Report::Sizes(r) => r.row.iter_mut().for_each(change),
            Report::Types(r) => r.row.iter_mut().flat_map(|t| &mut t.culprit).for_each(|culprit| change(&mut culprit.row)),
            Report::Growth(r) => r.row.iter_mut().for_each(|row| change(&mut row.row)),
            Report::Peek(r) => r.entry.row.iter_mut().for_each(change),
            Report::Traces(_) | Report::Tags(_) | Report::Source(_) | Report::Disasm(_) => {}
        }
    }
}

/// How many functions of a kind are folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct FoldedKind {
    /// Kind of code.
    pub kind: PackageKind,
    /// Functions, counted by name; those without a name by mapping.
    pub n_functions: usize,
}

/// Common header of reports: profile, totals, filters and omissions.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Header {
    /// Base name of the main binary; empty when unknown.
    pub file: String,
    /// Its build id.
    pub build_id: String,
    /// Value type shown, such as `inuse_space`.
    pub value_type: String,
    /// Unit of all values in the report, as in the profile (`bytes`, `count`).
    pub unit: String,
    /// Unit for printing values; `minimum` and `auto` choose one.
    pub output_unit: String,
    /// Second value type in the report, such as `inuse_objects`; empty if not requested or not available.
    pub companion_type: String,
    /// Its unit.
    pub companion_unit: String,
    /// Divisor applied to values when printed.
    pub divide_by: f64,
    /// Value of 100%: the total before filters, unless percentages are relative.
    pub total: i64,
    /// Whether there is a base to be subtracted.
    pub has_base: bool,
    /// Sum of the samples that match the filters.
    pub value_total: i64,
    /// Same for the base.
    pub base_total: i64,
    /// Mean sampling distance in bytes, the largest of all dumps; 0 if every allocation was recorded or it is unknown.
    pub period: i64,
    /// Functions that `hide_kind` folds on the stacks of samples that passed the filters, by kind.
    pub folded: Vec<FoldedKind>,
    /// Sum of the values of samples with frames of folded kinds only (labels aside).
    pub folded_whole: i64,
    /// Sampling error of the sum; absent unless requested, and in unsampled profiles.
    pub spread: Option<Spread>,
    /// Total growth and shrinkage since the base; absent unless requested, and without a base.
    pub gross: Option<Gross>,
    /// Number of rows that are not in the base; 0 without `gross`.
    pub n_new: usize,
    /// Number of rows that are only in the base.
    pub n_gone: usize,
    /// With a base and `spread`: sum of the absolute differences that are within the sampling error.
    pub within_noise: i64,
    /// Sum of flat (value − base) of the rows shown.
    pub shown: i64,
    /// Number of rows, nodes or frames shown.
    pub n_shown: usize,
    /// Number of rows after small ones were dropped, before the count was limited.
    pub n_total: usize,
    /// Number of rows dropped because they are small.
    pub dropped_nodes: usize,
    /// Threshold below which they were dropped.
    pub node_cutoff: i64,
    /// Number of edges dropped because they are small.
    pub dropped_edges: usize,
    /// Threshold below which they were dropped.
    pub edge_cutoff: i64,
    /// Active filters as `name=value`, in pprof's order.
    pub filters: Vec<String>,
    /// The view as canonical pairs without defaults, as in the query of its address.
    pub query: Vec<(String, String)>,
    /// End of collection, nanoseconds since 1970 UTC; 0 when unknown.
    pub time_nanos: i64,
    /// Length of collection, nanoseconds; 0 for a snapshot.
    pub duration_nanos: i64,
    /// The profile's comments.
    pub comments: Vec<String>,
    /// URL of the profile's documentation; empty if unknown.
    pub doc_url: String,
    /// Allocation wrappers (such as `xmalloc`) whose callers are charged, those with most bytes first; only in reports
    /// that charge culprits. A rule `function:NAME=own` charges the wrapper itself.
    pub wrappers: Vec<String>,
    /// How functions of several builds were matched; absent when all dumps are of one build.
    pub builds: Option<MatchedBuilds>,
    /// Warnings, a sentence each.
    pub warnings: Vec<String>,
    /// Fewer labels in the text output.
    pub compact: bool,
}
