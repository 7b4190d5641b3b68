//! Common header of reports: profile, totals, filters, warnings.

use serde::Serialize;

use super::builds::MatchedBuilds;
use super::change::{Gross, Spread};
use crate::base::kind::PackageKind;

/// How many functions of a kind are folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct FoldedKind {
    /// Kind of code.
    pub kind: PackageKind,
    /// Functions, counted by name; those without a name by mapping.
    pub n_functions: usize,
}

/// Common header of reports: profile, totals, filters and omissions.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Header {
    /// Base name of the main binary; empty when unknown.
    pub file: String,
    /// Its build id.
    pub build_id: String,
    /// Value type shown, such as `inuse_space`.
    pub value_type: String,
    /// When the values of a recording are from, such as `in use at the peak, 195ms of 219ms`; absent for dumps.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(test, schema(required = false))]
    pub value_note: String,
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
