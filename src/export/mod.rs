//! Profiles as files: pprof's protobuf, and every table as text.

mod pprof;
mod raw;

pub use pprof::write_pprof;
pub use raw::write_raw;
