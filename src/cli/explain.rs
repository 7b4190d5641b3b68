//! `heapview explain`: the answer in a few sentences, for an issue.

use anyhow::Result;

use super::args::Request;
use super::print::local_time;
use super::{output, print, progress};
use crate::analyze::Rows;
use crate::profile::Profile;
use crate::query::ViewKind;
use crate::render::{self, Explained};
use crate::report::{DoctorReport, Report};
use crate::session::Session;

/// Prints what `profile`, whose names are in place, comes to.
pub(super) fn print(profile: &Profile, warnings: &[String], doctor: &DoctorReport, request: &Request) -> Result<()> {
    let answer = |kind: ViewKind| -> Result<Report> {
        let view = print::parse_view(kind, &request.pairs)?;
        Ok(Session::answer_once(profile, &view, Rows::Whole)?)
    };
    let (summary, growth) = progress::during("Adding up", |_| {
        let is_series = profile.dumps().iter().filter(|dump| !dump.is_base).count() > 1;
        Ok::<_, anyhow::Error>((answer(ViewKind::Summary)?, is_series.then(|| answer(ViewKind::Growth)).transpose()?))
    })?;
    let Report::Summary(summary) = summary else { return Ok(()) };
    let growth = match &growth {
        Some(Report::Growth(growth)) => Some(growth),
        _ => None,
    };
    let text = render::explain(&Explained { summary: &summary, growth, doctor: Some(doctor), warnings }, &local_time);
    output::write_to(&request.output, None, |out| out.write_all(text.as_bytes()))
}
