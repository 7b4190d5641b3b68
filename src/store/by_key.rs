//! Work on a key that one thread does at a time, while others do the same for other keys.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex, PoisonError};

/// Keys that are worked on.
#[derive(Debug, Default)]
pub(super) struct ByKey {
    busy: Mutex<BTreeSet<String>>,
    freed: Condvar,
}

/// The key is this thread's until this is dropped.
#[derive(Debug)]
pub(super) struct Turn<'a> {
    of: &'a ByKey,
    key: &'a str,
}

impl ByKey {
    /// Waits until nobody works on the key.
    pub(super) fn turn<'a>(&'a self, key: &'a str) -> Turn<'a> {
        let busy = self.busy.lock().unwrap_or_else(PoisonError::into_inner);
        let mut busy = self.freed.wait_while(busy, |busy| busy.contains(key)).unwrap_or_else(PoisonError::into_inner);
        busy.insert(key.to_owned());
        Turn { of: self, key }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.of.busy.lock().unwrap_or_else(PoisonError::into_inner).remove(self.key);
        self.of.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn only_the_same_key_waits() {
        let (keys, is_free) = (ByKey::default(), AtomicBool::default());
        let first = keys.turn("a");
        drop(keys.turn("b"));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _turn = keys.turn("a");
                assert!(is_free.load(Ordering::SeqCst));
            });
            std::thread::sleep(std::time::Duration::from_millis(20));
            is_free.store(true, Ordering::SeqCst);
            drop(first);
        });
    }
}
