//! When the configuration is read again: the file changes, or SIGHUP comes.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use crate::terminal::message::say;

/// Interval at which the file is looked at.
const INTERVAL: Duration = Duration::from_secs(1);

/// Length and time of a file.
fn stamp(file: &Path) -> Option<(u64, SystemTime)> {
    let meta = file.metadata().ok()?;
    Some((meta.len(), meta.modified().ok()?))
}

/// Calls `reload` whenever the file changes or SIGHUP comes, until the program ends.
pub(super) fn watch(file: &Path, mut reload: impl FnMut()) {
    let is_asked = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGHUP, is_asked.clone()) {
        say(&format!("SIGHUP does not reload the configuration: {error}"));
    }
    let mut seen = stamp(file);
    loop {
        std::thread::sleep(INTERVAL);
        let now = stamp(file);
        let is_changed = now.is_some() && now != seen;
        if is_asked.swap(false, Ordering::Relaxed) || is_changed {
            seen = now;
            reload();
        }
    }
}
