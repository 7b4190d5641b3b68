//! Stack by stack.

use std::sync::Arc;

use super::Answer;
use super::keys::RowTexts;
use super::shape::NONE;
use super::weigh::present;
use crate::cancel;
use crate::hash::HashMap;
use crate::id::{LabelSetId, StrId};
use crate::pair::{net, quotient};
use crate::profile::{LabelValue, Stacks};
use crate::report::{SharedFrame, StoredTrace, Traces, TracesReport};
use crate::units;

/// Every row that passes the filters, in the profile's order, or the heaviest ones when the
/// view asks for a number; with a base each side is a trace of its own, the
/// base's with its sign turned. O(rows × depth).
pub(super) fn traces(answer: &Answer) -> TracesReport {
    let Answer { profile, shape, weights, view, .. } = answer;
    let mut report = TracesReport::default();
    // What has no stack is no trace; what is folded away is.
    let has_stack = |row: usize| shape.node_of_row[row] != 0 || profile.samples().stack[row] != Stacks::ROOT;
    let shown = |row: &usize| weights.passes[*row] && shape.node_of_row[*row] != NONE && has_stack(*row);
    let mut rows: Vec<usize> = (0..weights.row.len()).filter(shown).collect();
    let n_total = rows.len();
    let most = view.nodecount();
    if most > 0 && most < rows.len() {
        rows.sort_by_key(|&row| (net(weights.row[row]).saturating_abs().wrapping_neg(), row));
        rows.truncate(most);
    }
    let mut stacks = SharedStacks::new(answer);
    let mut labels = LabelTexts { answer, texts: RowTexts::new(profile), known: HashMap::default() };
    let mut is_cut = false;
    let split = view.weight.diff_base.is_some();
    let present = split.then(|| present(profile, view));
    // As pprof does, which puts the base behind what it is compared with.
    'sides: for side in 0..if split { 2 } else { 1 } {
        for &row in rows.iter().filter(|&&row| present.as_ref().is_none_or(|present| present[row][side])) {
            let by = weights.divisor.as_ref().map_or([0; 2], |divisor| divisor.row[row]);
            let [value, base] = weights.row[row];
            let value = match (split, side) {
                (false, _) => quotient(net([value, base]), net(by)),
                (true, 0) => quotient(value, by[0]),
                (true, _) => quotient(base.saturating_neg(), by[1].saturating_neg()),
            };
            let labels = labels.of(profile.samples().labels[row], side == 1);
            let leaf = stacks.leaf(shape.node_of_row[row]);
            is_cut = stacks.are_too_many();
            if is_cut {
                break 'sides;
            }
            cancel::charge(size_of::<StoredTrace>());
            stacks.traces.add(StoredTrace { value, labels, leaf });
        }
    }
    report.trace = stacks.traces;
    report.header = answer.header();
    report.header.n_shown = report.trace.len();
    if is_cut {
        let shown = report.trace.len();
        report.header.warnings.push(format!("only the first {shown} stacks are shown: the others have too many inlined frames"));
    }
    report.header.n_total = n_total;
    report.header.shown = weights.sum[0].saturating_sub(weights.sum[1]);
    report
}

/// Frames of all traces that any profile may have, and inlined ones for each that is not: a location with many
/// inlined frames costs a file some bytes for each stack through it, and a report all of the frames.
const FREE_FRAMES: usize = 1 << 21;
const FRAMES_PER_CALL: usize = 4;

/// Stacks of the traces so far.
struct SharedStacks<'a> {
    answer: &'a Answer<'a>,
    traces: Traces,
    /// Key → its name.
    names: Vec<Option<Arc<str>>>,
    /// Node → its frame.
    frame_of_node: Vec<Option<Depth>>,
    /// The frame of traces of which everything is folded away.
    folded: Option<u32>,
    /// Frames of all traces so far, and those that were not inlined.
    n_frames: usize,
    n_calls: usize,
}

/// A frame, and how many there are from it to the root.
#[derive(Clone, Copy)]
struct Depth {
    frame: u32,
    n_frames: u32,
    n_calls: u32,
}

impl<'a> SharedStacks<'a> {
    fn new(answer: &'a Answer<'a>) -> Self {
        let shape = answer.shape;
        let (names, frame_of_node) = (vec![None; shape.keys.len()], vec![None; shape.len()]);
        SharedStacks { answer, traces: Traces::default(), names, frame_of_node, folded: None, n_frames: 0, n_calls: 0 }
    }

    /// The frame of a node; those of its callers are made, too. O(new frames).
    fn leaf(&mut self, node: u32) -> u32 {
        let shape = self.answer.shape;
        if node == 0 {
            // All of it is of kinds that are folded away.
            let folded = || SharedFrame { name: "<folded>".into(), caller: None, inlined: false };
            return *self.folded.get_or_insert_with(|| self.traces.add_frame(folded()));
        }
        let mut new = Vec::new();
        let mut at = node;
        while at != 0 && self.frame_of_node[at as usize].is_none() {
            new.push(at);
            at = shape.parent[at as usize];
        }
        let mut caller = self.frame_of_node[at as usize];
        for &node in new.iter().rev() {
            let (key, inlined) = (shape.key[node as usize], shape.inlined[node as usize]);
            let name = self.names[key as usize].get_or_insert_with(|| {
                let name = shape.keys.name(key);
                cancel::charge(name.len());
                name.into()
            });
            cancel::charge(size_of::<SharedFrame>());
            let frame = SharedFrame { name: name.clone(), caller: caller.map(|caller| caller.frame), inlined };
            let (n_frames, n_calls) = caller.map_or((0, 0), |caller| (caller.n_frames, caller.n_calls));
            let next = Depth { frame: self.traces.add_frame(frame), n_frames: n_frames + 1, n_calls: n_calls + u32::from(!inlined) };
            self.frame_of_node[node as usize] = Some(next);
            caller = Some(next);
        }
        let Some(leaf) = caller else { return 0 };
        self.n_frames += leaf.n_frames as usize;
        self.n_calls += leaf.n_calls as usize;
        leaf.frame
    }

    fn are_too_many(&self) -> bool {
        self.n_frames > FREE_FRAMES + FRAMES_PER_CALL * self.n_calls
    }
}

/// Keys with their values as text.
type Pairs = Vec<(String, String)>;

/// Labels of at most this many bytes are never cut off.
const SHORT_LABELS: usize = 1000;

/// Labels of traces, made once for each set.
struct LabelTexts<'a> {
    answer: &'a Answer<'a>,
    texts: RowTexts<'a>,
    known: HashMap<(LabelSetId, bool), Arc<[(String, String)]>>,
}

impl LabelTexts<'_> {
    /// The texts of a set, then its numbers, each by key; those of the base say so.
    fn of(&mut self, set: LabelSetId, is_base: bool) -> Arc<[(String, String)]> {
        let n_bytes = |labels: &[(String, String)]| labels.iter().map(|(key, value)| key.len() + value.len()).sum::<usize>();
        // Long texts are cut off in later traces, as where each trace has its own.
        if let Some(known) = self.known.get(&(set, is_base))
            && (n_bytes(known) <= SHORT_LABELS || self.texts.repeat(n_bytes(known)))
        {
            return known.clone();
        }
        let [mut texts, numbers] = self.lists(set);
        if is_base {
            texts.push(("pprof::base".into(), "true".into()));
            sort(&mut texts);
        }
        let labels: Arc<[(String, String)]> = [texts, numbers].concat().into();
        cancel::charge(n_bytes(&labels));
        self.known.insert((set, is_base), labels.clone());
        labels
    }

    fn lists(&mut self, set: LabelSetId) -> [Pairs; 2] {
        let Answer { profile, view, .. } = self.answer;
        let mut lists: [Pairs; 2] = [Vec::new(), Vec::new()];
        // Key and list → place in the list.
        let mut known: HashMap<(StrId, usize), usize> = HashMap::default();
        for label in profile.labels().get(set) {
            let key = profile.text(label.key);
            if !view.cut.shows_label(key) {
                continue;
            }
            let (list, text) = match label.value {
                LabelValue::Text(text) => (0, self.texts.take(text)),
                LabelValue::Number(n, unit) => (1, units::label(n, super::tags::unit_of(key, profile.text(unit)), "auto")),
            };
            let next = lists[list].len();
            let at = *known.entry((label.key, list)).or_insert(next);
            match lists[list].get_mut(at) {
                Some((_, texts)) => {
                    texts.push(' ');
                    texts.push_str(&text);
                }
                None => lists[list].push((self.texts.take(label.key), text)),
            }
        }
        lists.iter_mut().for_each(|list| sort(list));
        lists
    }
}

/// As pprof prints them, keys to the right: short keys first.
fn sort(labels: &mut [(String, String)]) {
    if labels.len() > 1 {
        labels.sort_by_cached_key(|(key, value)| format!("{key:>10}:  {value}"));
    }
}
