//! `heapview doctor`: why names are missing, and what to do about it.

use anyhow::Result;

use super::output;
use super::request::Request;
use crate::base::json::write_json_value;
use crate::doctor::{Host, diagnose};
use crate::profile::Profile;
use crate::render::{self, Format};
use crate::symbolize;
use crate::terminal::printable::Content;
use crate::terminal::progress;
use crate::terminal::style::Style;

/// Prints the diagnosis of `named`, which was `read` before names were looked up. Returns
/// whether nothing is missing that could be had.
pub(super) fn print(read: &Profile, named: &Profile, binaries: &symbolize::Options, request: &Request) -> Result<bool> {
    let report = progress::during("Examining files", |_| diagnose(read, named, binaries, &Host::this()));
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
