//! Recordings as a whole, and the moment that values are from.

use std::cmp::Reverse;

use super::suppressions::Suppressions;
use crate::analyze::tree::chosen::Chosen;
use crate::base::hash::HashMap;
use crate::base::id::{LabelSetId, StrId};
use crate::base::units;
use crate::profile::{LabelValue, MomentKind, Profile, RunSummary};
use crate::query::View;
use crate::report::{RunBlocks, RunGroupReport, RunReport};

/// Nanoseconds as a phrase, such as `2.25s`; whole milliseconds, which is what recorders write.
fn duration(nanos: i64) -> String {
    match nanos / 1_000_000 {
        0 => "0ms".to_owned(),
        millis => units::label(millis, "milliseconds", "auto"),
    }
}

/// When the values of a type are from; empty if that is not one moment of a recording. O(dumps).
pub(super) fn value_note(profile: &Profile, view: &View, kind: &str) -> String {
    if profile.meta().runs.is_empty() {
        return String::new();
    }
    let shown = Chosen::new(profile, &view.weight).map_or(Vec::new(), |chosen| chosen.value);
    let [dump] = shown[..] else { return String::new() };
    let dump = &profile.dumps()[dump];
    let kind = kind.split('_').next().unwrap_or_default();
    let (at, place) = match (dump.moment, run_of(profile, &dump.name)) {
        (Some(moment), _) => (moment.at, moment.kind),
        (None, Some(run)) if kind == "peak" => (run.peak_nanos, MomentKind::Peak),
        (None, Some(run)) => (run.duration_nanos, MomentKind::End),
        (None, None) => return String::new(),
    };
    let (at, is_in_use) = (duration(at), matches!(kind, "peak" | "inuse"));
    match (kind, place) {
        _ if is_in_use && place == MomentKind::Peak => format!("in use at the peak, after {at}"),
        _ if is_in_use && place == MomentKind::End => format!("in use at the end, after {at}"),
        _ if is_in_use => format!("in use after {at}"),
        ("alloc", _) => format!("allocated in the first {at}"),
        ("temp", _) => format!("allocated and freed at once in the first {at}"),
        _ => String::new(),
    }
}

/// The recording of this name.
fn run_of<'a>(profile: &'a Profile, name: &str) -> Option<&'a RunSummary> {
    profile.meta().runs.iter().find(|run| run.name == name)
}

/// Facts about each recording that is shown. O(rows × recordings + texts × rules).
pub(super) fn runs(profile: &Profile, view: &View) -> Vec<RunReport> {
    if profile.meta().runs.is_empty() {
        return Vec::new();
    }
    let shown = Chosen::new(profile, &view.weight).map_or(Vec::new(), |chosen| chosen.value);
    let whole = shown.into_iter().filter(|dump| profile.dumps()[*dump].moment.is_none());
    whole.filter_map(|dump| run_of(profile, &profile.dumps()[dump].name).map(|run| to_report(profile, dump, run))).collect()
}

fn to_report(profile: &Profile, dump: usize, run: &RunSummary) -> RunReport {
    let column = |kind: &str| {
        let value_type = profile.value_types().iter().position(|t| t.kind == kind);
        value_type.map_or_else(|| vec![0; profile.samples().len()], |value_type| profile.values(dump, value_type))
    };
    let hidden = Suppressions::new(&run.suppressions).apply(profile, &column("inuse_objects"), &column("inuse_space"));
    let seconds = run.duration_nanos as f64 / 1e9;
    RunReport {
        name: run.name.clone(),
        recorder: run.recorder.clone(),
        command: run.command.clone(),
        is_attached: run.is_attached,
        duration_nanos: run.duration_nanos,
        allocations: run.allocated.objects,
        allocations_per_second: if seconds > 0.0 { run.allocated.objects as f64 / seconds } else { 0.0 },
        temporary: run.temporary.objects,
        is_temporary_exact: run.is_temporary_exact,
        peak_bytes: run.peak.bytes,
        peak_nanos: run.peak_nanos,
        peak_rss: run.peak_rss,
        is_rss_of_program: run.is_rss_of_program,
        system_memory: run.system_memory,
        end_objects: run.end.objects.saturating_sub(hidden.objects),
        end_bytes: run.end.bytes.saturating_sub(hidden.bytes),
        suppressed_bytes: hidden.bytes,
        suppression: hidden.rules,
        group: GROUPS.iter().flat_map(|key| groups(profile, key, &column)).collect(),
        blocks: RunBlocks::default(),
    }
}

/// Labels by which recordings divide memory.
const GROUPS: [&str; 2] = ["pool", "zone"];

/// Most values of each.
const MOST_GROUPS: usize = 8;

/// Memory by the values of a label, the most at the peak first. `column`: values of a type by row. O(rows + values log values).
fn groups(profile: &Profile, key: &str, column: &impl Fn(&str) -> Vec<i64>) -> Vec<RunGroupReport> {
    let labels = profile.labels();
    let mut of_set: HashMap<LabelSetId, Option<StrId>> = HashMap::default();
    let mut value_of = |set: LabelSetId| {
        *of_set.entry(set).or_insert_with(|| {
            labels.get(set).iter().find_map(|label| match label.value {
                LabelValue::Text(text) if profile.text(label.key) == key => Some(text),
                _ => None,
            })
        })
    };
    let values: Vec<Option<StrId>> = profile.samples().labels.iter().map(|set| value_of(*set)).collect();
    if values.iter().all(Option::is_none) {
        return Vec::new();
    }
    let mut sums: HashMap<StrId, [i64; 4]> = HashMap::default();
    for (place, kind) in ["alloc_objects", "alloc_space", "peak_space", "inuse_space"].into_iter().enumerate() {
        for (text, value) in values.iter().zip(column(kind)) {
            let Some(text) = text else { continue };
            let sum = &mut sums.entry(*text).or_default()[place];
            *sum = sum.saturating_add(value);
        }
    }
    let mut sums: Vec<(&str, [i64; 4])> = sums.into_iter().map(|(text, sums)| (profile.text(text), sums)).collect();
    // Runs of a series share rows.
    sums.retain(|(_, sums)| sums[0] > 0);
    sums.sort_unstable_by_key(|(text, [_, allocated, peak, _])| (Reverse((*peak, *allocated)), *text));
    let report = |(text, [allocations, allocated_bytes, peak_bytes, end_bytes]): (&str, [i64; 4])| {
        let (label, value) = (key.to_owned(), text.to_owned());
        RunGroupReport { label, value, allocations, allocated_bytes, peak_bytes, end_bytes }
    };
    sums.into_iter().take(MOST_GROUPS).map(report).collect()
}
