//! Change notifications for an open session: new names, warnings or dumps.

use std::sync::{Mutex, PoisonError};

/// Callback after a change; returns whether to call it again after the next one.
type Listener = Box<dyn Fn() -> bool + Send + Sync>;

/// The callbacks.
#[derive(Default)]
pub(super) struct Listeners(Mutex<Vec<Listener>>);

impl Listeners {
    pub(super) fn add(&self, listener: Listener) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(listener);
    }

    /// Calls all listeners, and removes those that return false.
    pub(super) fn notify(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).retain(|listener| listener());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn listeners_that_return_false_are_removed() {
        let (listeners, n) = (Listeners::default(), Arc::new(AtomicUsize::new(0)));
        let heard = n.clone();
        listeners.add(Box::new(move || heard.fetch_add(1, Ordering::Relaxed) < 1));
        (0..5).for_each(|_| listeners.notify());
        assert_eq!(n.load(Ordering::Relaxed), 2);
    }
}
