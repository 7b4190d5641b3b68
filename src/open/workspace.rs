//! Files added to an open profile: dumps and binaries.
//!
//! The profile is kept as it was read, together with the names found so far; a new dump is merged into that, so that known names
//! are there at once and only new addresses are symbolized. A symbolization that was running is cancelled and restarted for
//! everything.
//!
//! A workspace can start without a profile. The first one then comes from [`Workspace::begin_with`] or from the page.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, RwLock};

use super::inputs;
use super::known_names::Known;
use super::load::{self, Loaded, NameSources};
use super::options::OpenOptions;
use super::watched_dumps::Followed;
use super::{process_files, recent, start_list as start, watched_recordings};
use crate::annotate::{Code, Files};
use crate::api::{self, Opened, Opener, Refusal, StartList};
use crate::attached::{misfit, program_waits};
use crate::base::id::{LocationId, MappingId};
use crate::parse::{ProcessFound, parse, process_facts};
use crate::profile::{Names, ProcessFile, Profile, Series, show_only};
use crate::session::{Progress, Session};
use crate::symbolize::{self, AttachedFile};

/// The open files, shared by those who add files and the symbolizer.
pub(crate) struct Workspace {
    pub(crate) session: Arc<Session>,
    /// Source files and binaries that reports may show.
    pub(crate) files: Arc<Files>,
    pub(crate) sources: OpenOptions,
    /// The program of the command line, for a server that was started without a profile.
    program: Option<PathBuf>,
    /// Whether another profile may replace the open one: not if the command line names it, or a place to watch.
    may_replace: bool,
    /// Files that the start page may open.
    offered: Mutex<start::Offered>,
    state: Mutex<State>,
    changed: Condvar,
    /// The number of the work that is wanted.
    wanted: AtomicU64,
}

/// Profile to symbolize.
#[derive(Clone)]
pub(crate) struct Work {
    /// As it was read, without names that were looked up.
    pub(crate) read: Arc<Profile>,
    /// Known names of `read`.
    pub(crate) known: Known,
    /// Sources of names besides the files that the profile names.
    pub(crate) from: Arc<NameSources>,
    /// Nothing was added to what was loaded first.
    pub(crate) is_as_loaded: bool,
    /// Grows with each file.
    pub(crate) number: u64,
}

struct State {
    work: Work,
    /// Number of the work that was looked up last.
    done: Option<u64>,
    /// The profile that was open is closed, and the session still shows it.
    is_closed: bool,
    /// Dumps that came by themselves.
    followed: Followed,
    /// Files about processes that were opened before any profile.
    process_files: Vec<ProcessFile>,
}

impl Workspace {
    pub(crate) fn new(session: Arc<Session>, files: Arc<Files>, from: NameSources, sources: OpenOptions) -> Self {
        let read = session.snapshot().profile;
        let (program, may_replace) = (from.binary.clone(), read.is_empty() && !sources.watch);
        let work = Work { read, known: Known::default(), from: Arc::new(from), is_as_loaded: true, number: 0 };
        let followed = Followed::new(work.read.heap_bytes());
        let done = work.read.is_empty().then_some(work.number);
        let state = Mutex::new(State { work, done, is_closed: false, followed, process_files: Vec::new() });
        let (offered, changed, wanted) = (Mutex::default(), Condvar::new(), AtomicU64::new(0));
        Workspace { session, files, sources, program, may_replace, offered, state, changed, wanted }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next work, when there is some that was not done.
    pub(crate) fn wait(&self) -> Work {
        let mut state = self.state();
        while state.done == Some(state.work.number) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.work.clone()
    }

    /// Keeps what `work` led to, unless something else was opened meanwhile: then it may be wrong.
    pub(crate) fn done(&self, work: &Work, known: Option<Known>) {
        let mut state = self.state();
        state.done = Some(work.number);
        if let Some(known) = known.filter(|_| state.work.number == work.number) {
            state.work.known = known;
        }
    }

    /// Returns whether something else was opened since `work` began.
    pub(crate) fn is_over(&self, work: &Work) -> bool {
        self.wanted.load(Ordering::Relaxed) != work.number
    }

    /// Shows `named`, which has the `names` that `work` led to so far; what is opened next has them, too.
    pub(crate) fn show(&self, work: &Work, named: Profile, names: Names) {
        let mut state = self.state();
        if state.work.number == work.number {
            self.session.replace(named, Vec::new());
            state.work.known.names.lines = names.lines;
        }
    }

    /// Does `act` unless something else was opened since `work` began; nothing is opened meanwhile.
    pub(crate) fn if_current(&self, work: &Work, act: impl FnOnce(&Session)) {
        let state = self.state();
        if state.work.number == work.number {
            act(&self.session);
        }
    }

    /// The work changed: names that are known go into what is shown, and the others are looked up.
    fn begin(&self, mut state: MutexGuard<'_, State>, notes: Vec<String>) {
        let named = Profile::clone(&state.work.read).renamed(&state.work.known.names);
        let named = if self.sources.all_frames { named } else { symbolize::without_allocator(named) };
        state.work.number += 1;
        self.wanted.store(state.work.number, Ordering::Relaxed);
        self.session.set_progress(Progress::default());
        match std::mem::take(&mut state.is_closed) {
            true => self.session.open_another(named, notes),
            false => self.session.replace(named, notes),
        }
        self.changed.notify_one();
    }

    /// Closes the open profile, which must have this number, with all files that were opened beside it. The session shows it
    /// until something else takes its place.
    fn close(&self, state: &mut State, number: u64) -> Result<(), Refusal> {
        if !self.may_replace {
            let hint = "start another heapview for other files".into();
            return Err(Refusal { error: "this server shows the files of its command line".into(), hint });
        }
        if self.session.number() != number {
            return Err(Refusal { error: "another profile was opened meanwhile".into(), hint: "reload the page".into() });
        }
        let Loaded { profile, names, .. } = Loaded::nothing(&self.sources, self.program.clone());
        if let Ok(options) = load::binaries(&names, &self.sources) {
            self.files.set_code(Code::new(options));
        }
        self.session.set_first_view(Vec::new());
        state.followed = Followed::new(0);
        let number = state.work.number;
        state.work = Work { read: Arc::new(profile), known: Known::default(), from: Arc::new(names), is_as_loaded: true, number };
        state.is_closed = true;
        Ok(())
    }

    /// Opens what was loaded in a workspace that has no profile yet, or in place of the profile with the number `replace`.
    pub(crate) fn begin_with(&self, loaded: Loaded, replace: Option<u64>) -> Result<Opened, Refusal> {
        let mut state = self.state();
        if let Some(number) = replace {
            self.close(&mut state, number)?;
        }
        if !state.work.read.is_empty() {
            return Err(Refusal { error: "a profile is already open".into(), hint: "reload the page".into() });
        }
        let Loaded { mut profile, warnings, base, names } = loaded;
        profile.add_process_files(std::mem::take(&mut state.process_files));
        let attached = state.work.from.attached.read().unwrap_or_else(PoisonError::into_inner).clone();
        // A program that was opened before its profile stays unless the profile came with one.
        let binary = names.binary.or_else(|| state.work.from.binary.clone());
        let names = NameSources { binary, attached: RwLock::new(attached), ..names };
        if let Ok(options) = load::binaries(&names, &self.sources) {
            self.files.set_code(Code::new(options));
        }
        self.session.set_first_view(base.map(|(name, dumps)| (name.to_owned(), dumps)).into_iter().collect());
        state.followed = Followed::new(profile.heap_bytes());
        let dumps = (0..profile.dumps().len()).collect();
        let known = Known::default();
        state.work = Work { read: Arc::new(profile), known, from: Arc::new(names), is_as_loaded: true, number: state.work.number };
        self.begin(state, warnings.clone());
        Ok(Opened { dumps, notes: warnings, ..Opened::default() })
    }

    /// Adds a watched dump: it becomes the newest of its process, which is shown unless a view names another. Replaces one of the
    /// same name. Of a run of equal dumps the first and the last are kept; older dumps are thinned out.
    pub(crate) fn follow(&self, profile: Profile, mut notes: Vec<String>) -> Result<(), Refusal> {
        let mut state = self.state();
        let name = profile.dumps().first().map_or(String::new(), |dump| dump.name.clone());
        let before = state.work.read.clone();
        let n = before.dumps().len();
        let (merged, mut known) = join(&state.work, profile, &mut notes)?;
        let replaced = before.dumps().iter().position(|dump| dump.name == name && !dump.is_base);
        let replaced = replaced.or_else(|| state.followed.superseded(&merged, n));
        let (mut merged, at) = match replaced {
            Some(at) => (merged.reordered(&(0..n).map(|dump| if dump == at { n } else { dump }).collect::<Vec<_>>()), at),
            None => (merged, n),
        };
        if Series::of(merged.dumps()).iter().any(|series| series.dumps.last() == Some(&at)) {
            show_only(&mut merged, at);
        } else if replaced.is_none_or(|at| !before.dumps()[at].counts()) {
            merged.dumps_mut()[at].is_added = true;
        }
        state.followed.add(at);
        let gone = state.followed.too_many(&merged);
        if !gone.is_empty() {
            let (thinned, twins) = merged.thinned(&gone);
            known = known.carried(&merged, &thinned, &twins);
            merged = thinned;
            notes.push(state.followed.note());
        }
        (state.work.read, state.work.known, state.work.is_as_loaded) = (Arc::new(merged), known, false);
        self.begin(state, notes);
        Ok(())
    }

    /// Puts a recording that was read anew in the place of what was read of it before; a new one becomes the one that is shown.
    pub(crate) fn follow_recording(&self, profile: Profile, mut notes: Vec<String>) -> Result<(), Refusal> {
        let mut state = self.state();
        let name = profile.dumps().first().map_or(String::new(), |dump| dump.name.clone());
        let before = state.work.read.clone();
        let n = before.dumps().len();
        let gone = watched_recordings::dumps_of(before.dumps(), &name);
        let (rest, twins) = before.thinned(&gone);
        let known = state.work.known.carried(&before, &rest, &twins);
        let work = Work { read: Arc::new(rest), known, from: state.work.from.clone(), is_as_loaded: false, number: state.work.number };
        let (merged, known) = join(&work, profile, &mut notes)?;
        let order = watched_recordings::order(merged.dumps(), n, &name);
        let whole = order.iter().position(|dump| *dump == n).unwrap_or(0);
        let mut merged = merged.reordered(&order);
        match gone.first().and_then(|dump| before.dumps().get(*dump)) {
            Some(dump) => merged.dumps_mut()[whole].is_added = dump.is_added,
            None => show_only(&mut merged, whole),
        }
        (state.work.read, state.work.known, state.work.is_as_loaded) = (Arc::new(merged), known, false);
        self.begin(state, notes);
        Ok(())
    }

    fn open_profile(&self, name: &str, bytes: Vec<u8>, replace: Option<u64>) -> Result<Opened, Refusal> {
        let sources = &self.sources;
        let options = sources.parse_options();
        if let Some(found) = process_facts(&bytes, &options) {
            return self.open_process_file(name, found, replace);
        }
        let parsed = parse(&bytes, &options).map_err(|error| Refusal {
            error: format!("cannot read {name}: {error}"),
            hint: "heapview opens gperftools, jemalloc and pprof heap profiles, and binaries".into(),
        })?;
        drop(bytes);
        let mut profile = parsed.profile;
        // The dumps of a report have their names.
        let is_report = profile.is_of_report();
        if !is_report {
            profile.set_origin(name, false);
        }
        profile.mark_foreign();
        let (process, number) = inputs::process_and_number(name);
        if !is_report {
            profile.set_process(&process, number, 0);
        }
        let mut notes: Vec<String> = parsed.warnings.iter().map(|warning| format!("{name}: {warning}")).collect();
        let mut state = self.state();
        if let Some(number) = replace {
            self.close(&mut state, number)?;
        }
        let n = state.work.read.dumps().len();
        if n > 0 {
            profile.mark_added();
        }
        profile.add_process_files(std::mem::take(&mut state.process_files));
        let (merged, known) = join(&state.work, profile, &mut notes)?;
        if n == 0 {
            let attached = state.work.from.attached.read().unwrap_or_else(PoisonError::into_inner);
            let misfits = attached.iter().filter(|file| !file.is_debug_only() && file.fits(&merged).is_empty());
            notes.extend(misfits.map(|file| misfit(&file.name().to_string_lossy())));
        }
        let dumps = (n..merged.dumps().len()).collect();
        (state.work.read, state.work.known, state.work.is_as_loaded) = (Arc::new(merged), known, false);
        self.begin(state, notes.clone());
        Ok(Opened { dumps, notes, ..Opened::default() })
    }

    /// A file was opened that needs a profile, and there is none.
    fn wait_for_profile(&self, mut state: MutexGuard<'_, State>, note: String) -> Opened {
        if std::mem::take(&mut state.is_closed) {
            // Names for the closed profile are no longer wanted.
            state.work.number += 1;
            self.wanted.store(state.work.number, Ordering::Relaxed);
            state.done = Some(state.work.number);
            self.session.set_progress(Progress { finished: true, ..Progress::default() });
            self.session.open_another(Profile::empty(), Vec::new());
        }
        self.session.set_waiting(note.clone());
        Opened { notes: vec![note], ..Opened::default() }
    }

    /// Adds a file about the process of the open profile, or of the one that is opened next.
    fn open_process_file(&self, name: &str, found: ProcessFound, replace: Option<u64>) -> Result<Opened, Refusal> {
        let notes = process_files::messages(name, &found);
        let files = found.into_files(name, 0, false);
        let mut state = self.state();
        if let Some(number) = replace {
            self.close(&mut state, number)?;
        }
        if state.work.read.is_empty() {
            state.process_files.extend(files);
            return Ok(self.wait_for_profile(state, format!("{name} is about the memory of a process: open its heap profile next")));
        }
        let mut read = Profile::clone(&state.work.read);
        read.add_process_files(files);
        (state.work.read, state.work.is_as_loaded) = (Arc::new(read), false);
        self.begin(state, notes.clone());
        Ok(Opened { notes, ..Opened::default() })
    }

    fn open_binary(&self, name: &str, bytes: Vec<u8>, replace: Option<u64>) -> Result<Opened, Refusal> {
        let file = AttachedFile::new(PathBuf::from(name), Arc::new(bytes))
            .map_err(|error| Refusal { error: format!("cannot read the binary {name}: {error}"), hint: String::new() })?;
        let mut state = self.state();
        if let Some(number) = replace {
            self.close(&mut state, number)?;
        }
        let from = state.work.from.clone();
        let keep = |file| from.attached.write().unwrap_or_else(PoisonError::into_inner).push(Arc::new(file));
        if state.work.read.is_empty() {
            keep(file);
            return Ok(self.wait_for_profile(state, program_waits(name)));
        }
        let fits = file.fits(&state.work.read);
        // Which binary the units of a .dwp file belong to shows when names are looked up.
        let may_be_of_any = fits.is_empty() && file.is_debug_only();
        if fits.is_empty() && !may_be_of_any {
            let hint = match self.session.doctor() {
                Some(doctor) if !doctor.verdict.is_empty() => format!("current state: {}", doctor.verdict),
                _ => String::new(),
            };
            return Err(Refusal { error: misfit(name), hint });
        }
        keep(file);
        // Names of replaced binaries may be wrong.
        let files = state.work.read.code();
        let of_file = |m: MappingId| may_be_of_any || fits.iter().any(|path| path == state.work.read.text(files.mappings[m].file));
        let stale: Vec<LocationId> = files.locations.enumerate().filter(|(_, l)| l.mapping.is_none_or(of_file)).map(|(id, _)| id).collect();
        state.work.known.forget(stale);
        if let Ok(options) = load::binaries(&from, &self.sources) {
            self.files.set_code(Code::new(options));
        }
        state.work.is_as_loaded = false;
        self.begin(state, Vec::new());
        Ok(Opened { fits, ..Opened::default() })
    }
}

/// Adds a profile to `work`; returns the merged profile with its known names.
fn join(work: &Work, profile: Profile, notes: &mut Vec<String>) -> Result<(Profile, Known), Refusal> {
    let before = &*work.read;
    if before.is_empty() {
        return Ok((profile, Known::default()));
    }
    let (merged, twins) = api::join(Profile::clone(before), profile, notes)?;
    let twins: Vec<_> = twins.into_iter().map(Some).collect();
    let known = work.known.carried(before, &merged, &twins);
    Ok((merged, known))
}

impl Opener for Workspace {
    fn open(&self, name: &str, bytes: Vec<u8>, replace: Option<u64>) -> Result<Opened, Refusal> {
        if symbolize::is_binary(&bytes) { self.open_binary(name, bytes, replace) } else { self.open_profile(name, bytes, replace) }
    }

    fn may_replace(&self) -> bool {
        self.may_replace
    }

    fn start_list(&self) -> StartList {
        let mut offered = self.offered.lock().unwrap_or_else(PoisonError::into_inner);
        let (new, list) = start::list(&offered);
        *offered = new;
        list
    }

    fn clear_recent(&self) -> Result<StartList, Refusal> {
        let refused = |error| Refusal { error: format!("cannot clear the list of recent files: {error}"), hint: String::new() };
        recent::clear().map_err(refused)?;
        Ok(self.start_list())
    }

    fn open_listed(&self, id: &str, replace: Option<u64>) -> Result<Opened, Refusal> {
        let files = self.offered.lock().unwrap_or_else(PoisonError::into_inner).files(id);
        let Some(files) = files else {
            return Err(Refusal { error: "this list is out of date".into(), hint: "reload the page".into() });
        };
        if let Some(gone) = files.iter().find(|path| !path.exists()) {
            return Err(Refusal { error: format!("{} no longer exists", gone.display()), hint: String::new() });
        }
        let refused = |error: anyhow::Error| Refusal { error: format!("{error:#}"), hint: String::new() };
        let loaded = start::load(&self.sources, &files).map_err(refused)?;
        let opened = self.begin_with(loaded, replace)?;
        recent::remember(&files);
        Ok(opened)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::ParseOptions;
    use crate::profile::NamedLine;

    fn workspace() -> Workspace {
        let parsed = parse(b"main;old;alloc 96\n", &ParseOptions::default()).unwrap();
        Workspace::new(Arc::new(Session::new(parsed.profile, Vec::new())), Arc::default(), NameSources::default(), OpenOptions::default())
    }

    /// Result with this name for every location of `work`.
    fn all_called(name: &str, work: &Work) -> Known {
        let line = NamedLine { name: name.into(), ..NamedLine::default() };
        let names = work.read.code().locations.enumerate().map(|(id, _)| (id, vec![line.clone()])).collect();
        let names = Names { lines: names, ..Names::default() };
        Known::default().with(&work.read, symbolize::Symbolized { names, ..symbolize::Symbolized::default() })
    }

    #[test]
    fn work_that_is_over_leaves_no_names() {
        let workspace = workspace();
        let first = workspace.wait();
        assert!(!workspace.is_over(&first));
        workspace.open("b.folded", b"main;new;alloc 5\n".to_vec(), None).unwrap();
        assert!(workspace.is_over(&first));
        workspace.done(&first, Some(all_called("wrong", &first)));
        let second = workspace.wait();
        assert!(second.known.names.lines.is_empty() && second.known.looked_up.is_empty());
        workspace.done(&second, Some(all_called("right", &second)));
        workspace.show(&first, Profile::clone(&first.read), all_called("wrong", &first).names);
        workspace.open("c.folded", b"main;newer;alloc 5\n".to_vec(), None).unwrap();
        let third = workspace.wait();
        let n_known = second.read.code().locations.len();
        assert_eq!((third.known.names.lines.len(), third.known.looked_up.len()), (n_known, n_known));
        assert!(third.known.names.lines.values().all(|lines| &*lines[0].name == "right"));
        // Only what came with the last file is left to look up.
        assert_eq!(third.read.code().locations.len(), n_known + 1);
    }

    #[test]
    fn files_about_a_process_join_the_profile_before_or_after_it() {
        let status = b"Name:\tx\nPid:\t7\nVmRSS:\t 8 kB\nRssAnon:\t 4 kB\nRssFile:\t 4 kB\n";
        let n_files = |workspace: &Workspace| workspace.session.snapshot().profile.meta().process_files.len();
        let workspace = workspace();
        let opened = workspace.open("status", status.to_vec(), None).unwrap();
        assert_eq!((opened.dumps.len(), n_files(&workspace)), (0, 1));
        let session = Arc::new(Session::new(Profile::empty(), Vec::new()));
        let empty = Workspace::new(session, Arc::default(), NameSources::default(), OpenOptions::default());
        let opened = empty.open("status", status.to_vec(), None).unwrap();
        assert!(opened.notes[0].contains("open its heap profile next"), "{:?}", opened.notes);
        empty.open("a.folded", b"main;new;alloc 5\n".to_vec(), None).unwrap();
        assert_eq!(n_files(&empty), 1);
        // In place of the profile: the next file is another one.
        empty.open("status", status.to_vec(), Some(empty.session.number())).unwrap();
        assert!(empty.session.is_empty());
    }

    #[test]
    fn a_file_that_is_dropped_belongs_to_the_process_that_its_name_tells() {
        let workspace = workspace();
        for name in ["shop.0002.folded", "shop.0001.folded", "before.folded"] {
            workspace.open(name, b"main;new;alloc 5\n".to_vec(), None).unwrap();
        }
        let profile = workspace.session.snapshot().profile;
        let told: Vec<_> = profile.dumps()[1..].iter().map(|dump| (dump.series.as_str(), dump.number)).collect();
        assert_eq!(told, [("shop", Some(2)), ("shop", Some(1)), ("", None)]);
    }

    #[test]
    fn names_that_come_early_stay_and_are_looked_up_to_the_end() {
        let workspace = workspace();
        let first = workspace.wait();
        workspace.show(&first, Profile::clone(&first.read), all_called("early", &first).names);
        workspace.open("b.folded", b"main;new;alloc 5\n".to_vec(), None).unwrap();
        let second = workspace.wait();
        assert_eq!((second.known.names.lines.len(), second.known.looked_up.len()), (first.read.code().locations.len(), 0));
        let shown = workspace.session.snapshot().profile;
        assert!(shown.code().functions.iter().any(|function| shown.text(function.name) == "early"));
    }
}
