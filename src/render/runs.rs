//! Facts about recordings as lines.

use crate::base::plain::one_line;
use crate::base::units::iec_label;
use crate::report::RunReport;

/// Lines about a recording: how it was made, its peak, its rates, and what is left at the end.
pub(super) fn lines(run: &RunReport) -> Vec<String> {
    let bytes = |value: i64| iec_label(value, "bytes", "auto");
    let time = |at: i64| run.clock.label(at);
    let share = if run.allocations > 0 { run.temporary as f64 / run.allocations as f64 * 100.0 } else { 0.0 };
    let most = if run.is_temporary_exact { "" } else { "at most " };
    let attached = if run.is_attached { ", attached to the running process" } else { "" };
    let rate = if run.allocations_per_second > 0.0 { format!(" ({:.0} per second)", run.allocations_per_second) } else { String::new() };
    let mode = if run.mode.is_empty() { String::new() } else { format!(" (mode {})", one_line(&run.mode)) };
    let mut lines = vec![format!("Recorded by {}{mode} in {}{attached}", one_line(&run.recorder), time(run.duration))];
    let process = if run.pid != 0 { format!(" (process {})", run.pid) } else { String::new() };
    if !run.command.is_empty() {
        lines.push(format!("Command: {}{process}", one_line(&run.command)));
    }
    if !run.has_states {
        return lines;
    }
    let after = if run.peak_at > 0 { format!(" after {}", time(run.peak_at)) } else { String::new() };
    lines.push(format!("Peak: {} in use{after}", bytes(run.peak_bytes)));
    if run.peak_rss > 0 {
        let of = if run.system_memory > 0 { format!(" of {}", bytes(run.system_memory)) } else { String::new() };
        let own = if run.is_rss_of_program { "without the recorder's own memory" } else { "the recorder's own memory included" };
        lines.push(format!("Peak RSS: {}{of}, {own}", bytes(run.peak_rss)));
    }
    // Some recorders count no blocks.
    let counts_blocks = run.allocations > 0 || run.peak_bytes == 0;
    if counts_blocks {
        let temporary =
            if run.has_temporary { format!(", {most}{} of them temporary ({share:.1}%)", run.temporary) } else { String::new() };
        lines.push(format!("Allocations: {}{rate}{temporary}", run.allocations));
    }
    let suppressed = if run.suppressed_bytes > 0 { format!("; {} suppressed", bytes(run.suppressed_bytes)) } else { String::new() };
    let blocks = if run.end_objects == 1 { "block" } else { "blocks" };
    let blocks = if counts_blocks { format!(" in {} {blocks}", run.end_objects) } else { String::new() };
    lines.push(format!("In use at the end: {}{blocks}{suppressed}", bytes(run.end_bytes)));
    for rule in &run.suppression {
        let stacks = if rule.n_stacks == 1 { "stack" } else { "stacks" };
        lines.push(format!("  suppressed by {}: {} in {} {stacks}", one_line(&rule.pattern), bytes(rule.bytes), rule.n_stacks));
    }
    for group in &run.group {
        let (n, allocated) = (group.allocations, bytes(group.allocated_bytes));
        let allocations = if n == 1 { "allocation" } else { "allocations" };
        let in_use = format!("{} in use at the peak, {} at the end", bytes(group.peak_bytes), bytes(group.end_bytes));
        lines.push(format!("  {} {}: {n} {allocations}, {allocated}; {in_use}", one_line(&group.label), one_line(&group.value)));
    }
    lines.extend(super::run_blocks::lines(&run.blocks, run.allocations, run.clock));
    lines
}
