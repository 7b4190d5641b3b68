//! `-watch`: adds new dumps to the open profile, from folders and from servers that are polled.
//!
//! Folders are polled, which works on any file system. A file is read when it has not changed for one turn, since it may still be
//! written; a truncated or unreadable file gets a few more turns. Replaced files are read again, deleted ones stay open.
//! `watched_dumps.rs` decides which dumps are kept. Recordings are read while they are written: `watched_recordings.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use anyhow::Result;

use super::inputs::{self, Input};
use super::options::OpenOptions;
use super::watched_recordings::{LastRead, is_recording};
use super::workspace::Workspace;
use super::{fetching as fetch, load, read};
use crate::fetch::{Address, Client};
use crate::parse::{Parsed, Warning, parse, parse_recording, sniff};
use crate::profile::{Dump, Profile};
use crate::terminal::message::say;
use crate::terminal::panics::guarded;

/// Default polling interval of folders.
const EVERY_FILE: Duration = Duration::from_secs(2);

/// Default polling interval of servers.
const EVERY_ANSWER: Duration = Duration::from_secs(30);

/// Turns that a file gets which ends too early; then it is what it is.
const PATIENCE: u32 = 4;

/// A file that was written so shortly before it was read may not have been whole, nanoseconds.
const FRESH: i64 = 5_000_000_000;

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
    /// Looks once. A file that is named itself is there, or opening it reports the error.
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
    format!("Waiting for the first dump {join} {}", places.join(", "))
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

/// Prints a warning and shows it on the page.
fn warn(workspace: &Workspace, warning: String) {
    say(&warning);
    workspace.session.warn(warning);
}

fn parsed(workspace: &Workspace, bytes: &[u8]) -> Result<Parsed, String> {
    let sources = &workspace.sources;
    let options = sources.parse_options();
    parse(bytes, &options).map_err(|error| error.to_string())
}

/// The only dump of a profile, described.
fn described(mut profile: Profile, describe: impl Fn(&mut Dump)) -> Profile {
    profile.dumps_mut().iter_mut().for_each(describe);
    profile
}

/// Returns whether the file is incomplete. Memory maps may be cut without a warning.
fn is_cut(parsed: &Parsed, bytes: &[u8]) -> bool {
    let is_heap_text = ["gperftools", "jemalloc"].contains(&parsed.format);
    (is_heap_text && !bytes.ends_with(b"\n")) || parsed.warnings.iter().any(|warning| warning.kind.is_cut())
}

/// Identifies a version of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    length: u64,
    written: i64,
}

impl Stamp {
    fn of(path: &Path) -> Option<Stamp> {
        let length = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
        Some(Stamp { length, written: inputs::file_time(path) })
    }
}

/// State of a file.
#[derive(Clone, Copy, Debug)]
enum Seen {
    /// Opened, or cannot be opened.
    Done(Stamp),
    /// Unchanged for this many turns.
    Still(Stamp, u32),
}

/// Calls `open`. A panic becomes a warning, and the file is not tried again until it changes.
fn or_given_up(workspace: &Workspace, path: &Path, stamp: Stamp, open: impl FnOnce() -> Seen) -> Seen {
    guarded(open).unwrap_or_else(|panic| {
        warn(workspace, format!("cannot open {}: {panic}", path.display()));
        Seen::Done(stamp)
    })
}

/// Files that come and change.
pub(crate) struct Folders {
    workspace: Arc<Workspace>,
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
    fn new(workspace: Arc<Workspace>) -> Folders {
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
    fn look(&mut self) {
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
            Ok(read::Input::Recording(mut file)) => parse_recording(&mut file, &options),
            Ok(read::Input::Binary) | Err(_) => return again,
        };
        let mut cut = Vec::new();
        if let Ok(Parsed { mut profile, warnings, .. }) = parsed {
            let (of_cut, notes): (Vec<_>, Vec<_>) = warnings.into_iter().partition(|warning| warning.kind.is_cut());
            let messages = |warnings: Vec<Warning>| warnings.into_iter().map(|warning| format!("{name}: {warning}")).collect::<Vec<_>>();
            cut = messages(of_cut);
            let Input { series, number, .. } = Input::of(path.to_owned(), !self.workspace.sources.files.iter().any(|file| file == path));
            profile.add_suppressions(&self.workspace.sources.suppressions);
            profile.set_origin(&name, false);
            profile.set_process(&series, number, stamp.written);
            // What was said of the part before.
            let before = self.workspace.session.snapshot().warnings;
            let outdated: Vec<String> = before.into_iter().filter(|warning| warning.starts_with(&format!("{name}: "))).collect();
            self.workspace.session.withdraw(&outdated);
            if let Err(refusal) = self.workspace.follow_recording(profile, messages(notes)) {
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
            Ok(read::Input::Binary | read::Input::Recording(_)) => return Seen::Done(stamp),
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

/// A polled server.
pub(crate) struct Server {
    workspace: Arc<Workspace>,
    client: Client,
    address: Address,
    n_answers: u64,
    is_silent: bool,
}

impl Server {
    fn new(workspace: Arc<Workspace>, address: Address) -> Server {
        let client = fetch::client(&workspace.sources);
        // The first answer is open.
        Server { workspace, client, address, n_answers: 1, is_silent: false }
    }

    /// Opens the server's profile; errors are reported once.
    fn ask(&mut self) {
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

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;
    use crate::open::load::Loaded;
    use crate::profile::Profile;
    use crate::query::{QueryError, View, ViewKind};
    use crate::report::Report;
    use crate::session::Session;

    fn dump(bytes: u64) -> String {
        let row = format!("1: {bytes} [1: {bytes}] @ ");
        format!(
            "heap profile: 1: {bytes} [1: {bytes}] @ heapprofile\n{row}0x401234\n\nMAPPED_LIBRARIES:\n00400000-00500000 r-xp 00000000 08:01 1 /bin/x\n"
        )
    }

    fn watching(files: &[&str]) -> OpenOptions {
        OpenOptions { files: files.iter().map(PathBuf::from).collect(), watch: true, takes_series: true, ..OpenOptions::default() }
    }

    fn workspace(files: &[&str]) -> Arc<Workspace> {
        let sources = watching(files);
        let Loaded { profile, warnings, names, .. } = load::load(&sources).unwrap();
        Arc::new(Workspace::new(Arc::new(Session::new(profile, warnings)), Arc::default(), names, sources))
    }

    /// Name, number, sum, whether it is shown.
    fn open(workspace: &Workspace) -> Vec<(String, Option<u64>, i64, bool)> {
        let profile: Arc<Profile> = workspace.session.snapshot().profile;
        let n = profile.value_types().len();
        let total = |dump: usize| profile.columns()[dump * n + 3.min(n - 1)].total();
        let name = |dump: &Dump| dump.name.rsplit('/').next().unwrap().to_owned();
        profile.validate().unwrap();
        profile.dumps().iter().enumerate().map(|(i, dump)| (name(dump), dump.number, total(i), dump.counts())).collect()
    }

    fn watched() -> (tempfile::TempDir, Folders, Arc<Workspace>) {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("x.0001.heap"), dump(100)).unwrap();
        let workspace = workspace(&[folder.path().to_str().unwrap()]);
        (folder, Folders::new(workspace.clone()), workspace)
    }

    fn row(name: &str, number: u64, sum: i64, is_shown: bool) -> (String, Option<u64>, i64, bool) {
        (name.to_owned(), Some(number), sum, is_shown)
    }

    #[test]
    fn a_dump_in_one_of_the_places_is_enough_to_begin() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("full")).unwrap();
        fs::create_dir_all(path("empty")).unwrap();
        fs::write(path("full/x.0001.heap"), dump(100)).unwrap();
        let words = [path("full"), path("empty"), path("later*/*.heap")].map(|path| path.to_str().unwrap().to_owned());
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert!(Waiting::default().settle(&watching(&words), None).unwrap());
        let workspace = workspace(&words);
        let mut folders = Folders::new(workspace.clone());
        fs::write(path("empty/x.0002.heap"), dump(200)).unwrap();
        (0..3).for_each(|_| folders.look());
        assert_eq!(open(&workspace).len(), 2);
        // A missing named file is an error when it is opened.
        let sources = watching(&[words[2], "no-such-file"]);
        fs::remove_file(path("full/x.0001.heap")).unwrap();
        assert_eq!(Waiting::default().look(&sources).unwrap(), First::Ready);
        assert!(load::load(&sources).err().unwrap().to_string().contains("no-such-file"));
    }

    #[test]
    fn a_dump_joins_when_its_writer_is_done() {
        let (folder, mut folders, workspace) = watched();
        let (path, text) = (folder.path().join("x.0002.heap"), dump(200));
        // A slow writer: a few bytes in each turn, with pauses.
        let mut file = fs::File::create(&path).unwrap();
        for (i, part) in text.as_bytes().chunks(text.len() / 5 + 1).enumerate() {
            (0..=i % 3).for_each(|_| folders.look());
            file.write_all(part).unwrap();
        }
        drop(file);
        assert_eq!(open(&workspace).len(), 1, "it was opened before it was whole");
        (0..3).for_each(|_| folders.look());
        let both = [row("x.0001.heap", 1, 100, false), row("x.0002.heap", 2, 200, true)];
        assert_eq!(open(&workspace), both);
        (0..3).for_each(|_| folders.look());
        assert_eq!(open(&workspace), both);
    }

    #[test]
    fn what_is_renamed_joins_and_what_is_replaced_is_read_anew() {
        let (folder, mut folders, workspace) = watched();
        let hidden = folder.path().join(".x.0003.heap.tmp");
        fs::write(&hidden, dump(300)).unwrap();
        (0..3).for_each(|_| folders.look());
        assert_eq!(open(&workspace).len(), 1);
        fs::rename(hidden, folder.path().join("x.0003.heap")).unwrap();
        (0..2).for_each(|_| folders.look());
        assert_eq!(open(&workspace)[1], row("x.0003.heap", 3, 300, true));
        // An older one that comes late is not the newest.
        fs::write(folder.path().join("x.0002.heap"), dump(200)).unwrap();
        (0..2).for_each(|_| folders.look());
        assert_eq!(open(&workspace)[1..], [row("x.0003.heap", 3, 300, true), row("x.0002.heap", 2, 200, false)]);
        fs::write(folder.path().join("x.0003.heap"), dump(33333)).unwrap();
        (0..2).for_each(|_| folders.look());
        assert_eq!(open(&workspace)[1], row("x.0003.heap", 3, 33333, true));
        assert_eq!(open(&workspace).len(), 3);
    }

    #[test]
    fn what_is_deleted_stays_and_what_is_none_is_left_out() {
        let (folder, mut folders, workspace) = watched();
        fs::write(folder.path().join("notes.txt"), "what I saw").unwrap();
        fs::write(folder.path().join("x.0002.heap"), dump(200)).unwrap();
        folders.look();
        // Gone before it is read.
        fs::remove_file(folder.path().join("x.0002.heap")).unwrap();
        fs::remove_file(folder.path().join("x.0001.heap")).unwrap();
        (0..PATIENCE + 3).for_each(|_| folders.look());
        assert_eq!(open(&workspace), [row("x.0001.heap", 1, 100, true)]);
        // A file that stays incomplete is shown as far as it can be read.
        let text = dump(400);
        fs::write(folder.path().join("x.0004.heap"), &text[..text.find("MAPPED").unwrap() - 3]).unwrap();
        (0..PATIENCE + 3).for_each(|_| folders.look());
        assert_eq!(open(&workspace).len(), 2);
    }

    #[test]
    fn recordings_are_followed_while_they_are_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.heaptrack");
        let mut text = String::from("v 10400 3\nX ./it\ns 7 /bin/it\ns 4 main\ni 401235 1 2\nt 1 0\na 64 1\n+ 0\nc a\n+ 0\nc 14\n+");
        fs::write(&path, &text).unwrap();
        let workspace = workspace(&[path.to_str().unwrap()]);
        let mut folders = Folders::new(workspace.clone());
        let profile = || workspace.session.snapshot().profile;
        let n_warnings = || workspace.session.snapshot().warnings.iter().filter(|warning| warning.contains("truncated")).count();
        let number_of = |at: i64| profile().dumps().iter().position(|dump| dump.moment.is_some_and(|moment| moment.at == at)).unwrap();
        assert_eq!((profile().columns()[0].total(), n_warnings()), (2, 1));
        let at_first = number_of(10_000_000);
        let mut known = vec![at_first];
        for n in 3..=12u64 {
            text += &format!(" 0\nc {:x}\n+", 10 * n);
            fs::write(&path, &text).unwrap();
            // A read recording rests ten times as long as that took.
            let begun = Instant::now();
            while profile().columns()[0].total() < n as i64 && begun.elapsed() < Duration::from_secs(20) {
                folders.look();
            }
            assert_eq!((profile().columns()[0].total(), n_warnings()), (n as i64, 0));
            profile().validate().unwrap();
            known.push(number_of(10_000_000 * n as i64 - 10_000_000));
        }
        // Numbers of moments hold.
        for (place, number) in known.iter().enumerate().skip(1) {
            assert_eq!(profile().dumps()[*number].moment.unwrap().at, 10_000_000 * (place as i64 + 1));
        }
        assert_eq!((number_of(10_000_000), profile().meta().runs.len(), profile().meta().runs[0].allocated.objects), (at_first, 1, 12));
        let view = View::parse(ViewKind::Top, [("at", "15ms")]).unwrap();
        assert!(workspace.session.answer(&view).is_ok());
        // Nothing comes any more: that its end is missing is said once.
        (0..PATIENCE + 3).for_each(|_| folders.look());
        assert_eq!((n_warnings(), profile().columns()[0].total()), (1, 12));
    }

    #[test]
    #[expect(clippy::panic, reason = "what is tested")]
    fn a_panic_while_a_dump_is_opened_is_a_warning() {
        let (folder, mut folders, workspace) = watched();
        let path = folder.path().join("x.0002.heap");
        let stamp = Stamp { length: 1, written: 2 };
        let seen = or_given_up(&workspace, &path, stamp, || panic!("no dump"));
        assert!(matches!(seen, Seen::Done(done) if done == stamp));
        let warning = format!("cannot open {}: internal error: no dump", path.display());
        assert!(workspace.session.snapshot().warnings.contains(&warning));
        // Others are opened all the same.
        fs::write(&path, dump(200)).unwrap();
        (0..3).for_each(|_| folders.look());
        assert_eq!(open(&workspace).len(), 2);
    }

    #[test]
    fn a_server_that_fails_is_asked_again() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/debug/pprof/heap", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            for (i, connection) in listener.incoming().enumerate() {
                let mut connection = connection.unwrap();
                let _ = connection.read(&mut [0; 4096]);
                let (status, body) =
                    if i == 1 { ("500 Internal Server Error", "sorry".to_owned()) } else { ("200 OK", dump(100 + i as u64)) };
                let _ = write!(connection, "HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len());
            }
        });
        let workspace = workspace(&[&address]);
        let mut server = Server::new(workspace.clone(), Address::parse(&address).unwrap());
        server.ask();
        assert!(server.is_silent);
        assert_eq!(open(&workspace).len(), 1);
        (0..2).for_each(|_| server.ask());
        assert!(!server.is_silent);
        let sums: Vec<_> = open(&workspace).into_iter().map(|(_, number, sum, is_shown)| (number, sum, is_shown)).collect();
        assert_eq!(sums, [(Some(0), 100, false), (Some(1), 102, false), (Some(2), 103, true)]);
        let profile = workspace.session.snapshot().profile;
        assert!(profile.dumps().iter().all(|dump| dump.series == profile.dumps()[0].series && !dump.series.is_empty()));
    }

    #[test]
    fn many_dumps_are_thinned_out_and_their_numbers_hold() {
        let (_folder, _, workspace) = watched();
        let follow = |n: u64, bytes: u64| {
            let parsed = parsed(&workspace, dump(bytes).as_bytes()).unwrap();
            let profile = described(parsed.profile, |dump| (dump.name, dump.number) = (format!("x.{n}"), Some(n)));
            let series = workspace.session.snapshot().profile.dumps()[0].series.clone();
            let profile = described(profile, |dump| dump.series.clone_from(&series));
            workspace.follow(profile, Vec::new()).unwrap();
        };
        (2..=300).for_each(|n| follow(n, n));
        // A run of equal dumps is its two ends.
        (301..=350).for_each(|n| follow(n, 7));
        let profile = workspace.session.snapshot().profile;
        profile.validate().unwrap();
        let dumps = profile.dumps();
        let kept: Vec<usize> = (0..dumps.len()).filter(|at| !dumps[*at].is_thinned).collect();
        assert_eq!((dumps.len(), kept.len()), (302, 201));
        assert_eq!(kept[..2], [0, 1]);
        assert_eq!((dumps[300].number, dumps[301].number, dumps[301].counts()), (Some(301), Some(350), true));
        let sums: Vec<i64> = open(&workspace).into_iter().map(|(_, _, sum, _)| sum).collect();
        for &at in &kept[1..kept.len() - 2] {
            assert_eq!((dumps[at].number, sums[at]), (Some(at as u64 + 1), at as i64 + 1));
        }
        let gone = (0..dumps.len()).find(|at| dumps[*at].is_thinned).unwrap();
        let ask = |query: &[(&str, &str)]| workspace.session.answer(&View::parse(ViewKind::Top, query.iter().copied()).unwrap());
        for field in ["dump", "base", "diff_base"] {
            let error = ask(&[(field, &gone.to_string())]).unwrap_err();
            assert_eq!(error, QueryError::Thinned { field, value: gone });
        }
        assert!(ask(&[("dump", "0"), ("base", "1")]).is_ok() && ask(&[]).is_ok());
        let growth = View::parse(ViewKind::Growth, []).unwrap();
        let Report::Growth(growth) = workspace.session.answer(&growth).unwrap() else { panic!("no growth") };
        assert_eq!(growth.dump.len(), kept.len());
        let warnings = workspace.session.snapshot().warnings;
        assert_eq!(warnings.iter().filter(|warning| warning.contains("drops older ones")).count(), 1, "{warnings:?}");
    }
}
