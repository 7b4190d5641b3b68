//! The words in memory that the caller reads after a call, or after a trap.

use std::sync::atomic::{AtomicUsize, Ordering};

use heapview::api::Reply;

/// Status; address and length of media type, file name and body; address and length of a panic's message; bytes that could not
/// be allocated; whether an export runs.
static WORDS: [AtomicUsize; 11] = [const { AtomicUsize::new(0) }; 11];

const MESSAGE: usize = 7;
const NOT_ALLOCATED: usize = 9;
const RUNNING: usize = 10;

fn set(first: usize, values: &[usize]) {
    WORDS.iter().skip(first).zip(values).for_each(|(word, &value)| word.store(value, Ordering::Relaxed));
}

/// Where the words are.
pub(crate) fn address() -> usize {
    (&raw const WORDS).expose_provenance()
}

/// Points the words to `reply`, which must stay where it is until the next call.
pub(crate) fn publish(reply: &Reply) {
    let Reply { status, content_type, file_name, body } = reply;
    let place = |bytes: &[u8]| [bytes.as_ptr().expose_provenance(), bytes.len()];
    set(0, &[usize::from(*status)]);
    set(1, &[place(content_type.as_bytes()), place(file_name.as_deref().unwrap_or_default().as_bytes()), place(body)].concat());
}

/// Keeps a panic's message for the caller, who reads it after the trap.
pub(crate) fn set_message(message: &str) {
    let message: &'static str = message.to_owned().leak();
    set(MESSAGE, &[message.as_ptr().expose_provenance(), message.len()]);
}

/// Notes that `bytes` could not be allocated; 0: they could, or the caller of the allocator can do without.
pub(crate) fn set_not_allocated(bytes: usize) {
    set(NOT_ALLOCATED, &[bytes]);
}

/// Notes whether an export runs.
pub(crate) fn set_running(runs: bool) {
    set(NOT_ALLOCATED, &[0]);
    set(RUNNING, &[usize::from(runs)]);
}
