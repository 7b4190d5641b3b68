//! The summary as three short tables.

use std::io::{self, Write};

use super::Clock;
use super::labels::{Numbers, profile_labels};
use crate::kind::PackageKind;
use crate::plain::one_line;
use crate::report::{Header, SummaryCulprit, SummaryReport, SummarySum};
use crate::units;

/// Totals, culprits, packages; with a base all numbers are differences.
pub(super) fn summary(report: &SummaryReport, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    if !header.compact {
        for label in profile_labels(header, clock) {
            writeln!(out, "{label}")?;
        }
    }
    if !header.filters.is_empty() {
        writeln!(out, "Active filters:")?;
        for filter in &header.filters {
            writeln!(out, "   {}", one_line(filter))?;
        }
    }
    // Each number in what suits it, unless a unit was asked for.
    let unit = if header.output_unit == "minimum" { "auto" } else { &header.output_unit };
    let header_of = |of: &str| Header { unit: of.into(), output_unit: unit.into(), ..header.clone() };
    let sign = |value: i64| if header.has_base && value > 0 { "+" } else { "" };
    writeln!(out, "\nTotals")?;
    for total in &report.total {
        let of = header_of(&total.unit);
        let change = total.value.saturating_sub(total.base);
        let value = Numbers::new(&of).value(total.value);
        let change =
            if header.has_base { format!(" ({}{} since the base)", sign(change), Numbers::new(&of).value(change)) } else { String::new() };
        writeln!(out, "{value:>12} {}{change}", one_line(&total.value_type))?;
    }
    if header.has_base {
        let of = header_of(&header.unit);
        let numbers = Numbers::new(&of);
        writeln!(
            out,
            "Grown: {} in {} functions; shrunk: {} in {}",
            numbers.value(header.gross.map_or(0, |gross| gross.grown)),
            report.n_grown,
            numbers.value(header.gross.map_or(0, |gross| gross.shrunk)),
            report.n_shrunk
        )?;
    }
    let (of, beside) = (header_of(&header.unit), header_of(&header.companion_unit));
    let (numbers, counts) = (Numbers::new(&of), Numbers::new(&beside));
    let line = |sum: &SummarySum| {
        let value = sum.value.saturating_sub(sum.base);
        let count = match header.companion_type.as_str() {
            "" => String::new(),
            _ => counts.value(sum.companion.saturating_sub(sum.companion_base)),
        };
        format!("{:>12} {:>7} {count:>12}", format!("{}{}", sign(value), numbers.value(value)), numbers.percent(value))
    };
    writeln!(out, "\nWho holds the memory")?;
    for culprit in &report.culprit {
        let package = whose(&culprit.row.package, &culprit.row.version, culprit.row.kind);
        let held = holds(culprit);
        writeln!(out, "{}  {}  [{package}]{held}", line(&culprit.sum), one_line(&culprit.row.name))?;
    }
    others(out, report.n_culprits - report.culprit.len(), report.rest, &line)?;
    writeln!(out, "\nBy package")?;
    for package in &report.package {
        writeln!(out, "{}  {}", line(&package.sum), whose(&package.package, &package.version, package.kind))?;
    }
    others(out, report.n_packages - report.package.len(), report.package_rest, &line)
}

/// What most of a culprit's memory is, with its share where it is not all.
fn holds(culprit: &SummaryCulprit) -> String {
    let SummaryCulprit { held, sum, .. } = culprit;
    if held.name.is_empty() {
        return String::new();
    }
    let (of_type, all) = (held.value.saturating_sub(held.base), sum.value.saturating_sub(sum.base));
    let share = if of_type == all { String::new() } else { format!("{} ", units::percentage(of_type, all).trim()) };
    format!("  {share}{}", one_line(&held.name))
}

fn others(out: &mut dyn Write, n: usize, rest: SummarySum, line: &dyn Fn(&SummarySum) -> String) -> io::Result<()> {
    match n {
        0 if rest == SummarySum::default() => Ok(()),
        0 => writeln!(out, "{}  (without a stack)", line(&rest)),
        n => writeln!(out, "{}  ({n} others)", line(&rest)),
    }
}

/// `serde_json 1.0.154, third party`.
pub(super) fn whose(package: &str, version: &str, kind: PackageKind) -> String {
    let kind = match kind {
        PackageKind::ThirdParty => "third party",
        PackageKind::Own => "own code",
        kind => kind.name(),
    };
    let name = [package, version].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    if name.is_empty() { kind.to_owned() } else { format!("{}, {kind}", one_line(&name)) }
}
