//! Which dumps are the series, in which order, and the axis they lie on.

use crate::profile::{Dump, Profile};
use crate::query::{Dumps, QueryError, View};

/// The dumps that growth is looked for in.
#[derive(Debug)]
pub(super) struct Series {
    /// Process; empty when names tell none.
    pub(super) name: String,
    /// All processes that there are dumps of.
    pub(super) all: Vec<String>,
    /// Place → number of the dump.
    pub(super) dump: Vec<usize>,
    /// Place → where it lies on the axis; rises strictly.
    pub(super) at: Vec<f64>,
    /// The axis is time, seconds; else the place.
    pub(super) is_timed: bool,
}

impl Series {
    /// The dumps that `view` names, else those of the process that it names, else of the one with most dumps, of
    /// several the one whose last dump is the newest. O(dumps log dumps).
    pub(super) fn new(profile: &Profile, view: &View) -> Result<Self, QueryError> {
        let dumps = profile.dumps();
        let mut all: Vec<String> = dumps.iter().filter(|d| is_of_series(d) && !d.series.is_empty()).map(|d| d.series.clone()).collect();
        all.sort_unstable();
        all.dedup();
        let mut chosen: Vec<usize> = match &view.weight.dump {
            Some(Dumps(numbers)) => numbers.iter().copied().filter(|&d| d < dumps.len()).collect(),
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
        if chosen.len() < 2 {
            return Err(QueryError::FewDumps { n: chosen.len() });
        }
        let of_one = chosen.iter().all(|&d| dumps[d].series == dumps[chosen[0]].series);
        // Files come in the order in which the person gave them; their numbers know better.
        if of_one && chosen.iter().all(|&d| dumps[d].number.is_some()) {
            chosen.sort_by_key(|&d| (dumps[d].number, dumps[d].time_nanos, d));
        } else if chosen.iter().all(|&d| dumps[d].time_nanos != 0) {
            chosen.sort_by_key(|&d| (dumps[d].time_nanos, d));
        }
        let name = if of_one { dumps[chosen[0]].series.clone() } else { name };
        let seconds = seconds(dumps, &chosen);
        let is_timed = seconds.is_some();
        let at = seconds.unwrap_or_else(|| (0..chosen.len()).map(|place| place as f64).collect());
        Ok(Series { name, all, dump: chosen, at, is_timed })
    }
}

/// A base is of another time; of a series the dumps count that are not shown as well.
fn is_of_series(dump: &Dump) -> bool {
    !dump.is_base
}

/// The process that a person means by its whole name or by its number, which names end with.
fn named(wanted: &str, all: &[String]) -> Option<String> {
    let is_number = |name: &&String| name.rsplit(['.', '_', '/']).next() == Some(wanted);
    let mut by_number = all.iter().filter(is_number);
    let exact = all.iter().find(|name| *name == wanted);
    exact.or_else(|| by_number.next().filter(|_| by_number.next().is_none())).cloned()
}

fn largest(dumps: &[Dump], all: &[String]) -> String {
    let size = |name: &&String| {
        let of_it = || dumps.iter().filter(|d| is_of_series(d) && d.series == **name);
        (of_it().count(), of_it().map(|d| d.time_nanos).max())
    };
    // Of equal ones the first by name.
    let first = all.iter().rev().max_by_key(size).cloned().unwrap_or_default();
    let n_unnamed = dumps.iter().filter(|d| is_of_series(d) && d.series.is_empty()).count();
    if n_unnamed > dumps.iter().filter(|d| is_of_series(d) && d.series == first).count() { String::new() } else { first }
}

/// Nanoseconds.
const MILLI: i64 = 1_000_000;

/// Seconds since the first dump, to the millisecond (JSON does not keep all digits of a time), when all times are known, rise,
/// and are not those of copying files: a series takes a second at least.
fn seconds(dumps: &[Dump], chosen: &[usize]) -> Option<Vec<f64>> {
    let times: Vec<i64> = chosen.iter().map(|&d| dumps[d].time_nanos).collect();
    let rise = times.iter().all(|&t| t != 0) && times.windows(2).all(|w| w[1].saturating_sub(w[0]) >= MILLI);
    let (first, last) = (*times.first()?, *times.last()?);
    let is_long = last.saturating_sub(first) >= 1_000_000_000;
    (rise && is_long)
        .then(|| times.iter().map(|t| (t.saturating_sub(first) + MILLI / 2) / MILLI).map(|millis| millis as f64 / 1e3).collect())
}
