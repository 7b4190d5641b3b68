//! Annotated source lines, like pprof's `-list`.

use std::borrow::Cow;
use std::io::{self, Write};

use super::labels::{Numbers, minus};
use crate::base::plain::one_line;
use crate::base::units;
use crate::report::{SourceEntry, SourceReport};

/// Function by function, file by file.
pub(super) fn source(report: &SourceReport, out: &mut dyn Write) -> io::Result<()> {
    let numbers = Numbers::new(&report.header);
    let or_dot = |value: i64| if value == 0 { ".".to_owned() } else { numbers.value(value) };
    writeln!(out, "Total: {}", numbers.value(report.header.total))?;
    for entry in &report.entry {
        if entry.file.is_empty() {
            writeln!(out, "No source information for {}", one_line(&entry.name))?;
            continue;
        }
        let lines = &entry.lines;
        let flat = entry.flat.saturating_sub(entry.flat_base);
        let cum = match report.header.value_type.starts_with("mean_") {
            true => entry.cum,
            // pprof's sum: recursive lines count each time.
            false => (0..lines.number.len()).fold(0i64, |sum, i| sum.saturating_add(minus(&lines.cum, &lines.cum_base, i))),
        };
        writeln!(out, "ROUTINE ======================== {} in {}", one_line(&entry.name), one_line(&entry.file))?;
        let share = units::percentage(cum, report.header.total);
        writeln!(out, "{:>10} {:>10} (flat, cum) {share} of Total", numbers.value(flat), numbers.value(cum))?;
        if !entry.problem.is_empty() {
            writeln!(out, " Error: {}", one_line(&entry.problem))?;
            continue;
        }
        for (i, text) in lines.text.iter().enumerate() {
            let Some(text) = text else { continue };
            let (flat, cum) = (or_dot(minus(&lines.flat, &lines.flat_base, i)), or_dot(minus(&lines.cum, &lines.cum_base, i)));
            writeln!(out, "{flat:>10} {cum:>10} {:>6}:{}", lines.number[i], printable(text))?;
            below(entry, lines.number[i], &or_dot, out)?;
        }
    }
    Ok(())
}

/// Calls and instructions of a line, if requested.
fn below(entry: &SourceEntry, line: i64, or_dot: &impl Fn(i64) -> String, out: &mut dyn Write) -> io::Result<()> {
    let first = entry.step.partition_point(|step| step.line < line);
    for step in entry.step[first..].iter().take_while(|step| step.line == line) {
        let Some(call) = entry.call.get(step.call) else { continue };
        let value = or_dot(step.value.saturating_sub(step.base));
        let (indent, name) = (2 * step.depth as usize, one_line(&call.name));
        let place = match (call.file.is_empty(), call.line) {
            (true, _) => String::new(),
            (false, 0) => format!(" {}", one_line(&call.file)),
            (false, line) => format!(" {}:{line}", one_line(&call.file)),
        };
        writeln!(out, "{:>10} {value:>10} {:>6} {:indent$}-> {name}{place}{}", "", "", "", if step.inlined { " (inline)" } else { "" })?;
    }
    let first = entry.code.partition_point(|code| code.line < line);
    for code in entry.code[first..].iter().take_while(|code| code.line == line) {
        let (flat, cum) = (or_dot(code.flat.saturating_sub(code.flat_base)), or_dot(code.cum.saturating_sub(code.cum_base)));
        let text: Vec<_> = code.text.split('\t').map(one_line).collect();
        writeln!(out, "{flat:>10} {cum:>10} {:>6} {:>12}: {}", "", code.address, text.join(" "))?;
    }
    Ok(())
}

/// A line of a file for the terminal: tabs and page breaks stay, nothing else moves the cursor.
fn printable(text: &str) -> Cow<'_, str> {
    let harmless = |c: char| c == '\t' || c == '\u{c}' || !c.is_control();
    if text.chars().all(harmless) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if harmless(c) { c.to_string() } else { c.escape_default().to_string() }).collect::<String>().into()
}
