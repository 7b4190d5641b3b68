//! Recordings that are named before their recorder has written anything.

use std::io::ErrorKind;
use std::path::Path;

use super::head;
use crate::parse::is_blank;

/// Endings of recordings' names.
const ENDINGS: [&str; 6] = ["heaptrack", "zst", "gz", "raw", "dat", "tracy"];

/// Returns whether a recording may still be written to the path: its file is empty, has no more than a container's beginning, or is
/// missing and has the name of one.
pub(crate) fn is_unwritten(path: &Path) -> bool {
    match path.metadata() {
        Ok(meta) => meta.is_file() && head(path).is_ok_and(|head| is_blank(&head)),
        Err(error) => error.kind() == ErrorKind::NotFound && has_name(path) && path.parent().is_some_and(is_folder),
    }
}

fn is_folder(parent: &Path) -> bool {
    parent.as_os_str().is_empty() || parent.is_dir()
}

fn has_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    !name.contains(['*', '?', '[']) && (name.starts_with("heaptrack.") || ENDINGS.contains(&&*ending))
}
