//! Options of symbolization.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use super::files_by_build_id::DebugFiles;
use super::read::attached_file::AttachedFile;
use crate::base::hash::HashSet;
use crate::base::id::LocationId;
use crate::demangle::Demangle;

/// Options of symbolization.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Program given by the user: used for the main mapping, whatever its path.
    pub binary: Option<PathBuf>,
    /// Several programs given by the user: each used for the mappings with its path.
    pub programs: Vec<PathBuf>,
    /// Libraries and other binaries given by the user: each used for mappings with its build id or base name.
    pub libraries: Vec<PathBuf>,
    /// Files that the user attached; they go before all others.
    pub attached: Vec<Arc<AttachedFile>>,
    /// Looks for no file by a path or name: the profile is of another machine than this one, or there are no files here. Only
    /// attached files are used, and those that `remote` has by build id.
    pub ignores_paths: bool,
    /// Folders to look for programs, libraries and debug information in, before the
    /// paths that the profile names.
    pub search: Vec<PathBuf>,
    /// Roots of separate debug information; `/usr/lib/debug` is always one, and the last.
    pub debug_dirs: Vec<PathBuf>,
    /// The root folder of the machine that was profiled, or of a copy of it: what the profile
    /// and debug information name is looked for below it first.
    pub sysroot: Option<PathBuf>,
    /// Beginnings of recorded paths, and what represents them here.
    pub remap: Vec<(PathBuf, PathBuf)>,
    /// Names of code that was made at run time, as `/tmp/perf-<pid>.map` has them.
    pub perf_map: Option<PathBuf>,
    /// The person's home, where perf keeps copies of programs.
    pub home: Option<PathBuf>,
    /// Sources of names.
    pub mode: Mode,
    /// Look again where the profile has names already.
    pub force: bool,
    /// Level of demangling. Anything but the default implies `force`, like in pprof.
    pub demangle: Demangle,
    /// Symbol cache, if any.
    pub cache: Option<Cache>,
    /// Source of files by build id, if any.
    pub remote: Option<Arc<dyn DebugFiles>>,
    /// Locations that were looked up before and are passed over.
    pub known: Arc<HashSet<LocationId>>,
}

/// Sources of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Nothing: addresses stay, and names stay as they are.
    None,
    /// Reads no file: only demangles existing names.
    Given,
    /// Only symbol tables: no files, lines, inlined frames.
    Symbols,
    /// Symbol tables and debug information.
    #[default]
    Local,
}

/// Location of the symbol cache.
#[derive(Clone, Debug)]
pub struct Cache {
    /// Directory; created if missing. Other files in it are left alone.
    pub folder: PathBuf,
    /// Bytes that all entries may take together; the least lately used go first.
    pub limit: u64,
    /// The time of this run.
    pub now: SystemTime,
}
