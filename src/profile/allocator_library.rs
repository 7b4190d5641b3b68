//! Libraries that are allocators: where they are stripped, their frames have no names to go by.

/// Whether the mapped file of this path is jemalloc's or TCMalloc's library.
pub fn is_allocator_library(path: &str) -> bool {
    let base = path.rsplit('/').next().unwrap_or(path);
    base.starts_with("libjemalloc") || base.starts_with("libtcmalloc")
}
