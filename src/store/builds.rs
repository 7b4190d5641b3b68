//! Binaries of a store, by build id, and which services they are of.
//!
//! ```text
//! bin/<build id>/executable        program or library
//! bin/<build id>/debuginfo         file with debug information
//! bin/<build id>/executable.json   what is known of it, written last
//! bin/<build id>/for/<hash>.json   a service and version that runs it
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::RwLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::error::StoreError;
use super::id::Hash;
use super::locks::{read, write};
use super::objects::{Content, Created, Listed, Objects, keep};
use super::quota::Sent;
use crate::symbolize::{BuildFacts, BuildFile, DebugFiles};

/// Folder of binaries.
pub(super) const FOLDER: &str = "bin";

/// Age of binaries that count for quotas, and an hour for clocks that differ.
const RECENT: Duration = Duration::from_secs(25 * 3600);

/// Longest document, bytes.
const LONGEST: u64 = 1 << 16;

/// A binary as it came.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct BinaryInfo {
    /// Length, bytes.
    pub bytes: u64,
    /// When it came, milliseconds since 1970 UTC.
    pub received: i64,
    /// Name of the token it came with; empty without one.
    pub token: String,
    /// File name.
    pub name: String,
}

/// A service and version that runs a binary, for dumps whose memory map has no build ids.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(default)]
pub struct RunBy {
    /// Service.
    pub service: String,
    /// Version.
    pub version: String,
    /// File name of the binary.
    pub name: String,
}

/// The binaries that are known.
#[derive(Debug, Default)]
pub(super) struct Builds {
    /// Build id → its files.
    files: BTreeMap<String, BTreeSet<&'static str>>,
    /// Service and version → binaries: file name and build id.
    run_by: BTreeMap<(String, String), BTreeSet<(String, String)>>,
    /// Documents that were read.
    read: BTreeSet<String>,
    /// What tokens sent in the last day.
    sent: Sent,
    generation: u64,
}

/// Name of a file of a build.
pub fn file_name(file: BuildFile) -> &'static str {
    match file {
        BuildFile::Program => "executable",
        BuildFile::DebugInfo => "debuginfo",
    }
}

/// Returns whether a text can be a build id.
pub fn is_build_id(text: &str) -> bool {
    (3..=128).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
}

/// Reads what is new and forgets what is gone; returns whether anything was. The lock is not held while the store is asked.
pub(super) fn refresh(objects: &dyn Objects, builds: &RwLock<Builds>) -> Result<bool, StoreError> {
    // What is read while the list is made may be missing in it.
    let mut lost = read(builds).read.clone();
    let mut listed = objects.list(&format!("{FOLDER}/"))?;
    for object in &listed {
        lost.remove(&object.key);
    }
    let mut is_new = !lost.is_empty();
    lost.iter().for_each(|key| write(builds).lose(key));
    listed.retain(|object| !read(builds).read.contains(&object.key));
    for Listed { key, modified, .. } in listed {
        // Documents of a day ago count for no quota.
        let is_recent = key.ends_with(".json") && modified.elapsed().map_or(true, |age| age <= RECENT);
        let bytes = if is_recent || key.contains("/for/") { objects.read(&key, LONGEST)? } else { None };
        is_new |= write(builds).take(key, bytes);
    }
    write(builds).generation += u64::from(is_new);
    Ok(is_new)
}

impl Builds {
    /// Takes an object; returns whether it says anything.
    fn take(&mut self, key: String, bytes: Option<Vec<u8>>) -> bool {
        let parts: Vec<&str> = key.split('/').collect();
        let info = bytes.as_ref().filter(|_| matches!(parts[..], [_, _, "executable.json" | "debuginfo.json"]));
        if let Some(Ok(BinaryInfo { bytes, received, token, .. })) = info.map(|bytes| serde_json::from_slice(bytes)) {
            self.sent.add(&token, received, 0, bytes);
        }
        match parts[..] {
            [_, id, "executable.json"] => drop(self.files.entry(id.to_owned()).or_default().insert("executable")),
            [_, id, "debuginfo.json"] => drop(self.files.entry(id.to_owned()).or_default().insert("debuginfo")),
            [_, id, "for", _] => {
                let run_by = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
                let Some(RunBy { service, version, name }) = run_by else { return false };
                self.run_by.entry((service, version)).or_default().insert((name, id.to_owned()));
            }
            _ => return false,
        }
        self.read.insert(key)
    }

    /// Forgets an object that was deleted, and the whole build when no file of it is left.
    fn lose(&mut self, key: &str) {
        self.read.remove(key);
        let parts: Vec<&str> = key.split('/').collect();
        let Some(&id) = parts.get(1) else { return };
        if let (Some(files), [_, _, document]) = (self.files.get_mut(id), &parts[..]) {
            files.retain(|file| document.strip_suffix(".json") != Some(*file));
        }
        if self.files.get(id).is_none_or(BTreeSet::is_empty) {
            self.forget(id);
        }
    }

    /// What tokens sent in the last day.
    pub(super) fn sent(&self) -> &Sent {
        &self.sent
    }

    /// A number that grows when binaries come or go.
    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    /// Build ids and their files.
    pub(super) fn files(&self) -> &BTreeMap<String, BTreeSet<&'static str>> {
        &self.files
    }

    /// Binaries of a service and version: file name and build id.
    pub(super) fn run_by(&self, service: &str, version: &str) -> Vec<(String, String)> {
        let key = (service.to_owned(), version.to_owned());
        self.run_by.get(&key).into_iter().flatten().cloned().collect()
    }

    /// Build ids that a service and version of this list runs.
    pub(super) fn run_by_any(&self, is_wanted: impl Fn(&str, &str) -> bool) -> BTreeSet<&str> {
        let wanted = self.run_by.iter().filter(|((service, version), _)| is_wanted(service, version));
        wanted.flat_map(|(_, binaries)| binaries.iter().map(|(_, id)| id.as_str())).collect()
    }

    /// Forgets a build that was deleted.
    pub(super) fn forget(&mut self, id: &str) {
        self.files.remove(id);
        self.run_by.values_mut().for_each(|binaries| binaries.retain(|(_, of)| of != id));
        let start = format!("{FOLDER}/{id}/");
        self.read.retain(|key| !key.starts_with(&start));
        self.generation += 1;
    }
}

/// Stores the binary in the file `path`; returns whether it is new.
pub(super) fn put(objects: &dyn Objects, path: &Path, facts: &BuildFacts, info: &BinaryInfo) -> Result<Created, StoreError> {
    let key = |file: &str| format!("{FOLDER}/{}/{file}", facts.build_id);
    let document = serde_json::to_vec(info).map_err(|error| StoreError::Refused(error.to_string()))?;
    let put = |file: &str| -> Result<Created, StoreError> {
        keep(objects, &key(file), Content::File(path))?;
        // Written last: whoever sees it sees the whole file.
        keep(objects, &key(&format!("{file}.json")), Content::Bytes(&document))
    };
    if !facts.has_code {
        return put("debuginfo");
    }
    let is_other = objects.length(&key("executable"))?.is_some_and(|length| length != info.bytes);
    match facts.has_debug_information && is_other {
        // The one that was stripped came before.
        true => put("debuginfo"),
        false => put("executable"),
    }
}

/// Remembers that a service and version runs a build.
pub(super) fn put_run_by(objects: &dyn Objects, build_id: &str, run_by: &RunBy) -> Result<(), StoreError> {
    let text = serde_json::to_vec(run_by).map_err(|error| StoreError::Refused(error.to_string()))?;
    let key = format!("{FOLDER}/{build_id}/for/{}.json", Hash::of(&text).short());
    keep(objects, &key, Content::Bytes(&text)).map(|_| ())
}

/// Whether the store has the file of a build, by the rule of [`local`]: the files of buckets that are on this machine may be gone there.
pub(super) fn has(objects: &dyn Objects, build_id: &str, file: BuildFile) -> Result<bool, StoreError> {
    if !is_build_id(build_id) {
        return Ok(false);
    }
    let has = |file| Ok(objects.length(&format!("{FOLDER}/{build_id}/{}.json", file_name(file)))?.is_some());
    Ok(has(file)? || (file == BuildFile::DebugInfo && has(BuildFile::Program)?))
}

/// The file of a build on this machine. debuginfod's rule: a program that was not stripped is also its debug information.
pub(super) fn local(objects: &dyn Objects, build_id: &str, file: BuildFile) -> Result<Option<PathBuf>, StoreError> {
    if !is_build_id(build_id) {
        return Ok(None);
    }
    let key = |file| format!("{FOLDER}/{build_id}/{}", file_name(file));
    let found = objects.local(&key(file))?;
    match (found, file) {
        (None, BuildFile::DebugInfo) => objects.local(&key(BuildFile::Program)),
        (found, _) => Ok(found),
    }
}

/// Binaries of a store as a source of names.
#[derive(Debug)]
pub struct StoredBinaries(pub(super) std::sync::Arc<dyn Objects>);

impl DebugFiles for StoredBinaries {
    fn find(&self, build_id: &str, wanted: BuildFile, _: &dyn Fn(&str)) -> Option<PathBuf> {
        // Names are missing then, which the diagnosis tells.
        let found = local(&*self.0, &build_id.to_ascii_lowercase(), wanted).ok()?;
        // One file may have both.
        let other = if wanted == BuildFile::Program { BuildFile::DebugInfo } else { BuildFile::Program };
        found.or_else(|| local(&*self.0, &build_id.to_ascii_lowercase(), other).ok()?)
    }
}
