//! Panics as one readable line instead of a stack trace, and as an error where the program continues.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::terminal::message::say;

/// Longest message of a panic that is printed, characters: it may quote a name of any length.
const LONGEST: usize = 300;

/// A panic that was caught; its message, without the place in the source.
#[derive(Debug, thiserror::Error)]
#[error("internal error: {0}")]
pub(crate) struct Panicked(String);

/// Prints each panic of any thread as one line on stderr. `RUST_BACKTRACE` also keeps Rust's own report.
pub(crate) fn report_in_one_line() {
    let standard = std::panic::take_hook();
    let is_backtrace_wanted = std::env::var_os("RUST_BACKTRACE").is_some_and(|value| value != "0");
    std::panic::set_hook(Box::new(move |panic| {
        if is_backtrace_wanted {
            standard(panic);
        }
        let place = panic.location().map_or(String::new(), |place| format!(" at {}:{}", place.file(), place.line()));
        say(&format!("heapview: internal error{place}: {}; please report it, if possible with the file", message(panic.payload())));
    }));
}

/// Runs `work`; a panic becomes an error. Data changed by `work` must be consistent at every moment, or be discarded.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| Panicked(message(&*payload)))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let text = text.unwrap_or("panic without a message");
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::panic, reason = "what is tested")]
    fn a_panic_becomes_an_error_with_its_message() {
        assert_eq!(guarded(|| 1).unwrap(), 1);
        let error = guarded(|| -> u8 { panic!("no {}", "name") }).unwrap_err();
        assert_eq!(error.to_string(), "internal error: no name");
        let long = guarded(|| -> u8 { panic!("{}", "é".repeat(5000)) }).unwrap_err();
        assert_eq!(long.to_string().chars().count(), "internal error: ".len() + LONGEST + 1);
        let name = String::from("é");
        assert!(guarded(|| name[..1].len()).unwrap_err().to_string().contains("char boundary"));
    }
}
