//! How long the blocks of a recording live, and how they end.

use std::iter;

use super::suppressions::Suppressions;
use crate::analyze::reports::context::ReportContext;
use crate::base::hash::HashMap;
use crate::profile::{Moment, MomentKind, Profile, RunSummary};
use crate::report::{FreedAtEndReport, LifetimeReport, ReallocationReport, RunBlocks, RunCulprit, RunReport, TopBlocksReport};

/// Culprits in each list.
const MOST_CULPRITS: usize = 5;

/// Memory that is in use after this part of a run, and not at its end, is freed only at the end.
const LATE: f64 = 0.98;

/// Fewest moments that show it.
const FEWEST_MOMENTS: usize = 8;

/// Adds the facts about blocks to reports of recordings. O(rows × recordings).
pub(super) fn add_to(reports: &mut [RunReport], context: &ReportContext) {
    let profile = context.profile;
    for report in reports {
        let dump = profile.dumps().iter().position(|dump| dump.moment.is_none() && dump.name == report.name);
        let run = profile.meta().runs.iter().find(|run| run.name == report.name);
        if let (Some(dump), Some(run)) = (dump, run) {
            report.blocks = blocks(context, dump, run);
        }
    }
}

fn blocks(context: &ReportContext, dump: usize, run: &RunSummary) -> RunBlocks {
    let profile = context.profile;
    let lifetime = run.lifetimes.iter().filter(|class| class.blocks.objects > 0);
    let lifetime =
        lifetime.map(|class| LifetimeReport { name: class.name.clone(), objects: class.blocks.objects, bytes: class.blocks.bytes });
    let reallocation = run.reallocations.map(|of| ReallocationReport {
        objects: of.all.objects,
        bytes: of.all.bytes,
        moved_objects: of.moved.objects,
        moved_bytes: of.moved.bytes,
        chains: of.chains,
        longest: of.longest,
        culprit: culprits(context, &column(profile, dump, "realloc_objects"), &column(profile, dump, "realloc_space"), By::Bytes),
    });
    RunBlocks { top: top(context, dump, run), lifetime: lifetime.collect(), reallocation, freed_at_end: freed_at_end(context, run) }
}

/// Who leaks most, allocates most often, and allocates most often for an instant. Nothing for recordings of snapshots, which have what
/// is in use at their peak.
fn top(context: &ReportContext, dump: usize, run: &RunSummary) -> Vec<TopBlocksReport> {
    if run.shows_peak {
        return Vec::new();
    }
    let profile = context.profile;
    let is_hidden: Vec<bool> = Suppressions::new(&run.suppressions).of_rows(profile).iter().map(Option::is_some).collect();
    let of = |kind: &str| {
        let (objects, bytes) = (column(profile, dump, &format!("{kind}_objects")), column(profile, dump, &format!("{kind}_space")));
        (objects, bytes)
    };
    let shown = |mut values: Vec<i64>| {
        values.iter_mut().zip(&is_hidden).filter(|(_, is_hidden)| **is_hidden).for_each(|(value, _)| *value = 0);
        values
    };
    let (left_objects, left) = of("inuse");
    let leaked = ("inuse_space", culprits(context, &shown(left_objects), &shown(left), By::Bytes));
    let often = [("alloc_objects", "alloc"), ("temp_objects", "temp")].map(|(value_type, kind)| {
        let (objects, bytes) = of(kind);
        (value_type, culprits(context, &objects, &bytes, By::Blocks))
    });
    let lists = iter::once(leaked).chain(often).filter(|(_, culprit)| !culprit.is_empty());
    lists.map(|(value_type, culprit)| TopBlocksReport { value_type: value_type.to_owned(), culprit }).collect()
}

fn column(profile: &Profile, dump: usize, kind: &str) -> Vec<i64> {
    let value_type = profile.value_types().iter().position(|t| t.kind == kind);
    value_type.map_or_else(|| vec![0; profile.samples().len()], |value_type| profile.values(dump, value_type))
}

/// What is in use late in the run and not at its end.
fn freed_at_end(context: &ReportContext, run: &RunSummary) -> Option<FreedAtEndReport> {
    let profile = context.profile;
    // Moments of several recordings cannot be told apart; between snapshots with stacks anything may have happened.
    if profile.meta().runs.len() > 1 || run.shows_peak {
        return None;
    }
    let moments: Vec<_> = profile.dumps().iter().enumerate().filter_map(|(dump, of)| Some((dump, of.moment?))).collect();
    let (end, _) = *moments.last().filter(|(_, moment)| moment.kind == MomentKind::End && moments.len() >= FEWEST_MOMENTS)?;
    // A moment has what happened before it. When nothing happens for long, only the next one has all of that.
    let is_late = |moment: &Moment| moment.at as f64 > run.duration as f64 * LATE;
    let next = moments.iter().find(|(_, moment)| is_late(moment) && moment.kind != MomentKind::End);
    let (late, moment) = *next.or_else(|| moments.iter().rfind(|(_, moment)| !is_late(moment)))?;
    let freed = |kind: &str| -> Vec<i64> {
        let (late, end) = (column(profile, late, kind), column(profile, end, kind));
        late.iter().zip(end).map(|(late, end)| late.saturating_sub(end).max(0)).collect()
    };
    let (objects, bytes) = (freed("inuse_objects"), freed("inuse_space"));
    let sum = |values: &[i64]| values.iter().fold(0i64, |sum, value| sum.saturating_add(*value));
    let culprit = culprits(context, &objects, &bytes, By::Bytes);
    (sum(&bytes) > 0).then(|| FreedAtEndReport { at: moment.at, objects: sum(&objects), bytes: sum(&bytes), culprit })
}

/// What makes a culprit large.
#[derive(Clone, Copy)]
enum By {
    Bytes,
    Blocks,
}

/// The largest culprits.
fn culprits(context: &ReportContext, objects: &[i64], bytes: &[i64], by: By) -> Vec<RunCulprit> {
    let tree = context.tree;
    let mut sums: HashMap<u32, (i64, i64)> = HashMap::default();
    for (row, (objects, bytes)) in objects.iter().zip(bytes).enumerate().filter(|(_, (objects, bytes))| **objects > 0 || **bytes > 0) {
        // Node 0 is the root: no frame that is visible.
        // Rows that filters leave out have no node.
        let node = tree.node_of_row.get(row).filter(|node| **node > 0);
        if let Some(key) = node.and_then(|node| tree.key.get(*node as usize)) {
            let sum = sums.entry(*key).or_default();
            (sum.0, sum.1) = (sum.0.saturating_add(*objects), sum.1.saturating_add(*bytes));
        }
    }
    let mut sums: Vec<(u32, (i64, i64))> = sums.into_iter().collect();
    let name = |key: u32| tree.keys.name(key);
    let size = |(objects, bytes): (i64, i64)| match by {
        By::Bytes => (bytes, objects),
        By::Blocks => (objects, bytes),
    };
    sums.sort_unstable_by(|(a, x), (b, y)| size(*y).cmp(&size(*x)).then_with(|| name(*a).cmp(name(*b))).then(a.cmp(b)));
    sums.truncate(MOST_CULPRITS);
    sums.into_iter().map(|(key, (objects, bytes))| RunCulprit { row: context.row(key), objects, bytes }).collect()
}
