//! Stacks as `root;…;leaf value` lines, for flame graph tools; `_[i]` marks inlined frames.

use std::cmp::Ordering;
use std::io::{self, Write};

use crate::base::hash::HashMap;
use crate::report::{Traces, TracesReport};

/// Equal stacks are added up; lines come in alphabetical order. Memory is a number for each frame: lines
/// are made one after the other.
pub(super) fn folded(report: &TracesReport, out: &mut dyn Write) -> io::Result<()> {
    let mut names = Names::new(&report.trace);
    // Frames of all stacks, root first, and where each stack ends.
    let (mut frames, mut ends) = (Vec::new(), vec![0]);
    for trace in report.trace.stored() {
        let start = frames.len();
        frames.extend(report.trace.stack(trace).map(|(name, inlined)| names.number(name, inlined)));
        frames[start..].reverse();
        ends.push(frames.len());
    }
    let stack = |at: u32| &frames[ends[at as usize]..ends[at as usize + 1]];
    let mut order: Vec<u32> = (0..report.trace.len() as u32).collect();
    order.sort_by(|&a, &b| names.compare(stack(a), stack(b)));
    for equal in order.chunk_by(|&a, &b| names.compare(stack(a), stack(b)).is_eq()) {
        let value = equal.iter().fold(0i64, |sum, &at| sum.saturating_add(report.trace.stored()[at as usize].value));
        let [first, ..] = equal else { continue };
        if value == 0 {
            continue;
        }
        for (i, &name) in stack(*first).iter().enumerate() {
            let joint = if i == 0 { "" } else { ";" };
            write!(out, "{joint}{}", names.texts[name as usize])?;
        }
        writeln!(out, " {value}")?;
    }
    Ok(())
}

/// Frames as they are printed, each text once.
struct Names<'a> {
    traces: &'a Traces,
    texts: Vec<String>,
    numbers: HashMap<String, u32>,
    /// Index of the name → number of its text when it was called, and when it was inlined.
    known: Vec<[Option<u32>; 2]>,
}

impl<'a> Names<'a> {
    fn new(traces: &'a Traces) -> Self {
        Names { traces, texts: Vec::new(), numbers: HashMap::default(), known: vec![[None; 2]; traces.names().len()] }
    }

    fn number(&mut self, name: u32, is_inlined: bool) -> u32 {
        let Names { traces, texts, numbers, known } = self;
        *known[name as usize][usize::from(is_inlined)].get_or_insert_with(|| {
            // The format gives `;` and line ends a meaning.
            let plain = traces.names()[name as usize].replace(';', ":").replace(char::is_control, " ");
            let text = if is_inlined { plain + "_[i]" } else { plain };
            *numbers.entry(text.clone()).or_insert_with(|| {
                texts.push(text);
                texts.len() as u32 - 1
            })
        })
    }

    /// The order of the lines as texts, so that `;` counts as a letter of the name before it.
    fn compare(&self, a: &[u32], b: &[u32]) -> Ordering {
        let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
        let (Some(&x), Some(&y)) = (a.get(same), b.get(same)) else { return a.len().cmp(&b.len()) };
        let (x, y) = (self.texts[x as usize].as_bytes(), self.texts[y as usize].as_bytes());
        // Different texts without `;`: where one ends, `;` or nothing follows it.
        let n = x.len().min(y.len());
        let next = |text: &[u8], stack: &[u32]| text.get(n).copied().or((same + 1 < stack.len()).then_some(b';'));
        x[..n].cmp(&y[..n]).then_with(|| next(x, a).cmp(&next(y, b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::StoredTrace;

    #[test]
    fn lines_are_sorted_and_equal_lines_are_merged() {
        let stacks = ["a", "a;b", "a b;c", "a;b", "a", "a:b", "a:;b", "b;a", "a;b;c", "é;a", "a-;b"];
        let mut trace = Traces::default();
        for stack in stacks {
            let leaf = stack.split(';').fold(None, |caller, name| {
                let name = trace.add_name(name.into());
                Some(trace.add_frame(name, false, caller))
            });
            trace.add(StoredTrace { value: 1, labels: 0, leaf: leaf.unwrap() });
        }
        let report = TracesReport { trace, ..TracesReport::default() };
        let mut out = Vec::new();
        folded(&report, &mut out).unwrap();
        let mut sums = std::collections::BTreeMap::new();
        stacks.iter().for_each(|stack| *sums.entry(*stack).or_insert(0) += 1);
        let want: String = sums.iter().map(|(stack, value)| format!("{stack} {value}\n")).collect();
        assert_eq!(String::from_utf8(out).unwrap(), want);
    }
}
