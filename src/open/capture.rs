//! `heapview capture`: what the kernel knows of the memory of a running process, at one moment.
//!
//! RSS is read before and after the mappings. If it changed meanwhile, everything is read again, a few times; the reading with the
//! smallest change is kept, and the note says how large it is. Environment variables are never read.

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::inputs::now;
use super::process_files::NOTE;
use crate::parse::{ParseOptions, process_facts, write_capture_note};
use crate::profile::{CaptureNote, ProcessFacts};
use crate::symbolize::build_id;

/// Readings, until one is consistent.
const READINGS: usize = 5;

/// Longest file of the kernel that is read, bytes.
const LONGEST: u64 = 1 << 30;

/// Most mapped files whose build ids are read.
const MOST_FILES: usize = 2_000;

/// A capture that was written.
pub(crate) struct Captured {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) note: CaptureNote,
    /// Resident memory, bytes.
    pub(crate) rss: i64,
    /// Mapped files without a build id, or that cannot be read.
    pub(crate) without_build_id: usize,
}

/// One reading.
struct Reading {
    smaps: Vec<u8>,
    rollup: Vec<u8>,
    status: Vec<u8>,
    maps: Vec<u8>,
    time_nanos: i64,
    note: CaptureNote,
    rss: i64,
}

/// Captures a process into a new or empty folder; nothing is overwritten.
pub(crate) fn capture(pid: u64, folder: &Path) -> Result<Captured> {
    if !cfg!(target_os = "linux") {
        bail!("capture reads /proc, which only Linux has");
    }
    refuse_full(folder)?;
    let began = began(pid)?;
    let mut best: Option<Reading> = None;
    for _ in 0..READINGS {
        let reading = Reading::new(pid)?;
        if best.as_ref().is_none_or(|best| reading.note.drift < best.note.drift) {
            best = Some(reading);
        }
        if best.as_ref().is_some_and(|best| best.note.drift == 0) {
            break;
        }
    }
    let Some(Reading { smaps, rollup, status, maps, time_nanos, note, rss }) = best else { bail!("process {pid} was not read") };
    let cmdline: Vec<u8> = read(pid, "cmdline")?.into_iter().map(|byte| if byte == 0 { b'\n' } else { byte }).collect();
    let (build_ids, without_build_id) = build_ids(pid, &maps);
    if self::began(pid)? != began {
        bail!("process {pid} ended meanwhile, and another one has its number now");
    }
    let contents = [
        ("smaps", smaps),
        ("smaps_rollup", rollup),
        ("status", status),
        ("maps", maps),
        ("cmdline", cmdline),
        ("build_ids", build_ids),
        (NOTE, write_capture_note(pid, time_nanos, &note).into_bytes()),
    ];
    create_folder(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let mut files = Vec::new();
    for (name, bytes) in contents {
        let path = folder.join(name);
        write_new(&path, &bytes).with_context(|| format!("cannot write {}", path.display()))?;
        files.push(path);
    }
    Ok(Captured { files, note, rss, without_build_id })
}

/// Fails if there is something at the place.
fn refuse_full(folder: &Path) -> Result<()> {
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => bail!("{} is not empty; capture overwrites nothing: choose a new directory", folder.display()),
        },
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            bail!("{} is a file; -o names the directory of the capture", folder.display())
        }
        Err(error) => Err(error).with_context(|| format!("cannot read {}", folder.display())),
    }
}

impl Reading {
    fn new(pid: u64) -> Result<Reading> {
        let time_nanos = now();
        let start = Instant::now();
        let before = read(pid, "smaps_rollup")?;
        let smaps = read(pid, "smaps")?;
        let rollup = read(pid, "smaps_rollup")?;
        let status = read(pid, "status")?;
        let took = start.elapsed();
        // Names only; its addresses are in smaps, too.
        let maps = read(pid, "maps")?;
        let rss = |bytes: &[u8]| {
            let found = process_facts(bytes, &ParseOptions::default())?;
            found.facts.iter().find_map(|facts| match facts {
                ProcessFacts::Smaps(maps) => Some(maps.total().rss),
                ProcessFacts::Rollup(pages) => Some(pages.rss),
                _ => None,
            })
        };
        let [Some(first), Some(middle), Some(last)] = [&before, &smaps, &rollup].map(|bytes| rss(bytes)) else {
            bail!("process {pid} has no memory of its own: it has ended, or it is a thread of the kernel");
        };
        let drift = [first, middle, last].into_iter().max().unwrap_or(0) - [first, middle, last].into_iter().min().unwrap_or(0);
        let note = CaptureNote { took_nanos: i64::try_from(took.as_nanos()).unwrap_or(i64::MAX), drift };
        Ok(Reading { smaps, rollup, status, maps, time_nanos, note, rss: middle })
    }
}

/// A file of the process below `/proc`.
fn read(pid: u64, name: &str) -> Result<Vec<u8>> {
    let path = format!("/proc/{pid}/{name}");
    let mut bytes = Vec::new();
    match File::open(&path).and_then(|file| file.take(LONGEST).read_to_end(&mut bytes)) {
        Ok(_) => Ok(bytes),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            bail!(
                "cannot read {path}: permission denied. Run heapview as the user of process {pid}, or with sudo: sudo heapview capture {pid} -o DIR"
            )
        }
        // Also what the kernel says of a process that has just ended.
        Err(error) if error.raw_os_error() == Some(3) || !Path::new(&format!("/proc/{pid}/stat")).exists() => {
            bail!("there is no process {pid}")
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bail!("cannot read {path}: the kernel does not have this file; capture needs Linux 4.14 or later")
        }
        Err(error) => Err(error).with_context(|| format!("cannot read {path}")),
    }
}

/// When the process began, in the kernel's clock.
fn began(pid: u64) -> Result<Vec<u8>> {
    let stat = read(pid, "stat")?;
    // The name may have blanks; the 20th field behind it.
    let end = stat.iter().rposition(|byte| *byte == b')').unwrap_or(0);
    Ok(stat[end..].split(|byte| *byte == b' ').nth(20).unwrap_or_default().to_vec())
}

/// A line for each mapped file, with its build id; and the number of those that have none.
fn build_ids(pid: u64, maps: &[u8]) -> (Vec<u8>, usize) {
    let text = String::from_utf8_lossy(maps);
    let mut seen = BTreeSet::new();
    let paths = text
        .lines()
        .filter_map(|line| line.split_once('/').map(|(_, path)| path))
        .filter(|path| seen.insert(path.to_owned()))
        .take(MOST_FILES);
    let (mut lines, mut without) = (String::new(), 0);
    for path in paths {
        // As the process sees it, also in a container.
        let place = PathBuf::from(format!("/proc/{pid}/root/{path}"));
        let is_file = fs::metadata(&place).is_ok_and(|meta| meta.is_file());
        match is_file.then(|| build_id(&place)) {
            Some(Ok(id)) if !id.is_empty() => lines += &format!("{id}  /{path}\n"),
            _ => {
                without += 1;
                lines += &format!("-  /{path}\n");
            }
        }
    }
    (lines.into_bytes(), without)
}

#[cfg(unix)]
fn create_folder(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn create_folder(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)
}

/// A file that its owner alone can read.
fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn missing_files_are_not_missing_processes() {
        let error = |pid: u64, name: &str| format!("{:#}", read(pid, name).unwrap_err());
        assert!(error(u64::from(std::process::id()), "no_such_file").contains("capture needs Linux 4.14"));
        assert_eq!(error(u64::from(u32::MAX), "stat"), format!("there is no process {}", u32::MAX));
    }
}
