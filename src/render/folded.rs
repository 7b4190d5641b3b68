//! Stacks as `root;…;leaf value` lines, for flame graph tools; `_[i]` marks inlined frames.

use std::cmp::Ordering;
use std::io::{self, Write};

use crate::hash::HashMap;
use crate::report::TracesReport;

/// Equal stacks are added up; lines come in alphabetical order. Memory is a number for each frame: lines
/// are made one after the other.
pub(super) fn folded(report: &TracesReport, out: &mut dyn Write) -> io::Result<()> {
    let mut names = Names::default();
    let mut stacks: Vec<(Vec<u32>, i64)> = Vec::with_capacity(report.trace.len());
    for trace in &report.trace {
        let frames = trace.frames.iter().zip(&trace.inlined).rev();
        stacks.push((frames.map(|(name, inlined)| names.number(name, *inlined == 1)).collect(), trace.value));
    }
    stacks.sort_by(|a, b| names.compare(&a.0, &b.0));
    for equal in stacks.chunk_by(|a, b| names.compare(&a.0, &b.0).is_eq()) {
        let value = equal.iter().fold(0i64, |sum, (_, value)| sum.saturating_add(*value));
        let [(stack, _), ..] = equal else { continue };
        if value == 0 {
            continue;
        }
        for (i, &name) in stack.iter().enumerate() {
            let joint = if i == 0 { "" } else { ";" };
            write!(out, "{joint}{}", names.texts[name as usize])?;
        }
        writeln!(out, " {value}")?;
    }
    Ok(())
}

/// Frames as they are printed, each text once.
#[derive(Default)]
struct Names<'a> {
    texts: Vec<String>,
    numbers: HashMap<String, u32>,
    /// Name and whether it was inlined → number.
    known: HashMap<(&'a str, bool), u32>,
}

impl<'a> Names<'a> {
    fn number(&mut self, name: &'a str, is_inlined: bool) -> u32 {
        let Names { texts, numbers, known } = self;
        *known.entry((name, is_inlined)).or_insert_with(|| {
            // The format gives `;` and line ends a meaning.
            let plain = name.replace(';', ":").replace(char::is_control, " ");
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
    use crate::report::Trace;

    #[test]
    fn lines_are_in_the_order_of_their_texts_and_equal_ones_are_added_up() {
        let stacks = ["a", "a;b", "a b;c", "a;b", "a", "a:b", "a:;b", "b;a", "a;b;c", "é;a", "a-;b"];
        let trace = |stack: &&str| {
            let frames: Vec<_> = stack.split(';').rev().map(Into::into).collect();
            Trace { value: 1, labels: Vec::new(), inlined: vec![0; frames.len()], frames }
        };
        let report = TracesReport { trace: stacks.iter().map(trace).collect(), ..TracesReport::default() };
        let mut out = Vec::new();
        folded(&report, &mut out).unwrap();
        let mut sums = std::collections::BTreeMap::new();
        stacks.iter().for_each(|stack| *sums.entry(*stack).or_insert(0) += 1);
        let want: String = sums.iter().map(|(stack, value)| format!("{stack} {value}\n")).collect();
        assert_eq!(String::from_utf8(out).unwrap(), want);
    }
}
