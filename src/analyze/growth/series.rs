//! Selection and order of the dumps of a series, and its time axis.

use crate::base::run_clock::RunClock;
use crate::profile::{self, Axis, Dump, MomentKind, Profile, RunSummary};
use crate::query::{Dumps, QueryError, View};

/// The dumps that growth is looked for in.
#[derive(Debug)]
pub(super) struct Series {
    /// Process; empty if unknown.
    pub(super) name: String,
    /// All processes that there are dumps of.
    pub(super) all: Vec<String>,
    /// Place → number of the dump.
    pub(super) dump: Vec<usize>,
    /// Place → where it is on the axis; rises strictly.
    pub(super) at: Vec<f64>,
    /// Unit of the axis: seconds, that of a recording's clock, or `dump`: numbers of dumps, or places.
    pub(super) axis: &'static str,
    /// Place → recorded time, or the file's modification time if the axis is based on it: nanoseconds; 0: unknown.
    pub(super) time_nanos: Vec<i64>,
}

impl Series {
    /// Selects the dumps named by `view`, otherwise those of its process, otherwise of the process with most dumps; ties go to
    /// the newest last dump. O(dumps log dumps).
    pub(super) fn new(profile: &Profile, view: &View) -> Result<Self, QueryError> {
        let dumps = profile.dumps();
        let mut all: Vec<String> = dumps.iter().filter(|d| is_of_series(d) && !d.series.is_empty()).map(|d| d.series.clone()).collect();
        all.sort_unstable();
        all.dedup();
        let mut chosen: Vec<usize> = match &view.weight.dump {
            Some(Dumps(numbers)) => numbers.iter().copied().filter(|&d| d < dumps.len() && !dumps[d].is_thinned).collect(),
            None => (0..dumps.len()).filter(|&d| is_of_series(&dumps[d])).collect(),
        };
        let wanted = &view.weight.series;
        let name = match wanted.is_empty() {
            false => named(wanted, &all).ok_or_else(|| QueryError::NoSeries { value: wanted.clone(), has: all.join(", ") })?,
            true if view.weight.dump.is_some() => String::new(),
            true => largest(dumps, &all),
        };
        if !name.is_empty() {
            chosen.retain(|&d| dumps[d].series == name);
        }
        chosen.retain(|&d| is_placed(profile, &dumps[d]));
        if chosen.len() < 2 {
            return Err(QueryError::FewDumps { n: chosen.len() });
        }
        let of_one = chosen.iter().all(|&d| dumps[d].series == dumps[chosen[0]].series);
        let name = if of_one { dumps[chosen[0]].series.clone() } else { name };
        // Files are in the user's order; sequence numbers and times are better. Numbers of several processes cannot be compared.
        let number = |d: usize| dumps[d].number.filter(|_| of_one);
        let alike = |&d: &usize| Dump { series: String::new(), number: number(d), is_base: false, ..dumps[d].clone() };
        let chosen_dumps: Vec<Dump> = chosen.iter().map(alike).collect();
        let Some(found) = profile::Series::of(&chosen_dumps).into_iter().next() else {
            return Err(QueryError::FewDumps { n: 0 });
        };
        let places = found.places(&chosen_dumps);
        let timed = match found.axis {
            Axis::Time | Axis::FileTime => seconds(&places).map(|at| (RunClock::Time.axis().0, at)),
            // Stamps of recorders are exact.
            Axis::Moment => {
                let (axis, size) = found.dumps.first().and_then(|&i| chosen_dumps[i].moment).map_or(RunClock::Time, |of| of.clock).axis();
                Some((axis, places.iter().map(|at| *at as f64 / size).collect()))
            }
            Axis::Number | Axis::Order => None,
        };
        let by_file = timed.is_some() && found.axis == Axis::FileTime;
        let (axis, at) = timed.unwrap_or_else(|| ("dump", numbers(found.axis, &places)));
        let dump: Vec<usize> = found.dumps.iter().map(|&i| chosen[i]).collect();
        let time_nanos = dump.iter().map(|&d| if by_file { dumps[d].file_time } else { dumps[d].time_nanos }).collect();
        Ok(Series { name, all, dump, at, axis, time_nanos })
    }
}

impl Series {
    /// The series without its last dump.
    pub(super) fn without_last(self) -> Self {
        let Series { mut dump, mut at, mut time_nanos, .. } = self;
        dump.pop();
        at.pop();
        time_nanos.pop();
        Series { dump, at, time_nanos, ..self }
    }
}

/// A base is excluded; dumps of the series that are not shown are included.
fn is_of_series(dump: &Dump) -> bool {
    !dump.is_base && !dump.is_thinned
}

/// Returns whether a dump has a place of its own: not a moment without a time, nor the end of snapshots of which the last is the peak,
/// too.
fn is_placed(profile: &Profile, dump: &Dump) -> bool {
    let Some(moment) = dump.moment else { return true };
    let is_of_peak = |run: &RunSummary| run.shows_peak && run.name == dump.series && run.duration < moment.at;
    moment.has_time() && !(moment.kind == MomentKind::End && profile.meta().runs.iter().any(is_of_peak))
}

/// The process that a user means by its whole name or by its number, which names end with.
fn named(wanted: &str, all: &[String]) -> Option<String> {
    let is_number = |name: &&String| name.rsplit(['.', '_', '/']).next() == Some(wanted);
    let mut by_number = all.iter().filter(is_number);
    let exact = all.iter().find(|name| *name == wanted);
    exact.or_else(|| by_number.next().filter(|_| by_number.next().is_none())).cloned()
}

fn largest(dumps: &[Dump], all: &[String]) -> String {
    let size = |name: &&String| {
        let of_it = || dumps.iter().filter(|d| is_of_series(d) && d.series == **name);
        let newest = |time: fn(&Dump) -> i64| of_it().map(time).max();
        (of_it().count(), newest(|d| d.time_nanos), newest(|d| d.file_time))
    };
    // Of equal ones the first by name.
    let first = all.iter().rev().max_by_key(size).cloned().unwrap_or_default();
    let n_unnamed = dumps.iter().filter(|d| is_of_series(d) && d.series.is_empty()).count();
    if n_unnamed > dumps.iter().filter(|d| is_of_series(d) && d.series == first).count() { String::new() } else { first }
}

/// Nanoseconds.
const MILLI: i64 = 1_000_000;

/// Seconds since the first dump, to the millisecond (JSON does not keep all digits of a time), of times that rise by that
/// much at least; a series takes a second at least. O(dumps).
fn seconds(times: &[i64]) -> Option<Vec<f64>> {
    let rise = times.windows(2).all(|w| w[1].saturating_sub(w[0]) >= MILLI);
    let (first, last) = (*times.first()?, *times.last()?);
    let is_long = last.saturating_sub(first) >= 1_000_000_000;
    (rise && is_long)
        .then(|| times.iter().map(|t| (t.saturating_sub(first) + MILLI / 2) / MILLI).map(|millis| millis as f64 / 1e3).collect())
}

/// Numbers further apart count nothing that could be divided by.
const FAR: i64 = 1_000_000_000;

/// Sequence numbers relative to the first dump if they show the distances; otherwise places.
fn numbers(axis: Axis, places: &[i64]) -> Vec<f64> {
    let first = places.first().copied().unwrap_or(0);
    let since: Vec<i64> = places.iter().map(|place| place.saturating_sub(first)).collect();
    let is_near = axis == Axis::Number && since.last().is_some_and(|far| *far <= FAR);
    since.iter().enumerate().map(|(place, since)| if is_near { *since as f64 } else { place as f64 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_numbers_are_distances() {
        const SECOND: i64 = 1_000_000_000;
        assert_eq!(seconds(&[5 * SECOND, 6 * SECOND, 9 * SECOND + 1]), Some(vec![0.0, 1.0, 4.0]));
        assert_eq!(seconds(&[5 * SECOND, 5 * SECOND + MILLI, 5 * SECOND + 2 * MILLI]), None);
        assert_eq!(seconds(&[5 * SECOND, 5 * SECOND, 9 * SECOND]), None);
        assert_eq!(numbers(Axis::Number, &[3, 4, 9]), [0.0, 1.0, 6.0]);
        assert_eq!(numbers(Axis::Number, &[0, 1, i64::MAX]), [0.0, 1.0, 2.0]);
        assert_eq!(numbers(Axis::FileTime, &[3, 4, 9]), [0.0, 1.0, 2.0]);
    }
}
