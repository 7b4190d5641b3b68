//! Progress line on the terminal's standard error, shown after half a second.
//!
//! ```text
//! progress::during("Reading heap.pb.gz", |line| { …; line.set(|| format!("{n} of {all} bytes")); … })
//! ```
//!
//! The line is painted by its own thread, so that it appears even if the work reports no steps, and is removed when the work
//! ends, however it ends. Without a terminal nothing is written and no thread is started.

use std::io::{self, IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::style;
use crate::base::plain::shortened;
use crate::base::plain::{base_name, one_line};
use crate::symbolize;

/// Delay before the line appears.
const PATIENCE: Duration = Duration::from_millis(500);
/// The line is painted this often.
const PACE: Duration = Duration::from_millis(100);

/// Progress of some work; may be set from several threads.
pub(crate) struct Line {
    /// Last text, and its time; `None` without a terminal.
    last: Option<Mutex<(String, Option<Instant>)>>,
}

impl Line {
    /// Sets the text. Cheap without a terminal or if a text was set just now.
    pub(crate) fn set(&self, text: impl FnOnce() -> String) {
        let Some(Ok(mut last)) = self.last.as_ref().map(Mutex::try_lock) else { return };
        if last.1.is_none_or(|at| at.elapsed() >= PACE) {
            *last = (text(), Some(Instant::now()));
        }
    }

    fn text(&self) -> String {
        self.last.as_ref().and_then(|last| last.lock().ok().map(|last| last.0.clone())).unwrap_or_default()
    }
}

impl symbolize::Progress for Line {
    fn done(&self, done: usize, total: usize, file: &str) {
        self.set(|| format!("{done} of {total} addresses, {file}"));
    }

    fn fetching(&self, file: &str, what: &str) {
        self.set(|| fetching(file, what));
    }
}

/// Text about a download: `libc.so.6: 3MB of 12MB from debuginfod.example`.
pub(crate) fn fetching(file: &str, what: &str) -> String {
    format!("{}: {what}", base_name(file))
}

/// Runs `work`, which is called `what` when it takes long.
pub(crate) fn during<T>(what: &str, work: impl FnOnce(&Line) -> T) -> T {
    while_awaited(what, &AtomicBool::new(false), work)
}

/// Like [`during`], silent once `cancelled` is set.
pub(crate) fn while_awaited<T>(what: &str, cancelled: &AtomicBool, work: impl FnOnce(&Line) -> T) -> T {
    if !io::stderr().is_terminal() {
        return work(&Line { last: None });
    }
    let line = Line { last: Some(Mutex::default()) };
    std::thread::scope(|scope| {
        let (working, ended) = mpsc::channel();
        let painted = &line;
        scope.spawn(move || paint(what, painted, cancelled, ended));
        let result = work(&line);
        drop(working);
        result
    })
}

/// Paints until the other end of `ended` is dropped, or the work is cancelled.
fn paint(what: &str, line: &Line, cancelled: &AtomicBool, ended: Receiver<()>) {
    let started = Instant::now();
    let mut wait = PATIENCE;
    let mut painted = String::new();
    while matches!(ended.recv_timeout(wait), Err(RecvTimeoutError::Timeout)) {
        if cancelled.load(Ordering::Relaxed) {
            return;
        }
        let (text, seconds) = (line.text(), started.elapsed().as_secs());
        let colon = if text.is_empty() { "" } else { ": " };
        let time = if seconds > 0 { format!(" ({seconds} s)") } else { String::new() };
        let text = format!("{what}{colon}{}", one_line(&text));
        // A line that wraps could not be taken away.
        let most = style::terminal_width().unwrap_or(80).saturating_sub(time.len() + 1);
        let text = format!("{}{time}", shortened(&text, most));
        if text != painted {
            let _ = write!(io::stderr(), "\r\x1b[K{text}");
            painted = text;
        }
        wait = PACE;
    }
    if !painted.is_empty() && !cancelled.load(Ordering::Relaxed) {
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}
