//! Stack by stack.

use super::Answer;
use super::shape::NONE;
use super::weigh::{net, quotient};
use crate::id::LabelSetId;
use crate::profile::LabelValue;
use crate::report::{Trace, TracesReport};
use crate::units;

/// Every row that passes the filters, in the profile's order, or the heaviest ones when the
/// view asks for a number; with a base each side is a trace of its own, the
/// base's with its sign turned. O(rows × depth).
pub(super) fn traces(answer: &Answer) -> TracesReport {
    let Answer { profile, shape, weights, view } = answer;
    let mut report = TracesReport::default();
    let shown = |row: &usize| weights.passes[*row] && !matches!(shape.node_of_row[*row], 0 | NONE);
    let mut rows: Vec<usize> = (0..weights.row.len()).filter(shown).collect();
    let n_total = rows.len();
    let most = view.nodecount();
    if most > 0 && most < rows.len() {
        rows.sort_by_key(|&row| (net(weights.row[row]).saturating_abs().wrapping_neg(), row));
        rows.truncate(most);
    }
    for row in rows {
        let [value, base] = weights.row[row];
        let node = shape.node_of_row[row];
        let (mut frames, mut inlined) = (Vec::new(), Vec::new());
        let mut at = node;
        while at != 0 {
            frames.push(shape.keys.name(shape.key[at as usize]).to_owned());
            inlined.push(u8::from(shape.inlined[at as usize]));
            at = shape.parent[at as usize];
        }
        let labels = labels(answer, profile.samples().labels[row]);
        let split = view.weight.diff_base.is_some();
        let by = weights.divisor.as_ref().map_or([0; 2], |divisor| divisor.row[row]);
        let mean = quotient(net([value, base]), net(by));
        let (value, base) = (quotient(value, by[0]), quotient(base, by[1]));
        let sides = if split { vec![value, base.saturating_neg()] } else { vec![mean] };
        // A dump that has nothing of the stack has no trace of it.
        for value in sides.into_iter().filter(|&v| v != 0 || !split) {
            report.trace.push(Trace { value, labels: labels.clone(), frames: frames.clone(), inlined: inlined.clone() });
        }
    }
    report.header = answer.header();
    report.header.n_shown = report.trace.len();
    report.header.n_total = n_total;
    report.header.shown = weights.sum[0].saturating_sub(weights.sum[1]);
    report
}

/// Keys with their values as text: texts first, then numbers, each by key.
fn labels(answer: &Answer, set: LabelSetId) -> Vec<(String, String)> {
    let profile = answer.profile;
    let mut lists: [Vec<(String, String)>; 2] = [Vec::new(), Vec::new()];
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
    lists.iter_mut().for_each(|l| l.sort());
    lists.concat()
}
