//! Downloads to a file, aborted if the server is too slow or sends too much.

use std::fs::File;
use std::io::{Read, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::{Address, Client, FetchError};

/// When a download is given up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// 100 KiB must come within each span of this length, or the end.
    pub idle: Option<Duration>,
    /// All must come within this.
    pub whole: Option<Duration>,
    /// Bytes.
    pub size: u64,
}

/// Minimum number of bytes within [`Limits::idle`], like debuginfod's own client.
const PROGRESS: u64 = 100 << 10;

/// Interval between two calls of `on_progress`.
const PACE: Duration = Duration::from_millis(100);

/// Messages of the reading thread.
enum Progress {
    /// Total size in bytes, if known.
    Size(Option<u64>),
    /// Bytes that are written.
    Written(u64),
    End(Result<(), FetchError>),
}

impl Client {
    /// Appends the body of `address` to `to`. `on_progress` is called at intervals with the bytes received and the total.
    ///
    /// # Errors
    /// Without a successful response, or if it is too long. A part may have been written.
    pub fn download(&self, address: &Address, limits: Limits, to: File, on_progress: &dyn Fn(u64, Option<u64>)) -> Result<(), FetchError> {
        // A read that does not return is abandoned with its thread, which ends when it sends its next message.
        let (sender, receiver) = mpsc::sync_channel(4);
        let (client, address) = (self.clone(), address.clone());
        thread::spawn(move || {
            let end = client.copy(&address, limits, to, &sender);
            let _ = sender.send(Progress::End(end));
        });
        watch(&receiver, limits, on_progress)
    }

    fn copy(&self, address: &Address, limits: Limits, mut to: File, sender: &SyncSender<Progress>) -> Result<(), FetchError> {
        let (size, mut reader) = self.open(address, limits.whole)?;
        if size.is_some_and(|size| size > limits.size) {
            return Err(FetchError::TooBig { limit: limits.size });
        }
        let _ = sender.send(Progress::Size(size));
        let mut bytes = vec![0; 1 << 16];
        let mut written = 0;
        loop {
            let n = reader.read(&mut bytes).map_err(|e| FetchError::Cut { bytes: written, reason: e.to_string() })?;
            if n == 0 {
                return Ok(());
            }
            written += n as u64;
            if written > limits.size {
                return Err(FetchError::TooBig { limit: limits.size });
            }
            to.write_all(&bytes[..n]).map_err(|e| FetchError::Disk { reason: e.to_string() })?;
            if sender.send(Progress::Written(written)).is_err() {
                return Ok(());
            }
        }
    }
}

fn watch(receiver: &Receiver<Progress>, limits: Limits, on_progress: &dyn Fn(u64, Option<u64>)) -> Result<(), FetchError> {
    let start = Instant::now();
    let (mut size, mut bytes) = (None, 0);
    // When there last was progress enough, and how much had come.
    let mut mark = (start, 0);
    loop {
        match receiver.recv_timeout(PACE) {
            Ok(Progress::End(end)) => return end,
            Ok(Progress::Size(of)) => size = of,
            Ok(Progress::Written(n)) => bytes = n,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(FetchError::Cut { bytes, reason: "it was interrupted".into() }),
        }
        on_progress(bytes, size);
        if bytes - mark.1 >= PROGRESS {
            mark = (Instant::now(), bytes);
        }
        if let Some(idle) = limits.idle.filter(|idle| mark.0.elapsed() > *idle) {
            return Err(FetchError::Stalled { seconds: idle.as_secs(), bytes });
        }
        if let Some(whole) = limits.whole.filter(|whole| start.elapsed() > *whole) {
            return Err(FetchError::Stalled { seconds: whole.as_secs(), bytes });
        }
    }
}
