//! Objects by size as a table: a line per size class, with a bar and its main function.

use std::io::{self, Write};

use super::Clock;
use super::labels::{Numbers, report_labels};
use crate::base::plain::one_line;
use crate::base::units;
use crate::report::{Header, SizeClass, SizeSum, SizesReport};

/// Columns of the longest bar.
const BAR: i64 = 24;

/// The table; differences where there is a base.
pub(super) fn sizes(report: &SizesReport, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    for label in report_labels(header, clock, false) {
        writeln!(out, "{label}")?;
    }
    let columns = Columns::new(report);
    writeln!(out, "{:>19} {:>10} {:>7} {:>10} {:>7}", "size", "bytes", "bytes%", "objects", "objs%")?;
    // Empty and unchanged classes need no lines.
    for class in report.class.iter().filter(|class| bytes(&class.sum) != 0 || objects(&class.sum) != 0) {
        let range = match class.low == class.high {
            true => size(class.high),
            false => format!("{}..{}", size(class.low), size(class.high)),
        };
        let line = format!(
            "{range:>19} {} {:<width$} {}",
            columns.of(&class.sum),
            columns.bar(&class.sum),
            most(report, class),
            width = BAR as usize
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    if report.of_unknown != SizeSum::default() {
        writeln!(out, "{:>19} {}", "unknown", columns.of(&report.of_unknown))?;
    }
    Ok(())
}

/// An end of a size class.
fn size(bytes: i64) -> String {
    let text = units::iec_label(bytes, "bytes", "auto");
    // Bounds are mostly round: `8 KiB` instead of `8.00 KiB`.
    match text.split_once(' ') {
        Some((number, symbol)) if number.contains('.') => format!("{} {symbol}", number.trim_end_matches('0').trim_end_matches('.')),
        _ => text,
    }
}

/// Unit and total of the numbers.
struct Columns<'a> {
    report: &'a SizesReport,
    bytes: Header,
    objects: Header,
    largest: i64,
}

impl<'a> Columns<'a> {
    fn new(report: &'a SizesReport) -> Self {
        let shows_bytes = report.header.value_type == report.bytes_type;
        let header = |unit: &str, total: i64| Header { unit: unit.into(), total, ..report.header.clone() };
        let largest = report.class.iter().map(|class| main(shows_bytes, &class.sum).saturating_abs()).max().unwrap_or(0);
        Columns {
            bytes: header(&report.bytes_unit, report.bytes_total),
            objects: Header { output_unit: "count".into(), ..header("count", report.objects_total) },
            largest,
            report,
        }
    }

    fn of(&self, sum: &SizeSum) -> String {
        let cells = |header: &Header, kind: &str, value: i64| match kind {
            "" => format!("{:>10} {:>7}", "", ""),
            _ => format!("{:>10} {:>7}", Numbers::iec(header).value(value), Numbers::iec(header).percent(value)),
        };
        let (left, right) =
            (cells(&self.bytes, &self.report.bytes_type, bytes(sum)), cells(&self.objects, &self.report.objects_type, objects(sum)));
        format!("{left} {right}")
    }

    fn bar(&self, sum: &SizeSum) -> String {
        let value = main(self.report.header.value_type == self.report.bytes_type, sum);
        let length = (i128::from(value.saturating_abs()) * i128::from(BAR) / i128::from(self.largest.max(1))) as usize;
        // Bars of shrinkage are hollow.
        (if value < 0 { "░" } else { "█" }).repeat(length)
    }
}

fn bytes(sum: &SizeSum) -> i64 {
    sum.bytes.saturating_sub(sum.bytes_base)
}

fn objects(sum: &SizeSum) -> i64 {
    sum.objects.saturating_sub(sum.objects_base)
}

fn main(shows_bytes: bool, sum: &SizeSum) -> i64 {
    if shows_bytes { bytes(sum) } else { objects(sum) }
}

/// The function that holds most of a class, with its share when there are others.
fn most(report: &SizesReport, class: &SizeClass) -> String {
    let Some(part) = class.part.first() else { return String::new() };
    let shows_bytes = report.header.value_type == report.bytes_type;
    let name = one_line(&report.row[part.row].name);
    let share = units::percentage(main(shows_bytes, &part.sum), main(shows_bytes, &class.sum));
    match class.part.len() + class.n_rest {
        1 => name.into_owned(),
        2 => format!("{name} ({}, 1 other)", share.trim()),
        n => format!("{name} ({}, {} others)", share.trim(), n - 1),
    }
}
