//! Pager for long help texts: `$PAGER`, otherwise `less -FRX`.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::process::{Command, Stdio};

use anyhow::Result;

use super::output::{self, Target};

/// Prints `text`, through the pager if standard output is a terminal.
///
/// # Errors
/// [`output::WriteError`] if standard output cannot be written.
pub(super) fn print(text: &str) -> Result<()> {
    if io::stdout().is_terminal() && paged(text) {
        return Ok(());
    }
    output::write_to(&Target::default(), None, |out| out.write_all(text.as_bytes()))
}

/// Runs the pager on `text`; returns false if there is none, or none is wanted (`PAGER=`, `PAGER=cat`, `TERM=dumb`).
fn paged(text: &str) -> bool {
    let pager = env::var("PAGER").unwrap_or_else(|_| "less -FRX".into());
    let mut args = pager.split_whitespace();
    let Some(program) = args.next().filter(|program| *program != "cat") else { return false };
    if env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb") {
        return false;
    }
    let mut command = Command::new(program);
    command.args(args).stdin(Stdio::piped());
    // Like git: a plain PAGER=less behaves well, too.
    if env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    let Ok(mut child) = command.spawn() else { return false };
    if let Some(mut stdin) = child.stdin.take() {
        // A pager that is left early closes the pipe: that is no error.
        let _ = stdin.write_all(text.as_bytes());
    }
    let _ = child.wait();
    true
}
