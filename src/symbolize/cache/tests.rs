//! Cache entries: valid, damaged, too many.

use std::time::{Duration, SystemTime};

use super::*;
use crate::symbolize::cache::version::VERSION;
use crate::symbolize::dwarf::Frame;
use crate::symbolize::options::Cache;
use crate::symbolize::read::file_stamp::{Stamp, Stamped};

fn frame(name: &str, line: u64) -> Frame {
    Frame { name: name.into(), short: "s<ü>".into(), file: "src/ä.rs".into(), start_line: 7, line, column: u64::MAX }
}

fn facts() -> Facts {
    let stamp = Stamp { inode: (1, u64::MAX), len: 300, written: 1 << 60 };
    Facts { has_info: true, has_all_symbols: false, debug_file: Some(Stamped { path: "/usr/lib/debug/a b".into(), stamp }) }
}

fn chains() -> Vec<(u64, Chain)> {
    vec![
        (0, vec![]),
        (0x1000, vec![frame("_ZN1aE", 300), frame("_ZN1bE", 0)]),
        (0x1001, vec![frame("", 1)]),
        (u64::MAX, vec![frame("_ZN1aE", 2)]),
    ]
}

fn written(key: &[u8]) -> Vec<u8> {
    let chains = chains();
    Entry::write(key, &facts(), &chains.iter().map(|(a, c)| (*a, c)).collect::<Vec<_>>()).unwrap()
}

fn read(bytes: &[u8], key: &[u8]) -> Option<(Facts, Vec<(u64, Chain)>)> {
    let entry = Entry::parse(bytes, key)?;
    Some((entry.facts.clone(), entry.chains(|_| true)?))
}

#[test]
fn entries_survive_a_round_trip() {
    let bytes = written(b"key");
    assert_eq!(read(&bytes, b"key"), Some((facts(), chains())));
    assert_eq!(read(&bytes, b"kez"), None);
    let some = Entry::parse(&bytes, b"key").unwrap().chains(|a| a == 0x1001).unwrap();
    assert_eq!(some, [(0x1001, vec![frame("", 1)])]);
}

#[test]
fn damaged_and_cut_entries_are_none() {
    let bytes = written(b"key");
    for at in 0..bytes.len() {
        assert_eq!(read(&bytes[..at], b"key"), None);
        for bit in 0..8 {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            assert_eq!(read(&damaged, b"key"), None, "{at}");
        }
    }
    assert_eq!(read(&[bytes, vec![0]].concat(), b"key"), None);
}

/// An entry that was made to hurt has a right checksum.
#[test]
fn hostile_entries_are_read_within_bounds() {
    let bytes = written(b"key");
    const MAGIC: usize = 8 + VERSION.len();
    let sealed = |body: &[u8]| {
        let mut crc = flate2::Crc::new();
        crc.update(body);
        [&bytes[..MAGIC], &(body.len() as u64).to_le_bytes(), &crc.sum().to_le_bytes(), body].concat()
    };
    let body = &bytes[MAGIC + 12..];
    assert_eq!(sealed(body), bytes);
    let mut n_read = 0;
    for at in 0..body.len() {
        for value in [0, 1, 0x7f, 0x80, 0xff] {
            let mut changed = body.to_vec();
            changed[at] = value;
            n_read += usize::from(read(&sealed(&changed), b"key").is_some());
            changed.truncate(at);
            changed.extend([0xff; 9]);
            changed.push(1);
            n_read += usize::from(read(&sealed(&changed), b"key").is_some());
        }
    }
    // Lines and distances may be any number.
    assert!(n_read > 20 && n_read < body.len() * 5, "{n_read}");
    // A long name in very many frames is there once.
    let long = "x".repeat(1 << 20);
    let mut body = vec![3, b'k', b'e', b'y', 0, 1, 0x80, 0x80, 0x40];
    body.extend(long.as_bytes());
    body.extend([1, 0, 0x80, 0x08]);
    body.extend([0; 6 * 1024]);
    let (_, chains) = read(&sealed(&body), b"key").unwrap();
    let names: Vec<_> = chains[0].1.iter().map(|frame| &frame.name).collect();
    assert!(names.len() == 1024 && names.iter().all(|name| std::sync::Arc::ptr_eq(name, names[0])));
}

#[test]
fn cache_size_is_limited_and_other_files_stay() {
    let folder = tempfile::tempdir().unwrap();
    let one = written(b"key 0").len() as u64;
    let now = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let at = |n: u64| Cache { folder: folder.path().join("names"), limit: 5 * one, now: now + Duration::from_secs(n) };
    let chains = chains();
    let all = || chains.iter().map(|(a, c)| (*a, c));
    let keep = |n: u64| store::keep(&at(n), format!("key {n}").as_bytes(), &facts(), Vec::new(), all());
    let is_there = |n: u64| store::read(&at(0), format!("key {n}").as_bytes()).is_some();
    keep(0);
    let foreign = at(0).folder.join("notes.txt");
    std::fs::write(&foreign, vec![0; 10 * one as usize]).unwrap();
    let left_over = at(0).folder.join("0123456789abcdef.1.0.part");
    std::fs::write(&left_over, "half").unwrap();
    std::fs::File::options().write(true).open(&left_over).unwrap().set_modified(now).unwrap();
    (1..5).for_each(keep);
    assert!((0..5).all(is_there));
    assert!(left_over.exists());
    // The first is used, two hours later.
    store::touch(&at(7200), b"key 0");
    let late = at(7201);
    store::keep(&late, b"key 5", &facts(), Vec::new(), all());
    assert_eq!((0..6).map(is_there).collect::<Vec<_>>(), [true, false, true, true, true, true]);
    assert!(foreign.exists() && !left_over.exists());
    // Data too large for one entry is not cached.
    let small = Cache { limit: 3 * one, ..late };
    store::keep(&small, b"key 6", &facts(), Vec::new(), all());
    assert!(!is_there(6));
}

#[test]
fn unwritable_cache_folders_are_ignored() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let cache = Cache { folder: file.path().join("names"), limit: 1 << 20, now: SystemTime::UNIX_EPOCH };
    store::keep(&cache, b"key", &facts(), Vec::new(), [].into_iter());
    assert!(store::read(&cache, b"key").is_none());
}
