//! The ground floor: ids, pairs of value and base, kinds of code, units, text made safe to print, keyed tables, deadlines, threads.
//! Uses nothing else of the crate.

pub mod cancel;
pub mod hash;
pub mod id;
pub(crate) mod json;
pub mod kind;
pub mod pair;
pub(crate) mod parallel;
pub mod plain;
pub mod units;
