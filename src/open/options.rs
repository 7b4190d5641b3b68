//! Options for opening profiles and finding names.

use std::path::{Path, PathBuf};

use crate::fetch::TlsFiles;
use crate::parse::{KeepEvents, LogFile, ParseOptions, Threads};

/// Inputs and sources of names.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenOptions {
    /// Binary and profiles, in the order given; `-` is standard input.
    pub(crate) files: Vec<PathBuf>,
    /// Profiles to subtract.
    pub(crate) base: Vec<PathBuf>,
    /// Folders, patterns and beginnings of names are not looked into.
    pub(crate) as_given: bool,
    /// All dumps that are found are added up.
    pub(crate) adds_up: bool,
    /// Percentages relative to the base.
    pub(crate) percent_of_base: bool,
    /// The first of the files' profiles is one to subtract.
    pub(crate) first_is_base: bool,
    pub(crate) symbolize: String,
    pub(crate) all_frames: bool,
    /// Disables the symbol cache.
    pub(crate) no_symbol_cache: bool,
    pub(crate) comment: Option<String>,
    /// Build id of the main binary, for profiles that have none.
    pub(crate) build_id: Option<String>,
    /// Duration of the profile to request, seconds.
    pub(crate) seconds: Option<u64>,
    /// Timeout of requests, seconds.
    pub(crate) timeout: Option<u64>,
    pub(crate) tls: TlsFiles,
    /// Folders to look for binaries in before those of PPROF_BINARY_PATH.
    pub(crate) search: Vec<PathBuf>,
    /// Roots of separate debug information.
    pub(crate) debug_dirs: Vec<PathBuf>,
    /// Root folder of the machine that was profiled.
    pub(crate) sysroot: Option<PathBuf>,
    /// Beginnings of recorded paths, and what represents them here.
    pub(crate) remap: Vec<(PathBuf, PathBuf)>,
    /// Names of code that was made at run time.
    pub(crate) perf_map: Option<PathBuf>,
    pub(crate) threads: Threads,
    /// Like in [`crate::parse::ParseOptions`]; 0 means 1.
    pub(crate) parts: i64,
    /// New dumps join those that are open.
    pub(crate) watch: bool,
    /// Treats numbered dumps of a process as a series with one dump shown, even if they were named one by one.
    pub(crate) takes_series: bool,
    /// The report is about one dump or the sum of several.
    pub(crate) is_of_one: bool,
    /// The report covers all dumps of a series, so the default dump need not be announced.
    pub(crate) is_of_all: bool,
    /// A file that is written; it must not be one of those that are read.
    pub(crate) output: Option<PathBuf>,
    /// Rules for blocks that are in use at the end on purpose, for all recordings.
    pub(crate) suppressions: Vec<String>,
    /// Reads files about processes that are beside dumps.
    pub(crate) wants_process_files: bool,
    /// Keeps all events of recordings, for reports at any time.
    pub(crate) keeps_events: bool,
}

impl OpenOptions {
    /// Options of parsing.
    pub(crate) fn parse_options(&self) -> ParseOptions {
        let events = self.keeps_events.then_some(KeepEvents { file: Some(temporary_file) });
        ParseOptions { threads: self.threads, parts: self.parts, events, ..ParseOptions::default() }
    }
}

/// A file that has no name, or loses it with the program.
fn temporary_file() -> Option<Box<dyn LogFile>> {
    // On many systems the usual folder is in memory.
    let large = Path::new("/var/tmp");
    let by_user = std::env::var_os("TMPDIR").is_some();
    let file = if cfg!(unix) && !by_user && large.is_dir() { tempfile::tempfile_in(large) } else { tempfile::tempfile() };
    file.or_else(|_| tempfile::tempfile()).ok().map(|file| Box::new(file) as Box<dyn LogFile>)
}
