//! Reports as they are sent.

use std::io::{self, Write};

use axum::http::HeaderValue;

use super::access::Role;
use super::attachments;
use super::download;
use super::error::WebError;
use super::form::Form;
use crate::annotate::{Files, Order};
use crate::api::{explained, utc};
use crate::demangle::Budget;
use crate::query::View;
use crate::render::{flame_svg, has_flames, render};
use crate::report::{FlameReport, Report};
use crate::session::Session;
use crate::sources;

/// Most functions sent with their code, as pprof's page has it.
const ROUTINES: usize = 50;

/// Most values of one label sent; a filter finds the others.
const LABEL_VALUES: usize = 1000;

/// Most source files sent, as pprof's page has it.
const FILES: usize = 50;

/// Most source files in a file to keep.
const FILES_KEPT: usize = 1000;

/// A report, and how it is to be sent.
pub(super) struct ReportRequest {
    pub(super) view: View,
    pub(super) role: Role,
    pub(super) form: Form,
    /// For the page, not for a file.
    pub(super) for_page: bool,
    /// Of the file's name, when it is one to keep.
    pub(super) ending: Option<String>,
}

/// A report ready to be written.
pub(super) enum Made {
    Report(Box<Report>),
    Text(String),
}

/// The report, and the name of its file when it is one to keep.
pub(super) fn make(session: &Session, files: &Files, asked: &ReportRequest) -> Result<(Made, Option<HeaderValue>), WebError> {
    let ReportRequest { view, role, form, for_page, ending } = asked;
    let mut report = session.answer(view)?;
    shorten(&mut report, *for_page);
    if let Report::Disasm(disasm) = &mut report {
        files.code().attach(&session.snapshot().profile, view, Order::Heaviest(ROUTINES), disasm).map_err(WebError::Code)?;
    }
    if let (Report::Flame(flame), true) = (&mut report, *for_page) {
        lighten(flame);
    }
    let mut budget = Budget::default();
    report.for_each_row(|row| row.full_name = budget.full_name(&row.full_name));
    report.warn(budget.warning());
    if let Report::Source(source) = &mut report {
        attachments::attach(session, files, view, source, if *for_page { &attachments::PAGE } else { &attachments::FILE }, *role)?;
    }
    let file = ending.as_ref().map(|ending| download::disposition(report.header(), view.kind.name(), ending));
    let made = match (form, report) {
        (Form::Explained | Form::ExplainedJson, Report::Summary(summary)) => {
            let (markdown, headline) = explained(session, view, &summary)?;
            let json = || serde_json::json!({ "markdown": markdown, "headline": headline }).to_string();
            Made::Text(if *form == Form::ExplainedJson { json() } else { markdown })
        }
        (Form::Explained | Form::ExplainedJson, _) => return Err(WebError::Internal("only the summary has this form".into())),
        (Form::Picture, Report::Flame(flame)) if !has_flames(&flame) => return Err(WebError::NothingToDraw),
        (Form::Picture, report) if !matches!(report, Report::Flame(_)) => return Err(WebError::NothingToDraw),
        (_, report) => Made::Report(Box::new(report)),
    };
    Ok((made, file))
}

/// Writes the report in its form.
pub(super) fn write(made: &Made, form: Form, out: &mut dyn Write) -> io::Result<()> {
    match (form, made) {
        (_, Made::Text(text)) => out.write_all(text.as_bytes()),
        (Form::As(format), Made::Report(report)) => render(report, format, &utc, out),
        (form, Made::Report(report)) => match (form, &**report) {
            (Form::Picture, Report::Flame(flame)) => flame_svg(flame, out),
            _ => Err(io::Error::other("this report has no such form")),
        },
    }
}

/// Takes out what is half of an answer and what nobody needs before they look at one box: ids follow from names, and
/// generic arguments are in the answer about a function.
pub(super) fn lighten(flame: &mut FlameReport) {
    // What is open is said by ids.
    if flame.closed.is_empty() {
        flame.id.truncate(1);
    }
    flame.row.iter_mut().for_each(|row| row.full_name.clear());
}

/// Leaves the lightest functions out of an answer that would be hundreds of megabytes.
fn shorten(report: &mut Report, for_page: bool) {
    match report {
        Report::Tags(tags) => tags.tag.iter_mut().for_each(|tag| tag.values.truncate(LABEL_VALUES)),
        Report::Source(source) => sources::keep_heaviest(source, if for_page { FILES } else { FILES_KEPT }),
        _ => {}
    }
}
