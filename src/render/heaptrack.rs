//! Text of heaptrack_print.

use std::io::{self, Write};

use crate::base::hash::HashMap;
use crate::base::plain::{is_plain, one_line};
use crate::report::{HeaptrackCall, HeaptrackCost, HeaptrackFrame, HeaptrackReport, HeaptrackTrace};

/// Sections and their lengths.
#[derive(Clone, Debug)]
pub struct HeaptrackSections {
    /// Most calls.
    pub allocators: bool,
    /// Most memory at the peak.
    pub peaks: bool,
    /// Most memory at the end.
    pub leaks: bool,
    /// Most temporary allocations.
    pub temporary: bool,
    /// One group for each allocating place; else one for each stack.
    pub merge: bool,
    /// Groups of a section.
    pub n_groups: usize,
    /// Stacks of a group.
    pub n_stacks: usize,
    /// Only stacks with a function whose name contains this; empty: all.
    pub containing: String,
    /// Adds the table of rules.
    pub suppressions: bool,
}

impl HeaptrackSections {
    fn shows(&self, report: &HeaptrackReport, trace: &HeaptrackTrace) -> bool {
        // heaptrack does not look at the function at which stacks end.
        let has = |frame: &HeaptrackFrame| frame.calls.iter().any(|call| call.function.contains(&self.containing));
        let mut frames = trace.frames.iter().map(|frame| &report.frames[*frame as usize]);
        self.containing.is_empty() || frames.any(|frame| !frame.is_end() && has(frame))
    }
}

/// Bytes in heaptrack's words: `1.50K`, `7B`.
fn bytes(value: i64) -> String {
    let (mut value, mut unit) = (value as f64, 0);
    while value.abs() > 1000.0 && unit < 4 {
        value /= 1000.0;
        unit += 1;
    }
    if unit == 0 { format!("{value}B") } else { format!("{value:.2}{}", ["", "K", "M", "G", "T"][unit]) }
}

/// What a section counts, and its words.
#[derive(Clone, Copy)]
struct Section {
    title: &'static str,
    cost: HeaptrackCost,
}

const SECTIONS: [Section; 4] = [
    Section { title: "MOST CALLS TO ALLOCATION FUNCTIONS", cost: HeaptrackCost::Allocations },
    Section { title: "PEAK MEMORY CONSUMERS", cost: HeaptrackCost::Peak },
    Section { title: "MEMORY LEAKS", cost: HeaptrackCost::Leaked },
    Section { title: "MOST TEMPORARY ALLOCATIONS", cost: HeaptrackCost::Temporary },
];

impl Section {
    /// Head of a group, or of a stack in it.
    fn head(self, costs: [i64; 4], is_group: bool) -> String {
        let [n, temporary, leaked, peak] = costs;
        let from = if is_group { "from" } else { "from:" };
        match self.cost {
            HeaptrackCost::Allocations if is_group => {
                format!("{n} calls to allocation functions with {} peak consumption {from}", bytes(peak))
            }
            HeaptrackCost::Allocations => format!("{n} calls with {} peak consumption {from}", bytes(peak)),
            HeaptrackCost::Peak if is_group => format!("{} peak memory consumed over {n} calls {from}", bytes(peak)),
            HeaptrackCost::Peak => format!("{} consumed over {n} calls {from}", bytes(peak)),
            HeaptrackCost::Leaked => format!("{} leaked over {n} calls {from}", bytes(leaked)),
            HeaptrackCost::Temporary => {
                let share = if n == 0 { 0.0 } else { temporary as f64 * 100.0 / n as f64 };
                format!("{temporary} temporary allocations of {n} allocations in total ({share:.2}%) {from}")
            }
        }
    }

    fn is_on(self, sections: &HeaptrackSections) -> bool {
        match self.cost {
            HeaptrackCost::Allocations => sections.allocators,
            HeaptrackCost::Peak => sections.peaks,
            HeaptrackCost::Leaked => sections.leaks,
            HeaptrackCost::Temporary => sections.temporary,
        }
    }
}

fn place(call: &HeaptrackCall) -> String {
    format!("{}:{}", call.file, call.line)
}

fn module(frame: &HeaptrackFrame) -> &str {
    if frame.module.is_empty() { "??" } else { &frame.module }
}

/// A code address; `depth`: number of its calls to print.
fn frame(frame: &HeaptrackFrame, depth: usize, indent: usize, out: &mut dyn Write) -> io::Result<()> {
    for (place_in_chain, call) in frame.calls.iter().take(depth).enumerate() {
        writeln!(out, "{:indent$}{}", "", one_line(&frame.name(call)))?;
        if !call.file.is_empty() || place_in_chain > 0 {
            writeln!(out, "{:indent$}  at {}", "", one_line(&place(call)))?;
        }
        if place_in_chain == 0 {
            writeln!(out, "{:indent$}  in {}", "", one_line(module(frame)))?;
        }
    }
    Ok(())
}

/// Stacks that one place allocates.
struct Group<'a> {
    traces: Vec<&'a HeaptrackTrace>,
    costs: [i64; 4],
    leaf: Option<&'a HeaptrackFrame>,
    /// Number of calls of the leaf that all stacks share; 0: several addresses without a name.
    n_calls: usize,
}

fn groups<'a>(report: &'a HeaptrackReport, sections: &HeaptrackSections) -> Vec<Group<'a>> {
    let mut known: HashMap<(&str, Option<&HeaptrackCall>), usize> = HashMap::default();
    let mut all: Vec<Group> = Vec::new();
    for trace in report.traces.iter().filter(|trace| sections.shows(report, trace)) {
        let leaf = trace.frames.first().map(|leaf| &report.frames[*leaf as usize]);
        let key = leaf.map_or(("", None), |leaf| (leaf.module.as_str(), leaf.calls.first()));
        let next = all.len();
        let at = if sections.merge { *known.entry(key).or_insert(next) } else { next };
        if at == next {
            all.push(Group { traces: Vec::new(), costs: [0; 4], leaf, n_calls: leaf.map_or(0, |leaf| leaf.calls.len()) });
        }
        let group = &mut all[at];
        group.traces.push(trace);
        group.costs.iter_mut().zip(trace.costs).for_each(|(sum, cost)| *sum = sum.saturating_add(cost));
        if let (Some(first), Some(leaf)) = (group.leaf, leaf) {
            let n_same = first.calls.iter().zip(&leaf.calls).take_while(|(a, b)| a == b).count();
            let is_same = first.address == leaf.address || first.calls.iter().any(|call| !call.function.is_empty());
            group.n_calls = if is_same { group.n_calls.min(n_same) } else { 0 };
        }
    }
    all
}

/// Prints the report.
pub fn heaptrack(report: &HeaptrackReport, sections: &HeaptrackSections, out: &mut dyn Write) -> io::Result<()> {
    for command in &report.commands {
        writeln!(out, "Debuggee command was: {}", one_line(command))?;
    }
    writeln!(out, "finished reading file, now analyzing data:\n")?;
    let mut groups = groups(report, sections);
    for section in SECTIONS.into_iter().filter(|section| section.is_on(sections)) {
        writeln!(out, "{}", section.title)?;
        let cost = section.cost as usize;
        groups.sort_by_key(|group| std::cmp::Reverse(group.costs[cost].unsigned_abs()));
        for group in groups.iter_mut().filter(|group| group.costs[cost] != 0).take(sections.n_groups) {
            writeln!(out, "{}", section.head(group.costs, true))?;
            if !sections.merge {
                for number in group.traces.iter().flat_map(|trace| &trace.frames) {
                    let of_stack = &report.frames[*number as usize];
                    frame(of_stack, of_stack.calls.len(), 2, out)?;
                }
                writeln!(out)?;
                continue;
            }
            match group.leaf {
                Some(leaf) if group.n_calls == 0 => writeln!(out, "??\n  in {}", one_line(module(leaf)))?,
                Some(leaf) => frame(leaf, group.n_calls, 0, out)?,
                None => writeln!(out, "??")?,
            }
            group.traces.sort_by_key(|trace| std::cmp::Reverse(trace.costs[cost].unsigned_abs()));
            let (mut left, mut n_printed) = (group.costs[cost], 0);
            for trace in group.traces.iter().take(sections.n_stacks) {
                if trace.costs[cost] == 0 {
                    break;
                }
                writeln!(out, "{}", section.head(trace.costs, false))?;
                // The group has its place, unless there are several.
                for number in trace.frames.iter().skip(usize::from(group.n_calls > 0)) {
                    let of_stack = &report.frames[*number as usize];
                    frame(of_stack, of_stack.calls.len(), 4, out)?;
                }
                left -= trace.costs[cost];
                n_printed += 1;
            }
            if group.traces.len() > sections.n_stacks && n_printed > 0 {
                let is_number = matches!(section.cost, HeaptrackCost::Allocations | HeaptrackCost::Temporary);
                let left = if is_number { left.to_string() } else { bytes(left) };
                writeln!(out, "  and {left} from {} other places", group.traces.len() - n_printed)?;
            }
            writeln!(out)?;
        }
        writeln!(out)?;
        if !sections.merge {
            writeln!(out)?;
        }
    }
    totals(report, sections, out)
}

fn totals(report: &HeaptrackReport, sections: &HeaptrackSections, out: &mut dyn Write) -> io::Result<()> {
    // Of a difference it may be negative.
    let millis = if report.millis == 0 { 1 } else { report.millis };
    let rate = |n: i64| n.saturating_mul(1000) / millis;
    writeln!(out, "total runtime: {:.6}s.", report.millis as f64 / 1000.0)?;
    writeln!(out, "calls to allocation functions: {} ({}/s)", report.allocations, rate(report.allocations))?;
    writeln!(out, "temporary memory allocations: {} ({}/s)", report.temporary, rate(report.temporary))?;
    writeln!(out, "peak heap memory consumption: {}", bytes(report.peak_bytes))?;
    writeln!(out, "peak RSS (including heaptrack overhead): {}", bytes(report.peak_rss))?;
    writeln!(out, "total memory leaked: {}", bytes(report.leaked))?;
    if report.suppressed != 0 {
        writeln!(out, "suppressed leaks: {}", bytes(report.suppressed))?;
        if sections.suppressions {
            writeln!(out, "Suppressions used:\n{:>16} {:>16} pattern", "matches", "leaked")?;
            for rule in &report.suppression {
                writeln!(out, "{:>16} {:>16} {}", rule.n_stacks, bytes(rule.bytes), one_line(&rule.pattern))?;
            }
        }
    }
    Ok(())
}

/// Collapsed stacks: root first, `function (file)`, and the cost.
pub fn heaptrack_stacks(
    report: &HeaptrackReport,
    sections: &HeaptrackSections,
    cost: HeaptrackCost,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut line = String::new();
    for trace in report.traces.iter().filter(|trace| sections.shows(report, trace)) {
        line.clear();
        let frames = trace.frames.iter().rev().map(|frame| &report.frames[*frame as usize]);
        for (frame, call) in frames.flat_map(|frame| frame.calls.iter().rev().map(move |call| (frame, call))) {
            if !line.is_empty() {
                line.push(';');
            }
            // What separates frames and lines cannot be part of a name.
            line.extend(frame.name(call).chars().map(|c| if c == ';' || !is_plain(c) { ':' } else { c }));
            let file = call.file.rsplit('/').next().unwrap_or_default();
            if !file.is_empty() {
                line.push_str(" (");
                line.extend(file.chars().map(|c| if c == ';' || !is_plain(c) { ':' } else { c }));
                line.push(')');
            }
        }
        writeln!(out, "{} {}", if line.is_empty() { "??" } else { &line }, trace.cost(cost))?;
    }
    Ok(())
}

/// Sizes with their number of allocations.
pub fn heaptrack_sizes(report: &HeaptrackReport, out: &mut dyn Write) -> io::Result<()> {
    report.sizes.iter().try_for_each(|(size, n)| writeln!(out, "{size}\t{n}"))
}

/// The snapshots in massif's format.
pub fn heaptrack_massif(report: &HeaptrackReport, threshold: f64, out: &mut dyn Write) -> io::Result<()> {
    let one_line = |text: &str| text.replace(|c: char| !is_plain(c), " ");
    writeln!(out, "desc: heaptrack\ncmd: {}\ntime_unit: s", one_line(report.commands.first().map_or("", String::as_str)))?;
    for (number, snapshot) in report.snapshots.iter().enumerate() {
        writeln!(out, "#-----------\nsnapshot={number}\n#-----------\ntime={:.3}", snapshot.at as f64 / 1e9)?;
        writeln!(out, "mem_heap_B={}\nmem_heap_extra_B=0\nmem_stacks_B=0", snapshot.bytes)?;
        let kind = match (snapshot.tree.is_empty(), snapshot.is_peak) {
            (true, _) => "empty",
            (false, true) => "peak",
            (false, false) => "detailed",
        };
        writeln!(out, "heap_tree={kind}")?;
        for node in &snapshot.tree {
            write!(out, "{:2$}n{}: ", "", node.n_children, node.depth)?;
            match node.frame.map(|frame| &report.frames[frame as usize]) {
                None if node.depth == 0 => writeln!(out, "{} (heap allocation functions) malloc/new/new[], --alloc-fns, etc.", node.bytes)?,
                None => {
                    let are = if node.n_small == 1 { "place," } else { "places, all" };
                    writeln!(out, "{} in {} {are} below massif's threshold ({threshold:.2}%)", node.bytes, node.n_small)?;
                }
                Some(frame) => {
                    let call = &frame.calls[0];
                    let at = if call.file.is_empty() { format!("in {}", frame.module) } else { place(call) };
                    writeln!(out, "{} {:#X}: {} ({})", node.bytes, frame.address, one_line(&frame.name(call)), one_line(&at))?;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_heaptrack() {
        let cases = [(0, "0B"), (1000, "1000B"), (1001, "1.00K"), (5_531_417, "5.53M"), (-167_140, "-167.14K"), (1 << 40, "1.10T")];
        for (value, want) in cases {
            assert_eq!(bytes(value), want);
        }
    }
}
