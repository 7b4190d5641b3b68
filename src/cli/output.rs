//! Output to standard output or to a file that is replaced atomically.

use std::fs::{self, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use thiserror::Error;

use crate::open::atomic_file as part;
use crate::open::atomic_file::{Part, refuse_overwrite};
use crate::profile::Profile;
use crate::terminal::paint::painted;
use crate::terminal::printable::{Content, Filter};
use crate::terminal::style::{Look, Style};

/// Destination and style of output.
#[derive(Clone, Debug, Default)]
pub(super) struct Target {
    /// Standard output when there is none.
    pub(super) file: Option<PathBuf>,
    /// Style on standard output.
    pub(super) look: Look,
    /// Whether more output follows: nothing binary goes to the same standard output.
    pub(super) in_shell: bool,
    /// The line that names the option culprit was printed before.
    pub(super) is_hinted: bool,
    /// Set when the command is cancelled; output not yet written is dropped.
    pub(super) cancelled: Arc<AtomicBool>,
}

impl Target {
    /// Fails if the command was cancelled.
    pub(super) fn check_awaited(&self) -> Result<()> {
        if self.cancelled.load(Ordering::Relaxed) { bail!("it was interrupted") } else { Ok(()) }
    }
}

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

/// Refuses the place of a program or library that names come from.
pub(super) fn refuse_binaries(output: &Path, profile: &Profile) -> Result<()> {
    refuse_overwrite(output, profile.code().mappings.iter().map(|m| Path::new(profile.text(m.file))))
}

/// Calls `write` with the destination. A named file is replaced only when complete; binary output on a terminal goes to a new
/// file in the current directory.
pub(super) fn write_to(target: &Target, extension: Option<&str>, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let content = if extension.is_some() { Content::Binary } else { Content::Text };
    write_styled(target, extension, content, Style::default(), write)
}

/// Like [`write_to`], for lines with `content`, in a `style`.
pub(super) fn write_styled(
    target: &Target,
    extension: Option<&str>,
    content: Content,
    style: Style,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    part::survive_size_limit();
    target.check_awaited()?;
    let path = match (&target.file, extension) {
        (Some(path), _) => Some(path.to_owned()),
        (None, Some(extension)) if target.in_shell || io::stdout().is_terminal() => Some(unused_name(extension)?),
        (None, _) => None,
    };
    let write = |out: &mut dyn Write, filter: Filter| {
        let write = |out: &mut dyn Write| painted(style, out, |out| filter.through(out, write));
        through(Awaited { out, target }, write)
    };
    let Some(path) = path else {
        let mut out = io::stdout().lock();
        let filter = Filter::to(&out, is_regular_output(), content);
        let written = write(&mut out, filter);
        return written.map_err(|why| WriteError::new("to standard output".into(), why).into());
    };
    crate::terminal::message::say(&format!("Generating report in {}", path.display()));
    // A device or a pipe is written to as it is.
    let written = match fs::metadata(&path).is_ok_and(|m| !m.is_file()) {
        true => OpenOptions::new().write(true).open(&path).and_then(|mut file| {
            let filter = Filter::to(&file, false, content);
            write(&mut file, filter)
        }),
        false => replace(&path, |out| write(out, Filter::default())),
    };
    written.map_err(|why| WriteError::new(path.display().to_string(), why).into())
}

/// Returns whether standard output is a regular file.
#[cfg(unix)]
fn is_regular_output() -> bool {
    use std::os::fd::AsFd;
    let output = io::stdout().as_fd().try_clone_to_owned().map(fs::File::from);
    output.and_then(|file| file.metadata()).is_ok_and(|meta| meta.is_file())
}

#[cfg(not(unix))]
fn is_regular_output() -> bool {
    false
}

fn through(out: impl Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    write(&mut out)?;
    out.flush()
}

/// Writer that fails when the command was cancelled.
struct Awaited<'a> {
    out: &'a mut dyn Write,
    target: &'a Target,
}

impl Write for Awaited<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.target.cancelled.load(Ordering::Relaxed) {
            true => Err(io::Error::other("it was interrupted")),
            false => self.out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Target of a dangling link.
fn end_of_links(path: &Path) -> PathBuf {
    let mut end = path.to_owned();
    // As many as systems follow.
    for _ in 0..40 {
        let Ok(next) = fs::read_link(&end) else { break };
        end = end.parent().unwrap_or(Path::new("")).join(next);
    }
    end
}

/// Writes beside the file, then puts that in its place: it is whole or as it was. Links are
/// followed, and a file keeps its permissions.
fn replace(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let path = fs::canonicalize(path).unwrap_or_else(|_| end_of_links(path));
    let (part, mut file) = Part::create(&path)?;
    if let Ok(before) = fs::metadata(&path) {
        file.set_permissions(before.permissions())?;
    }
    write(&mut file)?;
    part.put(&path)
}

/// `profile001.pb.gz` or the next one that no file has yet.
fn unused_name(extension: &str) -> Result<PathBuf> {
    let names = (1..10_000).map(|n| PathBuf::from(format!("profile{n:03}.{extension}")));
    names.into_iter().find(|p| !p.exists()).context("profile001 to profile9999 all exist; choose a file with -output=")
}
