//! Names that recorders give to their files.

use std::path::Path;

/// Endings of recordings' names.
const ENDINGS: [&str; 6] = ["heaptrack", "zst", "gz", "raw", "dat", "tracy"];

/// Returns whether a recording may come into being at the path: it has the name of one, in a folder that is there.
pub(super) fn may_become_recording(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let is_in_folder = path.parent().is_some_and(|parent| parent.as_os_str().is_empty() || parent.is_dir());
    is_in_folder && !name.contains(['*', '?', '[']) && (name.starts_with("heaptrack.") || ENDINGS.contains(&&*ending))
}
