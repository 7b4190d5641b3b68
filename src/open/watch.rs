//! `-watch`: adds new dumps to the open profile, from folders and from servers that are polled.
//!
//! Folders are polled, which works on any file system. `watched_dumps.rs` decides which dumps are kept.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::fetching as fetch;
use super::watched_folders::Folders;
use super::watched_profile::warn;
use super::watched_server::Server;
use super::workspace::Workspace;
use crate::terminal::panics::guarded;

/// Default polling interval of folders.
pub(super) const EVERY_FILE: Duration = Duration::from_secs(2);

/// Default polling interval of servers.
const EVERY_ANSWER: Duration = Duration::from_secs(30);

/// Watches what the command line names until the program ends.
pub(crate) fn start(workspace: &Arc<Workspace>, every: Option<Duration>) {
    let sources = &workspace.sources;
    for path in &sources.files {
        if let Ok(Some(address)) = fetch::address(path, sources) {
            let (mut server, every) = (Server::new(workspace.clone(), address), every.unwrap_or(EVERY_ANSWER));
            std::thread::spawn(move || turns(&server.workspace.clone(), every, || server.ask()));
        }
    }
    let (mut folders, every) = (Folders::new(workspace.clone()), every.unwrap_or(EVERY_FILE));
    std::thread::spawn(move || turns(&folders.workspace.clone(), every, || folders.look()));
}

/// Does `turn` again and again, also after one that panicked.
fn turns(workspace: &Workspace, every: Duration, mut turn: impl FnMut()) {
    loop {
        let begin = Instant::now();
        std::thread::sleep(every);
        if let Err(panic) = guarded(&mut turn) {
            warn(workspace, format!("cannot watch for new dumps: {panic}"));
        }
        // Slow polls are done less often.
        std::thread::sleep(begin.elapsed().saturating_sub(every) / 2);
    }
}
