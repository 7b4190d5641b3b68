//! Source text and machine code in report files: those of the heaviest functions, as far as this server or command may read them.

use crate::annotate::{Files, Limits, annotate, own_files};
use crate::api::{CarriedFiles, keep_heaviest_files};
use crate::query::{Dumps, Pattern, QueryError, View, ViewKind, WeightSpec};
use crate::report::{Report, SourceEntry, SourceReport};
use crate::report_data::Attachment;
use crate::session::Session;
use crate::sources::Audience;

/// Most source files.
const MOST_FILES: usize = 80;

/// Most functions.
const MOST_ENTRIES: usize = 400;

/// Most bytes of source text.
const MOST_TEXT: usize = 2 << 20;

/// Most functions whose machine code is read, and most instructions.
const LIMITS: Limits = Limits { routines: 100, instructions: 20_000 };

/// Source text and machine code of the heaviest functions under `view`, without paths of this machine; `None` when nothing was found.
///
/// # Errors
/// Those of the view.
pub fn embedded_sources(session: &Session, files: &Files, view: &View) -> Result<Option<Attachment>, QueryError> {
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
    let [code, intel] = machine_code(session, files, &view, &report)?;
    report.entry.retain(|entry| entry.problem.is_empty() && entry.lines.text.iter().any(Option::is_some));
    Ok(CarriedFiles::of_report(&report).with_code_of(&code, &intel).to_attachment())
}

/// The functions of `report` with their machine code in both syntaxes, around all samples: the reader may change filters and dumps.
fn machine_code(session: &Session, files: &Files, view: &View, report: &SourceReport) -> Result<[SourceReport; 2], QueryError> {
    let Some(options) = files.code().options().cloned() else { return Ok(Default::default()) };
    let mut reports = [(); 2].map(|()| report.clone());
    let profile = session.snapshot().profile;
    // What was allocated is more than what is in use.
    let mut kinds = profile.value_types().iter().map(|value_type| &value_type.kind);
    let sample_index = kinds.find(|kind| kind.starts_with("alloc")).cloned().unwrap_or_default();
    let dump = Some(Dumps((0..profile.dumps().len()).collect()));
    let whole = View { weight: WeightSpec { sample_index, dump, ..WeightSpec::default() }, ..view.clone() };
    for (report, intel_syntax) in reports.iter_mut().zip([false, true]) {
        let mut view = whole.clone();
        view.show.intel_syntax = intel_syntax;
        annotate(report, &profile, &view, &options, LIMITS)?;
    }
    Ok(reports)
}

/// Leaves the heaviest functions, in the order in which they were.
fn keep_heaviest(entries: &mut Vec<SourceEntry>) {
    let mut weights: Vec<i64> = entries.iter().map(SourceEntry::weight).collect();
    weights.sort_unstable_by(|a, b| b.cmp(a));
    let Some(&least) = weights.get(MOST_ENTRIES) else { return };
    entries.retain(|entry| entry.weight() > least);
}
