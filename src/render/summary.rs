//! Summary as three short tables.

use std::io::{self, Write};

use super::Clock;
use super::labels::{Numbers, fitting_unit, head};
use super::sampling_error::{doubt, error, growth, sampling};
use crate::base::kind::PackageKind;
use crate::base::plain::{one_line, shortened, width, wrapped};
use crate::base::units;
use crate::report::{Header, Spread, SummaryCulprit, SummaryReport, SummarySum};

/// Totals, culprits, packages; with a base all numbers are differences. `most`: columns of the terminal.
pub(super) fn summary(report: &SummaryReport, most: Option<usize>, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    head(header, clock, out)?;
    if let Some(said) = sampling(header) {
        writeln!(out, "{}", wrapped(&said, most))?;
    }
    for line in report.run.iter().flat_map(super::runs::lines) {
        writeln!(out, "{}", wrapped(&line, most))?;
    }
    let unit = fitting_unit(header);
    let header_of = |of: &str| Header { unit: of.into(), output_unit: unit.into(), ..header.clone() };
    let sign = |value: i64| if header.has_base && value > 0 { "+" } else { "" };
    writeln!(out, "\nTotals")?;
    for total in &report.total {
        let of = header_of(&total.unit);
        let numbers = Numbers::iec(&of);
        let change = total.value.saturating_sub(total.base);
        let sure = error(&numbers, total.spread.as_ref());
        let (now, since) = match header.has_base {
            false if header.spread.is_some() => (format!(" {sure:>10}"), String::new()),
            false => Default::default(),
            true => {
                let (was, by) = (numbers.value(total.base), format!("{}{}", sign(change), numbers.value(change)));
                let doubt = doubt(header, change, total.spread.as_ref());
                (String::new(), format!(" ({was} before: {by}{sure}, {}){doubt}", growth(total.value, total.base)))
            }
        };
        let line = format!("{:>12}{now} {}{since}", numbers.value(total.value), one_line(&total.value_type));
        writeln!(out, "{}", wrapped(&line, most))?;
    }
    if header.has_base {
        let of = header_of(&header.unit);
        let numbers = Numbers::iec(&of);
        let gross = header.gross.unwrap_or_default();
        let line = format!(
            "Grown: {} in {} functions, {} of them new; shrunk: {} in {}, {} of them gone",
            numbers.value(gross.grown),
            report.n_grown,
            header.n_new,
            numbers.value(gross.shrunk),
            report.n_shrunk,
            header.n_gone,
        );
        writeln!(out, "{}", wrapped(&line, most))?;
        if header.within_noise > 0 {
            writeln!(out, "{} of the change is within the sampling error", numbers.value(header.within_noise))?;
        }
    }
    if is_empty(report) {
        return Ok(());
    }
    let (of, beside) = (header_of(&header.unit), header_of(&header.companion_unit));
    let (numbers, counts) = (Numbers::iec(&of), Numbers::iec(&beside));
    let line = |sum: &SummarySum, spread: Option<&Spread>| {
        let value = sum.value.saturating_sub(sum.base);
        let count = match header.companion_type.as_str() {
            "" => String::new(),
            _ => counts.value(sum.companion.saturating_sub(sum.companion_base)),
        };
        let sure = if header.spread.is_some() { format!(" {:>10}", error(&numbers, spread)) } else { String::new() };
        format!("{:>12}{sure} {:>7} {count:>12}", format!("{}{}", sign(value), numbers.value(value)), numbers.percent(value))
    };
    let note = |sum: &SummarySum, spread: Option<&Spread>| match header.has_base && (sum.value == 0) != (sum.base == 0) {
        true => format!("  ({}){}", growth(sum.value, sum.base), doubt(header, sum.value.saturating_sub(sum.base), spread)),
        false => doubt(header, sum.value.saturating_sub(sum.base), spread),
    };
    writeln!(out, "\nTop memory holders")?;
    for culprit in &report.culprit {
        let package = whose(&culprit.row.package, &culprit.row.version, culprit.row.kind);
        let (sum, spread) = (&culprit.sum, culprit.spread.as_ref());
        let name = one_line(&culprit.row.name);
        let beside = [format!("  [{package}]"), holds(culprit, &numbers), note(sum, spread)];
        writeln!(out, "{}", fitted(&line(sum, spread), &name, beside, most))?;
    }
    let line_of = |sum: &SummarySum| line(sum, None);
    others(out, report.n_culprits - report.culprit.len(), report.rest, &line_of)?;
    writeln!(out, "\nBy package")?;
    for package in &report.package {
        let (sum, spread) = (&package.sum, package.spread.as_ref());
        writeln!(out, "{}  {}{}", line(sum, spread), whose(&package.package, &package.version, package.kind), note(sum, spread))?;
    }
    others(out, report.n_packages - report.package.len(), report.package_rest, &line_of)?;
    report.memory.as_ref().map_or(Ok(()), |memory| super::rss::of_summary(memory, header, most, out))
}

/// Returns whether the dump is empty. Then the headline reports it, and tables are omitted.
pub(super) fn is_empty(report: &SummaryReport) -> bool {
    !report.header.has_base && report.culprit.is_empty() && report.total.iter().all(|total| total.value == 0)
}

/// A row of at most `most` columns: what is beside the name leaves first, its owner before its type and the note, and then the
/// name is shortened.
fn fitted(numbers: &str, name: &str, beside: [String; 3], most: Option<usize>) -> String {
    const SHORTEST_NAME: usize = 16;
    let [owner, holds, note] = &beside;
    let row = |beside: &[&String]| beside.iter().fold(format!("{numbers}  {name}"), |row, text| row + text);
    let Some(most) = most else { return row(&[owner, holds, note]) };
    let rows = [row(&[owner, holds, note]), row(&[holds, note]), row(&[note])];
    match rows.into_iter().find(|row| width(row) <= most) {
        Some(row) => row,
        None => format!("{numbers}  {}", shortened(name, most.saturating_sub(width(numbers) + 2).max(SHORTEST_NAME))),
    }
}

/// Main container type of a culprit, with its share unless it is all; with its change unless that is part of the culprit's, since
/// its other types changed in the other direction.
fn holds(culprit: &SummaryCulprit, numbers: &Numbers) -> String {
    let SummaryCulprit { held, sum, .. } = culprit;
    if held.name.is_empty() {
        return String::new();
    }
    let (of_type, all) = (held.value.saturating_sub(held.base), sum.value.saturating_sub(sum.base));
    let is_part = (of_type < 0) == (all < 0) && of_type.saturating_abs() <= all.saturating_abs();
    let sign = if of_type > 0 { "+" } else { "" };
    let share = match is_part {
        _ if of_type == all => String::new(),
        true => format!("{} ", units::percentage(of_type, all).trim()),
        false => format!("{sign}{} ", numbers.value(of_type)),
    };
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
        PackageKind::Own => "your code",
        PackageKind::Plumbing => "async glue",
        kind => kind.name(),
    };
    let name = [package, version].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    if name.is_empty() { kind.to_owned() } else { format!("{}, {kind}", one_line(&name)) }
}
