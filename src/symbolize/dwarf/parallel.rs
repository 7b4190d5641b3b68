//! Parallel map over a list.

use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Applies `make` to `items`, started in order, finished in any. `start` creates each worker's state. A panicking worker loses
/// only its own results. On a machine with one processor, and where there are no threads, this thread is the only worker.
pub(super) fn in_parallel<T: Sync, S, R: Send>(items: &[T], start: impl Fn() -> S + Sync, make: impl Fn(&mut S, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut kept = start();
        let mut made = Vec::new();
        while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
            made.push(make(&mut kept, item));
        }
        made
    };
    let n_workers = thread::available_parallelism().map_or(1, NonZero::get).min(items.len());
    thread::scope(|scope| {
        let workers: Vec<_> = (1..n_workers).map(|_| scope.spawn(worker)).collect();
        let mut made = worker();
        made.extend(workers.into_iter().filter_map(|w| w.join().ok()).flatten());
        made
    })
}

#[cfg(test)]
mod tests {
    use super::in_parallel;

    #[test]
    fn every_item_is_made_once() {
        let items: Vec<u32> = (0..1000).collect();
        let mut made = in_parallel(&items, || 0, |n, item| (*n += 1, *item).1);
        made.sort_unstable();
        assert_eq!(made, items);
        assert!(in_parallel(&[], || (), |(), item: &u32| *item).is_empty());
    }
}
