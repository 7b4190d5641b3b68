//! Cancellation and size limits of one computation.
//!
//! The server runs each report under a [`Budget`]. Loops over names, nodes and rows call [`check`] or [`charge`]; when the budget
//! is used up, or [`Budget::cancel`] was called, the computation unwinds to [`run`]. It unwinds without the panic hook, so
//! nothing is printed, and caches only see finished values. Outside of [`run`], for example on the command line, both functions
//! do nothing.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Why a computation stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// [`Budget::cancel`] was called.
    Cancelled,
    /// The result would take more bytes than allowed.
    TooLarge,
}

/// Time and size limits of a computation.
#[derive(Debug)]
pub struct Budget {
    is_cancelled: AtomicBool,
    bytes: AtomicUsize,
}

impl Budget {
    /// A budget of `bytes` for the result.
    pub fn new(bytes: usize) -> Arc<Budget> {
        Arc::new(Budget { is_cancelled: AtomicBool::new(false), bytes: AtomicUsize::new(bytes) })
    }

    /// Ends the computation at its next [`check`].
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    fn check(&self) -> Result<(), Stop> {
        if self.is_cancelled.load(Ordering::Relaxed) { Err(Stop::Cancelled) } else { Ok(()) }
    }

    fn charge(&self, bytes: usize) -> Result<(), Stop> {
        self.check()?;
        let left = self.bytes.load(Ordering::Relaxed);
        self.bytes.store(left.saturating_sub(bytes), Ordering::Relaxed);
        if bytes > left { Err(Stop::TooLarge) } else { Ok(()) }
    }
}

thread_local! {
    /// The budget of what this thread computes.
    static CURRENT: RefCell<Option<Arc<Budget>>> = const { RefCell::new(None) };
}

/// Runs `compute` under `budget`, on this thread.
///
/// # Errors
/// Why it ended early.
pub fn run<T>(budget: &Arc<Budget>, compute: impl FnOnce() -> T) -> Result<T, Stop> {
    let outer = CURRENT.replace(Some(budget.clone()));
    let result = catch_unwind(AssertUnwindSafe(compute));
    CURRENT.set(outer);
    result.map_err(|payload| match payload.downcast::<Stop>() {
        Ok(stop) => *stop,
        // Resumes any other panic.
        Err(payload) => resume_unwind(payload),
    })
}

fn with(test: impl FnOnce(&Budget) -> Result<(), Stop>) {
    let result = CURRENT.with_borrow(|budget| budget.as_deref().map_or(Ok(()), test));
    if let Err(stop) = result {
        resume_unwind(Box::new(stop));
    }
}

/// Unwinds to [`run`] if the computation was cancelled. A few nanoseconds.
#[inline]
pub fn check() {
    with(Budget::check);
}

/// Like [`check`], and charges `bytes` of the result to the budget.
#[inline]
pub fn charge(bytes: usize) {
    with(|budget| budget.charge(bytes));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cancelled_computation_ends_at_the_next_check() {
        let budget = Budget::new(usize::MAX);
        let ended = run(&budget, || {
            for i in 0.. {
                check();
                if i == 1000 {
                    budget.cancel();
                }
            }
        });
        assert_eq!(ended, Err(Stop::Cancelled));
        // The flag applies to this computation only.
        check();
        assert_eq!(run(&Budget::new(0), || 7), Ok(7));
    }

    #[test]
    fn results_within_the_budget_are_returned() {
        let charged = |n: usize| {
            run(&Budget::new(100), || {
                (0..n).for_each(|_| charge(10));
                n
            })
        };
        assert_eq!(charged(10), Ok(10));
        assert_eq!(charged(11), Err(Stop::TooLarge));
    }

    #[test]
    fn panics_are_not_swallowed() {
        let panicked = catch_unwind(|| run(&Budget::new(1), || resume_unwind(Box::new("other"))));
        assert_eq!(*panicked.unwrap_err().downcast::<&str>().unwrap(), "other");
        charge(1000);
    }
}
