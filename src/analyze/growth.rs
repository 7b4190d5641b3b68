//! What grows from dump to dump.

use super::Answer;
use crate::query::QueryError;
use crate::report::GrowthReport;

/// The report.
pub(super) fn growth(answer: &Answer) -> Result<GrowthReport, QueryError> {
    Ok(GrowthReport { header: answer.header(), ..GrowthReport::default() })
}
