//! Directories of separate debug files.

use std::path::{Path, PathBuf};

use super::recorded_paths::below;
use crate::symbolize::options::Options;

/// Default directory, as in gdb and elfutils.
const DEFAULT_ROOT: &str = "/usr/lib/debug";

/// Returns the directories to search, in order: `-debug_dir`, then the default one in the sysroot, then the default one.
pub(in crate::symbolize) fn debug_roots(options: &Options) -> Vec<PathBuf> {
    let in_sysroot = options.sysroot.as_ref().and_then(|root| below(root, Path::new(DEFAULT_ROOT)));
    options.debug_dirs.iter().cloned().chain(in_sysroot).chain([DEFAULT_ROOT.into()]).collect()
}
