//! Manual page in roff, generated from the table of flags.

use anyhow::{Context, Result};
use clap_mangen::Man;

use super::flags::{EXAMPLES, NOTES, clap, subcommands};

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
    written.context("cannot render the manual page")?;
    let mut text = String::from_utf8(out).context("cannot render the manual page")?;
    let mut section = |title: &str, body: &str| {
        text += &format!(".SH {title}\n.nf\n");
        body.lines().for_each(|line| text += &format!("{}\n", escaped(line)));
        text += ".fi\n";
    };
    section("COMMANDS", &subcommands());
    section("EXAMPLES", EXAMPLES.trim_start_matches("Examples:\n"));
    section("NOTES", NOTES);
    section("ENVIRONMENT", ENVIRONMENT);
    section("SEE ALSO", "heapview help NAME shows help for one report or flag.");
    Ok(text)
}

/// Environment variables.
const ENVIRONMENT: &str = "\
PPROF_BINARY_PATH  directories with binaries and debug information, separated by colons
PPROF_TMPDIR       directory for fetched profiles; default ~/pprof
PAGER              pager for help; default less -FRX
BROWSER            browser for pages and pictures
NO_COLOR           disables colors
COLUMNS            maximum row width on a terminal
HEAPVIEW_TOKEN     access token of the web page
HEAPVIEW_SERVER    address of a team server: of heapview push and store:// addresses
HEAPVIEW_SERVER_TOKEN  token for that server
HEAPVIEW_STORE     directory or bucket of a store: of heapview store and store:// addresses
HEAPVIEW_HISTORY   history file of the shell; empty disables it
XDG_STATE_HOME     directory of the default history file, heapview/history, and of heapview/spool; default ~/.local/state
XDG_CACHE_HOME     directory of the symbol cache, heapview/symbols; default ~/.cache
DEBUGINFOD_URLS    debuginfod servers for debug information and binaries, separated by spaces
DEBUGINFOD_CACHE_PATH, DEBUGINFOD_TIMEOUT, DEBUGINFOD_MAXTIME, DEBUGINFOD_MAXSIZE  see debuginfod-client-config(7)
TZ                 time zone of the times shown";

/// A line as roff prints it.
fn escaped(line: &str) -> String {
    let text = line.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq");
    // A dot at the start would be a command.
    if text.starts_with('.') { format!("\\&{text}") } else { text }
}
