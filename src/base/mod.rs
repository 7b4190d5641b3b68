//! Basics without dependencies inside the crate: ids, pairs of value and base, kinds of code, units, clocks of recordings, classes of sizes, printable text, keyed hash
//! tables, deadlines, threads.

pub mod cancel;
pub mod hash;
pub mod id;
pub(crate) mod json;
pub mod kind;
pub mod pair;
pub(crate) mod parallel;
pub mod plain;
pub mod run_clock;
pub(crate) mod size_class;
pub mod units;
