//! Tables as aligned text, column for column like pprof's.

use std::io::{self, Write};

use super::Clock;
use super::labels::{Numbers, minus, profile_labels, report_labels};
use super::ratios::Ratios;
use crate::base::plain::one_line;
use crate::base::units;
use crate::report::{FlameReport, Inlining, PeekLinks, PeekReport, Row, TagsReport, TopReport, TracesReport};

fn lines(out: &mut dyn Write, labels: &[String]) -> io::Result<()> {
    labels.iter().try_for_each(|label| writeln!(out, "{label}"))
}

/// The table of functions.
pub(super) fn top(report: &TopReport, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    let numbers = Numbers::new(header);
    lines(out, &report_labels(header, clock, false))?;
    let (sure, gross) = (!report.cum_spread.is_empty(), !report.cum_gross.is_empty());
    let ratios = Ratios::of(report);
    let ratio_names = ratios.names();
    let names = [(sure, &["±flat", "±cum", "samples"][..]), (gross, &["flat+", "flat-", "cum+", "cum-"]), (true, &ratio_names[..])];
    let more: String =
        names.iter().filter(|(is_present, _)| *is_present).flat_map(|(_, names)| *names).map(|name| format!(" {name:>10}")).collect();
    writeln!(out, "{:>10} {:>5}% {:>5}% {:>10} {:>5}%{more}", "flat", "flat", "sum", "cum", "cum")?;
    let more = |i: usize| {
        let mut cells = Vec::new();
        if let (Some(flat), Some(cum)) = (report.flat_spread.get(i), report.cum_spread.get(i)) {
            cells.extend([numbers.value(flat.change_error), numbers.value(cum.change_error), (cum.samples + cum.samples_base).to_string()]);
        }
        if let (Some(flat), Some(cum)) = (report.flat_gross.get(i), report.cum_gross.get(i)) {
            cells.extend([flat.grown, flat.shrunk, cum.grown, cum.shrunk].map(|value| numbers.value(value)));
        }
        cells.extend(ratios.cells(i));
        cells.into_iter().map(|cell| format!(" {cell:>10}")).collect::<String>()
    };
    let mut sum = report.sum_before;
    for (i, row) in report.row.iter().enumerate() {
        let (flat, cum) = (minus(&report.flat, &report.flat_base, i), minus(&report.cum, &report.cum_base, i));
        sum = sum.saturating_add(flat);
        let inlined = match report.inlining[i] {
            Inlining::None => "",
            Inlining::Inline => " (inline)",
            Inlining::Partial => " (partial-inline)",
        };
        writeln!(
            out,
            "{:>10} {} {} {:>10} {}{}  {}{inlined}",
            numbers.value(flat),
            numbers.percent(flat),
            numbers.percent(sum),
            numbers.value(cum),
            numbers.percent(cum),
            more(i),
            printable(row),
        )?;
    }
    Ok(())
}

/// A label on one line: names come from the profile and may hold anything.
fn printable(row: &Row) -> String {
    one_line(&row.name).into_owned()
}

const SEPARATOR: &str = "----------------------------------------------------------+-------------";

/// Functions between their callers and callees.
pub(super) fn peek(report: &PeekReport, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    let numbers = Numbers::new(header);
    lines(out, &report_labels(header, clock, false))?;
    writeln!(out, "{SEPARATOR}")?;
    writeln!(out, "      flat  flat%   sum%        cum   cum%   calls calls% + context \t \t ")?;
    let names: Vec<String> = report.entry.row.iter().map(printable).collect();
    let mut sum = 0i64;
    for entry in report.entry.iter() {
        let (flat, cum) = (entry.flat.saturating_sub(entry.flat_base), entry.cum.saturating_sub(entry.cum_base));
        let links = |out: &mut dyn Write, links: PeekLinks| {
            links.numbered().try_for_each(|(row, link)| {
                let value = link.value.saturating_sub(link.base);
                let inlined = if link.inlined { " (inline)" } else { "" };
                let share = units::percentage(value, cum);
                writeln!(out, "{:>50} {share} |   {}{inlined}", numbers.value(value), names[row])
            })
        };
        writeln!(out, "{SEPARATOR}")?;
        links(out, entry.callers)?;
        sum = sum.saturating_add(flat);
        writeln!(
            out,
            "{:>10} {} {} {:>10} {}                | {}",
            numbers.value(flat),
            numbers.percent(flat),
            numbers.percent(sum),
            numbers.value(cum),
            numbers.percent(cum),
            printable(entry.row),
        )?;
        links(out, entry.callees)?;
    }
    if !report.entry.is_empty() {
        writeln!(out, "{SEPARATOR}")?;
    }
    Ok(())
}

/// Boxes deeper than this are indented no further.
const DEEPEST_INDENT: usize = 200;

/// The tree of stacks, a box a line.
pub(super) fn flame(report: &FlameReport, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    let numbers = Numbers::new(header);
    lines(out, &profile_labels(header, clock))?;
    let columns = [("±cum", &report.cum_change_error), ("cum+", &report.cum_grown), ("cum-", &report.cum_shrunk)];
    let present = || columns.iter().filter(|(_, column)| !column.is_empty());
    let more: String = present().map(|(name, _)| format!(" {name:>10}")).collect();
    writeln!(
        out,
        "{:>10} {:>5}% {:>10}{more}  {}",
        "cum",
        "cum",
        "flat",
        if report.inverted { "callers, from the leaves" } else { "callees, from the root" }
    )?;
    let names: Vec<String> = report.row.iter().map(printable).collect();
    let blank = " ".repeat(2 * DEEPEST_INDENT);
    for (i, &row) in report.node.iter().enumerate() {
        let (cum, flat) = (minus(&report.cum, &report.cum_base, i), minus(&report.flat, &report.flat_base, i));
        let depth = report.depth[i] as usize;
        let name = match usize::try_from(row) {
            Ok(row) => names[row].as_str(),
            Err(_) if depth == 0 => "everything",
            Err(_) => "…",
        };
        let inlined = if report.inlined[i] == 1 { " (inline)" } else { "" };
        let indent = &blank[..2 * depth.min(DEEPEST_INDENT)];
        let more: String = present().map(|(_, column)| format!(" {:>10}", numbers.value(column[i]))).collect();
        writeln!(out, "{:>10} {} {:>10}{more}  {indent}{name}{inlined}", numbers.value(cum), numbers.percent(cum), numbers.value(flat))?;
    }
    Ok(())
}

/// Stack by stack.
pub(super) fn traces(report: &TracesReport, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    const SEPARATOR: &str = "-----------+-------------------------------------------------------";
    let numbers = Numbers::new(&report.header);
    lines(out, &profile_labels(&report.header, clock))?;
    for trace in report.trace.iter() {
        writeln!(out, "{SEPARATOR}")?;
        for (key, value) in trace.labels.iter() {
            writeln!(out, "{:>10}:  {}", one_line(key), one_line(value))?;
        }
        for (i, name) in trace.frames.iter().enumerate() {
            let value = if i == 0 { numbers.value(trace.value) } else { String::new() };
            let inlined = if trace.inlined[i] == 1 { " (inline)" } else { "" };
            writeln!(out, "{value:>10}   {}{inlined}", one_line(name))?;
        }
    }
    writeln!(out, "{SEPARATOR}")
}

/// Values of labels, right-aligned in two columns for each key.
pub(super) fn tags(report: &TagsReport, out: &mut dyn Write) -> io::Result<()> {
    let numbers = Numbers::new(&report.header);
    let total = report.header.total;
    for tag in &report.tag {
        let share = |value: i64| if total > 0 { format!(" ({})", units::percentage(value, total)) } else { String::new() };
        let head = format!("{}:", one_line(&tag.key));
        let rows = tag.values.iter().map(|v| {
            let value = v.value.saturating_sub(v.base);
            format!("{}{}:", numbers.value(value), share(value))
        });
        let rows: Vec<String> = rows.collect();
        // Names may be longer than any width that formatting takes.
        let first = " ".repeat(head.chars().count() + 1);
        let longest = rows.iter().map(|r| r.chars().count()).max().unwrap_or(0);
        let sum = tag.total.saturating_sub(tag.total_base);
        writeln!(out, " {head} Total {} of {}{}", numbers.value(sum), numbers.value(total), share(sum))?;
        for (row, value) in rows.iter().zip(&tag.values) {
            let blank = " ".repeat(longest - row.chars().count());
            writeln!(out, "{first} {blank}{row} {}", one_line(&value.name))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
