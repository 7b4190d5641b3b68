//! Names of allocator libraries. Stripped ones have no function names to recognize them by.

use crate::base::plain::base_name;

/// Returns whether the module of this path is jemalloc's or TCMalloc's library.
pub fn is_allocator_library(path: &str) -> bool {
    let base = base_name(path);
    base.starts_with("libjemalloc") || base.starts_with("libtcmalloc")
}
