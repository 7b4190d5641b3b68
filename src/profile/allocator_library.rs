//! Libraries that are allocators: where they are stripped, their frames have no names to go by.

use crate::base::plain::base_name;

/// Whether the mapped file of this path is jemalloc's or TCMalloc's library.
pub fn is_allocator_library(path: &str) -> bool {
    let base = base_name(path);
    base.starts_with("libjemalloc") || base.starts_with("libtcmalloc")
}
