//! Names that come while people look at the page already, those of the heaviest stacks first.

use std::sync::Mutex;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::args::Args;
use super::doctor;
use super::load::{self, NameSources};
use super::progress::fetching;
use crate::doctor::diagnose;
use crate::id::LocationId;
use crate::profile::{NamedLine, Names, Profile};
use crate::session::{Progress, Session};
use crate::symbolize;

/// The page is shown new names this often, and not before showing the last ones is a
/// small part of the time.
const PACE: Duration = Duration::from_millis(300);

/// Looks names up in the background and puts them in place when they are there.
pub(super) fn look_up(session: &Session, from: &NameSources, args: &Args) {
    /// Says that no more names come, whatever happens on the way.
    struct Finish<'a>(&'a Session);
    impl Drop for Finish<'_> {
        fn drop(&mut self) {
            self.0.set_progress(Progress { finished: true, fetching: String::new(), ..self.0.progress() });
        }
    }
    let _finish = Finish(session);
    // The page looks at the one while names go into the other.
    let read = session.snapshot().profile;
    let report = Report { session, found: Mutex::default() };
    let named = std::thread::scope(|scope| {
        let (working, ended) = mpsc::channel();
        let (report, read, all_frames) = (&report, &*read, args.sources.all_frames);
        scope.spawn(move || report.show(read, all_frames, ended));
        let named = load::with_names(Profile::clone(read), from, &args.sources, report);
        drop(working);
        named
    });
    match named {
        Ok((profile, mut notes)) => {
            load::save_fetched(&profile, from);
            notes.extend(from.said_by_servers());
            for note in &notes {
                super::say(note);
            }
            session.replace(profile, notes);
            // Names are there; why some are not may come later.
            if let Ok(binaries) = load::binaries(from, &args.sources) {
                session.set_doctor(diagnose(&read, &session.snapshot().profile, &binaries, &doctor::place()));
            }
        }
        Err(error) => super::say(&format!("names cannot be looked up: {error:#}")),
    }
}

/// What the page is told while names are looked up.
struct Report<'a> {
    session: &'a Session,
    /// What was found so far, and not all is shown yet.
    found: Mutex<Found>,
}

#[derive(Default)]
struct Found {
    names: Names,
    is_new: bool,
}

impl symbolize::Progress for Report<'_> {
    fn done(&self, done: usize, total: usize, _: &str) {
        self.session.set_progress(Progress { done, total, ..Progress::default() });
    }

    fn fetching(&self, file: &str, what: &str) {
        self.session.set_progress(Progress { fetching: fetching(file, what), ..self.session.progress() });
    }

    fn wants_names(&self) -> bool {
        true
    }

    fn found(&self, location: LocationId, lines: &[NamedLine]) {
        if let Ok(mut found) = self.found.lock() {
            found.names.lines.insert(location, lines.to_vec());
            found.is_new = true;
        }
    }
}

impl Report<'_> {
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
            self.session.replace(named, Vec::new());
            wait = PACE.max(started.elapsed() * 5);
        }
    }
}
