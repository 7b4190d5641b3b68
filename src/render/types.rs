//! Report of container types as text: a line per type, its culprits below.

use std::io::{self, Write};

use super::Clock;
use super::labels::{Numbers, fitting_unit, head};
use crate::base::plain::one_line;
use crate::report::{Header, SummarySum, TypesReport};

/// A table; with a base all numbers are differences.
pub(super) fn types(report: &TypesReport, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    head(header, clock, out)?;
    let unit = fitting_unit(header);
    let header_of = |of: &str| Header { unit: of.into(), output_unit: unit.into(), ..header.clone() };
    let (of, beside) = (header_of(&header.unit), header_of(&header.companion_unit));
    let (numbers, counts) = (Numbers::iec(&of), Numbers::iec(&beside));
    let sign = |value: i64| if header.has_base && value > 0 { "+" } else { "" };
    let has_companion = !header.companion_type.is_empty();
    let line = |sum: &SummarySum| {
        let value = sum.value.saturating_sub(sum.base);
        let beside = sum.companion.saturating_sub(sum.companion_base);
        let value_text = format!("{}{}", sign(value), numbers.value(value));
        let companion = if has_companion { format!(" {:>12}", counts.value(beside)) } else { String::new() };
        format!("{value_text:>12} {:>7}{companion}", numbers.percent(value))
    };
    let unknown: SummarySum = report.row.iter().filter(|row| row.name.is_empty()).map(|row| row.sum).next().unwrap_or_default();
    let known = header.shown.saturating_sub(unknown.value.saturating_sub(unknown.base));
    writeln!(out, "Types known for {} of {} (from function names)", numbers.value(known), numbers.value(header.shown))?;
    let companion = if has_companion { format!(" {:>12}", one_line(&header.companion_type)) } else { String::new() };
    writeln!(out, "{:>12} {:>7}{companion}  type", one_line(&header.value_type), "share")?;
    let is_last = |i: usize| report.row[i].name.is_empty();
    let rest = |out: &mut dyn Write| match report.rest == SummarySum::default() {
        true => Ok(()),
        false => {
            let n = report.n_types.saturating_sub(report.row.iter().filter(|row| !row.name.is_empty()).count());
            writeln!(out, "{}  ({n} other types)", line(&report.rest))
        }
    };
    for (i, row) in report.row.iter().enumerate() {
        if is_last(i) {
            rest(out)?;
        }
        let name = if row.name.is_empty() { "unknown" } else { &row.name };
        writeln!(out, "{}  {}", line(&row.sum), one_line(name))?;
        for culprit in &row.culprit {
            writeln!(out, "{}      {}", line(&culprit.sum), one_line(&culprit.row.name))?;
        }
        match row.n_culprits.saturating_sub(row.culprit.len()) {
            0 => {}
            n => writeln!(out, "{:>width$}      ({n} other functions)", "", width = 20 + companion.len())?,
        }
    }
    if report.row.is_empty() || !is_last(report.row.len() - 1) { rest(out) } else { Ok(()) }
}
