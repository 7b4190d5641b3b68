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
use crate::report::{Trace, TracesReport};
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
    let mut names = Names { answer, known: vec![None; shape.keys.len()], n_frames: 0, n_calls: 0 };
    let mut texts = RowTexts::new(profile);
    let mut is_cut = false;
    let split = view.weight.diff_base.is_some();
    let present = split.then(|| present(profile, view));
    // As pprof does, which puts the base behind what it is compared with.
    for side in 0..if split { 2 } else { 1 } {
        for &row in rows.iter().filter(|&&row| present.as_ref().is_none_or(|present| present[row][side])) {
            let by = weights.divisor.as_ref().map_or([0; 2], |divisor| divisor.row[row]);
            let [value, base] = weights.row[row];
            let value = match (split, side) {
                (false, _) => quotient(net([value, base]), net(by)),
                (true, 0) => quotient(value, by[0]),
                (true, _) => quotient(base.saturating_neg(), by[1].saturating_neg()),
            };
            let mut labels = labels(answer, profile.samples().labels[row], &mut texts);
            if side == 1 {
                labels.0.push(("pprof::base".into(), "true".into()));
                sort(&mut labels.0);
            }
            let (mut frames, mut inlined) = names.frames(shape.node_of_row[row]);
            is_cut = names.are_too_many();
            if is_cut {
                break;
            }
            if frames.is_empty() {
                // All of it is of kinds that are folded away.
                (frames, inlined) = (vec!["<folded>".into()], vec![0]);
            }
            report.trace.push(Trace { value, labels: [labels.0, labels.1].concat(), frames, inlined });
        }
    }
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

/// Names of frames, each made once.
struct Names<'a> {
    answer: &'a Answer<'a>,
    /// Key → its name.
    known: Vec<Option<Arc<str>>>,
    /// Frames of all traces so far, and those that were not inlined.
    n_frames: usize,
    n_calls: usize,
}

impl Names<'_> {
    /// Frames from a node to the root, and which of them were inlined.
    fn frames(&mut self, node: u32) -> (Vec<Arc<str>>, Vec<u8>) {
        let shape = self.answer.shape;
        let (mut frames, mut inlined) = (Vec::new(), Vec::new());
        let mut at = node;
        while at != 0 {
            let key = shape.key[at as usize];
            let name = self.known[key as usize].get_or_insert_with(|| {
                let name = shape.keys.name(key);
                cancel::charge(name.len());
                name.into()
            });
            frames.push(name.clone());
            cancel::charge(size_of::<Arc<str>>());
            inlined.push(u8::from(shape.inlined[at as usize]));
            at = shape.parent[at as usize];
        }
        self.n_frames += frames.len();
        self.n_calls += inlined.iter().filter(|&&inlined| inlined == 0).count();
        (frames, inlined)
    }

    fn are_too_many(&self) -> bool {
        self.n_frames > FREE_FRAMES + FRAMES_PER_CALL * self.n_calls
    }
}

/// Keys with their values as text.
type Pairs = Vec<(String, String)>;

/// The texts of a set, then its numbers, each by key.
fn labels(answer: &Answer, set: LabelSetId, shared: &mut RowTexts<'_>) -> (Pairs, Pairs) {
    let profile = answer.profile;
    let mut lists: [Pairs; 2] = [Vec::new(), Vec::new()];
    // Key and list → place in the list.
    let mut known: HashMap<(StrId, usize), usize> = HashMap::default();
    for label in profile.labels().get(set) {
        let key = profile.text(label.key);
        if !answer.view.cut.shows_label(key) {
            continue;
        }
        let (list, text) = match label.value {
            LabelValue::Text(text) => (0, shared.take(text)),
            LabelValue::Number(n, unit) => (1, units::label(n, super::tags::unit_of(key, profile.text(unit)), "auto")),
        };
        let next = lists[list].len();
        let at = *known.entry((label.key, list)).or_insert(next);
        match lists[list].get_mut(at) {
            Some((_, texts)) => {
                texts.push(' ');
                texts.push_str(&text);
            }
            None => lists[list].push((shared.take(label.key), text)),
        }
    }
    lists.iter_mut().for_each(|list| sort(list));
    let [texts, numbers] = lists;
    (texts, numbers)
}

/// As pprof prints them, keys to the right: short keys first.
fn sort(labels: &mut [(String, String)]) {
    if labels.len() > 1 {
        labels.sort_by_cached_key(|(key, value)| format!("{key:>10}:  {value}"));
    }
}
