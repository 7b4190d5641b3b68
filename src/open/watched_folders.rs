//! Files that `-watch` follows: in folders, those that a pattern matches, and those that are named.
//!
//! A file is read when it has not changed for one turn, since it may still be written; a truncated or unreadable file gets a few more
//! turns. Replaced files are read again, deleted ones stay open. Recordings are read while they are written: `watched_recordings.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::inputs::{self, Input};
use super::read;
use super::watched_profile::{Stamp, described, parsed, warn};
use super::watched_recordings::{LastRead, is_recording};
use super::workspace::Workspace;
use crate::parse::{Parsed, Warning, parse, parse_recording, sniff};
use crate::profile::Dump;
use crate::terminal::message::say;
use crate::terminal::panics::guarded;

/// Turns that a file gets which ends too early; then it is what it is.
pub(super) const PATIENCE: u32 = 4;

/// A file that was written so shortly before it was read may not have been whole, nanoseconds.
const FRESH: i64 = 5_000_000_000;

/// Returns whether the file is incomplete. Memory maps may be cut without a warning.
fn is_cut(parsed: &Parsed, bytes: &[u8]) -> bool {
    let is_heap_text = ["gperftools", "jemalloc"].contains(&parsed.format);
    (is_heap_text && !bytes.ends_with(b"\n")) || parsed.warnings.iter().any(|warning| warning.kind.is_cut())
}

/// State of a file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Seen {
    /// Opened, or cannot be opened.
    Done(Stamp),
    /// Unchanged for this many turns.
    Still(Stamp, u32),
}

/// Calls `open`. A panic becomes a warning, and the file is not tried again until it changes.
pub(super) fn or_given_up(workspace: &Workspace, path: &Path, stamp: Stamp, open: impl FnOnce() -> Seen) -> Seen {
    guarded(open).unwrap_or_else(|panic| {
        warn(workspace, format!("cannot open {}: {panic}", path.display()));
        Seen::Done(stamp)
    })
}

/// Files that come and change.
pub(super) struct Folders {
    pub(super) workspace: Arc<Workspace>,
    seen: BTreeMap<PathBuf, Seen>,
    recordings: BTreeMap<PathBuf, Recording>,
}

/// A recording that was read while it was written, maybe.
struct Recording {
    last_read: LastRead,
    /// Where it ends too early; said when no more comes.
    cut: Vec<String>,
}

impl Folders {
    pub(super) fn new(workspace: Arc<Workspace>) -> Folders {
        let now = inputs::now();
        let mut seen = BTreeMap::new();
        for dump in workspace.session.snapshot().profile.dumps() {
            let path = PathBuf::from(&dump.name);
            if let Some(stamp) = Stamp::of(&path).filter(|stamp| stamp.written == dump.file_time && now - stamp.written > FRESH) {
                seen.insert(path, Seen::Done(stamp));
            }
        }
        Folders { workspace, seen, recordings: BTreeMap::new() }
    }

    /// Reads what has come and is whole.
    pub(super) fn look(&mut self) {
        let paths: BTreeSet<PathBuf> = self.workspace.sources.files.iter().flat_map(|path| inputs::meant(path)).collect();
        self.seen.retain(|path, _| paths.contains(path));
        self.recordings.retain(|path, _| paths.contains(path));
        for path in paths {
            let Some(stamp) = Stamp::of(&path) else { continue };
            let seen = match self.seen.get(&path) {
                Some(Seen::Done(known)) if *known == stamp => continue,
                Some(Seen::Still(known, turns)) if *known == stamp => {
                    let turns = *turns;
                    match self.recordings.contains_key(&path) {
                        true => self.still(&path, stamp, turns),
                        false => or_given_up(&self.workspace, &path, stamp, || self.open(&path, stamp, turns)),
                    }
                }
                _ if self.recordings.contains_key(&path) || is_recording(&path) => {
                    or_given_up(&self.workspace.clone(), &path, stamp, || self.read_on(&path, stamp))
                }
                _ => Seen::Still(stamp, 0),
            };
            self.seen.insert(path, seen);
        }
    }

    /// A recording that did not grow for a turn.
    fn still(&mut self, path: &Path, stamp: Stamp, turns: u32) -> Seen {
        if turns < PATIENCE {
            return Seen::Still(stamp, turns + 1);
        }
        let cut = self.recordings.get_mut(path).map_or(Vec::new(), |recording| std::mem::take(&mut recording.cut));
        cut.into_iter().for_each(|warning| warn(&self.workspace, warning));
        Seen::Done(stamp)
    }

    /// Reads a recording that has grown, unless it was read shortly before.
    fn read_on(&mut self, path: &Path, stamp: Stamp) -> Seen {
        // Any other size: it is looked at again.
        let again = Seen::Still(Stamp { length: u64::MAX, ..stamp }, 0);
        if self.recordings.get(path).is_some_and(|recording| !recording.last_read.is_long_ago()) {
            return again;
        }
        let begun = Instant::now();
        let name = path.display().to_string();
        let options = self.workspace.sources.parse_options();
        let parsed = match read::open(path) {
            Ok(read::Input::Bytes(bytes)) => parse(&bytes, &options),
            Ok(read::Input::Recording(mut file, length)) => parse_recording(&mut file, length, &options),
            Ok(read::Input::Binary) | Err(_) => return again,
        };
        let mut cut = Vec::new();
        if let Ok(Parsed { mut profile, warnings, .. }) = parsed {
            let (of_cut, notes): (Vec<_>, Vec<_>) = warnings.into_iter().partition(|warning| warning.kind.is_cut());
            let said = |warnings: Vec<Warning>| warnings.into_iter().map(|warning| format!("{name}: {warning}")).collect::<Vec<_>>();
            cut = said(of_cut);
            let Input { series, number, .. } = Input::of(path.to_owned(), !self.workspace.sources.files.iter().any(|file| file == path));
            profile.add_suppressions(&self.workspace.sources.suppressions);
            profile.set_origin(&name, false);
            profile.set_process(&series, number, stamp.written);
            // What was said of the part before.
            let before = self.workspace.session.snapshot().warnings;
            let outdated: Vec<String> = before.into_iter().filter(|warning| warning.starts_with(&format!("{name}: "))).collect();
            self.workspace.session.withdraw(&outdated);
            if let Err(refusal) = self.workspace.follow_recording(profile, said(notes)) {
                say(&refusal.error);
            }
        }
        self.recordings.insert(path.to_owned(), Recording { last_read: LastRead::since(begun), cut });
        Seen::Still(stamp, 0)
    }

    /// Opens a file that did not change for a turn.
    fn open(&self, path: &Path, stamp: Stamp, turns: u32) -> Seen {
        let again = Seen::Still(stamp, turns.saturating_add(1));
        let name = path.display().to_string();
        let bytes = match read::open(path).and_then(read::Input::into_bytes) {
            Ok(read::Input::Bytes(bytes)) => bytes,
            Ok(read::Input::Binary | read::Input::Recording(..)) => return Seen::Done(stamp),
            // It may be gone, or not readable yet.
            Err(error) => {
                if turns == PATIENCE {
                    say(&format!("{error:#}"));
                }
                return again;
            }
        };
        if bytes.is_empty() || Stamp::of(path) != Some(stamp) {
            return again;
        }
        let is_found = !self.workspace.sources.files.iter().any(|file| file == path);
        if is_found && sniff(&bytes).is_none() {
            return if turns < PATIENCE { again } else { Seen::Done(stamp) };
        }
        let parsed = match parsed(&self.workspace, &bytes) {
            Ok(parsed) if turns < PATIENCE && is_cut(&parsed, &bytes) => return again,
            Ok(parsed) => parsed,
            Err(_) if turns < PATIENCE => return again,
            Err(error) => {
                say(&format!("{name}: {error}"));
                return Seen::Done(stamp);
            }
        };
        let notes = parsed.warnings.iter().map(|warning| format!("{name}: {warning}")).collect();
        let Input { series, number, .. } = Input::of(path.to_owned(), is_found);
        let series = self.called(path, series);
        let profile = described(parsed.profile, |dump| {
            (dump.name, dump.series, dump.number, dump.file_time) = (name.clone(), series.clone(), number, stamp.written);
        });
        if let Err(refusal) = self.workspace.follow(profile, notes) {
            say(&refusal.error);
        }
        Seen::Done(stamp)
    }

    /// Process name for a file beside this one: possibly the folder's name.
    fn called(&self, path: &Path, series: String) -> String {
        let profile = self.workspace.session.snapshot().profile;
        let is_beside = |dump: &&Dump| {
            let other = Path::new(&dump.name);
            other.parent() == path.parent() && Input::of(other.to_owned(), true).series == series
        };
        profile.dumps().iter().find(is_beside).map_or(series.clone(), |dump| dump.series.clone())
    }
}
