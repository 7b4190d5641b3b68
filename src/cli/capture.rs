//! `heapview capture PID -o DIR`.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::output::{Target, write_to};
use crate::base::units::iec_label;
use crate::open::capture;
use crate::terminal::message::say;

/// Process to capture, and where to.
#[derive(Debug)]
pub(super) struct CaptureRequest {
    pub(super) pid: u64,
    pub(super) folder: PathBuf,
}

/// Reads the words of the command, if they are it.
pub(super) fn parse(files: &[PathBuf], output: Option<&Path>) -> Result<Option<CaptureRequest>> {
    let Some((first, others)) = files.split_first() else { return Ok(None) };
    // A file or folder of this name is an input, unless a process and a directory follow.
    let is_input = first.is_file() || (output.is_none() || others.is_empty()) && first.exists();
    if first.as_os_str() != "capture" || is_input {
        return Ok(None);
    }
    let [pid] = others else { bail!("capture needs one process id: heapview capture PID -o DIR") };
    let text = pid.to_string_lossy();
    let pid =
        text.parse().ok().filter(|pid| *pid > 0).with_context(|| format!("{text} is not a process id: heapview capture PID -o DIR"))?;
    match output {
        Some(folder) if folder.as_os_str() != "-" => Ok(Some(CaptureRequest { pid, folder: folder.to_owned() })),
        _ => bail!("missing directory: heapview capture {pid} -o DIR"),
    }
}

/// Captures, and lists the files on standard output.
pub(super) fn run(request: &CaptureRequest) -> Result<()> {
    let captured = capture::capture(request.pid, &request.folder)?;
    let list: Vec<String> = captured.files.iter().map(|path| path.display().to_string()).collect();
    write_to(&Target::default(), None, |out| list.iter().try_for_each(|path| writeln!(out, "{path}")))?;
    let size = |bytes: i64| iec_label(bytes, "bytes", "auto");
    let took = captured.note.took_nanos / 1_000_000;
    let consistent = match captured.note.drift {
        0 => "did not change meanwhile: the files are consistent".to_owned(),
        drift => format!("changed by {} meanwhile, in the best of several readings", size(drift)),
    };
    say(&format!("process {}: {} resident, read within {took} ms; RSS {consistent}", request.pid, size(captured.rss)));
    if captured.without_build_id > 0 {
        say(&format!("{} mapped files have no build id", captured.without_build_id));
    }
    say("cmdline and paths may be private: look at the files before you attach them to an issue");
    Ok(())
}
