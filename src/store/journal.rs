//! Group commit: envelopes that come at about the same time become one object, and everybody waits until it is durable.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use super::envelope::Envelope;
use super::error::StoreError;
use super::id;
use super::objects::{Content, Objects, keep};

/// Folder of the log.
pub(super) const INBOX: &str = "inbox";

/// Most envelopes of an object.
const MOST: usize = 1000;

/// An object of this length takes no more envelopes, bytes: servers must be able to read all of them.
const LONG: usize = 8 << 20;

/// Writes envelopes.
#[derive(Debug)]
pub(super) struct Journal {
    objects: Arc<dyn Objects>,
    /// The batch that takes more.
    open: Mutex<Option<Arc<Batch>>>,
}

#[derive(Debug, Default)]
struct Batch {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    text: Vec<u8>,
    n: usize,
    /// Key of the object, or why it was not written.
    written: Option<Result<String, String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Journal {
    pub(super) fn new(objects: Arc<dyn Objects>) -> Self {
        Journal { objects, open: Mutex::default() }
    }

    /// Writes the envelope; returns the key of the object that has it, when that is durable.
    pub(super) fn append(&self, envelope: &Envelope) -> Result<String, StoreError> {
        let mut line = serde_json::to_vec(envelope).map_err(|error| StoreError::Refused(error.to_string()))?;
        line.push(b'\n');
        let mut open = lock(&self.open);
        let (batch, is_first) = match &*open {
            Some(batch) => (batch.clone(), false),
            None => (open.insert(Arc::default()).clone(), true),
        };
        let is_full = {
            let mut state = lock(&batch.state);
            state.text.append(&mut line);
            state.n += 1;
            state.n == MOST || state.text.len() >= LONG
        };
        if is_full {
            *open = None;
        }
        drop(open);
        if is_first {
            std::thread::sleep(self.objects.linger());
            self.write(&batch);
        }
        let mut state = lock(&batch.state);
        loop {
            match &state.written {
                None => state = batch.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(Ok(key)) => return Ok(key.clone()),
                Some(Err(error)) => return Err(StoreError::Away(error.clone())),
            }
        }
    }

    /// Writes a batch, which takes no more.
    fn write(&self, batch: &Arc<Batch>) {
        /// Whoever waits must not wait for ever, whatever happens.
        struct Ends<'a>(&'a Batch);
        impl Drop for Ends<'_> {
            fn drop(&mut self) {
                lock(&self.0.state).written.get_or_insert(Err("the log was not written: internal error".into()));
                self.0.changed.notify_all();
            }
        }
        let _ends = Ends(batch);
        {
            let mut open = lock(&self.open);
            if open.as_ref().is_some_and(|open| Arc::ptr_eq(open, batch)) {
                *open = None;
            }
        }
        let text = std::mem::take(&mut lock(&batch.state).text);
        let written = self.put(&text).map_err(|error| error.to_string());
        lock(&batch.state).written = Some(written);
    }

    fn put(&self, text: &[u8]) -> Result<String, StoreError> {
        let now = SystemTime::now();
        let key = format!("{INBOX}/{}/{}.jsonl", id::hour(id::millis(now)), id::unique(now)?);
        // Nobody else has this name: if it exists, an attempt wrote it whose answer was lost on its way.
        keep(&*self.objects, &key, Content::Bytes(text)).map(|_| key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::directory::Directory;

    #[test]
    fn envelopes_that_come_together_share_an_object() {
        let folder = tempfile::tempdir().unwrap();
        let objects: Arc<dyn Objects> = Arc::new(Directory::open(folder.path()).unwrap());
        let journal = Journal::new(objects.clone());
        let keys: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..40)
                .map(|n| {
                    let journal = &journal;
                    scope.spawn(move || journal.append(&Envelope { id: n.to_string(), ..Envelope::default() }).unwrap())
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let listed = objects.list("inbox/").unwrap();
        assert!(listed.len() < 40, "{}", listed.len());
        assert!(keys.iter().all(|key| listed.iter().any(|object| object.key == *key)));
        let text = |key: &str| String::from_utf8(objects.read(key, 1 << 20).unwrap().unwrap()).unwrap();
        let mut ids: Vec<u32> = Vec::new();
        for object in listed {
            let envelopes = text(&object.key);
            ids.extend(envelopes.lines().map(|line| serde_json::from_str::<Envelope>(line).unwrap().id.parse::<u32>().unwrap()));
        }
        ids.sort_unstable();
        assert_eq!(ids, (0..40).collect::<Vec<_>>());
    }
}
