//! Servers that `-watch` polls: each answer is one more dump of a series.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::watched_profile::{described, parsed};
use super::workspace::Workspace;
use super::{fetching as fetch, inputs};
use crate::fetch::{Address, Client};
use crate::terminal::message::say;
use crate::terminal::panics::guarded;

/// A polled server.
pub(super) struct Server {
    pub(super) workspace: Arc<Workspace>,
    client: Client,
    address: Address,
    n_answers: u64,
    pub(super) is_silent: bool,
}

impl Server {
    pub(super) fn new(workspace: Arc<Workspace>, address: Address) -> Server {
        let client = fetch::client(&workspace.sources);
        // The first answer is open.
        Server { workspace, client, address, n_answers: 1, is_silent: false }
    }

    /// Opens the server's profile; errors are reported once.
    pub(super) fn ask(&mut self) {
        let answer = fetch::one(&self.client, &self.address, &AtomicU64::new(0)).map_err(|error| format!("{error:#}"));
        let answer = answer.and_then(|download| {
            let parsed = guarded(|| parsed(&self.workspace, &download.bytes)).unwrap_or_else(|panic| Err(panic.to_string()));
            parsed.map(|parsed| (download.address, parsed))
        });
        let (address, parsed) = match answer {
            Ok(answer) => answer,
            Err(error) => {
                if !std::mem::replace(&mut self.is_silent, true) {
                    say(&format!("{error}; retrying"));
                }
                return;
            }
        };
        let name = address.to_string();
        if std::mem::replace(&mut self.is_silent, false) {
            say(&format!("{name} responds again"));
        }
        self.address = address;
        let (now, number) = (inputs::now(), self.n_answers);
        let mut profile = described(parsed.profile, |dump| {
            (dump.name, dump.series, dump.number, dump.file_time) = (format!("{name} #{number}"), name.clone(), Some(number), now);
        });
        profile.mark_foreign();
        profile.map_all();
        self.n_answers += 1;
        let notes = parsed.warnings.iter().map(|warning| format!("{name}: {warning}")).collect();
        if let Err(refusal) = self.workspace.follow(profile, notes) {
            say(&refusal.error);
        }
    }
}
