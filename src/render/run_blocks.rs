//! Lifetimes, reallocations, and what is freed at the end, as lines.

use crate::base::plain::one_line;
use crate::base::run_clock::RunClock;
use crate::base::units::iec_label;
use crate::report::{RunBlocks, RunCulprit};

/// Lines about the blocks of a recording; `allocations`: how many there were.
pub(super) fn lines(blocks: &RunBlocks, allocations: i64, clock: RunClock) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(freed) = &blocks.freed_at_end {
        lines.push(format!(
            "Freed only at the end: {} in {}, in use after {} and gone at the end",
            bytes(freed.bytes),
            count(freed.objects, "block"),
            clock.label(freed.at),
        ));
        lines.extend(freed.culprit.iter().map(|culprit| of_culprit(culprit, "block")));
    }
    if let Some(of) = blocks.reallocation.as_ref().filter(|of| of.objects > 0) {
        lines.push(format!(
            "Reallocations: {} of {}, {} of them to another address with {} copied; at most {} of one block",
            of.objects,
            count(of.chains, "block"),
            of.moved_objects,
            bytes(of.moved_bytes),
            count(of.longest - 1, "reallocation"),
        ));
        lines.extend(of.culprit.iter().map(|culprit| of_culprit(culprit, "reallocation")));
    }
    if !blocks.lifetime.is_empty() {
        lines.push("Lifetimes:".to_owned());
        let share = |objects: i64| if allocations > 0 { objects as f64 / allocations as f64 * 100.0 } else { 0.0 };
        let line = |class: &crate::report::LifetimeReport| {
            let name = one_line(&class.name);
            format!("  {name:>14}: {} ({:.1}%), {}", count(class.objects, "block"), share(class.objects), bytes(class.bytes))
        };
        lines.extend(blocks.lifetime.iter().map(line));
    }
    lines
}

fn of_culprit(culprit: &RunCulprit, what: &str) -> String {
    format!("  {}: {} in {}", one_line(&culprit.row.name), bytes(culprit.bytes), count(culprit.objects, what))
}

fn bytes(value: i64) -> String {
    iec_label(value, "bytes", "auto")
}

fn count(n: i64, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}
