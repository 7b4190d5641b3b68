//! jeprof's reports. Its rules differ from pprof's and are kept apart.
//!
//! A stack is a list of addresses, each with its inlined functions. Filters, and the cut at the allocator, work on addresses;
//! frames become nodes afterwards. Sums are signed. The rules are those of jemalloc's `bin/jeprof.in`, cited by the name of its
//! subroutine.

mod calls;
mod graph;
mod selection;
mod table;

pub use calls::{calls, collapsed};
pub use graph::graph;
pub use selection::Selection;
pub use table::text;
