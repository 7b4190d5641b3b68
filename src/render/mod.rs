//! Reports as bytes: text, DOT, folded stacks, CSV, JSON. Depends on reports only, never on a profile.

mod accesses;
mod callgrind;
mod check;
mod clock;
mod csv;
mod disasm;
mod doctor;
mod dot;
mod explain;
mod explain_memory;
mod flame_svg;
mod folded;
mod growth;
mod headline;
mod heaptrack;
mod jeprof;
mod labels;
mod markdown;
mod massif;
mod ratios;
mod rss;
mod run_blocks;
mod runs;
mod sampling_error;
mod sizes;
mod source;
mod summary;
mod svg;
mod text;
mod types;
#[cfg(feature = "app")]
mod weblist;

pub use callgrind::callgrind;
pub use check::{CheckFormat, check, check_sentence, expected_sentence};
pub use clock::Clock;
pub use doctor::doctor;
pub use explain::{Explained, explain};
pub use flame_svg::{flame_svg, has_flames};
pub use headline::headline;
pub use svg::zoomable;
#[cfg(feature = "app")]
pub use weblist::weblist;

use std::io::{self, Write};

pub use heaptrack::{HeaptrackSections, heaptrack, heaptrack_massif, heaptrack_sizes, heaptrack_stacks};
pub use jeprof::{
    JeprofDotStyle, innermost, jeprof_callgrind, jeprof_code, jeprof_collapsed, jeprof_dot, jeprof_dropped, jeprof_listing, jeprof_text,
};
pub use labels::profile_labels;
pub use massif::{massif_chart, massif_head, massif_snapshot};

use crate::base::json::write_json_value;
use crate::report::Report;

/// Output formats of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// For a terminal; a graph is for Graphviz.
    Text,
    /// The report's own fields.
    Json,
    /// A table for spreadsheets.
    Csv,
    /// Stacks as `a;b;c 12` lines; of traces only.
    Folded,
}

/// Writes `report`.
pub fn render(report: &Report, format: Format, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    render_within(report, format, None, clock, out)
}

/// Like [`render`], for a terminal of `width` columns: tables that would not fit omit columns. `None`: any width.
pub fn render_within(report: &Report, format: Format, width: Option<usize>, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    match (format, report) {
        (Format::Json, report) => {
            write_json_value(out, report)?;
            out.write_all(b"\n")
        }
        (Format::Csv, report) => csv::csv(report, out),
        (Format::Folded, Report::Traces(r)) => folded::folded(r, out),
        (_, Report::Graph(r)) => dot::dot(r, clock, out),
        (_, Report::Summary(r)) => summary::summary(r, width, clock, out),
        (_, Report::Top(r)) => text::top(r, clock, out),
        (_, Report::Peek(r)) => text::peek(r, clock, out),
        (_, Report::Flame(r)) => text::flame(r, clock, out),
        (_, Report::Traces(r)) => text::traces(r, clock, out),
        (_, Report::Tags(r)) => text::tags(r, out),
        (_, Report::Sizes(r)) => sizes::sizes(r, clock, out),
        (_, Report::Source(r)) => source::source(r, out),
        (_, Report::Disasm(r)) => disasm::disasm(r, out),
        (_, Report::Types(r)) => types::types(r, clock, out),
        (_, Report::Accesses(r)) => accesses::accesses(r, clock, out),
        (_, Report::Growth(r)) => growth::growth(r, width, clock, out),
        (_, Report::Rss(r)) => rss::rss(r, width, clock, out),
    }
}
