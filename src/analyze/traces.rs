//! Stack by stack.

use super::Answer;
use super::shape::NONE;
use super::weigh::cancelled;
use crate::id::LabelSetId;
use crate::profile::LabelValue;
use crate::query::QueryError;
use crate::report::{Trace, TracesReport};
use crate::units;

/// Every row that passes the filters; with a base each side is a trace of its own, the
/// base's with its sign turned. O(rows × depth).
pub(super) fn traces(answer: &Answer) -> Result<TracesReport, QueryError> {
    let Answer { profile, shape, weights, view } = answer;
    let cancelled = cancelled(profile, &view.weight)?;
    let mut report = TracesReport::default();
    for (row, &[value, base]) in weights.row.iter().enumerate() {
        let node = shape.node_of_row[row];
        if !weights.passes[row] || cancelled[row] || node == NONE || node == 0 {
            continue;
        }
        let (mut frames, mut inlined) = (Vec::new(), Vec::new());
        let mut at = node;
        while at != 0 {
            frames.push(shape.keys.row[shape.key[at as usize] as usize].name.clone());
            inlined.push(u8::from(shape.inlined[at as usize]));
            at = shape.parent[at as usize];
        }
        let labels = labels(answer, profile.samples().labels[row]);
        let split = view.weight.diff_base.is_some();
        let net = value.saturating_sub(base);
        let sides = if split { vec![value, base.saturating_neg()] } else { vec![net] };
        // A dump that has nothing of the stack has no trace of it.
        for value in sides.into_iter().filter(|&v| v != 0 || !split) {
            report.trace.push(Trace { value, labels: labels.clone(), frames: frames.clone(), inlined: inlined.clone() });
        }
    }
    report.header = answer.header();
    report.header.n_shown = report.trace.len();
    report.header.n_total = report.trace.len();
    report.header.shown = weights.sum[0].saturating_sub(weights.sum[1]);
    Ok(report)
}

/// Keys with their values as text: texts first, then numbers, each by key.
fn labels(answer: &Answer, set: LabelSetId) -> Vec<(String, String)> {
    let profile = answer.profile;
    let mut lists: [Vec<(String, String)>; 2] = [Vec::new(), Vec::new()];
    for label in profile.labels().get(set) {
        let key = profile.text(label.key);
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
