//! The parsed command line.

use std::path::PathBuf;
use std::time::Duration;

use super::capture::CaptureRequest;
use super::check_flags::Check;
use super::flags::Action;
use super::output::Target;
use super::tokens::Tokens;
use crate::open::options::OpenOptions;
use crate::render::Format;

/// Parsed command line.
#[derive(Clone, Debug)]
pub(super) struct Args {
    pub(super) request: Request,
    pub(super) sources: OpenOptions,
    pub(super) shell: Shell,
    /// The file with the user's rules, or `none`; `None`: the one beside the project.
    pub(super) config: Option<String>,
    pub(super) http: Option<String>,
    pub(super) no_browser: bool,
    /// Time between two looks for new dumps.
    pub(super) every: Option<Duration>,
    pub(super) sharing: Sharing,
    /// Raw arguments, without the program's name.
    pub(super) words: Vec<String>,
}

/// Access to the page.
#[derive(Clone, Debug, Default)]
pub(super) struct Sharing {
    pub(super) tokens: Tokens,
    /// Everybody is let in.
    pub(super) no_token: bool,
    /// Bytes of all files that the page may give us.
    pub(super) upload_limit: u64,
}

/// Interactive mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shell {
    /// One report.
    Never,
    /// Nothing was requested: on a terminal only.
    OnTerminal,
    Always,
}

/// Report to print, and its destination.
#[derive(Clone, Debug)]
pub(super) struct Request {
    pub(super) action: Action,
    pub(super) format: Format,
    /// Options of the view, as pairs for [`crate::query::View::parse`].
    pub(super) pairs: Vec<(String, String)>,
    pub(super) output: Target,
    /// Names removed from report files: rules for [`crate::report_data::Redaction`]; `None`: none.
    pub(super) redact: Option<Vec<String>>,
    /// A page that is sent away has source lines.
    pub(super) with_sources: bool,
    /// Limits of `check`.
    pub(super) check: Check,
}

/// Result of reading the command line.
#[derive(Debug)]
pub(super) enum Asked {
    Run(Box<Args>),
    /// The page as a directory for web servers, to write there.
    Site(PathBuf),
    /// A process to capture.
    Capture(CaptureRequest),
    /// Text to print.
    Print(String),
    /// Text to read, in a pager.
    Help(String),
}
