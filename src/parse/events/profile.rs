//! A recording as a profile: the whole run is its first dump, moments are further ones.

use std::sync::Arc;

use super::Events;
use super::counts::{Counts, N_COUNTS, signed};
use super::extra::Extra;
use super::journal::Changes;
use super::log::Cells;
use super::tally::Tally;
use super::value_types::VALUE_TYPES;
use crate::base::id::LocationId;
use crate::base::run_clock::RunClock;
use crate::profile::{
    EventLog, Label, LabelValue, Moment, MomentKind, MomentParts, Profile, ProfileBuilder, RunCount, RunLog, RunPoint, RunSummary,
    SparseValues,
};

/// What is shown first.
const DEFAULT_TYPE: &str = "peak_space";

/// The profile of all events. `stack` fills in the locations of a row, leaf first, for rows in order; the builder has no row yet.
/// `run` has what events do not tell. O(rows log rows + changes).
pub(in crate::parse) fn into_profile<T: Tally>(
    events: Events<T>,
    builder: ProfileBuilder,
    stack: impl FnMut(u32, &mut Vec<LocationId>),
    run: RunSummary,
) -> Profile {
    into_profile_with(events, Extra::default(), builder, stack, run)
}

/// Like [`into_profile`], with what the format knows beside.
pub(in crate::parse) fn into_profile_with<T: Tally>(
    mut events: Events<T>,
    extra: Extra<'_>,
    mut builder: ProfileBuilder,
    mut stack: impl FnMut(u32, &mut Vec<LocationId>),
    mut run: RunSummary,
) -> Profile {
    if !events.moments.is_at(&events.state) {
        events.take_moment();
    }
    let cells = events
        .log
        .is_some()
        .then(|| Cells { size: events.sizes.as_slice().into(), row: events.noted.iter().map(|noted| noted.row).collect() });
    let rows = events.take_rows();
    let Events { moments, state, peak, peak_rss, log, .. } = events;
    let at_peak = |row: usize| rows[row][1];
    let label = builder.string("bytes");
    let bytes = builder.string("bytes");
    let mut row_of: Vec<Option<u32>> = Vec::with_capacity(rows.len());
    let mut locations = Vec::new();
    for (number, [now, _]) in (0..).zip(&rows) {
        if now.n[0] == 0 && !extra.has_values(number) {
            row_of.push(None);
            continue;
        }
        row_of.push(Some(builder.n_samples() as u32));
        locations.clear();
        stack(number, &mut locations);
        let mean = now.bytes[0].checked_div(now.n[0]);
        let mean = mean.map(|mean| Label { key: label, value: LabelValue::Number(signed(mean), bytes) });
        let labels: Vec<Label> = mean.into_iter().chain(extra.labels(number).iter().copied()).collect();
        let labels = builder.label_set(&labels);
        let values = values(*now, at_peak(number as usize));
        extra.add_samples(number, &locations, labels, &values, &mut builder);
    }

    let mut list = moments.finish().into_iter().peekable();
    let mut course =
        Course { state: vec![Counts::default(); rows.len()], row_of, moments: Vec::new(), changes: Vec::new(), places: Vec::new() };
    let at_peak_in_all = (0..rows.len()).fold(Counts::default(), |sum, row| sum.plus(at_peak(row)));
    let (mut n_before, mut end) = (0, Counts::default());
    while let Some(taken) = list.next() {
        let is_peak_in = n_before < peak.n_events && peak.n_events <= taken.state.n_events;
        n_before = taken.state.n_events;
        let after = course.after(&taken.changes);
        if is_peak_in {
            let changed = after.iter().map(|(row, _)| (*row, at_peak(*row as usize)));
            let point = RunPoint { at: peak.time, high: peak.live, rss: peak.rss, ..point(&at_peak_in_all) };
            course.push(MomentKind::Peak, point, changed);
        }
        let kind = if list.peek().is_some() { MomentKind::Sampled } else { MomentKind::End };
        let place = taken.state.log_place;
        let point = RunPoint { at: taken.state.time, high: taken.state.high, rss: taken.state.rss, ..point(&taken.counts) };
        let at = course.push(kind, point, after.into_iter());
        course.places.push((at, place));
        end = taken.counts;
    }
    let Course { moments, changes, row_of, places, .. } = course;
    run.curve = moments.iter().map(|(_, point)| *point).collect();
    run.duration = state.time;
    run.peak_at = peak.time;
    let count = |objects: u64, bytes: u64| RunCount { objects: signed(objects), bytes: signed(bytes) };
    let Counts { n: [n_allocated, n_freed], bytes: [allocated, freed], temporary: [n_temporary, temporary] } = end;
    run.allocated = count(n_allocated, allocated);
    run.freed = count(n_freed, freed);
    run.temporary = count(n_temporary, temporary);
    run.peak = live(&at_peak_in_all);
    run.end = live(&end);
    run.peak_rss = peak_rss;
    run.lifetimes = extra.lifetimes.map_or(Vec::new(), |lifetimes| lifetimes.of_run());
    let meta = builder.meta();
    meta.default_type = DEFAULT_TYPE.to_owned();
    let run_name = run.name.clone();
    meta.runs.push(run);
    let moments: Vec<Moment> = moments.into_iter().map(|(moment, _)| moment).collect();
    let n_types = VALUE_TYPES.len() + extra.n_types();
    let name = run_name;
    let profile = builder.build().with_moments(moments.into_iter().zip(parts(changes, n_types)).collect());
    let Some((log, cells)) = log.zip(cells) else { return profile };
    let log: Arc<dyn EventLog> = Arc::new(log.finish(cells));
    let rows = row_of.into_iter().map(|row| row.unwrap_or(u32::MAX)).collect();
    profile.with_log(RunLog { name, log, rows, places: places.into(), factor: 1 })
}

/// Values of the whole run.
fn values(now: Counts, peak: Counts) -> [i64; VALUE_TYPES.len()] {
    let [allocations, allocated, objects, bytes, temporaries, temporary] = now.values();
    [allocations, allocated, objects, bytes, peak.live_objects(), peak.live_bytes(), temporaries, temporary]
}

/// Number of the counter → value types of a moment that it is: what was in use then is its peak, too.
const TYPES_OF: [&[usize]; N_COUNTS] = [&[0], &[1], &[2, 4], &[3, 5], &[6], &[7]];

fn live(counts: &Counts) -> RunCount {
    RunCount { objects: counts.live_objects(), bytes: counts.live_bytes() }
}

/// The point of a curve with these counters.
fn point(counts: &Counts) -> RunPoint {
    let [allocations, .., temporary, _] = counts.values();
    RunPoint { live: live(counts), allocations, temporary, ..RunPoint::default() }
}

/// Changes of values by row of the profile, for each counter.
type ValueChanges = [Arc<SparseValues>; N_COUNTS];

/// Moments, one after the other.
struct Course {
    /// Row → its state at the last of the moments.
    state: Vec<Counts>,
    /// Row → row of the profile.
    row_of: Vec<Option<u32>>,
    moments: Vec<(Moment, RunPoint)>,
    /// Moment → changes since the one before.
    changes: Vec<ValueChanges>,
    /// Time of a moment other than the peak, and its place in the log.
    places: Vec<(i64, u64)>,
}

impl Course {
    /// The states of the rows that changed since the last moment.
    fn after(&self, changes: &Changes) -> Vec<(u32, Counts)> {
        changes.iter().map(|(row, change)| (row, self.state[row as usize].plus(change))).collect()
    }

    /// Adds a moment at which these rows have these states, and all others that of the moment before.
    /// Returns its time.
    fn push(&mut self, kind: MomentKind, point: RunPoint, after: impl Iterator<Item = (u32, Counts)>) -> i64 {
        let mut changes: [Vec<(u32, i64)>; N_COUNTS] = Default::default();
        for (row, after) in after {
            let before = std::mem::replace(&mut self.state[row as usize], after).values();
            let Some(row) = self.row_of[row as usize] else { continue };
            for ((list, before), after) in changes.iter_mut().zip(before).zip(after.values()) {
                if before != after {
                    list.push((row, after.saturating_sub(before)));
                }
            }
        }
        let after_last = self.moments.last().map_or(0, |(moment, _)| moment.at + 1);
        let at = point.at.max(after_last);
        self.moments.push((Moment { at, clock: RunClock::Time, kind }, RunPoint { at, ..point }));
        self.changes.push(changes.map(|list| Arc::new(SparseValues::new(list))));
        at
    }
}

/// Moment → parts of its columns. The changes of every so many moments are one part, so that a column is the sum of few of them
/// and the parts take little more memory than the changes.
fn parts(changes: Vec<ValueChanges>, n_types: usize) -> Vec<MomentParts> {
    let step = changes.len().isqrt().max(1);
    let mut blocks: [Vec<Arc<SparseValues>>; N_COUNTS] = Default::default();
    let mut steps: [Vec<Arc<SparseValues>>; N_COUNTS] = Default::default();
    let mut all = Vec::with_capacity(changes.len());
    for (place, lists) in changes.into_iter().enumerate() {
        if place > 0 && place % step == 0 {
            for (blocks, steps) in blocks.iter_mut().zip(&mut steps) {
                let sum = steps.drain(..).flat_map(|part| part.iter().collect::<Vec<_>>()).collect();
                blocks.push(Arc::new(SparseValues::new(sum)));
            }
        }
        let mut of_moment: MomentParts = vec![Vec::new(); n_types];
        for ((changed, types), (blocks, steps)) in lists.into_iter().zip(TYPES_OF).zip(blocks.iter().zip(&mut steps)) {
            steps.push(changed);
            for &value_type in types {
                of_moment[value_type] = blocks.iter().chain(&*steps).filter(|part| !part.is_empty()).cloned().collect();
            }
        }
        all.push(of_moment);
    }
    all
}
