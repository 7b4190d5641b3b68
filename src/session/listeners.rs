//! Who is told that something about an open profile changed: names came, warnings, dumps.
//!
//! Callbacks and nothing more: what waits for them, and how, is theirs.

use std::sync::{Mutex, PoisonError};

/// Is called after a change; answers whether it wants to hear of the next one.
type Listener = Box<dyn Fn() -> bool + Send + Sync>;

/// The callbacks.
#[derive(Default)]
pub(super) struct Listeners(Mutex<Vec<Listener>>);

impl Listeners {
    pub(super) fn add(&self, listener: Listener) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    /// Something changed.
    pub(super) fn tell(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|listener| listener());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn those_who_had_enough_are_told_no_more() {
        let (listeners, n) = (Listeners::default(), Arc::new(AtomicUsize::new(0)));
        let heard = n.clone();
        listeners.add(Box::new(move || heard.fetch_add(1, Ordering::Relaxed) < 1));
        (0..5).for_each(|_| listeners.tell());
        assert_eq!(n.load(Ordering::Relaxed), 2);
    }
}
