//! Before the first dump: what `-watch` waits for, and how it begins.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use anyhow::Result;

use super::inputs::{self, Input};
use super::options::OpenOptions;
use super::watch::{EVERY_FILE, start};
use super::watched_profile::Stamp;
use super::workspace::Workspace;
use super::{fetching as fetch, load};
use crate::terminal::message::say;
use crate::terminal::panics::guarded;

/// Initial content of the watched places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// No dump yet.
    Missing,
    /// One dump, which may still be written.
    Growing,
    /// Enough to begin.
    Ready,
}

/// Looks for the first dump.
#[derive(Default)]
pub(crate) struct Waiting {
    seen: Option<Vec<(PathBuf, Option<Stamp>)>>,
}

impl Waiting {
    /// Looks once. A file that is named itself is there, or opening it reports the error, unless a recorder may still write it.
    pub(crate) fn look(&mut self, sources: &OpenOptions) -> Result<First> {
        if !sources.files.iter().any(|path| inputs::is_to_grow(path)) {
            return Ok(First::Ready);
        }
        let (found, named): (Vec<Input>, Vec<Input>) =
            inputs::expand(&sources.files, &[], true)?.list.into_iter().partition(|input| input.is_found);
        let dumps: Vec<(PathBuf, Option<Stamp>)> = found.into_iter().map(|input| (input.path.clone(), Stamp::of(&input.path))).collect();
        let is_something_named = named.iter().any(|input| !inputs::is_binary(&input.path));
        let is_ready = is_something_named || dumps.len() > 1 || (!dumps.is_empty() && self.seen.as_ref() == Some(&dumps));
        let first = if is_ready {
            First::Ready
        } else if dumps.is_empty() {
            First::Missing
        } else {
            First::Growing
        };
        self.seen = Some(dumps);
        Ok(first)
    }

    /// Waits for a dump that is being written. Returns whether there is one.
    pub(crate) fn settle(&mut self, sources: &OpenOptions, every: Option<Duration>) -> Result<bool> {
        loop {
            match self.look(sources)? {
                First::Ready => return Ok(true),
                First::Missing => return Ok(false),
                First::Growing => std::thread::sleep(pause(every)),
            }
        }
    }
}

/// Time between two looks for the first dump.
fn pause(every: Option<Duration>) -> Duration {
    every.unwrap_or(EVERY_FILE).min(Duration::from_millis(500))
}

/// Message about the awaited dump, a sentence.
pub(crate) fn waiting_for(sources: &OpenOptions) -> String {
    let is_awaited = |path: &&PathBuf| inputs::is_to_grow(path) || matches!(fetch::address(path, sources), Ok(Some(_)));
    let shown = |path: &PathBuf| match fetch::address(path, sources) {
        Ok(Some(address)) => address.to_string(),
        _ => path.display().to_string(),
    };
    let places: Vec<String> = sources.files.iter().filter(is_awaited).map(shown).collect();
    let join = if places.iter().any(|place| place.contains("://")) { "from" } else { "in" };
    let what = if sources.files.iter().filter(is_awaited).all(|path| inputs::is_unwritten(path)) { "data" } else { "the first dump" };
    format!("Waiting for {what} {join} {}", places.join(", "))
}

/// Why a watched server has no profile; `None`: all have one, or none is watched.
pub(crate) fn unanswered(sources: &OpenOptions) -> Option<String> {
    let client = fetch::client(sources);
    let addresses = sources.files.iter().filter_map(|path| fetch::address(path, sources).ok().flatten());
    addresses.map(|address| fetch::one(&client, &address, &AtomicU64::new(0))).find_map(Result::err).map(|error| format!("{error:#}"))
}

/// Waits for the first dump, opens it, and watches on.
pub(crate) fn await_first(workspace: &Arc<Workspace>, every: Option<Duration>) {
    let (mut waiting, mut told) = (Waiting::default(), String::new());
    let sources = &workspace.sources;
    while workspace.session.is_empty() {
        std::thread::sleep(if told.is_empty() { pause(every) } else { every.unwrap_or(EVERY_FILE) });
        let loaded = guarded(|| match waiting.settle(sources, every) {
            Ok(true) => load::load(&workspace.sources).map(Some),
            Ok(false) => Ok(None),
            Err(error) => Err(error),
        });
        let error = match loaded {
            Ok(Ok(None)) => continue,
            Ok(Ok(Some(loaded))) => {
                // Otherwise the page opened a profile meanwhile, which the dumps here join.
                drop(workspace.begin_with(loaded, None));
                break;
            }
            Ok(Err(error)) => format!("{error:#}"),
            Err(panic) => panic.to_string(),
        };
        if told != error {
            say(&error);
            workspace.session.set_waiting(format!("{} ({error})", waiting_for(sources)));
            told = error;
        }
    }
    start(workspace, every);
}
