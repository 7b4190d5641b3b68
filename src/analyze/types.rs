//! What containers hold the memory.

use super::Answer;
use crate::query::QueryError;
use crate::report::TypesReport;

/// The report.
pub(super) fn types(answer: &Answer) -> Result<TypesReport, QueryError> {
    Ok(TypesReport { header: answer.header(), ..TypesReport::default() })
}
