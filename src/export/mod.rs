//! Profiles as files for other programs: pprof's protobuf, JSON, every table as text.

mod json;
mod pprof;
mod raw;
mod symbolized;

pub use json::write_json;
pub use pprof::{write_pprof, write_pprof_plain};
pub use raw::write_raw;
pub use symbolized::{NotHeap, Symbolized};

use crate::profile::Profile;

/// Row → the dumps' values of one type, added up.
fn summed(profile: &Profile, value_type: usize) -> Vec<i64> {
    let mut sums = vec![0; profile.samples().len()];
    profile.columns().iter().filter(|c| c.value_type == value_type).for_each(|column| column.add_to(1.0, &mut sums));
    sums
}
