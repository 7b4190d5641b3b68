//! Stacks as `root;…;leaf value` lines, for flame graph tools; `_[i]` marks inlined frames.

use std::io::{self, Write};

use crate::hash::HashMap;
use crate::report::{Traces, TracesReport};

/// Equal stacks are added up; lines come in alphabetical order. Memory grows with the tree of frames: lines
/// are made one after the other.
pub(super) fn folded(report: &TracesReport, out: &mut dyn Write) -> io::Result<()> {
    let tree = Tree::new(&report.trace);
    // Of the part of the line that is written: its nodes.
    let mut line: Vec<u32> = Vec::new();
    let mut parts = tree.parts(Tree::ROOT);
    parts.reverse();
    while let Some(part) = parts.pop() {
        line.truncate(part.depth);
        line.push(part.node);
        if part.is_end {
            for (i, &node) in line.iter().enumerate() {
                let joint = if i == 0 { "" } else { ";" };
                write!(out, "{joint}{}", tree.text(node))?;
            }
            writeln!(out, " {}", tree.nodes[part.node as usize].value)?;
        } else {
            let at = parts.len();
            parts.extend(tree.parts(part.node).into_iter().map(|below| Part { depth: part.depth + 1, ..below }));
            parts[at..].reverse();
        }
    }
    Ok(())
}

/// Stacks by the texts of their frames.
struct Tree {
    nodes: Vec<Node>,
    texts: Vec<String>,
}

struct Node {
    text: u32,
    value: i64,
    children: Vec<u32>,
}

/// Lines with the same beginning: the one that ends in `node`, or those that go on below it.
struct Part {
    node: u32,
    depth: usize,
    is_end: bool,
}

impl Tree {
    const ROOT: u32 = 0;

    /// O(frames + traces).
    fn new(traces: &Traces) -> Self {
        let (mut texts, mut numbers, mut known) = (Vec::new(), HashMap::default(), HashMap::default());
        let mut nodes = vec![Node { text: 0, value: 0, children: Vec::new() }];
        let mut children: HashMap<(u32, u32), u32> = HashMap::default();
        let mut node_of_frame: Vec<u32> = Vec::with_capacity(traces.frames().len());
        for frame in traces.frames() {
            let text = *known.entry((&*frame.name, frame.inlined)).or_insert_with(|| {
                let text = printed(&frame.name, frame.inlined);
                *numbers.entry(text.clone()).or_insert_with(|| {
                    texts.push(text);
                    texts.len() as u32 - 1
                })
            });
            let caller = frame.caller.map_or(Self::ROOT, |caller| node_of_frame[caller as usize]);
            let node = *children.entry((caller, text)).or_insert_with(|| {
                nodes.push(Node { text, value: 0, children: Vec::new() });
                let node = nodes.len() as u32 - 1;
                nodes[caller as usize].children.push(node);
                node
            });
            node_of_frame.push(node);
        }
        for trace in traces.stored() {
            let value = &mut nodes[node_of_frame[trace.leaf as usize] as usize].value;
            *value = value.saturating_add(trace.value);
        }
        Tree { nodes, texts }
    }

    fn text(&self, node: u32) -> &str {
        &self.texts[self.nodes[node as usize].text as usize]
    }

    /// What goes on below a node, in the order of the lines as texts: `;` counts as a letter of the name before it.
    fn parts(&self, node: u32) -> Vec<Part> {
        let of = |&child: &u32| {
            let Node { value, children, .. } = &self.nodes[child as usize];
            let part = |is_end| Part { node: child, depth: 0, is_end };
            let ends = (*value != 0).then(|| part(true));
            ends.into_iter().chain((!children.is_empty()).then(|| part(false)))
        };
        let mut parts: Vec<Part> = self.nodes[node as usize].children.iter().flat_map(of).collect();
        let letters = |part: &Part| self.text(part.node).bytes().chain((!part.is_end).then_some(b';'));
        parts.sort_by(|a, b| letters(a).cmp(letters(b)));
        parts
    }
}

/// A frame as the format has it: `;` and line ends mean something else there.
fn printed(name: &str, is_inlined: bool) -> String {
    let plain = name.replace(';', ":").replace(char::is_control, " ");
    if is_inlined { plain + "_[i]" } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{SharedFrame, StoredTrace};

    #[test]
    fn lines_are_in_the_order_of_their_texts_and_equal_ones_are_added_up() {
        let stacks = ["a", "a;b", "a b;c", "a;b", "a", "a:b", "a:;b", "b;a", "a;b;c", "é;a", "a-;b"];
        let mut trace = Traces::default();
        for stack in stacks {
            let caller = stack
                .split(';')
                .fold(None, |caller, name| Some(trace.add_frame(SharedFrame { name: name.into(), caller, inlined: false })));
            trace.add(StoredTrace { value: 1, labels: [].into(), leaf: caller.unwrap() });
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
