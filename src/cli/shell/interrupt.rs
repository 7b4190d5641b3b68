//! Ctrl-C in the shell: cancels the line or the running command, not the shell.

use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::open::atomic_file as part;

/// Polling interval for Ctrl-C.
const PACE: Duration = Duration::from_millis(20);

/// Ctrl-C, from the moment that this is made.
pub(super) struct Interrupts {
    pressed: Mutex<Receiver<()>>,
}

impl Interrupts {
    pub(super) fn new() -> Self {
        part::leave_ctrl_c();
        let (press, pressed) = mpsc::channel();
        thread::spawn(move || {
            // Without it Ctrl-C ends the program, as before.
            let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
            runtime.block_on(async { while tokio::signal::ctrl_c().await.is_ok() && press.send(()).is_ok() {} });
        });
        Interrupts { pressed: Mutex::new(pressed) }
    }

    /// Does `work` in a thread of its own; `None` when Ctrl-C came first, and the thread is
    /// left to itself.
    pub(super) fn wait_for<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<Option<T>> {
        let is_pressed = || self.pressed.lock().is_ok_and(|pressed| pressed.try_recv().is_ok());
        // Those of before mean nothing any more.
        while is_pressed() {}
        let (done, result) = mpsc::channel();
        thread::spawn(move || done.send(work()));
        loop {
            match result.recv_timeout(PACE) {
                Ok(result) => return Ok(Some(result)),
                Err(RecvTimeoutError::Timeout) if is_pressed() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => bail!("internal error: the report was lost"),
            }
        }
    }
}
