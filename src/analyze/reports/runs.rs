//! Recordings as a whole, and the moment that values are from.

use std::cmp::Reverse;

use super::recorder_pairs;
use super::suppressions::Suppressions;
use crate::analyze::tree::chosen::Chosen;
use crate::base::hash::HashMap;
use crate::base::id::{LabelSetId, StrId};
use crate::profile::{LabelValue, Moment, MomentKind, Profile, RunPoint, RunSummary};
use crate::query::View;
use crate::report::{MomentReport, RunBlocks, RunGroupReport, RunReport};

/// When the values of a type are from; empty if that is not one moment of a recording, or two moments of one. O(dumps).
pub(super) fn value_note(profile: &Profile, view: &View, kind: &str) -> String {
    if profile.meta().runs.is_empty() {
        return String::new();
    }
    let Ok(chosen) = Chosen::new(profile, &view.weight) else { return String::new() };
    let kind = kind.split('_').next().unwrap_or_default();
    let at = |dumps: &[usize]| match dumps {
        [dump] => moment_of_values(profile, *dump, kind),
        _ => None,
    };
    let Some((run, moment)) = at(&chosen.value) else { return String::new() };
    if kind == "max" && chosen.base.is_empty() {
        return "the most of each stack, at different times: no sum of these was ever in use".to_owned();
    }
    let what = match kind {
        "peak" | "inuse" | "total" => "in use",
        "mapped" => "mapped",
        "alloc" => "allocated",
        "temp" => "allocated and freed at once",
        _ => return String::new(),
    };
    let label = |at: i64| run.clock.label(at);
    if !chosen.base.is_empty() {
        return match at(&chosen.base) {
            Some((other, base)) if std::ptr::eq(run, other) => format!("{what}, from {} to {}", label(base.at), label(moment.at)),
            _ => String::new(),
        };
    }
    let (at, whole) = (label(moment.at), label(run.duration));
    match (what, moment.kind) {
        ("in use" | "mapped", MomentKind::Peak) if !moment.has_time() => format!("{what} at the peak"),
        ("in use" | "mapped", MomentKind::Peak) => format!("{what} at the peak, {at} of {whole}"),
        ("in use" | "mapped", MomentKind::End) => format!("{what} at the end, after {at}"),
        ("in use" | "mapped", MomentKind::Sampled) => format!("{what} at {at} of {whole}"),
        (_, MomentKind::End) => format!("{what} in {at}"),
        _ => format!("{what} in the first {at} of {whole}"),
    }
}

/// What to know when a recording is compared with one of another recorder or with dumps of an allocator, a sentence each. O(size).
pub(super) fn pair_warnings(profile: &Profile, view: &View, kind: &str) -> Vec<String> {
    if profile.meta().runs.is_empty() {
        return Vec::new();
    }
    let Ok(chosen) = Chosen::new(profile, &view.weight) else { return Vec::new() };
    let recorded = |dumps: &[usize]| dumps.iter().find_map(|dump| moment_of_values(profile, *dump, kind));
    let mut warnings = match (recorded(&chosen.value), recorded(&chosen.base)) {
        (Some((run, at)), Some((base, base_at))) if !std::ptr::eq(run, base) => {
            recorder_pairs::of_recordings((run, at), (base, base_at), kind)
        }
        (None, Some((_, moment))) => recorder_pairs::of_dumps(profile, &chosen.value, moment, kind),
        (Some((_, moment)), None) if !chosen.base.is_empty() => recorder_pairs::of_dumps(profile, &chosen.base, moment, kind),
        _ => return Vec::new(),
    };
    warnings.extend(recorder_pairs::of_depths(profile, &chosen.value, &chosen.base));
    warnings
}

/// The recording that a dump belongs to, and the moment that its values of a kind (`inuse_space`) are from; of dumps `None`.
fn moment_of_values<'a>(profile: &'a Profile, dump: usize, kind: &str) -> Option<(&'a RunSummary, Moment)> {
    let dump = &profile.dumps()[dump];
    match dump.moment {
        Some(moment) => Some((run_of(profile, &dump.series)?, moment)),
        None => {
            let run = run_of(profile, &dump.name)?;
            let clock = run.clock;
            let moment = match kind.split('_').next().unwrap_or_default() {
                "peak" => Moment { at: run.peak_at, clock, kind: MomentKind::Peak },
                "inuse" | "mapped" | "total" if run.shows_peak => Moment { at: run.peak_at, clock, kind: MomentKind::Peak },
                _ => Moment { at: run.duration, clock, kind: MomentKind::End },
            };
            Some((run, moment))
        }
    }
}

/// The recording of this name.
fn run_of<'a>(profile: &'a Profile, name: &str) -> Option<&'a RunSummary> {
    profile.meta().runs.iter().find(|run| run.name == name)
}

/// A moment as it is reported.
pub fn moment_report(moment: Moment) -> MomentReport {
    MomentReport { at: moment.at, clock: moment.clock, is_peak: moment.kind == MomentKind::Peak, is_end: moment.kind == MomentKind::End }
}

/// Resident memory at a moment of the recording of this name, bytes; 0 when unknown. O(log points).
pub(crate) fn rss_at(profile: &Profile, recording: &str, moment: Moment) -> i64 {
    let Some(run) = run_of(profile, recording) else { return 0 };
    let after = run.curve.partition_point(|point| point.at <= moment.at);
    after.checked_sub(1).and_then(|at| run.curve.get(at)).map_or(0, |point: &RunPoint| point.rss)
}

/// Facts about all recordings of a profile. O(rows × recordings + texts × rules).
pub fn recordings(profile: &Profile) -> Vec<RunReport> {
    if profile.meta().runs.is_empty() {
        return Vec::new();
    }
    let whole = profile.dumps().iter().enumerate().filter(|(_, dump)| dump.moment.is_none());
    whole.filter_map(|(number, dump)| run_of(profile, &dump.name).map(|run| to_report(profile, number, run))).collect()
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
    // Of the end, which has no stacks where the peak is shown.
    let at_end = |kind: &str| if run.shows_peak { vec![0; profile.samples().len()] } else { column(kind) };
    let hidden = Suppressions::new(&run.suppressions).apply(profile, &at_end("inuse_objects"), &at_end("inuse_space"));
    let seconds = if run.clock.is_time() { run.duration as f64 / 1e9 } else { 0.0 };
    RunReport {
        name: run.name.clone(),
        recorder: run.recorder.clone(),
        command: run.command.clone(),
        pid: run.pid,
        mode: run.mode.clone(),
        short_lifetime: run.short_lifetime,
        has_temporary: !run.lacks_temporary,
        has_states: !run.lacks_states,
        has_any_time: profile.has_log(&run.name),
        is_attached: run.is_attached,
        clock: run.clock,
        duration: run.duration,
        allocations: run.allocated.objects,
        allocations_per_second: if seconds > 0.0 { run.allocated.objects as f64 / seconds } else { 0.0 },
        temporary: run.temporary.objects,
        is_temporary_exact: run.is_temporary_exact,
        peak_bytes: run.peak.bytes,
        peak_at: run.peak_at,
        shows_peak: run.shows_peak,
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
