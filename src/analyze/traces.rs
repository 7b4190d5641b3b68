//! Stack by stack.

use super::Answer;
use super::shape::NONE;
use super::weigh::present;
use crate::cancel;
use crate::id::LabelSetId;
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
            let mut labels = labels(answer, profile.samples().labels[row]);
            if side == 1 {
                labels.0.push(("pprof::base".into(), "true".into()));
                sort(&mut labels.0);
            }
            let (mut frames, mut inlined) = frames(answer, shape.node_of_row[row]);
            if frames.is_empty() {
                // All of it is of kinds that are folded away.
                (frames, inlined) = (vec!["<folded>".to_owned()], vec![0]);
            }
            report.trace.push(Trace { value, labels: [labels.0, labels.1].concat(), frames, inlined });
        }
    }
    report.header = answer.header();
    report.header.n_shown = report.trace.len();
    report.header.n_total = n_total;
    report.header.shown = weights.sum[0].saturating_sub(weights.sum[1]);
    report
}

/// The way from a node to the root, and what of it was inlined.
fn frames(answer: &Answer, node: u32) -> (Vec<String>, Vec<u8>) {
    let Answer { shape, .. } = answer;
    let (mut frames, mut inlined) = (Vec::new(), Vec::new());
    let mut at = node;
    while at != 0 {
        let name = shape.keys.name(shape.key[at as usize]);
        cancel::charge(size_of::<String>() + name.len());
        frames.push(name.to_owned());
        inlined.push(u8::from(shape.inlined[at as usize]));
        at = shape.parent[at as usize];
    }
    (frames, inlined)
}

/// Keys with their values as text.
type Pairs = Vec<(String, String)>;

/// The texts of a set, then its numbers, each by key.
fn labels(answer: &Answer, set: LabelSetId) -> (Pairs, Pairs) {
    let profile = answer.profile;
    let mut lists: [Pairs; 2] = [Vec::new(), Vec::new()];
    for label in profile.labels().get(set) {
        let key = profile.text(label.key);
        if !answer.view.cut.shows_label(key) {
            continue;
        }
        let (list, text) = match label.value {
            LabelValue::Text(text) => (0, profile.text(text).to_owned()),
            LabelValue::Number(n, unit) => (1, units::label(n, super::tags::unit_of(key, profile.text(unit)), "auto")),
        };
        match lists[list].iter_mut().find(|(k, _)| k == key) {
            Some((_, texts)) => *texts = format!("{texts} {text}"),
            None => lists[list].push((key.to_owned(), text)),
        }
    }
    lists.iter_mut().for_each(|list| sort(list));
    let [texts, numbers] = lists;
    (texts, numbers)
}

/// As pprof prints them, keys to the right: short keys first.
fn sort(labels: &mut [(String, String)]) {
    labels.sort_by_cached_key(|(key, value)| format!("{key:>10}:  {value}"));
}
