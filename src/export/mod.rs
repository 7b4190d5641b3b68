//! Profiles as files for other programs: pprof's protobuf, JSON, every table as text.

mod json;
mod pprof;
mod raw;
mod symbolized;

pub use json::write_json;
pub use pprof::{write_pprof, write_pprof_plain};
pub use raw::write_raw;
pub use symbolized::{NotHeap, Symbolized};

use crate::base::id::Id;
use crate::profile::{Column, Profile};

/// Row → the dumps' values of one type, added up; moments of recordings are left out, since the whole has them.
fn summed(profile: &Profile, value_type: usize) -> Vec<i64> {
    let mut sums = vec![0; profile.samples().len()];
    let is_whole = |column: &&Column| profile.dumps()[column.dump.index()].moment.is_none();
    let columns = profile.columns().iter().filter(|c| c.value_type == value_type).filter(is_whole);
    columns.for_each(|column| column.add_to(1.0, &mut sums));
    sums
}
