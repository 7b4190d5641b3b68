//! Background symbolization while the page is open, heaviest stacks first.

use crate::doctor::Host;
use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::Result;

use super::known_names::Known;
use super::load;
use super::load::NameSources;
use super::options::OpenOptions;
use super::workspace::{Work, Workspace};
use crate::base::hash::HashSet;
use crate::base::id::LocationId;
use crate::base::plain::base_name;
use crate::doctor::diagnose;
use crate::profile::{NamedLine, Names, Profile};
use crate::session::Progress;
use crate::symbolize;
use crate::terminal::panics::guarded;
use crate::terminal::progress::fetching;

/// Minimum interval between updates with new names; longer if an update takes a large part of the time.
const PACE: Duration = Duration::from_millis(300);

/// Symbolizes in the background after every opened profile, and publishes names as they are found.
pub(crate) fn look_up(workspace: &Workspace) {
    let mut warned = Vec::new();
    loop {
        look_up_next(workspace, &mut warned, &load::with_more_names);
    }
}

/// Finds names: [`load::with_more_names`], or a replacement in tests.
type FindNames<'a> =
    &'a (dyn Fn(Profile, &NameSources, &OpenOptions, Known, &dyn symbolize::Progress) -> Result<(Profile, Vec<String>, Known)> + Sync);

/// Waits for work and does it. A panic becomes a warning, and later work continues as usual.
fn look_up_next(workspace: &Workspace, warned: &mut Vec<String>, find: FindNames) {
    let work = workspace.wait();
    let known = guarded(|| look_up_once(workspace, &work, warned, find)).unwrap_or_else(|panic| {
        let warning = format!("names are incomplete: {panic}");
        workspace.if_current(&work, |session| session.warn(warning.clone()));
        warned.push(warning);
        None
    });
    workspace.done(&work, known);
}

/// Symbolizes the current profile; returns the results. `warned` are the previous warnings, which may no longer apply.
fn look_up_once(workspace: &Workspace, work: &Work, warned: &mut Vec<String>, find: FindNames) -> Option<Known> {
    /// Marks symbolization as finished when dropped, also after an error.
    struct Finish<'a>(&'a Workspace, &'a Work);
    impl Drop for Finish<'_> {
        fn drop(&mut self) {
            self.0.if_current(self.1, |session| {
                session.set_progress(Progress { finished: true, file: String::new(), fetching: String::new(), ..session.progress() });
            });
        }
    }
    let _finish = Finish(workspace, work);
    let (from, sources) = (&work.from, &workspace.sources);
    // The page shows one copy while names go into the other.
    let read = &work.read;
    let known = FoundNames { names: work.known.names.clone(), is_new: false };
    let report = LiveNames { workspace, work, found: Mutex::new(known) };
    let named = std::thread::scope(|scope| {
        let (working, ended) = mpsc::channel();
        let (report, all_frames) = (&report, sources.all_frames);
        scope.spawn(move || report.show(read, all_frames, ended));
        let named = find(Profile::clone(read), from, sources, work.known.clone(), report);
        drop(working);
        named
    });
    let (profile, mut notes, known) = match named {
        Ok(named) => named,
        Err(error) => {
            crate::terminal::message::say(&format!("cannot look up function names: {error:#}"));
            return None;
        }
    };
    if workspace.is_over(work) {
        return None;
    }
    if work.is_as_loaded {
        load::save_fetched(&profile, from);
    }
    notes.extend(from.said_by_servers());
    let before: HashSet<&String> = warned.iter().collect();
    notes.iter().filter(|note| !before.contains(note)).for_each(|note| crate::terminal::message::say(note));
    workspace.if_current(work, |session| {
        session.withdraw(warned);
        session.replace(profile, notes.clone());
    });
    *warned = notes;
    // Names are there; why some are not may come later.
    if let Ok(binaries) = load::binaries(from, sources) {
        let doctor = diagnose(read, &workspace.session.snapshot().profile, &binaries, &Host::this());
        workspace.if_current(work, |session| session.set_doctor(doctor));
    }
    Some(known)
}

/// Publishes names while symbolization runs.
struct LiveNames<'a> {
    workspace: &'a Workspace,
    work: &'a Work,
    /// Names found so far, not all shown yet.
    found: Mutex<FoundNames>,
}

#[derive(Default)]
struct FoundNames {
    names: Names,
    is_new: bool,
}

impl symbolize::Progress for LiveNames<'_> {
    fn done(&self, done: usize, total: usize, file: &str) {
        let file = base_name(file).to_owned();
        self.workspace.if_current(self.work, |session| session.set_progress(Progress { done, total, file, ..Progress::default() }));
    }

    fn fetching(&self, file: &str, what: &str) {
        let fetching = fetching(file, what);
        self.workspace.if_current(self.work, |session| session.set_progress(Progress { fetching, ..session.progress() }));
    }

    fn wants_names(&self) -> bool {
        true
    }

    fn is_over(&self) -> bool {
        self.workspace.is_over(self.work)
    }

    fn found(&self, location: LocationId, lines: &[NamedLine]) {
        if let Ok(mut found) = self.found.lock() {
            found.names.lines.insert(location, lines.to_vec());
            found.is_new = true;
        }
    }
}

impl LiveNames<'_> {
    /// All names so far, if there are more than the last time.
    fn news(&self) -> Option<Names> {
        let mut found = self.found.lock().ok()?;
        std::mem::take(&mut found.is_new).then(|| found.names.clone())
    }

    /// Puts what is found into the page until the other end of `ended` is dropped.
    fn show(&self, read: &Profile, all_frames: bool, ended: Receiver<()>) {
        let mut wait = PACE;
        while matches!(ended.recv_timeout(wait), Err(RecvTimeoutError::Timeout)) {
            let Some(names) = self.news() else { continue };
            let started = Instant::now();
            let named = read.clone().renamed(&names);
            let named = if all_frames { named } else { symbolize::without_allocator(named) };
            self.workspace.show(self.work, named, names);
            wait = PACE.max(started.elapsed() * 5);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::api::Opener as _;
    use crate::parse::{ParseOptions, parse};
    use crate::session::Session;

    #[test]
    #[expect(clippy::panic, reason = "what is tested")]
    fn panics_during_symbolization_become_warnings() {
        let parsed = parse(b"main;old;alloc 96\n", &ParseOptions::default()).unwrap();
        let session = Arc::new(Session::new(parsed.profile, Vec::new()));
        let workspace = Workspace::new(session.clone(), Arc::default(), NameSources::default(), OpenOptions::default());
        let mut warned = Vec::new();
        let panics: FindNames = &|profile, _, _, _, progress| {
            progress.done(1, 20, "program");
            assert!(!session.progress().finished && session.progress().total == 20);
            panic!("no names of {}", profile.dumps().len())
        };
        session.set_progress(Progress::default());
        look_up_next(&workspace, &mut warned, panics);
        assert!(session.progress().finished);
        assert_eq!(session.snapshot().warnings, ["names are incomplete: internal error: no names of 1"]);
        // The same thread continues; its warnings are withdrawn when names are complete.
        workspace.open("b.folded", b"main;new;alloc 5\n".to_vec(), None).unwrap();
        assert!(!session.progress().finished);
        look_up_next(&workspace, &mut warned, &load::with_more_names);
        assert!(session.progress().finished && session.snapshot().warnings.is_empty());
        assert_eq!(session.snapshot().profile.dumps().len(), 2);
        // In a thread beside the one that finds names.
        workspace.open("c.folded", b"main;newer;alloc 5\n".to_vec(), None).unwrap();
        look_up_next(&workspace, &mut warned, &|_, _, _, _, _| std::thread::scope(|scope| scope.spawn(|| panic!("apart")).join().unwrap()));
        assert!(session.progress().finished);
        assert_eq!(session.snapshot().warnings.len(), 1);
    }
}
