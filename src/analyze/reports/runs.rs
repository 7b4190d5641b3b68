//! Recordings as a whole, and the moment that values are from.

use super::suppressions::Suppressions;
use crate::analyze::tree::chosen::Chosen;
use crate::base::units;
use crate::profile::{Dump, MomentKind, Profile, RunSummary};
use crate::query::View;
use crate::report::RunReport;

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
    let Ok(Chosen { value, base, .. }) = Chosen::new(profile, &view.weight) else { return String::new() };
    let [dump] = value[..] else { return String::new() };
    let dump = &profile.dumps()[dump];
    let kind = kind.split('_').next().unwrap_or_default();
    let (at, place) = match (dump.moment, run_of(profile, &dump.name)) {
        (Some(moment), _) => (moment.at, moment.kind),
        (None, Some(run)) if kind == "peak" => (run.peak_nanos, MomentKind::Peak),
        (None, Some(run)) => (run.duration_nanos, MomentKind::End),
        (None, None) => return String::new(),
    };
    if !base.is_empty() {
        let Some(start) = start_of_range(profile, &base, dump) else { return String::new() };
        let range = format!("from {} to {}", duration(start), duration(at));
        return match kind {
            "peak" | "inuse" => format!("change {range}"),
            "alloc" => format!("allocated {range}"),
            "temp" => format!("allocated and freed at once {range}"),
            _ => String::new(),
        };
    }
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

/// The moment that is subtracted, if it is one of the same recording as `dump`, nanoseconds.
fn start_of_range(profile: &Profile, base: &[usize], dump: &Dump) -> Option<i64> {
    let &[base] = base else { return None };
    let base = &profile.dumps()[base];
    dump.moment?;
    base.moment.filter(|_| base.series == dump.series).map(|moment| moment.at)
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
        system_memory: run.system_memory,
        end_objects: run.end.objects.saturating_sub(hidden.objects),
        end_bytes: run.end.bytes.saturating_sub(hidden.bytes),
        suppressed_bytes: hidden.bytes,
        suppression: hidden.rules,
    }
}
