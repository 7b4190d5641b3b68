//! Threads that compute answers.
//!
//! A fixed number, and not the runtime's pool, whose threads come and go: the system's allocator keeps memory for each
//! thread that ever allocated much.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

type Job = Box<dyn FnOnce() + Send>;

/// The threads; they end when it is dropped.
#[derive(Clone)]
pub(super) struct Workers(Sender<Job>);

impl Workers {
    /// So many threads, or as many as the system allows.
    pub(super) fn new(n: usize) -> Self {
        let (sender, jobs) = mpsc::channel();
        let jobs = Arc::new(Mutex::new(jobs));
        for _ in 0..n {
            let jobs = jobs.clone();
            // With none the answer is an error.
            let _ = thread::Builder::new().name("report".into()).spawn(move || work(&jobs));
        }
        Workers(sender)
    }

    /// Returns the result of `job`; `None` if it panicked.
    pub(super) async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (sender, result) = oneshot::channel();
        // Whoever waited may have gone.
        let job = move || drop(sender.send(job()));
        self.0.send(Box::new(job)).ok()?;
        result.await.ok()
    }
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    loop {
        let Ok(job) = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv() else { return };
        // The panic was printed; its answer is an error.
        let _ = catch_unwind(AssertUnwindSafe(job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_one_answer() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let workers = Workers::new(1);
        let run = |fails: bool| runtime.block_on(workers.run(move || if fails { std::panic::resume_unwind(Box::new(())) } else { 7 }));
        assert_eq!(run(true), None);
        assert_eq!(run(false), Some(7));
    }
}
