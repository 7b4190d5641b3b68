//! Profiles as files: pprof's protobuf, JSON, text of all tables, and columns for the page.

mod json;
mod pprof;
mod raw;
mod report_data;
mod symbolized;

pub use json::write_json;
pub use pprof::{write_pprof, write_pprof_plain};
pub use raw::write_raw;
pub use report_data::{Columns, Package, PathsInText, Redaction, ReportData, ReportOptions, RuleError, TextKind, report_data, source_path};
pub use symbolized::{NotHeap, Symbolized};

use crate::profile::Profile;

/// Row → the dumps' values of one type, added up.
fn summed(profile: &Profile, value_type: usize) -> Vec<i64> {
    let mut sums = vec![0; profile.samples().len()];
    profile.columns().iter().filter(|c| c.value_type == value_type).for_each(|column| column.add_to(1.0, &mut sums));
    sums
}
