//! Recordings by the rules of heaptrack_print, less its defects.

use super::reports::suppressions::Suppressions;
use crate::base::hash::HashMap;
use crate::base::id::{LocationId, StackId};
use crate::profile::{MomentKind, Profile, RunSummary};
use crate::report::{HeaptrackCall, HeaptrackFrame, HeaptrackNode, HeaptrackReport, HeaptrackSnapshot, HeaptrackTrace, SuppressionReport};

/// Options of the report.
#[derive(Clone, Debug, Default)]
pub struct HeaptrackOptions {
    /// Further rules, in LeakSanitizer's format.
    pub suppressions: Vec<String>,
    /// Without built-in rules.
    pub no_builtin: bool,
    /// Without the rules of the recording.
    pub no_embedded: bool,
    /// `foo<int>` becomes `foo<>`.
    pub shorten: bool,
    /// Adds snapshots, of which every so many have a tree; 0: none has.
    pub detailed: Option<usize>,
    /// Share of a snapshot below which nodes are added up, percent.
    pub threshold: f64,
}

/// The report of a profile with one recording. O(stacks × depth).
pub fn report(profile: &Profile, options: &HeaptrackOptions) -> HeaptrackReport {
    let mut all = Traces::of(profile, options);
    let empty = RunSummary::default();
    let run = profile.meta().runs.first().unwrap_or(&empty);
    let own = if options.no_embedded { &[][..] } else { &run.suppressions };
    let rules: Vec<String> = options.suppressions.iter().chain(own).cloned().collect();
    let rules = Suppressions::with(&rules, !options.no_builtin);
    let rule_of = rules.of_rows(profile);
    let leaked = values(profile, 0, "inuse_space");
    let mut sums: Vec<SuppressionReport> =
        rules.patterns().map(|p| SuppressionReport { pattern: p.to_owned(), ..Default::default() }).collect();
    let mut is_counted = vec![false; all.traces.len()];
    let mut suppressed = 0i64;
    for (row, &trace) in all.of_row.iter().enumerate() {
        if let Some(rule) = rule_of[row] {
            let sum = &mut sums[rule];
            sum.bytes = sum.bytes.saturating_add(leaked[row]);
            sum.n_stacks += i64::from(!std::mem::replace(&mut is_counted[trace as usize], true));
            suppressed = suppressed.saturating_add(leaked[row]);
        } else {
            let cost = &mut all.traces[trace as usize].costs[2];
            *cost = cost.saturating_add(leaked[row]);
        }
    }
    let snapshots = options.detailed.map_or_else(Vec::new, |every| all.snapshots(profile, every, options.threshold));
    HeaptrackReport {
        commands: vec![run.command.clone()],
        millis: run.duration / 1_000_000 + 1,
        allocations: run.allocated.objects,
        temporary: run.temporary.objects,
        peak_bytes: run.peak.bytes,
        peak_rss: run.peak_rss,
        leaked: run.end.bytes.saturating_sub(suppressed),
        suppressed,
        suppression: sums.into_iter().filter(|sum| sum.bytes != 0).collect(),
        frames: all.frames,
        traces: all.traces,
        sizes: run.sizes.clone(),
        snapshots,
    }
}

/// `report` less `base`. Stacks are the same if all functions, files, lines and modules are. O(size).
pub fn less(report: HeaptrackReport, base: &HeaptrackReport) -> HeaptrackReport {
    let mut frames: Vec<HeaptrackFrame> = Vec::new();
    let mut known: HashMap<HeaptrackFrame, u32> = HashMap::default();
    let mut traces: Vec<HeaptrackTrace> = Vec::new();
    let mut of_frames: HashMap<Vec<u32>, usize> = HashMap::default();
    for (side, sign) in [(&report, 1), (base, -1)] {
        let mut same = |frame: &HeaptrackFrame| {
            let calls = frame.calls.first().cloned().into_iter().collect();
            let frame = HeaptrackFrame { address: 0, module: frame.module.clone(), calls };
            *known.entry(frame.clone()).or_insert_with(|| {
                frames.push(frame);
                frames.len() as u32 - 1
            })
        };
        let number: Vec<u32> = side.frames.iter().map(&mut same).collect();
        for trace in &side.traces {
            let path: Vec<u32> = trace.frames.iter().map(|frame| number[*frame as usize]).collect();
            let at = *of_frames.entry(path).or_insert_with_key(|path| {
                traces.push(HeaptrackTrace { frames: path.clone(), costs: [0; 4] });
                traces.len() - 1
            });
            traces[at].costs.iter_mut().zip(trace.costs).for_each(|(sum, cost)| *sum = sum.saturating_add(cost.saturating_mul(sign)));
        }
    }
    traces.retain(|trace| trace.costs != [0; 4]);
    let commands = report.commands.iter().chain(&base.commands).cloned().collect();
    HeaptrackReport {
        commands,
        millis: report.millis - base.millis,
        allocations: report.allocations - base.allocations,
        temporary: report.temporary - base.temporary,
        peak_bytes: report.peak_bytes - base.peak_bytes,
        peak_rss: report.peak_rss - base.peak_rss,
        leaked: report.leaked - base.leaked,
        suppressed: report.suppressed - base.suppressed,
        frames,
        traces,
        ..report
    }
}

/// Row → value of a dump; zeros if there is no such type.
fn values(profile: &Profile, dump: usize, kind: &str) -> Vec<i64> {
    let value_type = profile.value_types().iter().position(|t| t.kind == kind);
    value_type.map_or_else(|| vec![0; profile.samples().len()], |value_type| profile.values(dump, value_type))
}

/// Traces with bytes in use.
type LiveTraces = Vec<(usize, i64)>;

/// The stacks of a profile.
struct Traces {
    frames: Vec<HeaptrackFrame>,
    traces: Vec<HeaptrackTrace>,
    /// Row → its stack.
    of_row: Vec<u32>,
}

impl Traces {
    fn of(profile: &Profile, options: &HeaptrackOptions) -> Traces {
        let calls = profile.calls();
        let mut frames = Vec::new();
        let mut known: HashMap<LocationId, u32> = HashMap::default();
        let mut of_stack: HashMap<StackId, u32> = HashMap::default();
        let mut all: Vec<HeaptrackTrace> = Vec::new();
        let mut of_row = Vec::with_capacity(profile.samples().len());
        let costs = ["alloc_objects", "temp_objects", "", "peak_space"].map(|kind| values(profile, 0, kind));
        for (row, &stack) in profile.samples().stack.iter().enumerate() {
            let trace = *of_stack.entry(stack).or_insert_with(|| {
                let mut path = Vec::new();
                for location in calls.of(stack) {
                    let number = *known.entry(location).or_insert_with(|| {
                        frames.push(frame(profile, location, options.shorten));
                        frames.len() as u32 - 1
                    });
                    path.push(number);
                    if frames[number as usize].is_end() {
                        break;
                    }
                }
                all.push(HeaptrackTrace { frames: path, costs: [0; 4] });
                all.len() as u32 - 1
            });
            let sums = &mut all[trace as usize].costs;
            sums.iter_mut().zip(&costs).for_each(|(sum, column)| *sum = sum.saturating_add(column[row]));
            of_row.push(trace);
        }
        Traces { frames, traces: all, of_row }
    }

    /// The moments of the recording; every so many have a tree, and the peak and the last one.
    fn snapshots(&self, profile: &Profile, every: usize, threshold: f64) -> Vec<HeaptrackSnapshot> {
        let moments: Vec<_> = profile.moments_of(0).collect();
        let last = moments.len().saturating_sub(1);
        // Frames that heaptrack takes for one.
        let mut known: HashMap<(&str, &HeaptrackCall), u32> = HashMap::default();
        let one = |(number, frame): (u32, &'_ HeaptrackFrame)| (number, frame.module.clone(), frame.calls[0].clone());
        let keys: Vec<_> = (0..).zip(&self.frames).map(one).collect();
        let same: Vec<u32> = keys.iter().map(|(number, module, call)| *known.entry((module, call)).or_insert(*number)).collect();
        let snapshot = |(place, (dump, moment)): (usize, &(usize, crate::profile::Moment))| {
            let live = values(profile, *dump, "inuse_space");
            let is_peak = moment.kind == MomentKind::Peak;
            let has_tree = every > 0 && (is_peak || place == last || place % every == 0);
            let bytes = live.iter().fold(0i64, |sum, value| sum.saturating_add(*value));
            let tree = if has_tree { self.tree(&live, &same, bytes as f64 * threshold / 100.0) } else { Vec::new() };
            HeaptrackSnapshot { at: moment.at, bytes, is_peak, tree }
        };
        moments.iter().enumerate().map(snapshot).collect()
    }

    /// The callers of memory in use, from the allocations on; what is smaller than `least` is added up.
    fn tree(&self, live: &[i64], same: &[u32], least: f64) -> Vec<HeaptrackNode> {
        let mut of_trace = vec![0i64; self.traces.len()];
        self.of_row.iter().zip(live).for_each(|(trace, value)| of_trace[*trace as usize] += value);
        let traces: LiveTraces = of_trace.into_iter().enumerate().filter(|(_, value)| *value != 0).collect();
        let total = traces.iter().fold(0i64, |sum, (_, value)| sum.saturating_add(*value));
        // Nodes whose children are to come, the traces below each, its depth.
        let mut open = vec![(HeaptrackNode { bytes: total, ..HeaptrackNode::default() }, traces, 0usize)];
        let mut ordered = Vec::new();
        while let Some((node, traces, depth)) = open.pop() {
            let mut children: HashMap<u32, LiveTraces> = HashMap::default();
            for (trace, value) in traces {
                if let Some(frame) = self.traces[trace].frames.get(depth) {
                    children.entry(same[*frame as usize]).or_default().push((trace, value));
                }
            }
            let sum = |traces: &[(usize, i64)]| traces.iter().fold(0i64, |sum, (_, value)| sum.saturating_add(*value));
            let mut children: Vec<(i64, u32, LiveTraces)> =
                children.into_iter().map(|(frame, traces)| (sum(&traces), frame, traces)).collect();
            children.sort_by_key(|(bytes, frame, _)| (std::cmp::Reverse(*bytes), *frame));
            let n_large = children.iter().filter(|(bytes, ..)| *bytes as f64 >= least).count();
            let small = children.split_off(n_large);
            let n_children = n_large + usize::from(!small.is_empty());
            ordered.push(HeaptrackNode { n_children, ..node });
            let child =
                |bytes: i64, frame: Option<u32>, n_small: usize| HeaptrackNode { depth: depth + 1, n_children: 0, bytes, frame, n_small };
            if !small.is_empty() {
                let bytes = small.iter().fold(0i64, |sum, (bytes, ..)| sum.saturating_add(*bytes));
                open.push((child(bytes, None, small.len()), LiveTraces::new(), depth + 1));
            }
            open.extend(children.into_iter().rev().map(|(bytes, frame, traces)| (child(bytes, Some(frame), 0), traces, depth + 1)));
        }
        ordered
    }
}

fn frame(profile: &Profile, location: LocationId, shorten: bool) -> HeaptrackFrame {
    let code = profile.code();
    let place = &code.locations[location];
    let call = |id| {
        let frame = &code.frames[id];
        let function = profile.function_of(id).map(|(_, function)| function);
        let name = function.map_or("", |function| profile.text(function.name));
        let name = if shorten { shortened(name) } else { name.to_owned() };
        HeaptrackCall {
            function: if name.is_empty() { format!("{:#x}", place.address) } else { name },
            file: function.map_or(String::new(), |function| profile.text(function.filename).to_owned()),
            line: frame.line,
        }
    };
    let module = profile.mapping_of(location).map_or(String::new(), |(_, mapping)| profile.text(mapping.file).to_owned());
    let mut calls: Vec<HeaptrackCall> = place.frames().map(call).collect();
    if calls.is_empty() {
        calls.push(HeaptrackCall { function: format!("{:#x}", place.address), ..HeaptrackCall::default() });
    }
    HeaptrackFrame { address: place.address, module, calls }
}

/// Template arguments are left out; operators and `->` are no brackets.
fn shortened(name: &str) -> String {
    let (mut out, mut depth, mut rest) = (String::with_capacity(name.len()), 0usize, name);
    while let Some(c) = rest.chars().next() {
        let after = &rest[c.len_utf8()..];
        let operator = (out.ends_with("operator") && depth == 0 && "<>-".contains(c))
            .then(|| ["<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">", "-"].into_iter().find(|op| rest.starts_with(op)))
            .flatten();
        if let Some(operator) = operator {
            out.push_str(operator);
            rest = &rest[operator.len()..];
            continue;
        }
        match c {
            '-' if after.starts_with('>') => {
                if depth == 0 {
                    out.push_str("->");
                }
                rest = &after[1..];
                continue;
            }
            '<' => {
                if depth == 0 {
                    out.push('<');
                }
                depth += 1;
            }
            '>' if depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    out.push('>');
                }
            }
            _ if depth == 0 => out.push(c),
            _ => {}
        }
        rest = after;
    }
    // An unbalanced name has no template arguments.
    if depth == 0 { out } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn template_arguments_are_left_out() {
        for (name, want) in [
            ("foo<int>", "foo<>"),
            ("a<b<c>, d>::e<f>(g<h>)", "a<>::e<>(g<>)"),
            ("operator<<", "operator<<"),
            ("operator< <int>(x)", "operator< <>(x)"),
            ("std::operator<=><int>(x)", "std::operator<=><>(x)"),
            ("fn run(fn(u8) -> u32) -> T", "fn run(fn(u8) -> u32) -> T"),
            ("a<b>::c<d->e>::x", "a<>::c<>::x"),
            ("T::operator->()", "T::operator->()"),
            ("odd<", "odd<"),
            ("<A as B>::c", "<>::c"),
        ] {
            assert_eq!(shortened(name), want);
        }
    }
}
