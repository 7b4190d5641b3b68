//! Source lines in report files: those of the functions that hold most, as far as this server or command may read them.

use crate::annotate::{Files, own_files};
use crate::api::keep_heaviest_files;
use crate::demangle::Budget;
use crate::query::{LOCAL, Pattern, QueryError, View, ViewKind};
use crate::report::{Report, SourceEntry, SourceReport};
use crate::session::Session;
use crate::sources::Audience;

/// Most source files.
const MOST_FILES: usize = 80;

/// Most functions.
const MOST_ENTRIES: usize = 400;

/// Most bytes of source text.
const MOST_TEXT: usize = 2 << 20;

/// The source lines of the heaviest functions under `view`, with their text and without paths of this machine; `None` when
/// no text was found.
///
/// # Errors
/// Those of the view.
pub fn embedded_sources(session: &Session, files: &Files, view: &View) -> Result<Option<SourceReport>, QueryError> {
    let mut view = View { kind: ViewKind::Source, ..view.clone() };
    view.shape.paths = files.sources().given().clone();
    view.shape.granularity = None;
    view.cut.list = Pattern::new(".").ok();
    view.cut.list_files = false;
    view.cut.list_around = -1;
    view.cut.line_calls = true;
    view.cut.line_code = false;
    let mut report = match session.answer(&view) {
        Ok(Report::Source(report)) => report,
        Err(QueryError::NoMatch { .. }) | Ok(_) => return Ok(None),
        Err(error) => return Err(error),
    };
    keep_heaviest_files(&mut report, MOST_FILES);
    keep_heaviest(&mut report.entry);
    let own = own_files(session, files);
    let is_own = |file: &str| own.as_ref().is_none_or(|own| own.contains(file));
    files.sources().attach_at_most(&mut report, MOST_TEXT, &Audience { is_elsewhere: true, is_own: &is_own });
    report.entry.retain(|entry| entry.problem.is_empty() && entry.lines.text.iter().any(Option::is_some));
    let mut budget = Budget::default();
    report.entry.iter_mut().for_each(|entry| entry.full_name = budget.full_name(&entry.full_name));
    report.missing.clear();
    report.header.comments.clear();
    report.header.query.retain(|(name, _)| !LOCAL.contains(&name.as_str()));
    report.header.warnings.clear();
    Ok((!report.entry.is_empty()).then_some(report))
}

/// Leaves the heaviest functions, in the order in which they were.
fn keep_heaviest(entries: &mut Vec<SourceEntry>) {
    let weight = |entry: &SourceEntry| entry.cum.saturating_sub(entry.cum_base).saturating_abs();
    let mut weights: Vec<i64> = entries.iter().map(weight).collect();
    weights.sort_unstable_by(|a, b| b.cmp(a));
    let Some(&least) = weights.get(MOST_ENTRIES) else { return };
    entries.retain(|entry| weight(entry) > least);
}
