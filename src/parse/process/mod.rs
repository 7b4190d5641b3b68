//! Files about the memory of a process: what the kernel and allocators print.
//!
//! Recognized by content, also in the middle of a log: `/proc/PID/smaps`, `smaps_rollup` and `status`; jemalloc's
//! `malloc_stats_print` as text and as JSON, and its totals by name; gperftools' `MALLOC:` lines; glibc's `malloc_info`; and the
//! note of `heapview capture`. Of several statistics of one allocator in a log the last one counts.

mod capture_note;
mod found;
mod jemalloc_json;
mod jemalloc_text;
mod jemalloc_totals;
mod kilobytes;
mod malloc_info;
mod problems;
mod section;
mod sections;
mod smaps;
mod status;
mod tcmalloc;
#[cfg(test)]
mod tests;

use super::container;
use super::folded;
use super::format;
use super::options::ParseOptions;
use super::pprof;
pub use capture_note::write_capture_note;
pub use found::ProcessFound;

/// Bytes in which a file of collapsed stacks would have to show that it is none.
const HEAD: usize = 1 << 16;

/// Reads a file about the memory of a process; `None` for all other files. O(size).
pub fn process_facts(bytes: &[u8], options: &ParseOptions) -> Option<ProcessFound> {
    let head = container::peek(bytes, HEAD);
    let profile = format::sniff(&head);
    // Few bytes may look like a message, and words with a number behind them like stacks.
    let is_ambiguous = profile.is_none_or(|name| [pprof::NAME, folded::NAME].contains(&name));
    if !is_ambiguous || !is_text(&head) || profile.is_some() && !sections::begin_in(&head) {
        return None;
    }
    let content = container::open(bytes, options.max_expanded).ok()?;
    let found = sections::read(&content.bytes);
    (!found.facts.is_empty()).then_some(found)
}

/// Whether a file is about the memory of a process, by its first bytes. A log may have statistics further behind.
pub fn is_process_file(head: &[u8]) -> bool {
    let head = container::peek(head, HEAD);
    let is_ambiguous = format::sniff(&head).is_none_or(|name| [pprof::NAME, folded::NAME].contains(&name));
    is_ambiguous && is_text(&head) && sections::begin_in(&head)
}

/// Whether the bytes are text, whatever its encoding.
fn is_text(head: &[u8]) -> bool {
    !head.is_empty() && !head.contains(&0)
}
