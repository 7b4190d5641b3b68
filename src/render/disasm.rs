//! Machine code as text, column for column like pprof's (`internal/report`, `PrintAssembly`).

use std::io::{self, Write};

use super::labels::Numbers;
use crate::base::plain::{base_name_of_any_system, one_line};
use crate::base::units;
use crate::report::{CodePlace, CodeRoutine, DisasmReport};

/// Writes functions with the value of each instruction; a source place is written where it changes.
pub(super) fn disasm(report: &DisasmReport, out: &mut dyn Write) -> io::Result<()> {
    let numbers = Numbers::new(&report.header);
    writeln!(out, "Total: {}", numbers.value(report.header.total))?;
    for routine in &report.routine {
        writeln!(out, "ROUTINE ======================== {}", one_line(&routine.name))?;
        for alias in &routine.aliases {
            writeln!(out, "    AKA ======================== {}", one_line(alias))?;
        }
        let (flat, cum) = (routine.flat.saturating_sub(routine.flat_base), routine.cum.saturating_sub(routine.cum_base));
        let share = units::percentage(cum, report.header.total);
        writeln!(out, "{:>10} {:>10} (flat, cum) {share} of Total", numbers.value(flat), numbers.value(cum))?;
        rows(routine, &numbers, out)?;
    }
    Ok(())
}

fn rows(routine: &CodeRoutine, numbers: &Numbers, out: &mut dyn Write) -> io::Result<()> {
    let nowhere = CodePlace::default();
    let mut before = String::new();
    for row in &routine.row {
        let place = label(routine.place.get(row.place).unwrap_or(&nowhere));
        let shown = if place == before { "" } else { place.as_str() };
        let value = |value: i64, base: i64| match value.saturating_sub(base) {
            0 => ".".into(),
            net => numbers.value(net),
        };
        let start = format!("{:>10} {:>10} {:>10x}:", value(row.flat, row.flat_base), value(row.cum, row.cum_base), row.address);
        let text = code(&row.text);
        match shown {
            "" => writeln!(out, "{start} {text}")?,
            shown if text.len() < 40 => writeln!(out, "{start} {text:<40};{shown}")?,
            shown => writeln!(out, "{:74};{shown}\n{start} {text}", "")?,
        }
        before = place;
    }
    Ok(())
}

/// An instruction on one line; its tabs are its own.
fn code(text: &str) -> String {
    text.split('\t').map(one_line).collect::<Vec<_>>().join("\t")
}

/// `function file:line`, of the file only its name.
fn label(place: &CodePlace) -> String {
    let mut label = String::new();
    if !place.function.is_empty() {
        label = format!("{} ", one_line(&place.function));
    }
    if !place.file.is_empty() {
        label.push_str(&one_line(base_name_of_any_system(&place.file)));
        if place.line != 0 {
            label.push_str(&format!(":{}", place.line));
        }
    }
    label
}
