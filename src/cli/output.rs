//! Where answers go: standard output, or a file that is whole or not there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use thiserror::Error;

/// The answer is there, but its place takes it not.
#[derive(Debug, Error)]
#[error("cannot write {to}: {why}")]
pub(super) struct WriteError {
    to: String,
    why: io::Error,
}

impl WriteError {
    pub(super) fn new(to: String, why: io::Error) -> Self {
        WriteError { to, why }
    }

    /// Whoever read the output has seen enough.
    pub(super) fn is_closed_pipe(&self) -> bool {
        self.why.kind() == io::ErrorKind::BrokenPipe
    }
}

/// Calls `write` with the place asked for. A named file is replaced only when all is
/// written; binary output on a terminal goes to a new file in this folder.
pub(super) fn write_to(output: Option<&Path>, extension: Option<&str>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let path = match (output, extension) {
        (Some(path), _) => Some(path.to_owned()),
        (None, Some(extension)) if io::stdout().is_terminal() => Some(unused_name(extension)?),
        (None, _) => None,
    };
    let Some(path) = path else {
        let written = through(io::stdout().lock(), write);
        return written.map_err(|why| WriteError::new("to standard output".into(), why).into());
    };
    super::say(&format!("Generating report in {}", path.display()));
    // A device or a pipe is written to as it is.
    let written = match fs::metadata(&path).is_ok_and(|m| !m.is_file()) {
        true => OpenOptions::new().write(true).open(&path).and_then(|file| through(file, write)),
        false => replace(&path, write),
    };
    written.map_err(|why| WriteError::new(path.display().to_string(), why).into())
}

fn through(out: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    write(&mut out)?;
    out.flush()
}

/// Writes beside the file, then puts that in its place: it is whole or as it was. Links are
/// followed, and a file keeps its permissions.
fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let name = path.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this is not a file name"))?;
    let part = path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let file = File::create_new(&part)?;
    let written = match fs::metadata(&path) {
        Ok(before) => file.set_permissions(before.permissions()),
        Err(_) => Ok(()),
    };
    let written = written.and_then(|()| through(file, write)).and_then(|()| fs::rename(&part, &path));
    if written.is_err() {
        // Nothing to save: the part is ours and not whole.
        let _ = fs::remove_file(&part);
    }
    written
}

/// `profile001.pb.gz` or the next one that no file has yet.
fn unused_name(extension: &str) -> Result<PathBuf> {
    let names = (1..10_000).map(|n| PathBuf::from(format!("profile{n:03}.{extension}")));
    names.into_iter().find(|p| !p.exists()).context("profile001 to profile9999 all exist here; name a file with -output=")
}
