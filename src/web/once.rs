//! Answers that several ask for at the same moment are computed once.

use std::sync::{Arc, Mutex, PoisonError};

use crate::hash::HashMap;

use tokio::sync::OnceCell;

type Cell<T> = Arc<OnceCell<T>>;

/// The answers that are being computed, by question.
#[derive(Clone)]
pub(super) struct Once<T> {
    under_way: Arc<Mutex<HashMap<String, Cell<T>>>>,
}

impl<T> Default for Once<T> {
    fn default() -> Self {
        Once { under_way: Arc::default() }
    }
}

/// One who waits for an answer; the last one to go takes it off the list.
struct Waiting<'a, T> {
    once: &'a Once<T>,
    question: &'a str,
    cell: Cell<T>,
}

impl<T> Drop for Waiting<'_, T> {
    fn drop(&mut self) {
        let mut under_way = self.once.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        // Ours goes while nobody else counts: of two who end at once the later one sees it.
        let cell = std::mem::take(&mut self.cell);
        // The list's own, and ours.
        if Arc::strong_count(&cell) == 2 {
            under_way.remove(self.question);
        }
        drop(cell);
    }
}

impl<T: Clone> Once<T> {
    /// What `compute` answers to `question`, or what it answered to somebody who asked the same and
    /// still waits. An error is for whom it came to alone.
    pub(super) async fn answer<E>(&self, question: &str, compute: impl Future<Output = Result<T, E>>) -> Result<T, E> {
        let cell = {
            let mut under_way = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
            under_way.entry(question.to_owned()).or_default().clone()
        };
        let waiting = Waiting { once: self, question, cell };
        waiting.cell.get_or_try_init(|| compute).await.cloned()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn the_same_question_is_computed_once_at_a_time() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (once, n) = (Once::default(), Arc::new(AtomicUsize::new(0)));
        let ask = |question: &'static str, fails: bool| {
            let (once, n) = (once.clone(), n.clone());
            runtime.spawn(async move {
                let compute = async {
                    n.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
                    if fails { Err(()) } else { Ok(question) }
                };
                once.answer(question, compute).await
            })
        };
        let asked: Vec<_> = (0..50).map(|i| ask(if i % 2 == 0 { "a" } else { "b" }, false)).collect();
        for (i, answer) in asked.into_iter().enumerate() {
            assert_eq!(runtime.block_on(answer).unwrap().unwrap(), if i % 2 == 0 { "a" } else { "b" });
        }
        assert_eq!(n.load(Ordering::Relaxed), 2);
        assert!(runtime.block_on(ask("c", true)).unwrap().is_err());
        // Who went away is not waited for.
        let gone = ask("d", false);
        runtime.block_on(async { tokio::time::sleep(std::time::Duration::from_millis(50)).await });
        gone.abort();
        assert!(runtime.block_on(gone).is_err());
        assert!(once.under_way.lock().unwrap().is_empty());
        // Of those who end at the same moment one cleans up.
        let meet = Arc::new(tokio::sync::Barrier::new(4));
        for _ in 0..500 {
            let asked: Vec<_> = (0..4)
                .map(|_| {
                    let (once, meet) = (once.clone(), meet.clone());
                    runtime.spawn(async move {
                        meet.wait().await;
                        once.answer("e", async { Ok::<_, ()>("e") }).await
                    })
                })
                .collect();
            asked.into_iter().for_each(|answer| assert_eq!(runtime.block_on(answer).unwrap(), Ok("e")));
            assert!(once.under_way.lock().unwrap().is_empty());
        }
    }
    #[test]
    fn a_panic_is_for_whom_it_came_to_and_the_others_are_answered() {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (once, n) = (Once::default(), Arc::new(AtomicUsize::new(0)));
        let asked: Vec<_> = (0..20)
            .map(|_| {
                let (once, n) = (once.clone(), n.clone());
                runtime.spawn(async move {
                    let compute = async {
                        let is_first = n.fetch_add(1, Ordering::Relaxed) == 0;
                        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                        assert!(!is_first, "the first computation fails");
                        Ok::<_, ()>("a")
                    };
                    once.answer("a", compute).await
                })
            })
            .collect();
        let mut answers = Vec::new();
        for answer in asked {
            let patient = async { tokio::time::timeout(std::time::Duration::from_secs(60), answer).await };
            answers.push(runtime.block_on(patient).expect("nobody waits for ever"));
        }
        assert_eq!(answers.iter().filter(|answer| answer.is_err()).count(), 1);
        assert_eq!(answers.into_iter().flatten().filter(|answer| *answer == Ok("a")).count(), 19);
        assert_eq!(n.load(Ordering::Relaxed), 2);
        assert!(once.under_way.lock().unwrap().is_empty());
    }
}
