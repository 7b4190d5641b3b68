//! Reports as plain data.
//!
//! A report has no logic and no link to the profile: renderers and the web page need nothing else. Long lists are columns of
//! equal length. Values are integers in `header.unit`; with a base, `…_base` columns are beside them, and the difference is value
//! − base.

mod accesses;
mod builds;
mod calls;
mod change;
mod check;
mod disasm;
mod doctor;
mod expected;
mod flame;
mod graph;
mod growth;
mod header;
mod heaptrack;
mod held_type;
mod jeprof;
mod massif;
mod peek;
mod row;
mod rss;
mod run;
mod run_blocks;
mod sizes;
mod source;
mod summary;
mod tags;
mod top;
mod traces;
mod types;

pub use accesses::{AccessCounts, AccessField, AccessSite, AccessesReport};
pub use builds::{MatchedBuild, MatchedBuilds};
pub use calls::{Call, CallsReport, Place};
pub use change::{Gross, Spread};
pub use check::{CheckOf, CheckReport, CheckRow};
pub use disasm::{CodeCall, CodePlace, CodeRoutine, CodeRow, DisasmReport, SampledAddress};
pub use doctor::{DoctorModule, DoctorReport};
pub use expected::Expected;
pub use flame::{BoxId, FlameReport};
pub use graph::{GraphEdges, GraphReport, GraphTag};
pub use growth::{CurvePoint, GrowthDump, GrowthReport, GrowthRow, GrowthShape, Trend};
pub use header::{FoldedKind, Header};
pub use heaptrack::{HeaptrackCall, HeaptrackCost, HeaptrackFrame, HeaptrackNode, HeaptrackReport, HeaptrackSnapshot, HeaptrackTrace};
pub use held_type::HeldType;
pub use jeprof::{
    JeprofCall, JeprofCalls, JeprofEdge, JeprofGraph, JeprofHeader, JeprofPlace, JeprofRow, JeprofStacks, JeprofText, JeprofUnit,
};
pub use massif::{MassifLine, MassifReport, MassifRow};
pub use peek::{PeekCalls, PeekEntries, PeekEntry, PeekLink, PeekLinks, PeekReport, StoredEntry};
pub use row::{Inlining, Row};
pub use rss::{MemoryBand, MemoryBar, MemoryPart, MemorySeries, MemorySource, MemoryVerdict, ProcessMemory, RssReport, Waterfall};
pub use run::{MomentReport, RunGroupReport, RunReport, SuppressionReport};
pub use run_blocks::{FreedAtEndReport, LifetimeReport, ReallocationReport, RunBlocks, RunCulprit, TopBlocksReport};
pub use sizes::{SizeClass, SizePart, SizeSum, SizesFrom, SizesReport};
pub use source::{MissingSource, SourceCall, SourceEntry, SourceInstruction, SourceLines, SourceReport, SourceStep};
pub use summary::{SummaryCulprit, SummaryPackage, SummaryReport, SummarySum, SummaryTotal};
pub use tags::{TagKey, TagNumber, TagRange, TagValue, TagsReport};
pub use top::TopReport;
pub use traces::{StoredTrace, Trace, Traces, TracesReport};
pub use types::{TypeRow, TypesReport};

use serde::Serialize;

/// Any report.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
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
    /// Accesses of the bytes of blocks.
    Accesses(AccessesReport),
    /// From bytes in use to resident memory.
    Rss(RssReport),
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
            Report::Accesses(r) => &r.header,
            Report::Rss(r) => &r.header,
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
            Report::Accesses(r) => &mut r.header,
            Report::Rss(r) => &mut r.header,
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
            Report::Accesses(r) => r.site.iter_mut().for_each(|site| change(&mut site.row)),
            Report::Peek(r) => r.entry.row.iter_mut().for_each(change),
            Report::Traces(_) | Report::Tags(_) | Report::Source(_) | Report::Disasm(_) | Report::Rss(_) => {}
        }
    }
}
