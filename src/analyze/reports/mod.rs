//! One file per report, and code that reports share.

pub(crate) mod branches;
pub(crate) mod calls;
pub(crate) mod context;
pub(crate) mod disasm;
pub(crate) mod edges;
pub(crate) mod flame;
pub(crate) mod flame_walk;
pub(crate) mod graph;
pub(crate) mod line_calls;
pub(crate) mod main_type;
pub(crate) mod nodelets;
pub(crate) mod nonzero_keys;
pub(crate) mod order;
pub(crate) mod peek;
pub(crate) mod rss;
mod run_blocks;
pub(crate) mod runs;
pub(crate) mod sizes;
pub(crate) mod source;
pub(crate) mod summary;
pub(super) mod suppressions;
pub(crate) mod tags;
pub(crate) mod top;
pub(crate) mod totals;
pub(crate) mod traces;
pub(crate) mod types;
