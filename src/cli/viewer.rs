//! Viewers for reports: a browser, gv, evince, eog, KCachegrind.
//!
//! The report is written to a temporary file readable by its owner only. The program waits for a viewer and then deletes the
//! file. A browser runs on, so its file is kept for a day and its path is printed; the next report for a viewer deletes older
//! files.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail};

use super::output::WriteError;
use super::programs;

/// A program that shows a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Viewer {
    Browser,
    Gv,
    Evince,
    Eog,
    Kcachegrind,
}

/// Time to wait for a browser's start-up errors.
const PATIENCE: Duration = Duration::from_secs(1);

impl Viewer {
    /// Name in messages.
    fn name(self) -> &'static str {
        match self {
            Viewer::Browser => "a browser",
            Viewer::Gv => "gv",
            Viewer::Evince => "evince",
            Viewer::Eog => "eog",
            Viewer::Kcachegrind => "kcachegrind",
        }
    }

    /// Returns whether it is here; browsers are tried one after the other when the time comes.
    pub(super) fn check(self) -> Result<()> {
        match self {
            Viewer::Browser => Ok(()),
            _ if programs::find(self.name()).is_some() => Ok(()),
            _ => Err(self.missing()),
        }
    }

    fn missing(self) -> anyhow::Error {
        // jeprof has these flags, too, and no -output.
        let flag = match self {
            Viewer::Gv => "ps",
            Viewer::Evince => "pdf",
            Viewer::Browser | Viewer::Eog => "svg",
            Viewer::Kcachegrind => "callgrind",
        };
        anyhow!("{0} is not installed; install it (apt install {0}), or write -{flag} to a file and open that", self.name())
    }

    /// Commands that show `file`, the best first. A browser comes before `xdg-open`, which may
    /// give a picture to a program that shows no tips and does not zoom.
    fn commands(self, file: &Path) -> Vec<Command> {
        let command = |args: &[&str]| {
            let mut command = Command::new(args.first().copied().unwrap_or_default());
            command.args(args.iter().skip(1)).arg(file);
            command
        };
        match self {
            Viewer::Gv => vec![command(&["gv", "--noantialias"])],
            Viewer::Evince => vec![command(&["evince"])],
            Viewer::Eog => vec![command(&["eog"])],
            Viewer::Kcachegrind => vec![command(&["kcachegrind"])],
            Viewer::Browser => {
                let mut commands = Vec::new();
                let chosen = std::env::var("BROWSER").unwrap_or_default();
                let args: Vec<&str> = chosen.split_whitespace().collect();
                if !args.is_empty() {
                    commands.push(command(&args));
                }
                let has_desktop = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
                if cfg!(any(windows, target_os = "macos")) {
                    commands.extend(open::commands(file));
                } else {
                    let known = ["chrome", "google-chrome", "chromium", "firefox", "sensible-browser"];
                    commands.extend(known.iter().map(|name| command(&[name])));
                    // For desktops only; elsewhere it starts a browser in the terminal.
                    commands.extend(if has_desktop { open::commands(file) } else { Vec::new() });
                }
                commands
            }
        }
    }
}

/// Shows what `write` writes; returns when the viewer ends, or the browser runs.
///
/// # Errors
/// When no such program can be started, and [`WriteError`] when the file cannot be written.
pub(super) fn show(viewer: Viewer, extension: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let file = Temporary::new(extension, write)?;
    let mut missing: Vec<String> = Vec::new();
    for mut command in viewer.commands(&file.path) {
        let program = command.get_program().to_string_lossy().into_owned();
        let quiet = viewer == Viewer::Browser;
        command.stdin(Stdio::null()).stdout(Stdio::null());
        if quiet {
            // It prints messages after the prompt is back.
            command.stderr(Stdio::null());
        }
        let mut child = match command.spawn() {
            Ok(child) => child,
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                missing.push(program);
                continue;
            }
            Err(why) => return Err(why).with_context(|| format!("cannot start {program}")),
        };
        if !quiet {
            let status = child.wait().with_context(|| format!("cannot wait for {program}"))?;
            return ended_well(&program, status);
        }
        match first_moment(&mut child).with_context(|| format!("cannot wait for {program}"))? {
            Some(status) if !status.success() => missing.push(program),
            _ => {
                crate::terminal::message::say(&format!("Opened in the browser: {}", file.keep().display()));
                return Ok(());
            }
        }
    }
    missing.dedup();
    match viewer {
        Viewer::Browser => bail!("cannot start a browser (tried {}); set BROWSER, or open {}", missing.join(", "), file.keep().display()),
        _ => Err(viewer.missing()),
    }
}

fn ended_well(program: &str, status: ExitStatus) -> Result<()> {
    if status.success() { Ok(()) } else { bail!("{program} failed: {status}") }
}

/// Exit status, if the program ends at once.
fn first_moment(child: &mut Child) -> io::Result<Option<ExitStatus>> {
    let started = Instant::now();
    while started.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(None)
}

/// A file that is gone when this is dropped.
pub(super) struct Temporary {
    path: PathBuf,
    kept: bool,
}

impl Temporary {
    /// A new file for its owner's eyes only, with what `write` writes.
    pub(super) fn new(extension: &str, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<Self> {
        let (file, path) = create(extension)?;
        let temporary = Temporary { path, kept: false };
        let mut out = BufWriter::new(file);
        let written = write(&mut out).and_then(|()| out.flush());
        written.map_err(|why| WriteError::new(temporary.path.display().to_string(), why))?;
        Ok(temporary)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file stays.
    fn keep(mut self) -> PathBuf {
        self.kept = true;
        std::mem::take(&mut self.path)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.kept {
            // Deleted by another process.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Lifetime of a browser's file.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// Returns whether this is the name of a file that [`create`] made.
fn is_ours(name: &str) -> bool {
    let mut parts = name.split('.');
    let is_number = |part: Option<&str>| part.is_some_and(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    parts.next() == Some("heapview") && is_number(parts.next()) && is_number(parts.next()) && parts.count() == 1
}

/// Removes old files of browsers from `folder`, but for those of other users.
#[cfg(unix)]
fn remove_old(folder: &Path, ours: &File, kept: Duration) {
    use std::os::unix::fs::MetadataExt;
    let (Ok(entries), Ok(own)) = (fs::read_dir(folder), ours.metadata()) else { return };
    for entry in entries.flatten().filter(|entry| is_ours(&entry.file_name().to_string_lossy())) {
        let is_old = |meta: &fs::Metadata| meta.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age >= kept));
        // Links are not followed.
        if entry.metadata().is_ok_and(|meta| meta.is_file() && meta.uid() == own.uid() && meta.ino() != own.ino() && is_old(&meta)) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(not(unix))]
fn remove_old(_: &Path, _: &File, _: Duration) {}

fn create(extension: &str) -> Result<(File, PathBuf)> {
    let folder = std::env::temp_dir();
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    for n in 1..10_000 {
        let mut name = OsString::from(format!("heapview.{}.{n}.", std::process::id()));
        name.push(extension);
        let path = folder.join(name);
        match options.open(&path) {
            Ok(file) => {
                remove_old(&folder, &file, KEPT);
                return Ok((file, path));
            }
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {}
            Err(why) => return Err(WriteError::new(path.display().to_string(), why).into()),
        }
    }
    bail!("too many heapview.* files in {}; delete them", folder.display())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn temporary_files_are_private_and_removed() {
        use std::os::unix::fs::PermissionsExt;
        let file = Temporary::new("txt", |out| out.write_all(b"heap")).unwrap();
        let path = file.path.clone();
        assert_eq!(fs::read(&path).unwrap(), b"heap");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        drop(file);
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn old_files_of_ours_go_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let names =
            ["heapview.12.1.html", "heapview.12.2.svg", "heapview.toml", "heapview.12.1.html.bak", "heapview.x.1.html", "other.1.1.html"];
        names.iter().for_each(|name| fs::write(folder.path().join(name), b"").unwrap());
        let ours = File::open(folder.path().join(names[1])).unwrap();
        remove_old(folder.path(), &ours, KEPT);
        assert!(names.iter().all(|name| folder.path().join(name).exists()));
        remove_old(folder.path(), &ours, Duration::ZERO);
        let left: Vec<_> = names.into_iter().filter(|name| folder.path().join(name).exists()).collect();
        assert_eq!(left, names[1..]);
    }
}
