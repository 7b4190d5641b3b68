//! The store of a team server: dumps by their hash, binaries by build id, and a log of uploads, in a directory or a bucket.
//!
//! ```text
//! heapview.json                        version of the layout
//! raw/sha256/ab/cdef…                  a dump, compressed; the hash is of its plain bytes
//! inbox/2026-11-22T10/<id>.jsonl       envelopes: the log of uploads
//! gone/2026-11-22T10/<id>.jsonl        envelopes that were deleted, and their dumps
//! bin/<build id>/…                     binaries
//! links/<id>                           short links
//! pins/<hash>                          dumps that are kept whatever their age
//! exits/<service>/<time>-<hash>        last dumps of processes that ended
//! auth/<number>.json                   tokens
//! config/<number>.json                 settings
//! audit/2026-11-22T10/<id>.json        who changed what
//! lease/<job>/<number>.json            which server does a job, and until when
//! notes/<service>/<number>.json        notes on functions, and growth that is expected
//! checks/, results/<service>/, jobs/   checks that run by themselves, and what came of them
//! ```
//!
//! Objects are created once and never changed ([`Objects`]), so that several servers can use one store without a database, and a
//! copy of it is a backup. Nothing here knows the web. All methods block.

mod audit;
mod builds;
#[cfg(any(feature = "cloud-store", test))]
mod by_key;
mod catalog;
mod checks;
#[cfg(feature = "cloud-store")]
mod cloud;
mod directory;
mod documents;
mod duration;
mod envelope;
mod error;
mod exits;
mod format;
mod gc;
mod gone;
mod id;
mod ingest;
mod journal;
mod lease;
mod link;
mod locks;
#[cfg(test)]
mod lost_tests;
mod notes;
mod objects;
mod quota;
#[cfg(test)]
mod race_tests;
mod reserve;
mod selection;
mod settings;
mod short_links;
mod tokens;
mod upload;
mod verify;
mod wanted;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

pub use audit::Event;
pub use builds::{BinaryInfo, RunBy, StoredBinaries, file_name, is_build_id};
pub use checks::{Broken, Check, CheckResult, Notice, Verdict};
pub use duration::{duration, duration_text};
pub use envelope::{Build, Envelope, Origin};
pub use error::StoreError;
pub use gc::{GcReport, Removal};
pub use id::{Hash, ShortId};
pub use ingest::{BadDump, Measured, measure, packed};
pub use lease::{Lease, Leases};
pub use link::{path_part, series_address};
pub use notes::{Expectation, Note, expected_growth};
pub use objects::{Content, Created, Listed, Objects};
pub use quota::{OverQuota, Quota, Reserved};
pub use selection::{MOST_DUMPS, Selection, is_in, thinned};
pub use settings::Settings;
pub use short_links::LONGEST_LINK;
pub use tokens::{Token, TokenRole, cookie_of, is_name};
pub use upload::{BadOrigin, Said, Uploaded, said, time};
pub use verify::VerifyReport;
pub use wanted::{OpenDumps, OpenedDumps, Wanted};

use builds::Builds;
use catalog::Catalog;
use directory::Directory;
use journal::Journal;
use locks::{read, write};
use quota::Pending;
use tokens::Tokens;

use crate::symbolize::{BuildFacts, BuildFile};

/// Age at which what other servers wrote recently is looked for.
const FRESH: Duration = Duration::from_secs(2);

/// Age at which the whole log is looked through.
const WHOLE: Duration = Duration::from_secs(600);

/// Most looks at a log whose objects are deleted meanwhile.
const LOOKS: usize = 5;

/// How a store is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreOptions {
    /// An empty place becomes a store.
    pub may_create: bool,
    /// Opens a store that overwrites what exists, on the promise that nobody else writes.
    pub is_single_writer: bool,
}

/// An open store.
#[derive(Debug)]
pub struct Store {
    objects: Arc<dyn Objects>,
    journal: Journal,
    leases: Leases,
    catalog: RwLock<Catalog>,
    builds: RwLock<Builds>,
    documents: RwLock<(Tokens, Settings)>,
    refreshed: Mutex<Refreshed>,
    /// Grows when there is something new.
    generation: AtomicU64,
    pending: Pending,
    /// Short links and 1; 0: not counted yet.
    links: AtomicU64,
}

#[derive(Debug, Default)]
struct Refreshed {
    /// When the last look began.
    recent: Option<Instant>,
    /// Why it failed.
    error: Option<String>,
    whole: Option<Instant>,
}

impl Store {
    /// Opens the store at `place`: a directory, or an address such as `s3://bucket/prefix` where the program has the feature
    /// `cloud-store`. Reads its whole log.
    ///
    /// # Errors
    /// There is no store, it is of another version, or it does not keep its promises.
    pub fn open(place: &str, options: StoreOptions) -> Result<Store, StoreError> {
        let objects = objects_at(place, options.may_create)?;
        Store::of(objects, options)
    }

    /// Opens the store of these objects.
    ///
    /// # Errors
    /// Those of [`Store::open`].
    pub fn of(objects: Arc<dyn Objects>, options: StoreOptions) -> Result<Store, StoreError> {
        format::open(&*objects, options.may_create)?;
        if !options.is_single_writer && options.may_create && !format::keeps_first(&*objects)? {
            return Err(StoreError::Refused(format!(
                "{} overwrites objects that exist (it ignores If-None-Match), so that several servers would lose dumps; if this is \
                 the only server, add --single-writer",
                objects.place()
            )));
        }
        let store = Store {
            journal: Journal::new(objects.clone()),
            leases: Leases::new(objects.clone())?,
            objects,
            catalog: RwLock::default(),
            builds: RwLock::default(),
            documents: RwLock::default(),
            refreshed: Mutex::default(),
            generation: AtomicU64::default(),
            pending: Pending::default(),
            links: AtomicU64::default(),
        };
        store.refresh(true)?;
        Ok(store)
    }

    /// Reads what is new if the last look was some time ago; `everything`: at once and the whole log.
    ///
    /// # Errors
    /// The store does not answer; what was known stays.
    pub fn refresh(&self, everything: bool) -> Result<(), StoreError> {
        let since = Instant::now().checked_sub(FRESH).filter(|_| !everything);
        self.look(since, everything)
    }

    /// Reads what is new, unless that was done after `since`. One look at a time: the others wait, and need none of their own. The
    /// locks of what is known are not held while the store is asked, which may take its time.
    fn look(&self, since: Option<Instant>, everything: bool) -> Result<(), StoreError> {
        let mut refreshed = self.refreshed.lock().unwrap_or_else(PoisonError::into_inner);
        if since.is_some_and(|since| refreshed.recent.is_some_and(|recent| recent > since)) {
            // A store that is away is not asked by everybody who waits.
            return refreshed.error.clone().map_or(Ok(()), |error| Err(StoreError::Away(error)));
        }
        let start = Instant::now();
        let whole = everything || refreshed.whole.is_none_or(|whole| start - whole >= WHOLE);
        let looked = self.look_now(whole);
        refreshed.recent = Some(start);
        refreshed.error = match &looked {
            Ok(()) => None,
            Err(StoreError::Away(why)) => Some(why.clone()),
            Err(error) => Some(error.to_string()),
        };
        if whole && looked.is_ok() {
            refreshed.whole = Some(start);
        }
        looked
    }

    fn look_now(&self, whole: bool) -> Result<(), StoreError> {
        let mut is_new = false;
        for _ in 0..LOOKS {
            let listed = catalog::list(&*self.objects, whole, id::millis(SystemTime::now()))?;
            let unread = read(&self.catalog).unread(listed);
            let mut is_complete = true;
            for batch in catalog::batches(&unread) {
                let contents = catalog::contents(&*self.objects, batch)?;
                is_complete &= contents.len() == batch.len();
                is_new |= !contents.is_empty() && write(&self.catalog).take(contents);
            }
            // What was listed and is gone now may have been merged into an object that was not there yet.
            if is_complete {
                break;
            }
        }
        is_new |= builds::refresh(&*self.objects, &self.builds)?;
        let tokens = documents::read(&*self.objects, tokens::FOLDER)?.0;
        let settings = documents::read(&*self.objects, settings::FOLDER)?.0;
        *write(&self.documents) = (tokens, settings);
        self.generation.fetch_add(u64::from(is_new), Ordering::Relaxed);
        Ok(())
    }

    /// A number that grows when dumps or binaries come or go.
    pub fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }

    fn changed(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// A number that grows when binaries come or go.
    pub fn binaries_generation(&self) -> u64 {
        read(&self.builds).generation()
    }

    /// The place, for messages.
    pub fn place(&self) -> String {
        self.objects.place()
    }

    /// Folder for files that are being received.
    pub fn spool(&self) -> &Path {
        self.objects.spool()
    }

    /// Dumps by service, in order of time.
    pub fn services(&self) -> Vec<(String, Vec<Arc<Envelope>>)> {
        let catalog = read(&self.catalog);
        catalog.services().filter_map(|(service, _)| Some((service.to_owned(), catalog.dumps_of(service)?))).collect()
    }

    /// Services, and how many dumps each has.
    pub fn dump_counts(&self) -> Vec<(String, usize)> {
        read(&self.catalog).services().map(|(service, n)| (service.to_owned(), n)).collect()
    }

    /// Dumps of a service, in order of time; `None` if there is no such service.
    pub fn dumps_of(&self, service: &str) -> Option<Vec<Arc<Envelope>>> {
        read(&self.catalog).dumps_of(service)
    }

    /// The dump of a link. Looks into the store if it is not known: another server may have given this link a moment ago.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn linked(&self, link: &ShortId) -> Result<Option<Arc<Envelope>>, StoreError> {
        let find = || {
            let catalog = read(&self.catalog);
            catalog.linked(link).and_then(|dump| catalog.find(&dump, None))
        };
        if let Some(found) = find() {
            return Ok(Some(found));
        }
        self.look(Some(Instant::now()), false)?;
        Ok(find())
    }

    /// The bytes of a dump, as they are stored; `None` if they are not there.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn dump(&self, dump: &Hash) -> Result<Option<Vec<u8>>, StoreError> {
        let settings = self.settings();
        self.objects.read(&dump.raw_key(), settings.most_body.max(settings.most_unpacked))
    }

    /// Warnings about the log.
    pub fn warnings(&self) -> Vec<String> {
        read(&self.catalog).damaged().into_iter().collect()
    }

    /// Leases of jobs that one server does.
    pub fn leases(&self) -> &Leases {
        &self.leases
    }

    /// Settings.
    pub fn settings(&self) -> Settings {
        read(&self.documents).1.clone()
    }

    /// Changes settings: pairs of name and value.
    ///
    /// # Errors
    /// There is no such setting, or the value is none.
    pub fn change_settings(&self, pairs: &[(String, String)]) -> Result<Settings, StoreError> {
        let settings = settings::change(&*self.objects, pairs)?;
        write(&self.documents).1 = settings.clone();
        Ok(settings)
    }

    /// Tokens.
    pub fn tokens(&self) -> Vec<Token> {
        read(&self.documents).0.list().to_vec()
    }

    /// Makes a token; returns its secret.
    ///
    /// # Errors
    /// The name is taken, or the services do not fit the role.
    pub fn add_token(&self, name: &str, role: TokenRole, services: &[String]) -> Result<String, StoreError> {
        let secret = tokens::add(&*self.objects, name, role, services)?;
        // It exists: a store that does not answer now must not keep it secret for ever.
        let _ = self.refresh(true);
        Ok(secret)
    }

    /// Changes what a token may send.
    ///
    /// # Errors
    /// There is none of this name, or it sends nothing.
    pub fn set_quota(&self, name: &str, quota: Quota) -> Result<(), StoreError> {
        tokens::set_quota(&*self.objects, name, quota)?;
        self.refresh(true)
    }

    /// Removes a token.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn remove_token(&self, name: &str) -> Result<(), StoreError> {
        tokens::remove(&*self.objects, name)?;
        self.refresh(true)
    }

    /// The token with this secret, or this cookie.
    pub fn token_of(&self, secret: Option<&str>, cookie: Option<&str>) -> Option<Token> {
        let documents = read(&self.documents);
        let by_secret = secret.and_then(|secret| documents.0.of_secret(secret));
        by_secret.or_else(|| cookie.and_then(|cookie| documents.0.of_cookie(cookie))).cloned()
    }

    /// Stores the binary in the file `path`, which is in [`Store::spool`]; returns whether it is new.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put_binary(&self, path: &Path, facts: &BuildFacts, info: &BinaryInfo, run_by: Option<&RunBy>) -> Result<bool, StoreError> {
        let created = builds::put(&*self.objects, path, facts, info)?;
        if let Some(run_by) = run_by {
            builds::put_run_by(&*self.objects, &facts.build_id, run_by)?;
        }
        builds::refresh(&*self.objects, &self.builds)?;
        self.changed();
        Ok(created == Created::New)
    }

    /// Remembers that a service and version runs a stored build.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn put_run_by(&self, build_id: &str, run_by: &RunBy) -> Result<(), StoreError> {
        builds::put_run_by(&*self.objects, build_id, run_by)?;
        builds::refresh(&*self.objects, &self.builds)?;
        self.changed();
        Ok(())
    }

    /// Build ids of the stored binaries, with names of their files.
    pub fn binaries(&self) -> Vec<(String, Vec<&'static str>)> {
        read(&self.builds).files().iter().map(|(id, files)| (id.clone(), files.iter().copied().collect())).collect()
    }

    /// Binaries that a service and version runs: file name and build id.
    pub fn run_by(&self, service: &str, version: &str) -> Vec<(String, String)> {
        read(&self.builds).run_by(service, version)
    }

    /// The file of a build on this machine.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn binary(&self, build_id: &str, file: BuildFile) -> Result<Option<PathBuf>, StoreError> {
        builds::local(&*self.objects, build_id, file)
    }

    /// Whether the store has the file of a build now; nothing is fetched.
    ///
    /// # Errors
    /// The store does not answer.
    pub fn has_binary(&self, build_id: &str, file: BuildFile) -> Result<bool, StoreError> {
        builds::has(&*self.objects, build_id, file)
    }

    /// The binaries as a source of names.
    pub fn names(&self) -> Arc<StoredBinaries> {
        Arc::new(StoredBinaries(self.objects.clone()))
    }
}

/// The objects at a place.
fn objects_at(place: &str, may_create: bool) -> Result<Arc<dyn Objects>, StoreError> {
    let Some((scheme, rest)) = place.split_once("://") else {
        let path = Path::new(place);
        if !may_create && !path.is_dir() {
            return Err(StoreError::NotAStore(format!("{place} is no directory, so it is no store")));
        }
        return Ok(Arc::new(Directory::open(path)?));
    };
    match scheme {
        "file" => objects_at(rest, may_create),
        #[cfg(feature = "cloud-store")]
        _ => Ok(Arc::new(cloud::Cloud::open(place)?)),
        #[cfg(not(feature = "cloud-store"))]
        _ => Err(StoreError::Refused(format!(
            "{place}: this heapview keeps stores in directories; for {scheme}:// build it with `cargo install heapview --features cloud-store`"
        ))),
    }
}
