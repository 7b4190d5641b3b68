//! User's directory of what programs keep between runs.

use std::env;
use std::path::PathBuf;

/// The directory. Relative paths are ignored (XDG Base Directory Specification).
pub(crate) fn folder() -> Option<PathBuf> {
    let state_home = env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    state_home.or_else(|| env::home_dir().map(|home| home.join(".local/state")))
}
