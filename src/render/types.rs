//! The report of types as text.

use std::io::{self, Write};

use super::Clock;
use super::labels::profile_labels;
use crate::report::TypesReport;

/// A table.
pub(super) fn types(report: &TypesReport, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    for label in profile_labels(&report.header, clock) {
        writeln!(out, "{label}")?;
    }
    Ok(())
}
