//! A second thread for a part of the work, where there are threads.

use std::thread::{self, Builder};

/// Runs `ahead` on a thread of its own while `here` runs on this one, and returns the result of `here` when both have ended.
/// `None`, and neither has run, if no thread can be started: WebAssembly has none, and systems may refuse more.
///
/// # Panics
/// If either does.
pub(crate) fn alongside<T>(ahead: impl FnOnce() + Send, here: impl FnOnce() -> T) -> Option<T> {
    with(Builder::new(), ahead, here)
}

fn with<T>(builder: Builder, ahead: impl FnOnce() + Send, here: impl FnOnce() -> T) -> Option<T> {
    thread::scope(|scope| {
        builder.spawn_scoped(scope, ahead).ok()?;
        Some(here())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_run() {
        let mut sums = [0; 2];
        let [first, second] = &mut sums;
        assert_eq!(alongside(|| *first = 3, || *second = 4), Some(()));
        assert_eq!(sums, [3, 4]);
    }

    #[test]
    #[cfg(unix)]
    fn without_a_thread_neither_runs() {
        let mut ran = [false; 2];
        let [first, second] = &mut ran;
        // No address space has room for such a stack.
        let builder = Builder::new().stack_size(usize::MAX / 4);
        assert_eq!(with(builder, || *first = true, || *second = true), None);
        assert_eq!(ran, [false; 2]);
    }
}
