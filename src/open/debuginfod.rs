//! Files by build id from debuginfod servers (`debuginfod(8)`), cached where other clients cache them.
//!
//! Only the servers in DEBUGINFOD_URLS are used. Variables and cache layout are elfutils' (`debuginfod-client-config(7)`): a file
//! per build id and kind; an empty file means that no server had it, and is valid for ten minutes. Cache entries of other clients
//! are not deleted.

use std::collections::BTreeSet;
use std::env;
use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use super::atomic_file as part;
use super::atomic_file::Part;
use super::options::OpenOptions;
use super::{cache_folder as cache, fetching as fetch};
use crate::base::hash::HashMap;
use crate::base::units;
use crate::fetch::{Address, Client, FetchError, Limits};
use crate::symbolize::{self, BuildFile, DebugFiles};

/// Maximum file size if DEBUGINFOD_MAXSIZE is not set, bytes.
const LONGEST: u64 = 16 << 30;

/// Time in which a server must make progress if DEBUGINFOD_TIMEOUT is not set.
const IDLE: Duration = Duration::from_secs(90);

/// Validity of negative entries if `cache_miss_s` in the cache directory is not set, seconds.
const MISS: u64 = 600;

/// The servers, and their state in this run.
#[derive(Debug)]
pub(crate) struct Debuginfod {
    client: Client,
    servers: Vec<Address>,
    limits: Limits,
    folder: PathBuf,
    now: SystemTime,
    /// What no server has is remembered for the next runs.
    keeps_misses: bool,
    replies: Mutex<Replies>,
}

#[derive(Debug, Default)]
struct Replies {
    /// Servers that did not answer; not used again.
    silent: BTreeSet<usize>,
    found: HashMap<(String, BuildFile), Option<PathBuf>>,
    notes: Vec<String>,
}

impl Debuginfod {
    /// Reads the environment; `None` without a server or a cache directory.
    pub(crate) fn new(sources: &OpenOptions) -> Option<Self> {
        let urls = env::var("DEBUGINFOD_URLS").ok()?;
        // Words such as `ima:enforcing` are not addresses.
        let words = urls.split_whitespace().filter(|word| ["http://", "https://"].iter().any(|scheme| word.starts_with(scheme)));
        let servers: Vec<Address> = words.filter_map(Address::parse).collect();
        let number = |name: &str| env::var(name).ok().and_then(|text| text.trim().parse::<i64>().ok());
        let span = |seconds: i64| u64::try_from(seconds).ok().filter(|&s| s > 0).map(Duration::from_secs);
        let size = number("DEBUGINFOD_MAXSIZE").and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0);
        let limits = Limits {
            idle: number("DEBUGINFOD_TIMEOUT").map_or(Some(IDLE), span),
            whole: number("DEBUGINFOD_MAXTIME").and_then(span),
            size: size.unwrap_or(LONGEST),
        };
        (!servers.is_empty()).then_some(())?;
        part::survive_size_limit();
        let replies = Mutex::default();
        Some(Debuginfod {
            client: fetch::client(sources),
            servers,
            limits,
            folder: folder()?,
            now: SystemTime::now(),
            keeps_misses: true,
            replies,
        })
    }

    /// A team server, which answers like a debuginfod server; `None` without a cache directory. Binaries may come at any time.
    pub(crate) fn of_server(client: Client, server: Address) -> Option<Self> {
        part::survive_size_limit();
        let limits = Limits { idle: Some(IDLE), whole: None, size: LONGEST };
        let (servers, now, replies) = (vec![server], SystemTime::now(), Mutex::default());
        Some(Debuginfod { client, servers, limits, folder: folder()?, now, keeps_misses: false, replies })
    }

    /// Warnings since the last call.
    pub(crate) fn notes(&self) -> Vec<String> {
        std::mem::take(&mut self.replies().notes)
    }

    fn replies(&self) -> MutexGuard<'_, Replies> {
        self.replies.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the file from the cache directory or from a server.
    fn get(&self, build_id: &str, wanted: BuildFile, on_progress: &dyn Fn(&str)) -> Option<PathBuf> {
        let name = name_of(wanted);
        let path = self.folder.join(build_id).join(name);
        match fs::metadata(&path) {
            Ok(meta) if meta.is_file() && meta.len() > 0 => return Some(path),
            Ok(meta) if self.keeps_misses && self.is_recent(&meta) => return None,
            _ => {}
        }
        let mut is_unknown = true;
        for (i, server) in self.servers.iter().enumerate() {
            if self.replies().silent.contains(&i) {
                is_unknown = false;
                continue;
            }
            let address = server.at(&format!("{}/buildid/{build_id}/{name}", server.path().trim_end_matches('/')));
            match self.download(&address, &path, build_id, on_progress) {
                Ok(()) => return Some(path),
                Err(Refusal::Unknown) => {}
                Err(Refusal::Silent(why)) => {
                    is_unknown = false;
                    let mut replies = self.replies();
                    replies.silent.insert(i);
                    replies.notes.push(format!("{server}: {why}; skipping this debuginfod server"));
                }
                Err(Refusal::Useless(why)) => {
                    is_unknown = false;
                    self.replies().notes.push(format!("{address}: {why}"));
                }
            }
        }
        // If the negative entry cannot be written, the next run asks again. An empty directory is useless.
        let _ = match is_unknown && self.keeps_misses {
            true => Part::create(&path).and_then(|(part, _)| part.put(&path)),
            false => fs::remove_dir(self.folder.join(build_id)),
        };
        None
    }

    /// Returns whether it was not found a short time ago.
    fn is_recent(&self, meta: &fs::Metadata) -> bool {
        let seconds = fs::read_to_string(self.folder.join("cache_miss_s")).ok().and_then(|text| text.trim().parse().ok());
        let missed_at = meta.modified().ok();
        meta.is_file()
            && missed_at.is_some_and(|at| self.now.duration_since(at).is_ok_and(|ago| ago < Duration::from_secs(seconds.unwrap_or(MISS))))
    }

    fn download(&self, address: &Address, path: &Path, build_id: &str, on_progress: &dyn Fn(&str)) -> Result<(), Refusal> {
        let disk = |error: io::Error| Refusal::Useless(format!("cannot write to {}: {error}", self.folder.display()));
        let (host, size) = (address.host_name(), |bytes: u64| units::label(i64::try_from(bytes).unwrap_or(i64::MAX), "bytes", "auto"));
        let on_progress = |bytes: u64, of: Option<u64>| match of {
            Some(of) => on_progress(&format!("{} of {} from {host}", size(bytes), size(of))),
            None if bytes > 0 => on_progress(&format!("{} from {host}", size(bytes))),
            None => on_progress(&format!("asking {host}")),
        };
        place(path).map_err(disk)?;
        let (part, file) = Part::create(path).map_err(disk)?;
        let ours = file.try_clone().map_err(disk)?;
        self.client.download(address, self.limits, file, &on_progress)?;
        ours.sync_data().map_err(disk)?;
        let found = symbolize::build_id(part.path()).map_err(|error| Refusal::Useless(format!("ignored the file: {error}")))?;
        if found != build_id {
            return Err(Refusal::Useless(format!("ignored the file: its build id is {found:?}")));
        }
        part.put(path).map_err(disk)
    }
}

impl DebugFiles for Debuginfod {
    fn find(&self, build_id: &str, wanted: BuildFile, on_progress: &dyn Fn(&str)) -> Option<PathBuf> {
        let build_id = build_id.to_ascii_lowercase();
        if !build_id.bytes().all(|b| b.is_ascii_hexdigit()) {
            return None;
        }
        let key = (build_id, wanted);
        if let Some(known) = self.replies().found.get(&key) {
            return known.clone();
        }
        let found = self.get(&key.0, wanted, on_progress);
        self.replies().found.insert(key, found.clone());
        found
    }
}

/// Why a server returned nothing.
enum Refusal {
    /// The server does not have the file.
    Unknown,
    /// There was no answer to be had.
    Silent(FetchError),
    /// The response cannot be used.
    Useless(String),
}

impl From<FetchError> for Refusal {
    fn from(error: FetchError) -> Self {
        match error {
            FetchError::Status { code: 404 | 410, .. } => Refusal::Unknown,
            FetchError::TooBig { .. } | FetchError::Disk { .. } => Refusal::Useless(error.to_string()),
            error => Refusal::Silent(error),
        }
    }
}

fn name_of(wanted: BuildFile) -> &'static str {
    match wanted {
        BuildFile::Program => "executable",
        BuildFile::DebugInfo => "debuginfo",
    }
}

/// Makes the folder of a file, for its owner.
fn place(path: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path.parent().unwrap_or(path))
}

/// Shared cache directory of debuginfod clients.
fn folder() -> Option<PathBuf> {
    if let Some(path) = env::var_os("DEBUGINFOD_CACHE_PATH").filter(|path| !path.is_empty()) {
        return Some(path.into());
    }
    let old = env::home_dir().map(|home| home.join(".debuginfod_client_cache")).filter(|old| old.is_dir());
    old.or_else(|| cache::folder().map(|folder| folder.join("debuginfod_client")))
}
