//! List of the start page: profiles in the current directory, and recently opened ones.
//!
//! The page gets names and identifiers. The files of an identifier are kept here, so that a page can only open what was listed
//! for it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::inputs::{self, Input};
use super::load::{self, Loaded};
use super::options::OpenOptions;
use super::recent::{self, Recent};
use crate::api::{StartEntry, StartList};

/// Limit on directory entries.
const MOST_NAMES: usize = 4000;

/// Limit on files whose first bytes are read.
const MOST_READ: usize = 400;

/// Most entries that are listed.
const MOST_LISTED: usize = 50;

/// Files by identifier, of the latest list.
#[derive(Default)]
pub(crate) struct Offered {
    /// Number of the list: identifiers of another one are unknown.
    number: u64,
    files: BTreeMap<String, Vec<PathBuf>>,
}

impl Offered {
    /// The files of an entry of the latest list.
    pub(crate) fn files(&self, id: &str) -> Option<Vec<PathBuf>> {
        self.files.get(id).cloned()
    }

    fn add(&mut self, files: Vec<PathBuf>) -> String {
        let id = format!("{}-{}", self.number, self.files.len() + 1);
        self.files.insert(id.clone(), files);
        id
    }
}

/// Loads files as if they had been named on the command line.
pub(crate) fn load(sources: &OpenOptions, files: &[PathBuf]) -> Result<Loaded> {
    let mut loaded = load::load(&OpenOptions { files: files.to_vec(), ..sources.clone() })?;
    // A program beside its dumps is found there when it fits.
    loaded.names.folders.extend(files.iter().filter_map(|path| Some(path.parent()?.to_owned())));
    loaded.names.folders.dedup();
    Ok(loaded)
}

/// The list for the start page, which follows `before`. Reads at most [`MOST_READ`] beginnings of files.
pub(crate) fn list(before: &Offered) -> (Offered, StartList) {
    let folder = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    list_of(&folder, recent::all(), before.number + 1)
}

fn list_of(folder: &Path, recent: Vec<Recent>, number: u64) -> (Offered, StartList) {
    let mut offered = Offered { number, ..Offered::default() };
    let (dumps, is_cut) = dumps_in(folder);
    let mut here: Vec<StartEntry> = series(dumps).into_iter().map(|dumps| entry_of_dumps(dumps, &mut offered)).collect();
    here.sort_by(|a, b| b.time_nanos.cmp(&a.time_nanos).then_with(|| a.name.cmp(&b.name)));
    let is_cut = is_cut || here.len() > MOST_LISTED;
    here.truncate(MOST_LISTED);
    let recent = recent.into_iter().filter(|recent| recent.files.iter().all(|path| path.exists()));
    let recent = recent.map(|recent| entry_of_recent(recent, folder, &mut offered)).collect();
    (offered, StartList { folder: folder.display().to_string(), here, is_cut, recent })
}

/// The profiles in a folder, and whether it has more files than are examined. Hidden files, links, pipes and devices
/// are left out.
fn dumps_in(folder: &Path) -> (Vec<Input>, bool) {
    let mut names = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in names.by_ref().take(MOST_NAMES) {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && !entry.file_name().to_string_lossy().starts_with('.') {
            paths.push(entry.path());
        }
    }
    let is_cut = names.next().is_some() || paths.len() > MOST_READ;
    // The newest are wanted first.
    paths.sort_by_cached_key(|path| (std::cmp::Reverse(inputs::file_time(path)), path.clone()));
    paths.truncate(MOST_READ);
    paths.retain(|path| inputs::is_surely_dump(path));
    (paths.into_iter().map(|path| Input::of(path, false)).collect(), is_cut)
}

/// Dumps of one process together, in their order; others each for itself.
fn series(dumps: Vec<Input>) -> Vec<Vec<Input>> {
    let mut by_process: BTreeMap<String, Vec<Input>> = BTreeMap::new();
    let mut single = Vec::new();
    for dump in dumps {
        match dump.is_numbered && !dump.series.is_empty() {
            true => by_process.entry(dump.series.clone()).or_default().push(dump),
            false => single.push(vec![dump]),
        }
    }
    let mut all: Vec<Vec<Input>> = by_process.into_values().collect();
    all.iter_mut().for_each(|dumps| dumps.sort_by(|a, b| (a.number, &a.path).cmp(&(b.number, &b.path))));
    all.extend(single);
    all
}

fn entry_of_dumps(dumps: Vec<Input>, offered: &mut Offered) -> StartEntry {
    let name = |input: Option<&Input>| input.map_or(String::new(), |input| file_name(&input.path));
    let name = match dumps.len() {
        1 => name(dumps.first()),
        _ => format!("{} … {}", name(dumps.first()), name(dumps.last())),
    };
    let bytes = dumps.iter().filter_map(|dump| fs::metadata(&dump.path).ok()).map(|meta| meta.len()).sum();
    let time_nanos = dumps.iter().map(|dump| dump.file_time).max().unwrap_or(0);
    let n_dumps = dumps.len();
    let id = offered.add(dumps.into_iter().map(|dump| dump.path).collect());
    StartEntry { id, name, n_dumps, bytes, time_nanos, folder: String::new() }
}

/// Most names of files in the name of an entry.
const MOST_NAMED: usize = 3;

fn entry_of_recent(recent: Recent, here: &Path, offered: &mut Offered) -> StartEntry {
    let mut names: Vec<String> = recent.files.iter().take(MOST_NAMED).map(|path| file_name(path)).collect();
    let n_more = recent.files.len().saturating_sub(MOST_NAMED);
    if n_more > 0 {
        names.push(format!("and {n_more} more"));
    }
    let folder = recent.files.last().and_then(|path| path.parent()).filter(|folder| *folder != here);
    let folder = folder.map_or(String::new(), |folder| folder.display().to_string());
    let time_nanos = i64::try_from(recent.time.saturating_mul(1_000_000_000)).unwrap_or(0);
    StartEntry { name: names.join(" "), folder, time_nanos, id: offered.add(recent.files), ..StartEntry::default() }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DUMP: &str = "heap profile: 3: 300 [3: 300] @ heapprofile\n3: 300 [3: 300] @ 0x401234\n";

    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["shop.0001.heap", "shop.0002.heap", "shop.0010.heap", "before.heap", ".hidden.heap"] {
            fs::write(path(name), DUMP).unwrap();
        }
        fs::write(path("notes.txt"), "hi\n").unwrap();
        fs::write(path("shop"), b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x02\0").unwrap();
        fs::create_dir(path("deeper")).unwrap();
        fs::write(path("deeper/x.heap"), DUMP).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(path("deeper/x.heap"), path("link.heap")).unwrap();
        folder
    }

    #[test]
    fn only_dumps_of_the_folder_are_listed_by_process() {
        let folder = folder();
        let (offered, list) = list_of(folder.path(), Vec::new(), 3);
        let mut names: Vec<(&str, usize)> = list.here.iter().map(|entry| (entry.name.as_str(), entry.n_dumps)).collect();
        names.sort_unstable();
        assert_eq!(names, [("before.heap", 1), ("shop.0001.heap … shop.0010.heap", 3)]);
        assert!(!list.is_cut && list.recent.is_empty());
        let shop = list.here.iter().find(|entry| entry.n_dumps == 3).unwrap();
        let files: Vec<String> = offered.files(&shop.id).unwrap().iter().map(|path| file_name(path)).collect();
        assert_eq!(files, ["shop.0001.heap", "shop.0002.heap", "shop.0010.heap"]);
        for other in ["", "1", "2-1", "3-0", "3-3", "../notes.txt", "/etc/passwd"] {
            assert_eq!(offered.files(other), None, "{other}");
        }
    }

    #[test]
    fn recent_files_are_listed_while_they_exist() {
        let folder = folder();
        let path = |name: &str| folder.path().join(name);
        let recent = |names: &[&str]| Recent { files: names.iter().map(|name| path(name)).collect(), time: 7 };
        let all = vec![recent(&["shop", "shop.0001.heap"]), recent(&["gone.heap"]), recent(&["deeper/x.heap"])];
        let (offered, list) = list_of(folder.path(), all, 1);
        let names: Vec<(&str, bool)> = list.recent.iter().map(|entry| (entry.name.as_str(), entry.folder.is_empty())).collect();
        assert_eq!(names, [("shop shop.0001.heap", true), ("x.heap", false)]);
        assert_eq!(offered.files(&list.recent[0].id).unwrap(), [path("shop"), path("shop.0001.heap")]);
    }

    #[test]
    fn a_large_folder_is_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        for n in 0..MOST_READ + 5 {
            fs::write(folder.path().join(format!("note{n}")), "").unwrap();
        }
        assert!(list_of(folder.path(), Vec::new(), 1).1.is_cut);
    }
}
