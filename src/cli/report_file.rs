//! `heapview export`: the page with its data in one file.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail};

use super::output;
use super::request::Request;
use crate::annotate::{Code, Files};
use crate::cli::view::query_errors;
use crate::profile::Profile;
use crate::query::field;
use crate::report::DoctorReport;
use crate::report_data::{Redaction, redacted_option};
use crate::session::Session;
use crate::symbolize::Options;
use crate::terminal::printable::Content;
use crate::terminal::progress;
use crate::terminal::style::Style;
use crate::web::{FileOptions, embedded_sources, write_file};

/// The rules of `-redact`, if any were given.
pub(super) fn redaction(request: &Request) -> Result<Option<Redaction>> {
    let Some(rules) = &request.redact else { return Ok(None) };
    Redaction::new(rules.iter().map(String::as_str)).map(Some).context("-redact")
}

/// Writes the page of the symbolized `profile`, with its warnings.
pub(super) fn write(
    profile: Profile,
    warnings: Vec<String>,
    doctor: Option<DoctorReport>,
    binaries: &Options,
    request: &Request,
) -> Result<()> {
    if request.output.in_shell && request.output.file.is_none() {
        bail!("export needs a file: set output=report.html, then run export");
    }
    if let Some(to) = &request.output.file {
        output::refuse_binaries(to, &profile)?;
    }
    let redaction = redaction(request)?;
    let view = crate::cli::view::parse_view(request.view_kind(), &request.pairs)?;
    let session = Session::new(profile, warnings);
    let files = Files::new(crate::cli::view::sources_of(&view).confined(), Code::new(binaries.clone()));
    session.answer(&view)?;
    if let Some(doctor) = doctor {
        session.set_doctor(doctor);
    }
    let query = first_view(request, redaction.as_ref())?;
    if request.with_sources && redaction.is_some() {
        crate::terminal::message::say("-redact leaves source lines out of the report");
    }
    let sources = match request.with_sources && redaction.is_none() {
        true => embedded_sources(&session, &files, &view).map_err(|error| query_errors(vec![error]))?,
        false => None,
    };
    if request.with_sources && redaction.is_none() && sources.is_none() {
        crate::terminal::message::say("no source file was found; run export in the project's directory, or add -source_path");
    }
    let created_at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| i64::try_from(d.as_secs()).unwrap_or(0));
    let options = FileOptions {
        redaction: redaction.as_ref(),
        query: &query,
        paths: Some(files.sources().given()),
        attachments: sources.into_iter().collect(),
        made: created_at,
        ..FileOptions::default()
    };
    let mut file = Vec::new();
    progress::during("Writing the report", |_| write_file(&session, options, &mut file))?;
    output::write_styled(&request.output, None, Content::Safe, Style::default(), |out| out.write_all(&file))
}

/// Query of the first view. A redacted file has no filters: their regexps may contain names that were removed.
fn first_view(request: &Request, redaction: Option<&Redaction>) -> Result<String> {
    let left_out = |name: &str| {
        crate::terminal::message::say(&format!("-{name} is left out of the report's first view: its text may name what -redact hides"));
        None
    };
    let for_first_view = |(name, value): &(String, String)| -> Option<(String, String)> {
        let Some(redaction) = redaction else { return Some((name.clone(), value.clone())) };
        let kind = field(name)?;
        match redacted_option(kind, value, redaction) {
            Some(value) => Some((name.clone(), value)),
            None if ["source_path", "trim_path"].contains(&kind.name) => None,
            None if kind.name.starts_with("tag") => {
                crate::terminal::message::say(&format!(
                    "-{} is left out of the report's first view: redacted reports have no labels",
                    kind.name
                ));
                None
            }
            None => left_out(kind.name),
        }
    };
    let pairs: Vec<(String, String)> = request.pairs.iter().filter_map(for_first_view).collect();
    let view = crate::cli::view::parse_view(request.view_kind(), &pairs)?;
    Ok(crate::cli::links::query(&view, None).trim_start_matches('?').to_owned())
}
