//! `heapview check`: limits in CI.

use anyhow::Result;

use super::output;
use super::request::Request;
use crate::demangle::Budget;
use crate::limits::{self, LimitError};
use crate::profile::Profile;
use crate::render::{self, CheckFormat};
use crate::session::Session;
use crate::terminal::message::say;
use crate::terminal::printable::Content;
use crate::terminal::progress;
use crate::terminal::style::Style;

/// Prints how `profile` keeps the limits; whether all are kept.
pub(super) fn print(profile: Profile, request: &Request) -> Result<bool> {
    let mut pairs = request.pairs.clone();
    pairs.extend(limits::since_the_first(&profile, &pairs));
    let session = Session::new(profile, Vec::new());
    let errors = |errors: Vec<LimitError>| anyhow::Error::msg(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "));
    let mut report = progress::during("Adding up", |_| limits::check(&session, &pairs, &request.check.limits)).map_err(errors)?;
    let mut budget = Budget::default();
    for culprit in report.row.iter_mut().flat_map(|row| &mut row.culprit) {
        culprit.row.full_name = budget.full_name(&culprit.row.full_name);
    }
    report.warnings.extend(budget.warning());
    report.warnings.iter().for_each(|warning| say(warning));
    let is_safe = matches!(request.check.format, CheckFormat::Github | CheckFormat::Json);
    let content = if is_safe { Content::Safe } else { Content::Text };
    output::write_styled(&request.output, None, content, Style::default(), |out| render::check(&report, request.check.format, out))?;
    Ok(report.holds)
}
