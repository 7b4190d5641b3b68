//! Directory of cache entries: one file each, replaced atomically; the least recently used are deleted.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::entry::Entry;
use crate::symbolize::dwarf::Chain;
use crate::symbolize::module::Facts;
use crate::symbolize::options::Cache;

/// Ends of the names of entries, and of files that become entries.
const WHOLE: &str = ".names";
const PART: &str = ".part";

/// An entry that was used less long ago counts as just used.
const RECENT: Duration = Duration::from_secs(3600);

/// The bytes of the entry of `key`.
pub(super) fn read(cache: &Cache, key: &[u8]) -> Option<Vec<u8>> {
    let path = place(cache, key);
    // A pipe in its place would be waited for.
    let len = fs::metadata(&path).ok().filter(|meta| meta.is_file())?.len();
    if len > most(cache) {
        return None;
    }
    let mut bytes = Vec::with_capacity(len as usize);
    File::open(&path).ok()?.take(most(cache)).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// Marks the entry of `key` as used.
pub(super) fn touch(cache: &Cache, key: &[u8]) {
    let path = place(cache, key);
    let used = fs::metadata(&path).and_then(|meta| meta.modified());
    if used.is_ok_and(|used| cache.now.duration_since(used).is_ok_and(|ago| ago > RECENT)) {
        // Errors do not matter.
        let _ = OpenOptions::new().write(true).open(&path).and_then(|file| file.set_modified(cache.now));
    }
}

/// Writes the entry of `key`: what is known (`old`, by address) and what is new.
pub(super) fn keep<'a>(cache: &Cache, key: &[u8], facts: &Facts, old: Vec<(u64, Chain)>, new: impl Iterator<Item = (u64, &'a Chain)>) {
    let new: Vec<(u64, &Chain)> = new.collect();
    let mut all: Vec<(u64, &Chain)> = old.iter().map(|(address, chain)| (*address, chain)).chain(new.iter().copied()).collect();
    all.sort_by_key(|(address, _)| *address);
    all.dedup_by_key(|(address, _)| *address);
    let fits = |bytes: &Vec<u8>| bytes.len() as u64 <= most(cache);
    // When there is not enough place for both, the next dump is rather like this one.
    let bytes = Entry::write(key, facts, &all).filter(fits).or_else(|| Entry::write(key, facts, &new).filter(fits));
    // Without an entry the next run takes longer, no more.
    if let Some(bytes) = bytes
        && write(cache, &place(cache, key), &bytes).is_ok()
    {
        let _ = trim(cache);
    }
}

/// Bytes that one entry may take.
fn most(cache: &Cache) -> u64 {
    cache.limit / 4
}

/// The file of the entry of `key`; two keys may have the same, but an entry knows its own.
fn place(cache: &Cache, key: &[u8]) -> PathBuf {
    // FNV-1a.
    let hash = key.iter().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3));
    cache.folder.join(format!("{hash:016x}{WHOLE}"))
}

/// Replaces the file: whoever reads it at the same time sees the old or the new one.
fn write(cache: &Cache, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut folders = DirBuilder::new();
    folders.recursive(true);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
        folders.mode(0o700);
        options.mode(0o600);
    }
    folders.create(&cache.folder)?;
    let create = |n: u32| {
        let part = path.with_extension(format!("{}.{n}{PART}", std::process::id()));
        options.open(&part).map(|file| (part, file))
    };
    // Other threads write the same entry, or a process of this number was killed here.
    let (part, mut file) = (0..8).find_map(|n| create(n).ok()).ok_or(io::ErrorKind::AlreadyExists)?;
    let written = file.write_all(bytes).and_then(|()| file.set_modified(cache.now)).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        let _ = fs::remove_file(&part);
    }
    written
}

/// Deletes entries beyond the limit, and abandoned temporary files.
fn trim(cache: &Cache) -> io::Result<()> {
    let mut entries: Vec<(SystemTime, PathBuf, u64)> = Vec::new();
    for file in fs::read_dir(&cache.folder)? {
        let Ok(file) = file else { continue };
        let Ok(meta) = file.metadata() else { continue };
        let (Ok(used), true) = (meta.modified(), meta.is_file()) else { continue };
        let name = file.file_name();
        let Some(name) = name.to_str() else { continue };
        if is_part(name) && cache.now.duration_since(used).is_ok_and(|ago| ago > RECENT) {
            let _ = fs::remove_file(file.path());
        } else if is_entry(name) {
            entries.push((used, file.path(), meta.len()));
        }
    }
    let mut total: u64 = entries.iter().map(|(_, _, len)| *len).sum();
    entries.sort();
    for (_, path, len) in entries {
        if total <= cache.limit {
            break;
        }
        // Another process may have taken it away.
        let _ = fs::remove_file(path);
        total -= len;
    }
    Ok(())
}

fn is_entry(name: &str) -> bool {
    name.strip_suffix(WHOLE).is_some_and(is_hash)
}

fn is_part(name: &str) -> bool {
    name.ends_with(PART) && name.split_once('.').is_some_and(|(hash, _)| is_hash(hash))
}

fn is_hash(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|b| b.is_ascii_hexdigit())
}
