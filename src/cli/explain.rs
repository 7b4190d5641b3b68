//! `heapview explain`: a few sentences for an issue.

use anyhow::Result;

use super::local_time::local_time;
use super::output;
use super::request::Request;
use crate::attribution::RowDetail;
use crate::profile::Profile;
use crate::query::{QueryError, ViewKind};
use crate::render::{self, Explained};
use crate::report::{DoctorReport, Report};
use crate::session::{Session, growth_if_series};
use crate::terminal::progress;

/// Prints the explanation of `profile`, which is symbolized.
pub(super) fn print(profile: &Profile, warnings: &[String], doctor: &DoctorReport, request: &Request) -> Result<()> {
    let answer = |kind: ViewKind| -> Result<Result<Report, QueryError>> {
        Ok(Session::answer_once(profile, &crate::cli::view::parse_view(kind, &request.pairs)?, RowDetail::Full))
    };
    let (summary, growth) =
        progress::during("Adding up", |_| Ok::<_, anyhow::Error>((answer(ViewKind::Summary)??, answer(ViewKind::Growth)?)))?;
    let Report::Summary(summary) = summary else { return Ok(()) };
    let growth = growth_if_series(growth)?;
    let text = render::explain(&Explained { summary: &summary, growth: growth.as_ref(), doctor: Some(doctor), warnings }, &local_time);
    output::write_to(&request.output, None, |out| out.write_all(text.as_bytes()))
}
