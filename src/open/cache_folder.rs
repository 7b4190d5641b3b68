//! Cache directory.

use std::env;
use std::path::PathBuf;
use std::time::SystemTime;

use super::atomic_file as part;
use super::options::OpenOptions;
use crate::symbolize::Cache;

/// Bytes that remembered names may take.
const MOST: u64 = 256 << 20;

/// Cache of names from earlier runs; `None` if disabled or without a cache directory.
pub(crate) fn of_symbols(sources: &OpenOptions) -> Option<Cache> {
    if sources.no_symbol_cache {
        return None;
    }
    part::survive_size_limit();
    Some(Cache { folder: folder()?.join("heapview/symbols"), limit: MOST, now: SystemTime::now() })
}

/// User's cache directory. Relative paths are ignored (XDG Base Directory Specification).
pub(crate) fn folder() -> Option<PathBuf> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    absolute("XDG_CACHE_HOME").or_else(|| match env::consts::OS {
        "windows" => absolute("LOCALAPPDATA"),
        "macos" => absolute("HOME").map(|home| home.join("Library/Caches")),
        _ => absolute("HOME").map(|home| home.join(".cache")),
    })
}
