//! `heapview doctor`: why names are missing, and what helps.

use anyhow::Result;

use super::args::Request;
use super::look::Style;
use super::printable::Content;
use super::{output, progress};
use crate::base::json::write_json_value;
use crate::doctor::{Place, diagnose};
use crate::profile::Profile;
use crate::render::{self, Format};
use crate::symbolize;

/// Prints the diagnosis of `named`, which was `read` before names were looked up. Returns
/// whether nothing is missing that could be had.
pub(super) fn print(read: &Profile, named: &Profile, binaries: &symbolize::Options, request: &Request) -> Result<bool> {
    let report = progress::during("Examining files", |_| diagnose(read, named, binaries, &place()));
    let content = if request.format == Format::Json { Content::Safe } else { Content::Text };
    output::write_styled(&request.output, None, content, Style::default(), |out| match request.format {
        Format::Json => {
            write_json_value(out, &report)?;
            out.write_all(b"\n")
        }
        _ => render::doctor(&report, out),
    })?;
    Ok(report.is_well)
}

/// What matters of this machine.
pub(super) fn place() -> Place {
    let os_release = ["/etc/os-release", "/usr/lib/os-release"].iter().find_map(|path| std::fs::read_to_string(path).ok());
    Place {
        os_release: os_release.unwrap_or_default(),
        asks_servers: std::env::var_os("DEBUGINFOD_URLS").is_some_and(|urls| !urls.is_empty()),
    }
}
