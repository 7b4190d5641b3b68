//! Interface for files that are fetched from other machines by build id (debuginfod).

use std::fmt::Debug;
use std::path::PathBuf;

/// Brings files of other machines here.
pub trait DebugFiles: Debug + Send + Sync {
    /// Returns the local path of the file of this build; `None` if no server has it. `build_id` is hexadecimal. `on_progress` is called
    /// with progress messages.
    fn find(&self, build_id: &str, wanted: BuildFile, on_progress: &dyn Fn(&str)) -> Option<PathBuf>;
}

/// A file of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BuildFile {
    /// The program or library that ran.
    Program,
    /// The file with its debug information.
    DebugInfo,
}
