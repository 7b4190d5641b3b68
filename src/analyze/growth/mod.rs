//! Growth from dump to dump: rate, start, and confidence.
//!
//! Sums by row and dump ([`columns`]), a classification of each row that changes much ([`shape`]), an order ([`rank`]). Only
//! dumps are compared with one another; a base is ignored.

mod chance;
mod columns;
mod course;
mod curve_fits;
mod exit_dump;
mod forecast;
mod rank;
mod sawtooth;
mod series;
mod shape;
mod steps;
#[cfg(test)]
mod tests;
mod trend_line;

use columns::{Columns, Extent};
use exit_dump::is_exit;
use rank::Rank;
use series::Series;
use shape::{FEWEST, Judged, MOST, judge};
use trend_line::Line;

use super::reports::context::ReportContext;
use super::reports::runs::{moment_report, rss_at};
use crate::attribution::types::TypeName;
use crate::base::units;
use crate::profile::{self, Dump, MomentKind, Profile};
use crate::query::{GrowthBy, QueryError};
use crate::report::{Expected, GrowthDump, GrowthReport, GrowthRow, GrowthShape, Row, Trend};

/// Maximum number of rows classified, those with the largest range; each takes quadratic time in the dumps.
const JUDGED: usize = 2000;

/// Rows of a recording that are returned for their size, whatever their rank; at most half of those requested.
const LARGEST: usize = 20;

/// Limit on pairs of dumps, summed over all rows.
const PAIRS: usize = 40_000_000;

/// Limit on values returned when all rows are requested.
const VALUES: usize = 1_000_000;

/// The report. O(dumps × rows + judged × dumps²).
pub(super) fn growth(context: &ReportContext) -> Result<GrowthReport, QueryError> {
    let ReportContext { profile, view, .. } = context;
    // One sample more or less, where only some allocations were recorded.
    let is_in_bytes = context.totals.value_type.is_some_and(|of| units::factor(&profile.value_types()[of].unit, "bytes") == Some(1.0));
    let noise = if is_in_bytes { context.totals.period as f64 } else { 0.0 };
    let mut header = context.header();
    if view.by() == GrowthBy::Types {
        header.warnings.extend(context.packages.types(profile).warning.clone());
    }
    let is_cumulative = ["alloc", "temp"].iter().any(|kind| header.value_type.starts_with(kind));
    let columns = Columns::new(context);
    let name = |row: u32| name_of(context, row);
    let is_lost = |row: u32| profile::is_lost(name(row));
    // Dumps named by the user are all kept.
    let (series, at_exit) = match Series::new(profile, view)? {
        series if is_cumulative || view.weight.dump.is_some() || !may_be_exit(profile, &series) => (series, None),
        series => without_exit(&columns, &is_lost, series),
    };
    // Moments of a recording show the course of allocations; nobody takes them for a leak.
    let of_moments = series.dump.iter().all(|&dump| profile.dumps()[dump].moment.is_some());
    if of_moments {
        // A note is about one moment.
        header.value_note = String::new();
    }
    let judged = |values: &[i64]| match judged(&series, values, noise) {
        judged if is_cumulative => counted(judged),
        judged => while_held(judged, &series, values),
    };
    let (extents, totals) = columns.extents(&series.dump);
    let uncertain = columns.lost(&series.dump).into_iter().max().unwrap_or(0);
    let mut rows: Vec<u32> = (0..columns.n_rows as u32).filter(|&row| matters(&extents[row as usize])).collect();
    let by_range = |&a: &u32, &b: &u32| {
        let range = |row: u32| extents[row as usize].range();
        range(b).cmp(&range(a)).then_with(|| name(a).cmp(name(b))).then(a.cmp(&b))
    };
    rows.sort_unstable_by(by_range);
    let changes = || rows.iter().filter(|row| !is_lost(**row)).map(|&row| extents[row as usize]).map(|e| e.last.saturating_sub(e.first));
    let sum = |of: &dyn Fn(&i64) -> bool| changes().filter(of).fold((0i64, 0), |(sum, n), c| (sum.saturating_add(c), n + 1));
    let ((grown, n_grown), (shrunk, n_shrunk)) = (sum(&|c| *c > 0), sum(&|c| *c < 0));
    let n_dumps = series.dump.len();
    let looked_at = rows.len().min(JUDGED).min(PAIRS / n_dumps.min(MOST).pow(2));
    let values = columns.of(&rows[..looked_at], &series.dump);
    let mut ranked: Vec<Ranked> = Vec::with_capacity(rows.len());
    for (i, &row) in rows.iter().enumerate() {
        let extent = extents[row as usize];
        let judged = values.get(i).filter(|_| !is_lost(row)).map_or_else(|| unjudged(&series, &extent), |values| judged(values));
        let rank = match is_lost(row) {
            true => Rank::last(),
            false => Rank::new(&judged, &series.at, extent.last.saturating_sub(extent.first), grown),
        };
        ranked.push(Ranked { row, judged, rank });
    }
    ranked.sort_by(|a, b| a.rank.order(&b.rank).then_with(|| by_range(&a.row, &b.row)));
    let n_rows = ranked.len();
    let most = if view.nodecount() > 0 { view.nodecount() } else { VALUES / n_dumps };
    // What a recording frees before its end does not grow, but a chart of it needs the largest rows.
    let n_largest = if of_moments { LARGEST.min(most / 2) } else { 0 };
    let largest = &rows[..n_largest.min(rows.len())];
    let n_first = n_first(&ranked.iter().map(|ranked| ranked.row).collect::<Vec<u32>>(), most, largest);
    let mut place = 0;
    ranked.retain(|ranked| {
        place += 1;
        place <= n_first || largest.contains(&ranked.row)
    });
    let row_ids: Vec<u32> = ranked.iter().map(|r| r.row).collect();
    let values = columns.of(&row_ids, &series.dump);
    let exits: Vec<usize> = at_exit.iter().map(|exit| exit.dump).collect();
    let at_exit_of_row: Vec<i64> = columns.of(&row_ids, &exits).into_iter().map(|values| values.first().copied().unwrap_or(0)).collect();
    let exit_total = at_exit.as_ref().map_or(0, |exit| exit.total);
    let rest_at_exit = at_exit_of_row.iter().fold(exit_total, |rest, value| rest.saturating_sub(*value));
    let mut rest = totals.clone();
    for values in &values {
        rest.iter_mut().zip(values).for_each(|(rest, value)| *rest = rest.saturating_sub(*value));
    }
    let all = judged(&totals);
    if is_cumulative && !of_moments {
        let unit = &header.unit;
        let in_use = profile.value_types().iter().find(|of| of.kind.starts_with("inuse") && of.unit.to_lowercase() == *unit);
        let hint = in_use.map_or(String::new(), |of| format!("; si={} tells what stays", of.kind));
        let counts = &header.value_type;
        header.warnings.push(format!("{counts} counts all that was ever allocated, which grows without a leak{hint}"));
    }
    let mut report = GrowthReport {
        header,
        by: view.by().name().to_owned(),
        axis: series.axis.to_owned(),
        fewest: FEWEST,
        rest,
        n_rows,
        total: trend(&totals, &all),
        grown,
        n_grown,
        shrunk,
        n_shrunk,
        limit: view.cut.limit,
        uncertain,
        uncertain_why: if uncertain > 0 { columns.why_lost().to_owned() } else { String::new() },
        at_exit,
        rest_at_exit,
        ..GrowthReport::default()
    };
    let limit = if is_cumulative { 0 } else { view.cut.limit };
    report.until_limit = forecast::until(limit, report.total.last, report.total.peak, all.shape, &all.line);
    for (place, &dump) in series.dump.iter().enumerate() {
        let (at, time_nanos) = (series.at[place], series.time_nanos[place]);
        let total = totals[place];
        report.dump.push(GrowthDump { at, time_nanos, total, ..described(profile, dump) });
    }
    for ((ranked, value), at_exit) in ranked.iter().zip(values).zip(at_exit_of_row) {
        let trend = trend(&value, &ranked.judged);
        let growth = trend.last.saturating_sub(trend.first).max(0);
        let share = if grown > 0 && !is_lost(ranked.row) { growth as f64 / grown as f64 } else { 0.0 };
        let (row, stack) = what(context, ranked.row);
        let expected = expected(context, &row, &trend);
        report.row.push(GrowthRow { row, stack, value, trend, share, at_exit, expected });
    }
    let header = &mut report.header;
    [header.total, header.value_total, header.shown] = [report.total.last; 3];
    (header.has_base, header.base_total) = (false, 0);

    (header.n_shown, header.n_total) = (report.row.len(), n_rows);
    header.time_nanos = report.dump.first().map_or(0, |dump| dump.time_nanos);
    if of_moments && header.unit == "bytes" {
        report.curve = course::curve(profile, &series.dump);
    }
    (report.series, report.all_series) = (series.name, series.all);
    Ok(report)
}

/// What is expected of a function that grew.
fn expected(context: &ReportContext, row: &Row, trend: &Trend) -> Option<Expected> {
    let is_by_function = matches!(context.view.by(), GrowthBy::Culprits | GrowthBy::Functions);
    if !is_by_function || trend.last <= trend.first {
        return None;
    }
    let marks = &context.profile.meta().expected;
    let mark = marks.iter().find(|mark| mark.is_about(&row.name) || mark.is_about(&row.full_name))?;
    let is_in_bytes = context.totals.value_type.is_some_and(|of| context.profile.value_types()[of].unit == "bytes");
    let is_exceeded = mark.up_to.is_some_and(|most| is_in_bytes && trend.last > most);
    Some(Expected { function: row.name.clone(), value: trend.last, base: trend.first, is_exceeded, text: mark.text.clone() })
}

/// Number of the first rows to keep, so that with those of `largest` that come later there are at most `most`. O(rows × largest).
fn n_first(ranked: &[u32], most: usize, largest: &[u32]) -> usize {
    let mut n_first = most.min(ranked.len());
    let mut n_later = ranked[n_first..].iter().filter(|row| largest.contains(row)).count();
    while n_first > 0 && n_first + n_later > most {
        n_first -= 1;
        n_later += usize::from(largest.contains(&ranked[n_first]));
    }
    n_first
}

/// Whether the last dump may be from the end: the last snapshot that has stacks need not.
fn may_be_exit(profile: &Profile, series: &Series) -> bool {
    let last = series.dump.last().and_then(|&dump| profile.dumps()[dump].moment);
    last.is_none_or(|moment| moment.kind == MomentKind::End)
}

/// The series without the dump that was written at exit, and that dump.
fn without_exit(columns: &Columns, is_lost: &dyn Fn(u32) -> bool, series: Series) -> (Series, Option<GrowthDump>) {
    let [.., before, last] = series.dump[..] else { return (series, None) };
    let (_, totals) = columns.extents(&series.dump);
    let rows: Vec<u32> = (0..columns.n_rows as u32).filter(|row| !is_lost(*row)).collect();
    if !is_exit(&totals, &columns.of(&rows, &[before, last])) {
        return (series, None);
    }
    let place = series.dump.len() - 1;
    let (at, time_nanos, total) = (series.at[place], series.time_nanos[place], totals[place]);
    let at_exit = GrowthDump { at, time_nanos, total, ..described(columns.profile(), last) };
    (series.without_last(), Some(at_exit))
}

/// A dump without its place in the series and its total.
fn described(profile: &Profile, dump: usize) -> GrowthDump {
    let Dump { name, series, moment, .. } = &profile.dumps()[dump];
    let rss = moment.map_or(0, |moment| rss_at(profile, series, moment));
    GrowthDump { dump, name: name.clone(), moment: moment.map(moment_report), rss, ..GrowthDump::default() }
}

/// A row with its judgement.
struct Ranked {
    row: u32,
    judged: Judged,
    rank: Rank,
}

/// Nonzero in some dump.
fn matters(extent: &Extent) -> bool {
    extent.low != 0 || extent.high != 0
}

fn judged(series: &Series, values: &[i64], noise: f64) -> Judged {
    let values: Vec<f64> = values.iter().map(|&v| v as f64).collect();
    judge(&series.at, &values, noise)
}

/// A row that is zero in the last dump does not grow.
fn while_held(judged: Judged, series: &Series, values: &[i64]) -> Judged {
    let grows = matches!(judged.shape, GrowthShape::Leak | GrowthShape::Step | GrowthShape::Plateau);
    if !grows || values.last() != Some(&0) {
        return judged;
    }
    let slope = values[0].saturating_neg() as f64 / series.at[series.at.len() - 1];
    let line = Line { slope, low: slope, high: slope, p: 1.0 };
    Judged { shape: GrowthShape::Noise, in_steps: false, began: None, line }
}

/// Trend of a value that never falls: its numbers, without a classification.
fn counted(judged: Judged) -> Judged {
    let shape = if judged.shape == GrowthShape::Flat { GrowthShape::Flat } else { GrowthShape::Unknown };
    Judged { shape, in_steps: false, ..judged }
}

/// Change from first to last dump, for rows too small to classify.
fn unjudged(series: &Series, extent: &Extent) -> Judged {
    let slope = extent.last.saturating_sub(extent.first) as f64 / series.at[series.at.len() - 1];
    let shape = if extent.range() == 0 { GrowthShape::Flat } else { GrowthShape::Unknown };
    Judged { shape, in_steps: false, began: None, line: Line { slope, low: slope, high: slope, p: 1.0 } }
}

fn trend(values: &[i64], judged: &Judged) -> Trend {
    let Judged { shape, in_steps, began, line } = *judged;
    Trend {
        first: values.first().copied().unwrap_or(0),
        last: values.last().copied().unwrap_or(0),
        peak: values.iter().copied().max().unwrap_or(0),
        slope: line.slope,
        slope_low: line.low,
        slope_high: line.high,
        p: line.p,
        shape,
        in_steps,
        began,
    }
}

/// Name of the root of the tree: what has no frame of its own, in a profile that may have none at all.
const NO_FRAMES: &str = "(no frames)";

fn name_of<'a>(context: &'a ReportContext, row: u32) -> &'a str {
    let ReportContext { profile, packages, tree, view, .. } = context;
    match view.by() {
        GrowthBy::Types => &packages.types(profile).name[row as usize].name,
        GrowthBy::Stacks if row == 0 => NO_FRAMES,
        GrowthBy::Stacks => tree.keys.name(tree.key[row as usize]),
        _ => tree.keys.name(row),
    }
}

/// Label of a row; for a stack its frames, leaf first.
fn what(context: &ReportContext, row: u32) -> (Row, Vec<String>) {
    let ReportContext { profile, packages, tree, view, .. } = context;
    match view.by() {
        GrowthBy::Types => {
            let TypeName { name, full_name } = packages.types(profile).name[row as usize].clone();
            (Row { name, full_name, ..Row::default() }, Vec::new())
        }
        GrowthBy::Stacks if row == 0 => (Row { name: NO_FRAMES.to_owned(), ..Row::default() }, Vec::new()),
        GrowthBy::Stacks => {
            let parent = |node: &u32| Some(tree.parent[*node as usize]).filter(|node| *node != 0);
            let frames = std::iter::successors(Some(row), parent).map(|node| tree.keys.name(tree.key[node as usize]).to_owned());
            (context.row(tree.key[row as usize]), frames.collect())
        }
        _ => (context.row(row), Vec::new()),
    }
}
