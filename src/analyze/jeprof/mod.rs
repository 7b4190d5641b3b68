//! jeprof's reports: other rules than pprof's, kept apart from them.
//!
//! A stack is a list of addresses, each with its inlined functions. Filters and the cut at
//! the allocator look at addresses; only then do frames become nodes. Sums are signed.
//! The rules are those of jemalloc's `bin/jeprof.in`, by the name of its subroutine.

mod calls;
mod graph;
mod selection;
mod table;

pub use calls::{calls, collapsed};
pub use graph::graph;
pub use selection::Selection;
pub use table::text;
