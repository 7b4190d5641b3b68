//! The summary in words.

use super::utc::utc;
use crate::query::{QueryError, View, ViewKind};
use crate::render::{Explained, explain, headline};
use crate::report::SummaryReport;
use crate::session::{Session, growth_if_series};

/// The summary in a few sentences of Markdown, and in one of plain text, with what grows where there are several dumps.
pub fn explained(session: &Session, view: &View, summary: &SummaryReport) -> Result<(String, String), QueryError> {
    let snapshot = session.snapshot();
    let growth = growth_if_series(session.answer(&View { kind: ViewKind::Growth, ..view.clone() }))?;
    let doctor = session.doctor();
    let explained = Explained { summary, growth: growth.as_ref(), doctor: doctor.as_deref(), warnings: &snapshot.warnings };
    Ok((explain(&explained, &utc), headline(&explained)))
}
