//! Names of allocator libraries, and of recorders that take their place. Stripped ones have no function names to recognize them by.

use crate::base::plain::base_name;

/// Returns whether the module of this path is jemalloc's or TCMalloc's library, or bytehound's.
pub fn is_allocator_library(path: &str) -> bool {
    let base = base_name(path);
    ["libjemalloc", "libtcmalloc", "libbytehound", "libmemory_profiler"].iter().any(|start| base.starts_with(start))
}
