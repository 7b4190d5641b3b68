//! The store of a team server: dumps by their hash, binaries by build id, and a log of uploads, in a directory or a bucket.
//!
//! ```text
//! heapview.json                        version of the layout
//! raw/sha256/ab/cdef…                  a dump, compressed; the hash is of its plain bytes
//! inbox/2026-11-22T10/<id>.jsonl       envelopes: the log of uploads
//! gone/2026-11-22T10/<id>.jsonl        envelopes that were deleted
//! bin/<build id>/…                     binaries
//! links/<id>                           short links
//! pins/<hash>                          dumps that are kept whatever their age
//! auth/<number>.json                   tokens
//! config/<number>.json                 settings
//! audit/2026-11-22T10/<id>.json        who changed what
//! ```
//!
//! Objects are created once and never changed ([`Objects`]), so that several servers can use one store without a database, and a
//! copy of it is a backup. Nothing here knows the web. All methods block.

mod audit;
mod builds;
mod catalog;
#[cfg(feature = "cloud-store")]
mod cloud;
mod directory;
mod documents;
mod envelope;
mod error;
mod format;
mod gc;
mod id;
mod ingest;
mod journal;
mod links;
mod objects;
mod quota;
mod selection;
mod settings;
mod tokens;
mod upload;
mod verify;
mod wanted;

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::{Duration, Instant, SystemTime};

pub use audit::Event;
pub use builds::{BinaryInfo, RunBy, StoredBinaries, file_name, is_build_id};
pub use envelope::{Build, Envelope, Origin};
pub use error::StoreError;
pub use gc::{GcReport, Removal};
pub use id::{Hash, ShortId};
pub use ingest::{BadDump, Measured, measure};
pub use links::LONGEST_LINK;
pub use objects::{Content, Created, Listed, Objects};
pub use quota::{OverQuota, Quota, Reserved};
pub use selection::{Selection, is_in};
pub use settings::Settings;
pub use tokens::{Token, TokenRole, cookie_of, is_name};
pub use upload::{BadOrigin, Said, Uploaded, said, time};
pub use verify::VerifyReport;
pub use wanted::{OpenDumps, OpenedDumps, Wanted};

use builds::Builds;
use catalog::Catalog;
use directory::Directory;
use journal::Journal;
use quota::Pending;
use tokens::Tokens;

use crate::symbolize::{BuildFacts, BuildFile};

/// Age at which what other servers wrote recently is looked for.
const FRESH: Duration = Duration::from_secs(2);

/// Age at which the whole log is looked through.
const WHOLE: Duration = Duration::from_secs(600);

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
    catalog: RwLock<Catalog>,
    builds: RwLock<Builds>,
    documents: RwLock<(Tokens, Settings)>,
    refreshed: Mutex<Refreshed>,
    pending: Pending,
    /// Short links, as far as they were counted.
    links: AtomicU64,
}

#[derive(Debug, Default)]
struct Refreshed {
    recent: Option<Instant>,
    whole: Option<Instant>,
    /// Grows when there is something new.
    generation: u64,
}

fn read<T>(lock: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    lock.read().unwrap_or_else(PoisonError::into_inner)
}

fn write<T>(lock: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    lock.write().unwrap_or_else(PoisonError::into_inner)
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
            objects,
            catalog: RwLock::default(),
            builds: RwLock::default(),
            documents: RwLock::default(),
            refreshed: Mutex::default(),
            pending: Pending::default(),
            links: AtomicU64::new(links::UNCOUNTED),
        };
        store.refresh(true)?;
        Ok(store)
    }

    /// Reads what is new if the last look was some time ago; `everything`: at once and the whole log.
    ///
    /// # Errors
    /// The store does not answer; what was known stays.
    pub fn refresh(&self, everything: bool) -> Result<(), StoreError> {
        let mut refreshed = self.refreshed.lock().unwrap_or_else(PoisonError::into_inner);
        let is_old = |at: Option<Instant>, age| at.is_none_or(|at| at.elapsed() >= age);
        if !everything && !is_old(refreshed.recent, FRESH) {
            return Ok(());
        }
        let whole = everything || is_old(refreshed.whole, WHOLE);
        // A store that is away is not asked by every request.
        refreshed.recent = Some(Instant::now());
        let unread = read(&self.catalog).unread(&*self.objects, whole, id::millis(SystemTime::now()))?;
        let mut is_new = !unread.is_empty() && write(&self.catalog).take(unread);
        is_new |= write(&self.builds).refresh(&*self.objects)?;
        let tokens = documents::read(&*self.objects, tokens::FOLDER)?.0;
        let settings = documents::read(&*self.objects, settings::FOLDER)?.0;
        *write(&self.documents) = (tokens, settings);
        if whole {
            refreshed.whole = Some(Instant::now());
        }
        refreshed.generation += u64::from(is_new);
        Ok(())
    }

    /// A number that grows when dumps or binaries come or go.
    pub fn generation(&self) -> u64 {
        self.refreshed.lock().unwrap_or_else(PoisonError::into_inner).generation
    }

    fn changed(&self) {
        self.refreshed.lock().unwrap_or_else(PoisonError::into_inner).generation += 1;
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
        read(&self.catalog).services().iter().map(|(service, dumps)| (service.clone(), dumps.clone())).collect()
    }

    /// Dumps of a service, in order of time; `None` if there is no such service.
    pub fn dumps_of(&self, service: &str) -> Option<Vec<Arc<Envelope>>> {
        read(&self.catalog).services().get(service).cloned()
    }

    /// The dump of a link. Looks into the store if it is not known.
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
        self.refresh(false)?;
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
        self.refresh(true)?;
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
        write(&self.builds).refresh(&*self.objects)?;
        self.changed();
        Ok(created == Created::New)
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
