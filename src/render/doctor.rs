//! Diagnosis of missing names as text.

use std::io::{self, Write};

use crate::base::plain::one_line;
use crate::base::units::{iec_label as label, percentage};
use crate::report::{DoctorModule, DoctorReport};

/// Number of searched paths to list.
const PLACES: usize = 4;

/// Writes `report`.
pub fn doctor(report: &DoctorReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", one_line(&report.verdict))?;
    report.module.iter().try_for_each(|module| file(report, module, out))
}

fn file(report: &DoctorReport, module: &DoctorModule, out: &mut dyn Write) -> io::Result<()> {
    let name = if module.name.is_empty() { "(no name)" } else { &module.name };
    let share = |part: i64| percentage(part, module.value).trim().to_owned();
    writeln!(out, "\n{}", one_line(name))?;
    writeln!(
        out,
        "  memory     {} ({} of all): {} with function, {} with line, {} with inlined calls",
        label(module.value, &report.unit, "auto"),
        percentage(module.value, report.total).trim(),
        share(module.function),
        share(module.line),
        share(module.inlined),
    )?;
    writeln!(out, "  addresses  {}, {} with function, {} with line", module.n_addresses, module.n_function, module.n_line)?;
    let mut row = |title: &str, text: &str| if text.is_empty() { Ok(()) } else { writeln!(out, "  {title:<10} {}", one_line(text)) };
    row("file", &module.file)?;
    row("debug file", &module.debug_file)?;
    row("debug info", &module.debug)?;
    row("build id", &build_id(module))?;
    for (i, place) in module.looked.iter().take(PLACES).enumerate() {
        row(if i == 0 { "searched" } else { "" }, place)?;
    }
    if module.looked.len() > PLACES {
        row("", &format!("and {} more places", module.looked.len() - PLACES))?;
    }
    row("problem", &module.problem)?;
    for (i, remedy) in module.remedy.iter().enumerate() {
        for (j, line) in remedy.lines().enumerate() {
            let title = match (i, j) {
                (0, 0) => "remedy",
                (_, 0) => "or",
                _ => "",
            };
            row(title, &format!("{}{line}", if j == 0 { "" } else { "  " }))?;
        }
    }
    Ok(())
}

fn build_id(module: &DoctorModule) -> String {
    match (module.build_id.as_str(), module.file_build_id.as_str()) {
        ("", "") => String::new(),
        ("", file) => format!("{file} in the file, none in the profile"),
        (profile, "") => format!("{profile} in the profile"),
        (profile, file) if profile == file => format!("{file}, in the profile and the file"),
        (profile, file) => format!("{profile} in the profile, {file} in the file"),
    }
}
