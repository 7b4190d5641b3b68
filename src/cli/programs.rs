//! Starts other programs, without a shell.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// The program of this name in a folder of PATH.
pub(super) fn find(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let file = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    std::env::split_paths(&folders).map(|folder| folder.join(&file)).find(|path| path.is_file())
}

/// Pipes `input` through `program`; returns its output. Its messages go to standard error.
///
/// # Errors
/// When it cannot be started, takes longer than `limit`, or ends badly.
pub(super) fn filter(program: &str, arguments: &[&str], input: Vec<u8>, limit: Duration) -> Result<Vec<u8>> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().with_context(|| format!("cannot start {program}"))?;
    let pipes = (child.stdin.take(), child.stdout.take());
    let (Some(mut to), Some(mut from)) = pipes else { bail!("cannot connect to {program}") };
    // Both ends move at once: pipes hold little, and the program need not read all before it writes.
    let writer = std::thread::spawn(move || to.write_all(&input));
    let reader = std::thread::spawn(move || {
        let mut output = Vec::new();
        from.read_to_end(&mut output).map(|_| output)
    });
    let started = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().with_context(|| format!("cannot wait for {program}"))? {
            break status;
        }
        if started.elapsed() > limit {
            // It may end right now, otherwise it is killed.
            let _ = child.kill();
            let _ = child.wait();
            bail!("{program} did not finish within {} seconds", limit.as_secs());
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let interrupted = |_| io::Error::other("a thread was interrupted");
    let written = writer.join().map_err(interrupted)?;
    let output = reader.join().map_err(interrupted)?.with_context(|| format!("cannot read the output of {program}"))?;
    if !status.success() {
        bail!("{program} failed: {status}");
    }
    written.with_context(|| format!("{program} did not read all of its input"))?;
    Ok(output)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const SOON: Duration = Duration::from_secs(20);

    #[test]
    fn input_longer_than_a_pipe_comes_through() {
        let input = vec![b'x'; 1 << 20];
        assert_eq!(filter("cat", &[], input.clone(), SOON).unwrap(), input);
    }

    #[test]
    fn failures_are_reported() {
        let error = |program, arguments: &[&str], limit| format!("{:#}", filter(program, arguments, Vec::new(), limit).unwrap_err());
        assert!(error("no-such-program", &[], SOON).starts_with("cannot start no-such-program: "));
        assert!(error("false", &[], SOON).starts_with("false failed: exit status: 1"));
        assert_eq!(error("sleep", &["60"], Duration::ZERO), "sleep did not finish within 0 seconds");
        assert!(find("sh").is_some() && find("no-such-program").is_none());
    }
}
