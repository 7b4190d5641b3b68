//! The course of a recording of which only some moments have stacks.

use crate::profile::{Profile, RunPoint};
use crate::report::CurvePoint;

/// Most points that are reported.
const MOST: usize = 2000;

/// The curve of the recording whose moments `dumps` are; empty if they are of several, or have all that is known. O(points).
pub(super) fn curve(profile: &Profile, dumps: &[usize]) -> Vec<CurvePoint> {
    let name = |dump: &usize| &profile.dumps()[*dump].series;
    let Some(first) = dumps.first().map(name) else { return Vec::new() };
    let run = profile.meta().runs.iter().find(|run| run.shows_peak && run.name == *first);
    let Some(run) = run.filter(|_| dumps.iter().all(|dump| name(dump) == first)) else { return Vec::new() };
    let (_, size) = run.clock.axis();
    // Of neighbours the one with most memory.
    let most = |points: &[RunPoint]| points.iter().copied().reduce(|a, b| if b.live.bytes > a.live.bytes { b } else { a });
    let step = run.curve.len().div_ceil(MOST).max(1);
    let to_report =
        |point: RunPoint| CurvePoint { at: point.at as f64 / size, heap: point.live.bytes, extra: point.extra, stacks: point.stacks };
    run.curve.chunks(step).filter_map(most).map(to_report).collect()
}
