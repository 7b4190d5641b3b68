//! What to know when recordings of different recorders are compared, or a recording with dumps.

use crate::base::id::{Id, StackId};
use crate::profile::{Moment, MomentKind, Profile, RunSummary};

/// Recorders, by the beginning of their names in [`RunSummary::recorder`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Recorder {
    Heaptrack,
    Massif,
    Dhat,
    DhatRs,
    Tracy,
    Other,
}

impl Recorder {
    fn of(run: &RunSummary) -> Recorder {
        const NAMES: [(&str, Recorder); 5] = [
            ("heaptrack", Recorder::Heaptrack),
            ("massif", Recorder::Massif),
            ("DHAT", Recorder::Dhat),
            ("dhat-rs", Recorder::DhatRs),
            ("Tracy", Recorder::Tracy),
        ];
        NAMES.iter().find(|(name, _)| run.recorder.starts_with(name)).map_or(Recorder::Other, |(_, recorder)| *recorder)
    }
}

/// Warnings about two recordings, each as of a moment, a sentence each. `kind`: of the value type that is compared.
pub(super) fn of_recordings(value: (&RunSummary, Moment), base: (&RunSummary, Moment), kind: &str) -> Vec<String> {
    let mut warnings = of_recorders(value.0, base.0, kind);
    warnings.extend(of_moments(value.1, base.1, kind));
    warnings
}

/// Warnings about two recorders.
fn of_recorders(run: &RunSummary, other: &RunSummary, kind: &str) -> Vec<String> {
    let recorders = [Recorder::of(run), Recorder::of(other)];
    if recorders[0] == recorders[1] {
        return Vec::new();
    }
    let has = |recorder: Recorder| recorders.contains(&recorder);
    let mut warnings = Vec::new();
    if has(Recorder::Dhat) || has(Recorder::DhatRs) {
        let n = if has(Recorder::Dhat) { "12 (--num-callers)" } else { "10" };
        warnings.push(format!(
            "DHAT keeps the innermost {n} frames of a stack: functions can be compared, trees from the root only where both have it"
        ));
    }
    if has(Recorder::Heaptrack) && (has(Recorder::Dhat) || has(Recorder::DhatRs)) {
        let which = if kind.ends_with("objects") { "numbers of blocks differ, too" } else { "of resized blocks the stacks differ" };
        warnings.push(format!(
            "heaptrack moves a block that is resized to the stack of realloc, DHAT leaves it where it was allocated: {which}"
        ));
    }
    if has(Recorder::Tracy) {
        warnings.push(
            "Tracy has only the allocations that the program reports to it: those of libraries may be missing on one side".to_owned(),
        );
    }
    if kind.starts_with("temp") && run.is_temporary_exact != other.is_temporary_exact {
        warnings.push(
            "temporary allocations of interpreted heaptrack recordings are known by size and stack only, and may be too many".to_owned(),
        );
    }
    warnings
}

/// A warning when a recording as of its peak is compared with another one as of its end.
fn of_moments(value: Moment, base: Moment, kind: &str) -> Option<String> {
    let name = |moment: Moment| match moment.kind {
        MomentKind::Peak => Some("peak"),
        MomentKind::End => Some("end"),
        MomentKind::Sampled => None,
    };
    match (name(value), name(base)) {
        (Some(value), Some(base)) if value != base && kind.starts_with("inuse") => {
            Some(format!("{kind} is what was in use at the {value} of the recording, and at the {base} of the base"))
        }
        _ => None,
    }
}

/// Warnings about a recording beside dumps of an allocator.
pub(super) fn of_dumps(profile: &Profile, dumps: &[usize], moment: Moment, kind: &str) -> Vec<String> {
    let mut warnings = Vec::new();
    if moment.kind == MomentKind::End && kind.starts_with("inuse") {
        let end = moment.clock.label(moment.at);
        warnings.push(format!("the recording is compared as of its end, after {end}, with a dump that may be from another time"));
    }
    if dumps.iter().any(|dump| profile.dumps()[*dump].period > 0) {
        let hint = "differences of some percent mean nothing";
        warnings.push(format!(
            "a recording counts every requested byte, a sampled dump estimates the bytes that the allocator reserved: {hint}"
        ));
    }
    warnings
}

/// Depths at which recorders cut stacks: gperftools, heaptrack, Tracy, jemalloc.
const CUT_AT: [usize; 8] = [30, 31, 32, 62, 63, 64, 127, 128];

/// A warning when the stacks of one side end before those of the other.
pub(super) fn of_depths(profile: &Profile, value: &[usize], base: &[usize]) -> Option<String> {
    let [depth, base] = [value, base].map(|dumps| deepest(profile, dumps));
    let (least, most) = (depth.min(base), depth.max(base));
    let is_cut = least < most && CUT_AT.contains(&least);
    is_cut.then(|| {
        format!(
            "stacks of one side are cut after {least} frames, those of the other are up to {most} deep: functions far from the allocation differ"
        )
    })
}

/// Number of locations of the deepest stack with a value in these dumps. O(nodes + rows × dumps).
fn deepest(profile: &Profile, dumps: &[usize]) -> usize {
    let (stacks, frames) = (profile.stacks(), &profile.code().frames);
    let mut depth = vec![0usize; stacks.len()];
    for node in (1..stacks.len()).map(StackId::new) {
        let is_call = !frames[stacks.frame[node]].inlined;
        depth[node.index()] = depth[stacks.parent[node].index()] + usize::from(is_call);
    }
    let n_types = profile.value_types().len();
    let columns = dumps.iter().flat_map(|dump| (0..n_types).filter_map(move |t| profile.columns().get(dump * n_types + t)));
    let rows = columns.flat_map(|column| column.nonzero().map(|(row, _)| row));
    rows.map(|row| depth[profile.samples().stack[row].index()]).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorders_that_count_differently_are_named() {
        let run = |recorder: &str| RunSummary { recorder: recorder.to_owned(), ..RunSummary::default() };
        let of = |a: &str, b: &str, kind: &str| of_recorders(&run(a), &run(b), kind);
        assert!(of("DHAT of valgrind", "DHAT of valgrind", "peak_space").is_empty());
        assert!(of("heaptrack 1.4.0", "heaptrack 1.5.0", "peak_space").is_empty());
        let warnings = of("heaptrack 1.4.0", "DHAT of valgrind", "peak_objects");
        assert!(warnings[0].contains("12 (--num-callers)") && warnings[1].contains("numbers of blocks"), "{warnings:?}");
        assert!(of("dhat-rs", "massif", "inuse_space")[0].contains("innermost 10 frames"));
    }
}
