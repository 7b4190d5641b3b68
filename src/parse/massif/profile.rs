//! Snapshots as a profile: the one with most memory is the first dump, all with trees are moments of the run, and all together are
//! its curve.

use std::sync::Arc;

use super::super::error::{Warning, WarningKind, excerpt};
use super::super::frame_text::name_program;
use super::super::input::Input;
use super::super::parsed::Parsed;
use super::rows::Rows;
use super::snapshots::{MassifFile, MassifSnapshot, NAME, Problem};
use super::tree::Stacks;
use super::xtree;
use crate::base::run_clock::RunClock;
use crate::profile::{
    HEAP_OVERHEAD, Moment, MomentKind, Profile, ProfileBuilder, RunCount, RunPoint, RunSummary, STACKS, SparseValues, UNKNOWN_STACK,
};

/// Most moments of a profile, peak and end among them.
const MOST_MOMENTS: usize = 512;

/// Most points of the run's curve. massif writes at most 1000 snapshots.
const MOST_POINTS: usize = 1 << 16;

/// Stacks with their own bytes.
type Weights = Vec<(u32, i64)>;

/// The profile of a file with a snapshot at least. O(size).
pub(super) fn profile(mut file: MassifFile<'_>, input: &Input<'_>) -> Parsed {
    let mut stacks = Stacks::new();
    let mut warnings: Vec<Warning> = input.warning(NAME).into_iter().collect();
    let profile = match xtree::value_types(&file) {
        Some(types) => xtree::profile(&mut file, &types, &mut stacks, input),
        None => snapshots(&mut file, &mut stacks, input, &mut warnings),
    };
    warnings.extend(file.warnings());
    Parsed { profile, format: NAME, warnings }
}

/// A state of the run that has stacks.
struct State {
    /// Number of the snapshot.
    snapshot: usize,
    at: i64,
    heap: Weights,
    /// What the total has besides.
    rest: Weights,
}

/// massif's snapshots.
fn snapshots<'a>(file: &mut MassifFile<'a>, stacks: &mut Stacks<'a>, input: &Input<'_>, warnings: &mut Vec<Warning>) -> Profile {
    let (clock, size) = file.clock().unwrap_or_else(|| {
        let kind = WarningKind::TimeUnit { found: excerpt(file.time_unit) };
        warnings.push(Warning { format: NAME, kind, at: None });
        (RunClock::Units, 1)
    });
    // Times ascend.
    let mut last = 0i64;
    let mut time = |snapshot: &MassifSnapshot<'_>| {
        last = last.max(snapshot.at(size));
        last
    };
    let times: Vec<i64> = file.snapshots.iter().map(&mut time).collect();
    let is_mapped = file.snapshots.iter().filter_map(|snapshot| snapshot.tree).any(|tree| tree.title().starts_with(b"(page allocation"));
    let largest = |places: &[usize]| {
        let key = |place: &usize| (file.snapshots[*place].total(), file.snapshots[*place].is_peak);
        // Of equal ones the first.
        places.iter().rev().max_by_key(|place| key(place)).copied()
    };
    let all: Vec<usize> = (0..file.snapshots.len()).collect();
    let with_tree: Vec<usize> = all.iter().copied().filter(|place| file.snapshots[*place].tree.is_some()).collect();
    // There is one at least.
    let most = largest(&all).unwrap_or(0);
    let peak = largest(&with_tree).unwrap_or(most);
    let (shown, whole) = (file.snapshots[peak].total(), file.snapshots[most].total());
    if !with_tree.is_empty() && whole - shown > shown / NEAR {
        warnings.push(Warning {
            format: NAME,
            kind: WarningKind::PeakWithoutStacks { shown, whole, at: clock.label(times[most]) },
            at: None,
        });
    }

    let (overhead, of_threads) = (stacks.with(0, HEAP_OVERHEAD.as_bytes()), stacks.with(0, STACKS.as_bytes()));
    let mut states: Vec<State> = Vec::new();
    for place in chosen(file, peak) {
        let snapshot = file.snapshots[place];
        let mut heap = snapshot.tree.map_or_else(Vec::new, |tree| stacks.read(&tree, &mut file.problems));
        if snapshot.tree.is_none() && snapshot.heap > 0 {
            heap.push((stacks.with(0, UNKNOWN_STACK.as_bytes()), snapshot.heap));
        }
        let sum = heap.iter().fold(0i64, |sum, (_, bytes)| sum.saturating_add(*bytes));
        if let Some(tree) = snapshot.tree.filter(|_| sum > snapshot.heap) {
            file.problems.add(Problem::Sum, tree.first_line);
        }
        let rest = [(overhead, snapshot.extra), (of_threads, snapshot.stacks)].into_iter().filter(|(_, bytes)| *bytes > 0).collect();
        states.push(State { snapshot: place, at: times[place], heap, rest });
    }

    let types: &[(&str, &str)] =
        if is_mapped { &[("mapped_space", "bytes")] } else { &[("inuse_space", "bytes"), ("total_space", "bytes")] };
    let mut builder = ProfileBuilder::new(types);
    builder.bound_by_input(input.text.len());
    name_program(file.command, &mut builder);
    builder.meta().default_type = types[0].0.to_owned();
    builder.meta().runs.push(run(file, clock, &times, peak));
    // The rows, and the peak's numbers.
    let mut row_of: Vec<u32> = vec![u32::MAX; stacks.len()];
    let mut heap_at_peak: Vec<i64> = vec![0; stacks.len()];
    let mut total_at_peak: Vec<i64> = vec![0; stacks.len()];
    for state in &states {
        let is_peak = state.snapshot == peak;
        for (stack, bytes) in &state.heap {
            row_of[*stack as usize] = 0;
            if is_peak {
                heap_at_peak[*stack as usize] = heap_at_peak[*stack as usize].saturating_add(*bytes);
            }
        }
        for (stack, bytes) in state.rest.iter().filter(|_| !is_mapped) {
            row_of[*stack as usize] = 0;
            if is_peak {
                total_at_peak[*stack as usize] = *bytes;
            }
        }
    }
    let mut rows = Rows::new(stacks, &mut builder);
    let used = (0..row_of.len()).filter(|stack| row_of[*stack] == 0).collect::<Vec<_>>();
    for stack in used {
        row_of[stack] = builder.n_samples() as u32;
        let heap = heap_at_peak[stack];
        rows.add(stack as u32, &[heap, heap.saturating_add(total_at_peak[stack])][..types.len()], &mut builder);
    }
    let moments = moments(&states, peak, file.snapshots.len() - 1, clock, |weights, more| {
        let more = more.iter().filter(|_| !is_mapped);
        Arc::new(SparseValues::new(weights.iter().chain(more).map(|(stack, bytes)| (row_of[*stack as usize], *bytes)).collect()))
    });
    let moments = moments.into_iter().map(|(moment, parts)| (moment, parts.into_iter().take(types.len()).map(|part| vec![part]).collect()));
    builder.build().with_moments(moments.collect())
}

/// A snapshot without stacks may have more bytes than those shown by this part: massif looks for the peak to one percent.
const NEAR: i64 = 100;

/// The snapshots that become moments, in order: those with trees, and the first and the last if nothing is in use then.
fn chosen(file: &MassifFile<'_>, peak: usize) -> Vec<usize> {
    let last = file.snapshots.len() - 1;
    let is_known = |place: &usize| {
        let MassifSnapshot { tree, heap, .. } = &file.snapshots[*place];
        tree.is_some() || *place == peak || *heap == 0 && [0, last].contains(place)
    };
    let all: Vec<usize> = (0..=last).filter(is_known).collect();
    let step = all.len().div_ceil(MOST_MOMENTS - 2).max(1);
    let is_kept = |(i, place): &(usize, usize)| i % step == 0 || *place == peak || i + 1 == all.len();
    all.iter().copied().enumerate().filter(is_kept).map(|(_, place)| place).collect()
}

/// Moments with the parts of their columns. `values`: weights → values by row.
fn moments(
    states: &[State],
    peak: usize,
    last: usize,
    clock: RunClock,
    values: impl Fn(&Weights, &Weights) -> Arc<SparseValues>,
) -> Vec<(Moment, Vec<Arc<SparseValues>>)> {
    let mut all: Vec<(Moment, Vec<Arc<SparseValues>>)> = Vec::with_capacity(states.len() + 1);
    for state in states {
        let parts = vec![values(&state.heap, &Weights::new()), values(&state.heap, &state.rest)];
        let kinds = [(state.snapshot == peak, MomentKind::Peak), (state.snapshot == last, MomentKind::End)];
        let mut kinds: Vec<MomentKind> = kinds.into_iter().filter(|(is_it, _)| *is_it).map(|(_, kind)| kind).collect();
        if kinds.is_empty() {
            kinds.push(MomentKind::Sampled);
        }
        for kind in kinds {
            let at = all.last().map_or(state.at, |(before, _)| state.at.max(before.at.saturating_add(1)));
            all.push((Moment { at, clock, kind }, parts.clone()));
        }
    }
    all
}

/// The run as a whole.
fn run(file: &MassifFile<'_>, clock: RunClock, times: &[i64], peak: usize) -> RunSummary {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let in_use = |snapshot: &MassifSnapshot<'_>| RunCount { objects: 0, bytes: snapshot.heap };
    let is_heaptrack = file.description.first().is_some_and(|line| *line == b"heaptrack");
    let step = file.snapshots.len().div_ceil(MOST_POINTS).max(1);
    let points = file.snapshots.iter().zip(times).step_by(step);
    RunSummary {
        recorder: if is_heaptrack { "heaptrack, exported for massif" } else { NAME }.to_owned(),
        command: text(file.command),
        clock,
        duration: times.last().copied().unwrap_or(0),
        peak_at: times.get(peak).copied().unwrap_or(0),
        shows_peak: true,
        peak: file.snapshots.get(peak).map(in_use).unwrap_or_default(),
        end: file.snapshots.last().map(in_use).unwrap_or_default(),
        curve: points
            .map(|(snapshot, at)| RunPoint {
                at: *at,
                live: in_use(snapshot),
                high: snapshot.heap,
                extra: snapshot.extra,
                stacks: snapshot.stacks,
                ..RunPoint::default()
            })
            .collect(),
        ..RunSummary::default()
    }
}
