//! The manual page, in roff, from the table of flags.

use anyhow::{Context, Result};
use clap_mangen::Man;

use super::flags::{EXAMPLES, clap, words};

/// The page: `heapview man | man -l -`.
pub(super) fn page() -> Result<String> {
    let man = Man::new(clap()).section("1");
    let mut out = Vec::new();
    let written = man
        .render_title(&mut out)
        .and_then(|()| man.render_name_section(&mut out))
        .and_then(|()| man.render_synopsis_section(&mut out))
        .and_then(|()| man.render_description_section(&mut out))
        .and_then(|()| man.render_options_section(&mut out));
    written.context("the manual page cannot be made")?;
    let mut text = String::from_utf8(out).context("the manual page cannot be made")?;
    let mut section = |title: &str, body: &str| {
        text += &format!(".SH {title}\n.nf\n");
        body.lines().for_each(|line| text += &format!("{}\n", escaped(line)));
        text += ".fi\n";
    };
    section("WORDS", words().trim_start_matches("Words:\n"));
    section("EXAMPLES", EXAMPLES.trim_start_matches("Examples:\n"));
    section("ENVIRONMENT", ENVIRONMENT);
    section("SEE ALSO", "heapview help NAME tells of one report or flag.");
    Ok(text)
}

/// What the program reads of its environment.
const ENVIRONMENT: &str = "\
PPROF_BINARY_PATH  folders with binaries and debug information, joined by colons
PPROF_TMPDIR       folder where fetched profiles are kept; otherwise ~/pprof
BROWSER            what opens pages and pictures
NO_COLOR           no colours, whatever the terminal can
COLUMNS            how wide rows may be on a terminal
HEAPVIEW_HISTORY   file that remembers the shell's lines; empty: none
XDG_STATE_HOME     where that file lies otherwise, in heapview/history
XDG_CACHE_HOME     where names are remembered, in heapview/symbols; otherwise ~/.cache
DEBUGINFOD_URLS    servers that are asked for debug information and programs by build id, with blanks between
DEBUGINFOD_CACHE_PATH, DEBUGINFOD_TIMEOUT, DEBUGINFOD_MAXTIME, DEBUGINFOD_MAXSIZE  as debuginfod-client-config(7) has them
TZ                 zone of the times shown";

/// A line as roff prints it.
fn escaped(line: &str) -> String {
    let text = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    // A dot at the start would be a command.
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}
