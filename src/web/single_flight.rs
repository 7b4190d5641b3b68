//! Single flight: answers that several ask for at the same moment are computed once.
//!
//! The computation runs as long as any caller waits for it, and is dropped with the last one.

use crate::base::hash::HashMap;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, WeakShared};

/// The answer, or nothing where computing it panicked.
type Answer<T> = Shared<BoxFuture<'static, Option<T>>>;
type Answers<T> = HashMap<String, WeakShared<BoxFuture<'static, Option<T>>>>;

/// The answers that are being computed, by question.
pub(super) struct SingleFlight<T: Clone> {
    under_way: Arc<Mutex<Answers<T>>>,
}

impl<T: Clone> Clone for SingleFlight<T> {
    fn clone(&self) -> Self {
        SingleFlight { under_way: self.under_way.clone() }
    }
}

impl<T: Clone> Default for SingleFlight<T> {
    fn default() -> Self {
        SingleFlight { under_way: Arc::default() }
    }
}

/// One who waits for an answer; the last one to go takes it off the list.
struct Waiting<'a, T: Clone> {
    flights: &'a SingleFlight<T>,
    question: &'a str,
    /// `None` only while it is dropped.
    answer: Option<Answer<T>>,
}

impl<T: Clone> Drop for Waiting<'_, T> {
    fn drop(&mut self) {
        let mut under_way = self.flights.lock();
        let Some(answer) = self.answer.take() else { return };
        // Nobody else can join while the list is locked.
        if answer.strong_count().is_none_or(|n| n <= 1) {
            under_way.remove(self.question);
            // What is given up now may take its time.
            drop(under_way);
        }
        drop(answer);
    }
}

impl<T: Clone + Send + Sync + 'static> SingleFlight<T> {
    /// Returns the result of `compute` for `question`, shared with all callers that wait for the same question.
    ///
    /// # Panics
    /// For all callers if `compute` panics.
    pub(super) async fn answer(&self, question: &str, compute: impl Future<Output = T> + Send + 'static) -> T {
        let answer = {
            let mut under_way = self.lock();
            let joined = under_way.get(question).and_then(WeakShared::upgrade);
            joined.unwrap_or_else(|| {
                // A panic is an answer, too: `Shared` would not wake those who ask at the moment it happens.
                let answer = AssertUnwindSafe(compute).catch_unwind().map(Result::ok).boxed().shared();
                if let Some(weak) = answer.downgrade() {
                    under_way.insert(question.to_owned(), weak);
                }
                answer
            })
        };
        let waiting = Waiting { flights: self, question, answer: Some(answer.clone()) };
        let answered = answer.await;
        drop(waiting);
        answered.unwrap_or_else(|| resume_unwind(Box::new("the computation of this answer panicked")))
    }
}

impl<T: Clone> SingleFlight<T> {
    fn lock(&self) -> MutexGuard<'_, Answers<T>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn the_same_question_is_computed_once_at_a_time() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (flights, n, n_done) = (SingleFlight::default(), Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let spawn_request = |question: &'static str, fails: bool| {
            let (flights, n, n_done) = (flights.clone(), n.clone(), n_done.clone());
            runtime.spawn(async move {
                let compute = async move {
                    n.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
                    n_done.fetch_add(1, Ordering::Relaxed);
                    if fails { Err(()) } else { Ok(question) }
                };
                flights.answer(question, compute).await
            })
        };
        let answers: Vec<_> = (0..50).map(|i| spawn_request(if i % 2 == 0 { "a" } else { "b" }, false)).collect();
        for (i, answer) in answers.into_iter().enumerate() {
            assert_eq!(runtime.block_on(answer).unwrap().unwrap(), if i % 2 == 0 { "a" } else { "b" });
        }
        assert_eq!(n.load(Ordering::Relaxed), 2);
        assert!(runtime.block_on(spawn_request("c", true)).unwrap().is_err());
        let wait = || runtime.block_on(async { tokio::time::sleep(std::time::Duration::from_millis(50)).await });
        // The first caller went away; the other gets the same computation.
        let (first, second) = (spawn_request("d", false), spawn_request("d", false));
        wait();
        first.abort();
        assert!(runtime.block_on(first).is_err());
        assert_eq!(runtime.block_on(second).unwrap(), Ok("d"));
        assert_eq!((n.load(Ordering::Relaxed), n_done.load(Ordering::Relaxed)), (4, 4));
        // When all went away it is given up.
        let gone = [spawn_request("e", false), spawn_request("e", false)];
        wait();
        for gone in gone {
            gone.abort();
            assert!(runtime.block_on(gone).is_err());
        }
        std::thread::sleep(std::time::Duration::from_millis(400));
        assert_eq!((n.load(Ordering::Relaxed), n_done.load(Ordering::Relaxed)), (5, 4));
        assert!(flights.lock().is_empty());
        // Of those who end at the same moment one cleans up.
        let meet = Arc::new(tokio::sync::Barrier::new(4));
        for _ in 0..500 {
            let answers: Vec<_> = (0..4)
                .map(|_| {
                    let (flights, meet) = (flights.clone(), meet.clone());
                    runtime.spawn(async move {
                        meet.wait().await;
                        flights.answer("f", async { Ok("f") }).await
                    })
                })
                .collect();
            answers.into_iter().for_each(|answer| assert_eq!(runtime.block_on(answer).unwrap(), Ok("f")));
            assert!(flights.lock().is_empty());
        }
    }

    #[test]
    fn panics_end_the_wait_of_all_callers() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let flights: SingleFlight<&str> = SingleFlight::default();
        let answers: Vec<_> = (0..20)
            .map(|_| {
                let flights = flights.clone();
                let compute = async {
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                    resume_unwind(Box::new("no answer"))
                };
                runtime.spawn(async move { flights.answer("a", compute).await })
            })
            .collect();
        for answer in answers {
            let ended = runtime.block_on(async { tokio::time::timeout(std::time::Duration::from_secs(60), answer).await });
            assert!(ended.expect("nobody waits for ever").is_err());
        }
        assert!(flights.lock().is_empty());
        assert_eq!(runtime.block_on(flights.answer("a", async { "answered" })), "answered");
    }
}
