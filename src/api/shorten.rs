//! What is left out of answers that would be too long: rows that a filter finds, text that follows from other text.

use std::collections::{BTreeMap, BTreeSet};

use crate::report::{FlameReport, Report, SourceEntry, SourceReport};

/// Most values of one label sent; a filter finds the others.
const LABEL_VALUES: usize = 1000;

/// Most source files sent, as on pprof's page.
const FILES: usize = 50;

/// Most source files in a file to keep.
const FILES_KEPT: usize = 1000;

/// Length of an answer about source lines that the page shows, bytes.
const LONGEST: usize = 500_000;

/// Leaves the lightest parts out of an answer that would be hundreds of megabytes.
pub(super) fn shorten(report: &mut Report, for_page: bool) {
    match report {
        Report::Tags(tags) => tags.tag.iter_mut().for_each(|tag| tag.values.truncate(LABEL_VALUES)),
        Report::Source(source) => keep_heaviest_files(source, if for_page { FILES } else { FILES_KEPT }),
        _ => {}
    }
}

/// Removes half of a flame graph's bytes, which the page needs only for single boxes: ids follow from names, and generic
/// arguments are in the answer about a function.
pub(super) fn lighten(flame: &mut FlameReport) {
    // Open boxes are named by their ids.
    if flame.closed.is_empty() {
        flame.id.truncate(1);
    }
    flame.row.iter_mut().for_each(|row| row.full_name.clear());
}

/// Whether an answer about source lines is longer than the page wants it.
pub(super) fn is_too_long(body: &[u8]) -> bool {
    body.len() > LONGEST
}

/// Leaves text, code and calls to the heaviest function of an answer about source lines; returns whether there was another.
pub(super) fn leave_heaviest(report: &mut Report) -> bool {
    let Report::Source(source) = report else { return false };
    let Some(heaviest) = source.entry.iter().map(SourceEntry::weight).max() else { return false };
    let first = source.entry.iter().position(|entry| entry.weight() == heaviest);
    let others = source.entry.iter_mut().enumerate().filter(|(i, entry)| Some(*i) != first && !entry.lines.number.is_empty());
    let n = others.map(|(_, entry)| clear(entry)).count();
    source.header.warnings.push("showing lines of the heaviest function only; use a narrower regexp for the others".into());
    n > 0
}

/// Leaves nothing of a function but its name and sums.
fn clear(entry: &mut SourceEntry) {
    let problem = "omitted: the response is already long; use a narrower regexp".into();
    let (lines, call, step, code) = Default::default();
    *entry = SourceEntry { lines, call, step, code, problem, ..std::mem::take(entry) };
}

/// Removes all but the heaviest `most` files from a report, with their data.
pub fn keep_heaviest_files(report: &mut SourceReport, most: usize) {
    let mut weight: BTreeMap<&str, [i64; 2]> = BTreeMap::new();
    for entry in &report.entry {
        let [flat, cum] = weight.entry(&entry.file).or_default();
        *flat = flat.saturating_add(entry.flat.saturating_sub(entry.flat_base).saturating_abs());
        *cum = (*cum).max(entry.weight());
    }
    let n = weight.len();
    if n <= most {
        return;
    }
    let mut files: Vec<(&str, [i64; 2])> = weight.into_iter().collect();
    files.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let kept: BTreeSet<String> = files[..most].iter().map(|(file, _)| (*file).to_owned()).collect();
    report.entry.retain(|entry| kept.contains(&entry.file));
    report.header.n_shown = report.entry.len();
    report.header.warnings.push(format!("showing the heaviest {most} of {n} files; use a narrower regexp for the others"));
}
