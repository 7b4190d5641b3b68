//! A file that appears at its path only when it is complete. Removed if writing fails or a signal (Ctrl-C, `kill`) ends the
//! program; only `kill -9` leaves the temporary file behind.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use anyhow::bail;
use tempfile::{Builder, PathPersistError, TempPath};

/// Temporary file `.NAME.RANDOM.part` beside the target. Deleted on drop.
pub(crate) struct Part {
    path: TempPath,
    /// Signals take it away, too.
    _listed: Listed,
}

/// Files that a signal must delete.
static WRITTEN: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Ctrl-C means something else than the end.
static KEEPS_CTRL_C: AtomicBool = AtomicBool::new(false);

fn written() -> MutexGuard<'static, Vec<PathBuf>> {
    WRITTEN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Part {
    /// An empty part of what will be at `whole`.
    pub(crate) fn create(whole: &Path) -> io::Result<(Part, File)> {
        let name = whole.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this is not a file name"))?;
        // The target's name may have the maximum length, and this name is only for people.
        let name: String = name.to_string_lossy().chars().take(40).collect();
        static WATCHED: OnceLock<()> = OnceLock::new();
        WATCHED.get_or_init(|| {
            signals::watch(KEEPS_CTRL_C.load(Ordering::Relaxed), abandon_all);
        });
        let folder = whole.parent().unwrap_or(Path::new(""));
        let mut written = written();
        // Not the library's own way to make a file: only the owner could read that.
        let part = Builder::new().prefix(&format!(".{name}.")).suffix(".part").make_in(folder, |path| File::create_new(path))?;
        let (file, path) = part.into_parts();
        written.push(path.to_path_buf());
        Ok((Part { _listed: Listed(path.to_path_buf()), path }, file))
    }

    /// Path of the temporary file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the part in its place.
    pub(crate) fn put(self, whole: &Path) -> io::Result<()> {
        self.path.persist(whole).map_err(|error| error.error)
    }

    /// Renames the part to this name unless a file has it; then returns the part with the error.
    pub(crate) fn put_new(self, whole: &Path) -> Result<(), (io::Error, Part)> {
        let Part { path, _listed } = self;
        let Err(PathPersistError { error, path }) = path.persist_noclobber(whole) else { return Ok(()) };
        let part = Part { path, _listed };
        if error.kind() == io::ErrorKind::AlreadyExists {
            return Err((error, part));
        }
        // Not every disk has links, which the library makes where it cannot rename without overwriting.
        match File::create_new(whole) {
            Ok(_) => part.path.persist(whole).map_err(|PathPersistError { error, path }| (error, Part { path, _listed: part._listed })),
            Err(error) => Err((error, part)),
        }
    }
}

/// A part in the list of those that a signal takes away.
struct Listed(PathBuf);

impl Drop for Listed {
    fn drop(&mut self) {
        written().retain(|part| *part != self.0);
    }
}

fn take_away(part: &Path) {
    // It may have been completed a moment ago.
    let _ = fs::remove_file(part);
}

/// The program ends: takes away what other threads still write.
pub(crate) fn abandon_all() {
    let parts = written();
    parts.iter().for_each(|part| take_away(part));
    // Locked to the end: no part is begun any more.
    std::mem::forget(parts);
}

/// Leaves Ctrl-C to other handlers; must be called before the first file is created.
pub(crate) fn leave_ctrl_c() {
    KEEPS_CTRL_C.store(true, Ordering::Relaxed);
}

/// Makes the file size limit (`ulimit -f`) an error instead of a fatal signal.
pub(crate) fn survive_size_limit() {
    signals::survive_size_limit();
}

#[cfg(unix)]
mod signals {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    /// Calls `last` before a signal ends the program as it would have without us.
    pub(crate) fn watch(without_ctrl_c: bool, last: fn()) {
        let ignored = ignored();
        let ends = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let ends = ends.filter(|signal| !(without_ctrl_c && *signal == SIGINT));
        let Ok(mut signals) = Signals::new(ends) else { return };
        std::thread::spawn(move || {
            for signal in signals.forever() {
                last();
                let _ = emulate_default_handler(signal);
            }
        });
    }

    /// Signals that the parent process set to be ignored (like `nohup`), signal n at bit n-1.
    fn ignored() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }

    pub(crate) fn survive_size_limit() {
        // With any handler in place the write fails instead.
        let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
    }
}

#[cfg(not(unix))]
mod signals {
    pub(crate) fn watch(_: bool, _: fn()) {}

    pub(crate) fn survive_size_limit() {}
}

/// Refuses an output file that is also an input.
pub(crate) fn refuse_overwrite<'a>(output: &Path, mut inputs: impl Iterator<Item = &'a Path>) -> anyhow::Result<()> {
    let Ok(place) = output.canonicalize() else { return Ok(()) };
    match inputs.find(|input| input.canonicalize().is_ok_and(|input| input == place)) {
        Some(input) => bail!("{} is also an input and would be overwritten; choose another output file", input.display()),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_one_file_do_not_meet() {
        let folder = tempfile::tempdir().unwrap();
        let whole = folder.path().join("x".repeat(255));
        let (first, _) = Part::create(&whole).unwrap();
        let (second, _) = Part::create(&whole).unwrap();
        drop(first);
        second.put(&whole).unwrap();
        let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(left, [whole]);
    }
}
