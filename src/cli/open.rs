//! Files that are opened while people look: a profile becomes further dumps of the open one, a
//! binary gives names.
//!
//! What is open is kept as it was read, with the names that were found; a new dump is merged into
//! that, so that names which are known are there at once and only the others are looked up.

use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::args::Args;
use super::load::{self, NameSources};
use crate::disasm::Code;
use crate::id::{LocationId, MappingId};
use crate::parse::{ParseOptions, parse};
use crate::profile::{Names, Profile, merge_into};
use crate::session::{Progress, Session};
use crate::symbolize::{self, HeldFile};
use crate::web::{Opened, Opener, Refusal};

/// What is open, for those who add to it and the one who looks names up.
pub(super) struct Desk {
    pub(super) session: Arc<Session>,
    pub(super) from: NameSources,
    pub(super) args: Args,
    state: Mutex<State>,
    changed: Condvar,
}

/// What there is to look up.
#[derive(Clone)]
pub(super) struct Work {
    /// As it was read, without names that were looked up.
    pub(super) read: Arc<Profile>,
    /// Names that are known already, by the locations of `read`.
    pub(super) names: Names,
    /// Grows with each file.
    pub(super) number: u64,
}

struct State {
    work: Work,
    /// Number of the work that was looked up last.
    done: Option<u64>,
}

impl Desk {
    pub(super) fn new(session: Arc<Session>, from: NameSources, args: Args) -> Self {
        let read = session.snapshot().profile;
        let work = Work { read, names: Names::default(), number: 0 };
        Desk { session, from, args, state: Mutex::new(State { work, done: None }), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next work, when there is some that was not done.
    pub(super) fn wait(&self) -> Work {
        let mut state = self.state();
        while state.done == Some(state.work.number) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.work.clone()
    }

    /// Keeps the names that `work` led to, for whatever is open by now.
    pub(super) fn done(&self, work: &Work, names: &Names) {
        let mut state = self.state();
        state.done = Some(work.number);
        let moved = carried(&work.read, names, &state.work.read);
        state.work.names.lines.extend(moved.lines);
    }

    /// Does `act` unless something else was opened since `work` began; nothing is opened meanwhile.
    pub(super) fn if_current(&self, work: &Work, act: impl FnOnce(&Session)) {
        let state = self.state();
        if state.work.number == work.number {
            act(&self.session);
        }
    }

    /// The work changed: names that are known go into what is shown, and the others are looked up.
    fn begin(&self, mut state: MutexGuard<'_, State>, notes: Vec<String>) {
        state.work.number += 1;
        let named = Profile::clone(&state.work.read).renamed(&state.work.names);
        let named = if self.args.sources.all_frames { named } else { symbolize::without_allocator(named) };
        self.session.set_progress(Progress::default());
        self.session.replace(named, notes);
        self.changed.notify_one();
    }

    fn open_profile(&self, name: &str, bytes: Vec<u8>) -> Result<Opened, Refusal> {
        let sources = &self.args.sources;
        let options = ParseOptions { threads: sources.threads, parts: sources.parts, ..ParseOptions::default() };
        let parsed = parse(&bytes, &options).map_err(|error| Refusal {
            error: format!("{name} cannot be read: {error}"),
            hint: "profiles of gperftools, jemalloc and pprof can be opened, and the binaries that they were taken of".into(),
        })?;
        drop(bytes);
        let mut profile = parsed.profile;
        profile.set_origin(name, false);
        profile.mark_added();
        let mut notes: Vec<String> = parsed.warnings.iter().map(|warning| format!("{name}: {warning}")).collect();
        let mut state = self.state();
        let before = state.work.read.clone();
        let kinds = |profile: &Profile| profile.value_types().iter().map(|t| t.kind.clone()).collect::<Vec<_>>();
        let (old, new) = (kinds(&before), kinds(&profile));
        // Whoever looks at a value type goes on to see it.
        let merged = merge_into(Profile::clone(&before), profile)
            .map_err(|error| Refusal { error: format!("{name} does not go with what is open: {error}"), hint: String::new() })?;
        let only_in = |some: &[String], other: &[String]| some.iter().filter(|kind| !other.contains(kind)).cloned().collect::<Vec<_>>();
        let (lacking, more) = (only_in(&old, &new), only_in(&new, &old));
        if !lacking.is_empty() {
            notes.push(format!("{name} has no {}: it counts as 0 there", lacking.join(", ")));
        }
        if !more.is_empty() {
            notes.push(format!("{} of {name} cannot be shown: what was opened first has none", more.join(", ")));
        }
        let dumps = (before.dumps().len()..merged.dumps().len()).collect();
        state.work.names = carried(&before, &state.work.names, &merged);
        state.work.read = Arc::new(merged);
        self.begin(state, notes.clone());
        Ok(Opened { dumps, notes, ..Opened::default() })
    }

    fn open_binary(&self, name: &str, bytes: Vec<u8>) -> Result<Opened, Refusal> {
        let held = HeldFile::new(PathBuf::from(name), bytes)
            .map_err(|error| Refusal { error: format!("{name} is a binary that cannot be read: {error}"), hint: String::new() })?;
        let mut state = self.state();
        let fits = held.fits(&state.work.read);
        if fits.is_empty() {
            let hint = match self.session.doctor() {
                Some(doctor) if !doctor.verdict.is_empty() => format!("what there is: {}", doctor.verdict),
                _ => String::new(),
            };
            return Err(Refusal {
                error: format!("{name} is none of the files that are mapped in the profile, or another build of one"),
                hint,
            });
        }
        self.from.held.write().unwrap_or_else(PoisonError::into_inner).push(Arc::new(held));
        // What it has names for may have wrong ones.
        let files = state.work.read.code();
        let of_file = |m: MappingId| fits.iter().any(|path| path == state.work.read.text(files.mappings[m].file));
        let stale: Vec<LocationId> = files.locations.enumerate().filter(|(_, l)| l.mapping.is_none_or(of_file)).map(|(id, _)| id).collect();
        for location in stale {
            state.work.names.lines.remove(&location);
        }
        if let Ok(options) = load::binaries(&self.from, &self.args.sources) {
            self.session.set_code(Code::new(options));
        }
        self.begin(state, Vec::new());
        Ok(Opened { fits, ..Opened::default() })
    }
}

impl Opener for Desk {
    fn open(&self, name: &str, bytes: Vec<u8>) -> Result<Opened, Refusal> {
        if symbolize::is_binary(&bytes) { self.open_binary(name, bytes) } else { self.open_profile(name, bytes) }
    }
}

/// Where a location is, whatever its number: start and limit of its mapping, its address.
type Place = (u64, u64, u64, bool);

/// `names` of `from` for the same addresses in `to`, into which `from` was merged. O(size).
fn carried(from: &Profile, names: &Names, to: &Profile) -> Names {
    let place = |profile: &Profile, id: LocationId| -> Place {
        let location = &profile.code().locations[id];
        let mapping = location.mapping.map(|m| &profile.code().mappings[m]);
        (mapping.map_or(0, |m| m.start), mapping.map_or(0, |m| m.limit), location.address, location.is_folded)
    };
    let there: FxHashMap<Place, LocationId> = to.code().locations.enumerate().map(|(id, _)| (place(to, id), id)).collect();
    let lines = names.lines.iter().filter_map(|(&id, lines)| Some((*there.get(&place(from, id))?, lines.clone()))).collect();
    Names { lines, ..Names::default() }
}
