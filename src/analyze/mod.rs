//! From a profile and a view to a report: pure functions without I/O or clock.
//!
//! Three steps, each reusable: [`CallTree::new`] (the tree that a view shows), [`TreeTotals::new`] (the numbers on it),
//! [`report`] (the report).

mod builds;
mod filtered;
mod growth;
pub mod heaptrack;
pub mod jeprof;
mod moment;
mod reports;
mod resident;
mod tree;

pub use builds::{match_builds, matched_builds, nameless_builds};
pub use filtered::{Filtered, filtered};
pub use moment::{AtMoment, MomentKey};
pub use reports::calls::{calls, top_profile};
pub use reports::runs::{moment_report, recordings};
pub use reports::source::{SampledCode, sampled_code};
pub use resident::rss_view;
pub use tree::call_tree::{CallTree, CallTreeKey};
pub use tree::keys::Keys;
pub use tree::labelled::{LabelledProfile, LabelledProfileKey};
pub use tree::totals::{TreeTotals, validate_options};

use reports::context::ReportContext;

use crate::attribution::Attribution;
use crate::profile::Profile;
use crate::query::{QueryError, View, ViewKind};
use crate::report::Report;

/// Computes the report of `view` from its tree, its totals and the packages of the profile.
pub fn report(profile: &Profile, packages: &Attribution, tree: &CallTree, totals: &TreeTotals, view: &View) -> Result<Report, QueryError> {
    let answer = ReportContext { profile, packages, tree, totals, view };
    Ok(match view.kind {
        ViewKind::Summary => Report::Summary(reports::summary::summary(&answer)?),
        ViewKind::Top => Report::Top(reports::top::top(&answer)?),
        ViewKind::Tree | ViewKind::Peek => Report::Peek(reports::peek::peek(&answer)?),
        ViewKind::Flame => Report::Flame(reports::flame::flame(&answer)?),
        ViewKind::Graph => Report::Graph(reports::graph::graph(&answer)),
        ViewKind::Traces => Report::Traces(reports::traces::traces(&answer)),
        ViewKind::Tags => Report::Tags(reports::tags::tags(&answer)),
        ViewKind::Sizes => Report::Sizes(reports::sizes::sizes(&answer)?),
        ViewKind::Source => Report::Source(reports::source::source(&answer)?),
        ViewKind::Disasm => Report::Disasm(reports::disasm::disasm(&answer)),
        ViewKind::Types => Report::Types(reports::types::types(&answer)?),
        ViewKind::Accesses => Report::Accesses(reports::accesses::accesses(&answer)?),
        ViewKind::Growth => Report::Growth(growth::growth(&answer)?),
        ViewKind::Rss => Report::Rss(reports::rss::rss(&answer)),
    })
}
