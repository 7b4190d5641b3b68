//! Checks a profile against limits, for `heapview check` in CI.
//!
//! Every limit is a query to the session with its own filter; nothing is printed here.

mod limit;

pub use limit::{Limit, Most};

use crate::profile::{ExpectedGrowth, Profile, Series};
use crate::query::{QueryError, View, ViewKind};
use crate::report::{CheckOf, CheckReport, CheckRow, Expected, Report, SummaryCulprit, SummaryReport, SummarySum};
use crate::session::Session;

/// Number of culprits listed for each limit.
const CULPRITS: usize = 3;

/// Warning of views whose expression matches nothing.
const UNMET: &str = "expression matched no samples";

/// Errors of checking limits.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LimitError {
    /// The question is wrong.
    #[error("{0}")]
    Query(#[from] QueryError),
    /// Growth is limited, and there is nothing to compare with.
    #[error("a growth limit ({name}) needs a base: add -base, or give a series of dumps")]
    NoBase {
        /// The limit.
        name: String,
    },
}

/// Measures every limit under the options `pairs` of a view. O(limits × rows).
pub fn check(session: &Session, pairs: &[(String, String)], limits: &[Limit]) -> Result<CheckReport, Vec<LimitError>> {
    let mut report = CheckReport { holds: true, ..CheckReport::default() };
    for limit in limits {
        let row = measure(session, pairs, limit, &mut report)?;
        report.holds &= row.holds;
        report.row.push(row);
    }
    // Broken ones first, else as they were given.
    report.row.sort_by_key(|row| row.holds);
    Ok(report)
}

fn measure(session: &Session, pairs: &[(String, String)], limit: &Limit, report: &mut CheckReport) -> Result<CheckRow, Vec<LimitError>> {
    // The limit's filter comes on top of those that were requested; of one field the limit's own counts.
    let own = limit.pairs.iter().map(|(field, value)| (field.as_str(), value.as_str()));
    let requested = pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let profile = session.snapshot().profile;
    let marks = if limit.of == CheckOf::Growth { &profile.meta().expected[..] } else { &[] };
    // Whatever is expected must be found, however small.
    let n_culprits = if marks.is_empty() { CULPRITS.to_string() } else { "0".to_owned() };
    let query: Vec<(&str, &str)> = own.chain(requested).chain([("nodecount", n_culprits.as_str())]).collect();
    let to_limit_errors = |errors: Vec<QueryError>| errors.into_iter().map(LimitError::from).collect::<Vec<_>>();
    let view = View::parse(ViewKind::Summary, query).map_err(to_limit_errors)?;
    let Report::Summary(summary) = session.answer(&view).map_err(|error| vec![error.into()])? else { return Err(Vec::new()) };
    let header = &summary.header;
    if limit.of == CheckOf::Growth && !header.has_base {
        return Err(vec![LimitError::NoBase { name: limit.name.clone() }]);
    }
    if report.row.is_empty() {
        report.file.clone_from(&header.file);
    }
    // The view's own warning about an expression that matches nothing.
    let is_unmet = !limit.pairs.is_empty() && header.warnings.iter().any(|warning| warning.ends_with(UNMET));
    for warning in &header.warnings {
        // A budget that nothing counts against is worth knowing, but is kept.
        let warning = if limit.pairs.is_empty() { warning.clone() } else { format!("{}: {warning}", limit.name) };
        if !report.warnings.contains(&warning) {
            report.warnings.push(warning);
        }
    }
    let (value, base) = (header.value_total, header.base_total);
    let most = match limit.most {
        Most::Amount(most) => i64::try_from(most).unwrap_or(i64::MAX),
        Most::Share(share) => (base as f64 * share) as i64,
    };
    let expected = expected_of(&summary, marks);
    let excused =
        expected.iter().filter(|row| !row.is_exceeded).fold(0i64, |sum, row| sum.saturating_add(row.value.saturating_sub(row.base)));
    let actual = match limit.of {
        CheckOf::Value => value,
        CheckOf::Growth => value.saturating_sub(base).saturating_sub(excused),
    };
    let error = header.spread.map_or(0, |spread| if limit.of == CheckOf::Growth { spread.change_error } else { spread.error });
    let is_exact = header.spread.is_none();
    Ok(CheckRow {
        name: limit.name.clone(),
        of: limit.of,
        limit_text: limit.text.clone(),
        value_type: header.value_type.clone(),
        unit: header.unit.clone(),
        limit: most,
        actual,
        value,
        base,
        holds: actual <= most,
        is_unmet,
        error,
        is_sure: is_exact || actual.abs_diff(most) > error.unsigned_abs().saturating_mul(2),
        query: header.query.iter().filter(|(name, _)| name != "nodecount").cloned().collect(),
        culprit: largest_culprits(summary, limit.of, marks),
        expected,
    })
}

/// The mark of a culprit.
fn mark_of<'a>(culprit: &SummaryCulprit, marks: &'a [ExpectedGrowth]) -> Option<&'a ExpectedGrowth> {
    marks.iter().find(|mark| mark.is_about(&culprit.row.name) || mark.is_about(&culprit.row.full_name))
}

/// Whether there is more of a culprit than its mark expects.
fn is_exceeded(culprit: &SummaryCulprit, mark: &ExpectedGrowth, unit: &str) -> bool {
    mark.up_to.is_some_and(|most| unit == "bytes" && culprit.sum.value > most)
}

/// Culprits that grew as expected, or more.
fn expected_of(summary: &SummaryReport, marks: &[ExpectedGrowth]) -> Vec<Expected> {
    let grown = summary.culprit.iter().filter(|culprit| culprit.sum.value > culprit.sum.base);
    let expected = grown.filter_map(|culprit| {
        let mark = mark_of(culprit, marks)?;
        let is_exceeded = is_exceeded(culprit, mark, &summary.header.unit);
        let SummarySum { value, base, .. } = culprit.sum;
        Some(Expected { function: culprit.row.name.clone(), value, base, is_exceeded, text: mark.text.clone() })
    });
    expected.collect()
}

/// Without a base growth is since the first dump of the process that is shown: the option that says so.
pub fn since_the_first(profile: &Profile, pairs: &[(String, String)]) -> Option<(String, String)> {
    let has_base = pairs.iter().any(|(name, _)| ["base", "diff_base"].contains(&name.as_str()));
    let dumps = profile.dumps();
    let series = Series::of(dumps).into_iter().find(|series| series.dumps.iter().any(|&dump| dumps[dump].counts()));
    let first = *series?.dumps.first().filter(|_| !has_base)?;
    // The shown dump is not its own base.
    (!dumps[first].counts()).then(|| ("base".to_owned(), first.to_string()))
}

/// Culprits of a limit; for growth only those that grew, and not as expected.
fn largest_culprits(summary: SummaryReport, of: CheckOf, marks: &[ExpectedGrowth]) -> Vec<SummaryCulprit> {
    let unit = summary.header.unit;
    let counts = |sum: &SummarySum| match of {
        CheckOf::Value => sum.value > 0,
        CheckOf::Growth => sum.value > sum.base,
    };
    let is_excused = |culprit: &SummaryCulprit| mark_of(culprit, marks).is_some_and(|mark| !is_exceeded(culprit, mark, &unit));
    summary.culprit.into_iter().filter(|culprit| counts(&culprit.sum) && !is_excused(culprit)).take(CULPRITS).collect()
}
