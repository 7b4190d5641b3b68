//! Part of the explanation about resident memory.

use std::fmt::Write;

use super::markdown::text;
use crate::base::units::iec_label;
use crate::report::{MemoryBar, ProcessMemory};

/// Number of bars to list.
const BARS: usize = 6;

/// What the largest parts of RSS are and what helps; nothing without files about the process.
pub(super) fn resident(out: &mut String, memory: Option<&ProcessMemory>) {
    let Some((memory, waterfall)) = memory.and_then(|memory| Some((memory, memory.waterfall.as_ref()?))) else { return };
    let size = |bytes: i64| iec_label(bytes, "bytes", "auto");
    let _ = writeln!(out, "\n### Resident memory\n\n**{}** RSS. {}\n", size(waterfall.rss), text(&memory.sentence));
    let mut largest: Vec<&MemoryBar> = waterfall.bar.iter().collect();
    largest.sort_by_key(|bar| std::cmp::Reverse(bar.bytes.unsigned_abs()));
    let _ = writeln!(out, "| | part | what helps |\n|--:|---|---|");
    for bar in largest.iter().take(BARS) {
        let _ = writeln!(out, "| {} | {} | {} |", size(bar.bytes), text(&bar.name), text(&bar.advice));
    }
    let rest: i64 = largest.iter().skip(BARS).fold(0, |sum, bar| sum.saturating_add(bar.bytes));
    if largest.len() > BARS {
        let _ = writeln!(out, "| {} | {} smaller parts | |", size(rest), largest.len() - BARS);
    }
}
