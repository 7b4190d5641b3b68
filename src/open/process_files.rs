//! Files about the process of a dump that are beside it: in the same folder, with the dump's name or process id in theirs, or in
//! the folder of a capture of this process.
//!
//! Only neighbours of dumps that the user named are looked at, and only files whose names say what they are; links are not
//! followed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::inputs::{self, Input};
use crate::parse::{ParseOptions, ProcessFound, is_process_file, process_facts};
use crate::profile::{DumpName, ProcessFile, ProcessName};
use crate::terminal::message::say;

/// Most entries of a folder that are looked at.
const MOST_NAMES: usize = 20_000;

/// Most files that are taken.
const MOST_FILES: usize = 1_000;

/// Longest file that is read unasked, bytes.
const LONGEST: u64 = 128 << 20;

/// Name of the note in a folder of `heapview capture`.
pub(crate) const NOTE: &str = "capture.json";

/// Files about the processes of these dumps that are beside them. O(names in their folders).
pub(crate) fn beside(dumps: &[Input]) -> Vec<PathBuf> {
    let mut by_folder: BTreeMap<PathBuf, Vec<&Input>> = BTreeMap::new();
    for dump in dumps.iter().filter(|dump| !dump.is_base && dump.path.is_file()) {
        let folder = dump.path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        by_folder.entry(folder.to_owned()).or_default().push(dump);
    }
    let mut found = Vec::new();
    for (folder, dumps) in by_folder {
        let stems: BTreeSet<String> =
            dumps.iter().filter_map(|dump| Some(DumpName::stem(&dump.path.file_name()?.to_string_lossy()).to_owned())).collect();
        let pids: BTreeSet<u64> = dumps.iter().filter_map(|dump| dump.pid()).collect();
        let mut names: Vec<String> = fs::read_dir(&folder)
            .into_iter()
            .flatten()
            .flatten()
            .take(MOST_NAMES)
            .filter_map(|entry| entry.file_name().into_string().ok())
            .collect();
        names.sort();
        for name in names {
            let path = if folder == Path::new(".") { PathBuf::from(&name) } else { folder.join(&name) };
            let read = ProcessName::read(&name);
            let fits = stems.contains(&read.stem) || read.pid.is_some_and(|pid| pids.contains(&pid));
            let Ok(meta) = fs::symlink_metadata(&path) else { continue };
            if meta.is_file() && read.is_sure && fits {
                found.push(path);
            } else if meta.is_dir()
                && name.split(['.', '-', '_']).any(|part| part.parse().is_ok_and(|pid| pids.contains(&pid)))
                && path.join(NOTE).is_file()
            {
                found.extend(in_capture(&path));
            }
        }
    }
    found.retain(|path| is_taken(path));
    found.truncate(MOST_FILES);
    found
}

/// Files in the folder of a capture.
fn in_capture(folder: &Path) -> Vec<PathBuf> {
    ["smaps", "smaps_rollup", "status", NOTE].map(|name| folder.join(name)).into()
}

fn is_taken(path: &Path) -> bool {
    let is_short = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() <= LONGEST);
    is_short && inputs::head(path).is_ok_and(|head| is_process_file(&head))
}

/// Reads files that were found; what cannot be read is named, and left out.
pub(crate) fn read(paths: &[PathBuf], options: &ParseOptions) -> (Vec<ProcessFile>, Vec<String>) {
    let (mut files, mut warnings) = (Vec::new(), Vec::new());
    for path in paths {
        let name = path.display().to_string();
        match fs::read(path) {
            Err(error) => warnings.push(format!("cannot read {name}: {error}")),
            Ok(bytes) => {
                if let Some(found) = process_facts(&bytes, options) {
                    warnings.extend(messages(&name, &found));
                    files.extend(found.into_files(&name, inputs::file_time(path), true));
                }
            }
        }
    }
    (files, warnings)
}

/// Warnings about a file.
pub(crate) fn messages(name: &str, found: &ProcessFound) -> Vec<String> {
    found.warnings.iter().map(|warning| format!("{name}: {warning}")).collect()
}

/// Says which files were found.
pub(crate) fn list_found(files: &[ProcessFile]) {
    let mut names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    names.dedup();
    match names[..] {
        [] => {}
        [first] => say(&format!("process memory: {first}")),
        [first, ..] => say(&format!("process memory: {first} and {} more files beside the profile", names.len() - 1)),
    }
}
