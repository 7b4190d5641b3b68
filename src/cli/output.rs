//! Where answers go: standard output, or a file that is whole or not there.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Calls `write` with the place asked for. A named file is replaced only when all is
/// written; binary output on a terminal goes to a new file in this folder.
pub(super) fn write_to(output: Option<&Path>, extension: Option<&str>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let path = match (output, extension) {
        (Some(path), _) => Some(path.to_owned()),
        (None, Some(extension)) if io::stdout().is_terminal() => Some(unused_name(extension)?),
        (None, _) => None,
    };
    let Some(path) = path else {
        let mut out = BufWriter::new(io::stdout().lock());
        return write(&mut out).and_then(|()| out.flush()).context("cannot write to standard output");
    };
    super::say(&format!("Generating report in {}", path.display()));
    // A device or a pipe is written to as it is.
    if fs::metadata(&path).is_ok_and(|m| !m.is_file()) {
        let file = OpenOptions::new().write(true).open(&path).with_context(|| format!("cannot write {}", path.display()))?;
        let mut out = BufWriter::new(file);
        return write(&mut out).and_then(|()| out.flush()).with_context(|| format!("cannot write {}", path.display()));
    }
    let name = path.file_name().with_context(|| format!("{} is not a file name", path.display()))?;
    let part = path.with_file_name(format!(".{}.{}.part", name.to_string_lossy(), std::process::id()));
    let written = File::create(&part).and_then(|file| {
        let mut out = BufWriter::new(file);
        write(&mut out)?;
        out.flush()?;
        fs::rename(&part, &path)
    });
    if written.is_err() {
        // Nothing to save: the part is ours and not whole.
        let _ = fs::remove_file(&part);
    }
    written.with_context(|| format!("cannot write {}", path.display()))
}

/// `profile001.pb.gz` or the next one that no file has yet.
fn unused_name(extension: &str) -> Result<PathBuf> {
    let names = (1..10_000).map(|n| PathBuf::from(format!("profile{n:03}.{extension}")));
    names.into_iter().find(|p| !p.exists()).context("profile001 to profile9999 all exist here; name a file with -output=")
}
