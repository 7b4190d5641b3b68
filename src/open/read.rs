//! Reads and parses files: two threads read ahead, and results are returned in the requested order, so that only a few profiles
//! are in memory at a time.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::{Context, Result, bail};

use crate::parse::{RECORDING_HEAD, is_recording};
use crate::symbolize;

/// Maximum number of bytes read of one profile.
const LONGEST_INPUT: u64 = 4 << 30;

/// A file longer than this is read by two threads, bytes.
const MUCH: usize = 16 << 20;

/// Bytes that show what a file is.
const HEAD: u64 = 1 << 14;

/// Threads that read.
const N_READERS: usize = 2;

/// Number of files read ahead.
const AHEAD: usize = 6;

/// Kind of a file.
pub(crate) enum Input {
    Binary,
    Bytes(Vec<u8>),
    /// A recording, to be read as it comes, and its length in bytes.
    Recording(File, u64),
}

impl Input {
    /// The same with a recording read into memory.
    pub(crate) fn into_bytes(self) -> Result<Input> {
        let Input::Recording(file, _) = self else { return Ok(self) };
        let mut bytes = Vec::new();
        if file.take(LONGEST_INPUT).read_to_end(&mut bytes).context("cannot read a recording")? as u64 == LONGEST_INPUT {
            bail!("a recording that is watched may have {} GiB", LONGEST_INPUT >> 30);
        }
        Ok(Input::Bytes(bytes))
    }
}

/// Does `read` for every item by two threads and gives the results to `take`, in order, until one fails.
pub(crate) fn in_order<I: Sync, T: Send>(
    items: &[I],
    read: impl Fn(&I) -> T + Sync,
    mut take: impl FnMut(&I, T) -> Result<()>,
) -> Result<()> {
    if items.len() < 2 {
        return items.iter().try_for_each(|item| take(item, read(item)));
    }
    let queue = Queue { state: Mutex::new(State { next: 0, taken: 0, done: BTreeMap::new() }), changed: Condvar::new() };
    std::thread::scope(|scope| {
        for _ in 0..N_READERS {
            scope.spawn(|| {
                while let Some(at) = queue.next(items.len()) {
                    // Whoever waits for it must not wait for ever, whatever happens.
                    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| read(&items[at])));
                    queue.put(at, result.ok());
                }
            });
        }
        let _stop = Stop(&queue);
        for (at, item) in items.iter().enumerate() {
            let Some(result) = queue.take(at) else { bail!("a file cannot be read: internal error") };
            take(item, result)?;
        }
        Ok(())
    })
}

struct Queue<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    /// The item that is read next.
    next: usize,
    /// Items that were taken.
    taken: usize,
    done: BTreeMap<usize, Option<T>>,
}

/// Stops the readers when the consumer is gone.
struct Stop<'a, T>(&'a Queue<T>);

impl<T> Drop for Stop<'_, T> {
    fn drop(&mut self) {
        self.0.lock().next = usize::MAX;
        self.0.changed.notify_all();
    }
}

impl<T> Queue<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The item to read now, when it is its turn; `None` when there is none left of `n`.
    fn next(&self, n: usize) -> Option<usize> {
        let mut state = self.lock();
        while state.next < n && state.next >= state.taken + AHEAD {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let at = state.next;
        state.next = at.saturating_add(1);
        (at < n).then_some(at)
    }

    fn put(&self, at: usize, result: Option<T>) {
        self.lock().done.insert(at, result);
        self.changed.notify_all();
    }

    fn take(&self, at: usize) -> Option<T> {
        let mut state = self.lock();
        loop {
            if let Some(result) = state.done.remove(&at) {
                state.taken = at + 1;
                self.changed.notify_all();
                return result;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The content of a file, of standard input when it is `-`; of a binary only that it is one.
pub(crate) fn open(path: &Path) -> Result<Input> {
    let shown = path.display();
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(LONGEST_INPUT).read_to_end(&mut bytes).context("cannot read standard input")?;
        if bytes.len() as u64 == LONGEST_INPUT {
            bail!("standard input is longer than {} GiB, the limit", LONGEST_INPUT >> 30);
        }
        return Ok(Input::Bytes(bytes));
    }
    let mut file = File::open(path).with_context(|| format!("cannot open {shown}"))?;
    let meta = file.metadata().with_context(|| format!("cannot open {shown}"))?;
    if meta.is_dir() {
        bail!("{shown} is a directory; give the profiles in it, as in {shown}/*.heap");
    }
    let head = (&mut file).take(HEAD).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
    if symbolize::is_binary(&bytes[..head]) {
        return Ok(Input::Binary);
    }
    if meta.is_file() && meta.len() > MUCH as u64 {
        (&mut file).take(RECORDING_HEAD - HEAD).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))?;
        if is_recording(&bytes) {
            file.seek(SeekFrom::Start(0)).with_context(|| format!("cannot read {shown}"))?;
            return Ok(Input::Recording(file, meta.len()));
        }
    }
    if meta.len() > LONGEST_INPUT {
        bail!("{shown} has {} GiB; the limit is {} GiB", meta.len() >> 30, LONGEST_INPUT >> 30);
    }
    let length = usize::try_from(meta.len()).unwrap_or(0);
    if meta.is_file() && length > MUCH {
        bytes = read_in_two(path, length).with_context(|| format!("cannot read {shown}"))?;
        // More may have come while we read.
        file.seek(SeekFrom::Start(bytes.len() as u64)).with_context(|| format!("cannot read {shown}"))?;
    }
    let left = LONGEST_INPUT - (bytes.len() as u64).min(LONGEST_INPUT);
    if file.take(left + 1).read_to_end(&mut bytes).with_context(|| format!("cannot read {shown}"))? as u64 > left {
        bail!("{shown} is longer than {} GiB, the limit", LONGEST_INPUT >> 30);
    }
    Ok(Input::Bytes(bytes))
}

/// Reads the first `length` bytes of the file, half of them in a second thread: most of the time of a big file is page faults,
/// which two threads halve.
fn read_in_two(path: &Path, length: usize) -> io::Result<Vec<u8>> {
    // Zeroed memory costs nothing before it is touched.
    let mut bytes = vec![0; length];
    let (first, second) = bytes.split_at_mut(length / 2);
    let read = |at: usize, into: &mut [u8]| {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(at as u64))?;
        file.read_exact(into)
    };
    std::thread::scope(|scope| {
        let second = scope.spawn(move || read(length / 2, second));
        read(0, first)?;
        second.join().map_err(|_| io::Error::other("reading was interrupted"))?
    })?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_comes_in_order() {
        let items: Vec<u64> = (0..50).collect();
        let mut taken = Vec::new();
        let read = |item: &u64| {
            std::thread::sleep(std::time::Duration::from_micros(item * 7919 % 300));
            item * 2
        };
        in_order(&items, read, |item, result| {
            taken.push((*item, result));
            Ok(())
        })
        .unwrap();
        assert_eq!(taken, items.iter().map(|item| (*item, item * 2)).collect::<Vec<_>>());
    }

    #[test]
    fn whoever_takes_no_more_ends_it() {
        let items: Vec<usize> = (0..1000).collect();
        let n_read = std::sync::atomic::AtomicUsize::new(0);
        let read = |_: &usize| n_read.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let error = in_order(&items, read, |item, _| if *item == 3 { bail!("enough") } else { Ok(()) }).unwrap_err();
        assert_eq!(error.to_string(), "enough");
        assert!(n_read.into_inner() < 3 + AHEAD + N_READERS + 1);
    }
}
