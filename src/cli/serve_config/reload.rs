//! Jobs are replaced while the server runs, when the file changes or SIGHUP comes. Flags are only read at the start.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use super::{Flag, ServeConfig, read};
use crate::scrape::Scraper;
use crate::terminal::message::say;

/// Interval at which the file is looked at.
const INTERVAL: Duration = Duration::from_secs(1);

/// Length and time of a file.
fn stamp(file: &Path) -> Option<(u64, SystemTime)> {
    let meta = file.metadata().ok()?;
    Some((meta.len(), meta.modified().ok()?))
}

/// Reads the file again whenever it changes, until the program ends. A file with errors changes nothing.
pub(super) fn watch(file: &Path, flags: &[Flag], mut config: ServeConfig, scraper: &Scraper) {
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
        if !is_asked.swap(false, Ordering::Relaxed) && !is_changed {
            continue;
        }
        seen = now;
        match read(file, flags) {
            Err(error) => say(&format!("The configuration was not reloaded: {error:#}")),
            Ok(new) => {
                if new.flags != config.flags {
                    say(&format!("{}: flags changed; restart the server to use them", file.display()));
                }
                say(&format!("Reloaded {}: {} scrape jobs", file.display(), new.scrape.len()));
                scraper.reload(new.scrape.clone());
                config = new;
            }
        }
    }
}
