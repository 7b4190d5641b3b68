//! What watched folders and servers share: files and their versions, parsing, warnings.

use std::fs;
use std::path::Path;

use super::inputs;
use super::workspace::Workspace;
use crate::parse::{Parsed, parse};
use crate::profile::{Dump, Profile};
use crate::terminal::message::say;

/// Prints a warning and shows it on the page.
pub(super) fn warn(workspace: &Workspace, warning: String) {
    say(&warning);
    workspace.session.warn(warning);
}

pub(super) fn parsed(workspace: &Workspace, bytes: &[u8]) -> Result<Parsed, String> {
    let sources = &workspace.sources;
    let options = sources.parse_options();
    parse(bytes, &options).map_err(|error| error.to_string())
}

/// The only dump of a profile, described.
pub(super) fn described(mut profile: Profile, describe: impl Fn(&mut Dump)) -> Profile {
    profile.dumps_mut().iter_mut().for_each(describe);
    profile
}

/// Identifies a version of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) length: u64,
    pub(super) written: i64,
}

impl Stamp {
    pub(super) fn of(path: &Path) -> Option<Stamp> {
        let length = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
        Some(Stamp { length, written: inputs::file_time(path) })
    }
}
