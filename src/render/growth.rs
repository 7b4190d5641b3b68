//! The report of growth as text.

use std::io::{self, Write};

use super::Clock;
use super::labels::profile_labels;
use crate::report::GrowthReport;

/// A table.
pub(super) fn growth(report: &GrowthReport, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    for label in profile_labels(&report.header, clock) {
        writeln!(out, "{label}")?;
    }
    Ok(())
}
