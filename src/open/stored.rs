//! Dumps of a store to an open profile. Nothing of this machine is opened by a path that a dump names: names come from the store's
//! binaries, by build id.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use super::{cache_folder, stored_dump};
use crate::annotate::{Code, Files};
use crate::api::Refusal;
use crate::base::hash::HashMap;
use crate::base::plain::base_name;
use crate::doctor::{Host, diagnose, messages};
use crate::parse::{ParseOptions, parse};
use crate::profile::{Merger, Profile, in_series_order, largest_process, show_only};
use crate::session::{Progress, Session};
use crate::sources::Sources;
use crate::store::{Envelope, OpenDumps, OpenedDumps, Store, Wanted};
use crate::symbolize::{self, Advice, Cache, Options};

/// Opens dumps of a store.
#[derive(Clone)]
pub(crate) struct StoredDumps {
    store: Arc<Store>,
    /// Names are looked up for one session at a time, by all processors.
    naming: Arc<Mutex<()>>,
}

impl StoredDumps {
    pub(crate) fn new(store: Arc<Store>) -> Self {
        StoredDumps { store, naming: Arc::default() }
    }

    /// Reads dumps as one profile; also returns warnings.
    fn read_all(&self, wanted: &Wanted) -> Result<(Profile, Vec<String>), Refusal> {
        let mut warnings = wanted.notes.clone();
        let mut merger = Merger::default();
        let mut of_process: HashMap<String, u64> = HashMap::default();
        for envelope in &wanted.dumps {
            let nth = of_process.entry(envelope.process()).or_default();
            *nth += 1;
            merger.add(self.read(envelope, *nth, &mut warnings)?);
        }
        let refused = |error: String| Refusal { error: format!("these dumps cannot be compared: {error}"), hint: String::new() };
        let mut profile = merger.finish().map_err(|error| refused(error.to_string()))?;
        if wanted.is_series && profile.dumps().len() > 1 {
            profile = in_series_order(profile).0;
            let process = largest_process(&profile, |dump| profile.dumps()[dump].moment.is_none());
            show_only(&mut profile, process.and_then(|dumps| dumps.last().copied()).unwrap_or(0));
        } else if wanted.dumps.len() > 1 {
            show_only(&mut profile, 0);
        }
        if let Some(last) = wanted.dumps.iter().max_by_key(|envelope| envelope.time)
            && let Err(error) = self.store.mark_expected(&mut profile, last)
        {
            warnings.push(format!("it is not known which growth is expected: {error}"));
        }
        Ok((profile, warnings))
    }

    /// Dumps as one profile with all names that the store has, and warnings. Takes as long as that takes.
    ///
    /// # Errors
    /// The store does not have them, or they have no value type in common.
    pub(crate) fn named(&self, wanted: &Wanted) -> Result<(Profile, Vec<String>), Refusal> {
        let (read, mut warnings) = self.read_all(wanted)?;
        let _one = self.naming.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = symbolize::symbolize(&read, &self.options(), &Waiting);
        // The dump's own paths stay; those of the store are of this machine.
        found.names.files.clear();
        warnings.extend(found.warnings);
        Ok((symbolize::without_allocator(read.renamed(&found.names)), warnings))
    }

    /// Reads a dump. Its time and process are those of its envelope; its mappings get the build ids that are known.
    fn read(&self, envelope: &Envelope, nth: u64, warnings: &mut Vec<String>) -> Result<Profile, Refusal> {
        let name = stored_dump::name_of(envelope);
        let refused = |error: String| Refusal { error: format!("cannot open {name}: {error}"), hint: String::new() };
        let bytes = self.store.dump(&envelope.sha256).map_err(|error| refused(error.to_string()))?;
        let bytes = bytes.ok_or_else(|| refused("its bytes are no longer in the store".into()))?;
        let max_expanded = usize::try_from(envelope.bytes).unwrap_or(usize::MAX).max(ParseOptions::default().max_expanded);
        let parsed =
            parse(&bytes, &ParseOptions { max_expanded, ..ParseOptions::default() }).map_err(|error| refused(error.to_string()))?;
        warnings.extend(parsed.warnings.iter().map(|warning| format!("{name}: {warning}")));
        let mut profile = parsed.profile;
        if !profile.is_of_report() {
            profile.set_origin(&name, false);
        }
        let run = self.store.run_by(&envelope.origin.service, &envelope.origin.version);
        Ok(stored_dump::placed(profile, envelope, nth, &run))
    }

    /// Where names come from.
    fn options(&self) -> Options {
        let cache = cache_folder::folder().map(|folder| folder.join("heapview/symbols"));
        Options {
            ignores_paths: true,
            remote: Some(self.store.names()),
            cache: cache.map(|folder| Cache { folder, limit: 1 << 30, now: SystemTime::now() }),
            ..Options::default()
        }
    }
}

impl OpenDumps for StoredDumps {
    fn open(&self, wanted: &Wanted) -> Result<OpenedDumps, Refusal> {
        let read = self.read_all(wanted)?;
        let session = Arc::new(Session::new(symbolize::without_allocator(read.0.clone()), read.1.clone()));
        if wanted.has_base {
            session.set_first_view(vec![("base".to_owned(), "1".to_owned())]);
        }
        session.set_progress(Progress::default());
        let files = Arc::new(Files::new(Sources::default(), Code::new(self.options())));
        self.find_names(&session, wanted, Some(read));
        let (dumps, wanted, weak) = (self.clone(), wanted.clone(), Arc::downgrade(&session));
        let find_names = move || {
            if let Some(session) = weak.upgrade() {
                // Read again: builds that came may be those of dumps without build ids.
                dumps.find_names(&session, &wanted, None);
            }
        };
        Ok(OpenedDumps { session, files, find_names: Box::new(find_names) })
    }
}

impl StoredDumps {
    /// Finds names in the background. `read`: the dumps, if they were just read.
    fn find_names(&self, session: &Arc<Session>, wanted: &Wanted, read: Option<(Profile, Vec<String>)>) {
        let (dumps, wanted, weak) = (self.clone(), wanted.clone(), Arc::downgrade(session));
        // Without a thread it stays without names, which is shown.
        let _ = std::thread::Builder::new().name("names".into()).spawn(move || {
            let _one = dumps.naming.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(session) = weak.upgrade() else { return };
            let named = crate::terminal::panics::guarded(|| match read.map_or_else(|| dumps.read_all(&wanted), Ok) {
                Ok(read) => look_up(&session, &read, &dumps.options()),
                Err(refusal) => session.warn(refusal.error),
            });
            if let Err(panic) = named {
                session.warn(format!("names are incomplete: {panic}"));
            }
            session.set_progress(Progress { finished: true, file: String::new(), ..session.progress() });
        });
    }
}

/// Finds names and puts them into the session, whose profile was `read` with these warnings.
fn look_up(session: &Arc<Session>, (read, kept): &(Profile, Vec<String>), options: &Options) {
    let mut found = symbolize::symbolize(read, options, &Told(session));
    // The dump's own paths stay; those of the store are of this machine.
    found.names.files.clear();
    let named = symbolize::without_allocator(read.clone().renamed(&found.names));
    let main = read.code().mappings.iter().next().map_or(String::new(), |main| read.text(main.file).to_owned());
    let notes: Vec<String> = found.warnings.into_iter().chain(messages(&found.notes, &main, &[], None::<&Path>, Advice::Store)).collect();
    let doctor = diagnose(read, &named, options, &Host::store());
    session.withdraw(&session.snapshot().warnings.into_iter().filter(|warning| !kept.contains(warning)).collect::<Vec<_>>());
    session.replace(named, notes);
    session.set_doctor(doctor);
}

/// Somebody waits for the end.
struct Waiting;

impl symbolize::Progress for Waiting {
    fn done(&self, _: usize, _: usize, _: &str) {}
}

/// Progress for the page; the work ends when nobody has the session any more.
struct Told<'a>(&'a Arc<Session>);

impl symbolize::Progress for Told<'_> {
    fn done(&self, done: usize, total: usize, file: &str) {
        let file = base_name(file).to_owned();
        self.0.set_progress(Progress { done, total, file, ..Progress::default() });
    }

    fn is_over(&self) -> bool {
        Arc::strong_count(self.0) == 1
    }
}
