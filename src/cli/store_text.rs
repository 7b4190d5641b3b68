//! Texts that commands on a store have in common.

use std::fmt::Write;

use crate::api::utc;

/// Who runs the command, for the audit log.
pub(super) fn who() -> String {
    let name = ["USER", "LOGNAME", "USERNAME"].iter().find_map(|name| std::env::var(name).ok().filter(|name| !name.is_empty()));
    format!("{} (command line)", name.unwrap_or_else(|| "somebody".into()))
}

/// A time, of milliseconds since 1970 UTC.
pub(super) fn time_text(millis: i64) -> String {
    utc(millis.saturating_mul(1_000_000))
}

/// Rows as columns that are as wide as their texts.
pub(super) fn table(rows: &[Vec<String>]) -> String {
    let n = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> =
        (0..n).map(|at| rows.iter().filter_map(|row| row.get(at)).map(|cell| cell.chars().count()).max().unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let line: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        let _ = writeln!(text, "{}", line.join("  ").trim_end());
    }
    text
}
