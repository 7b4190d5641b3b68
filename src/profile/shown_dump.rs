//! Order of many dumps, and which of them is shown when no view names any.

use super::{Dump, Profile, Series};

/// Puts the dumps of each process together, in the order in which they were taken, and those to be subtracted last. Returns
/// the profile, and new index → index before. O(dumps log dumps).
pub fn in_series_order(profile: Profile) -> (Profile, Vec<usize>) {
    let mut order: Vec<usize> = Series::of(profile.dumps()).into_iter().flat_map(|series| series.dumps).collect();
    order.extend((0..profile.dumps().len()).filter(|&dump| profile.dumps()[dump].is_base));
    (profile.reordered(&order), order)
}

/// The dumps of the process that grew largest, in the value type that is shown first, among those that `among` accepts; of
/// equal processes the newest. O(numbers).
pub fn largest_process(profile: &Profile, among: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
    let shown = profile.default_value_type();
    let total = |dump: usize| {
        let column = profile.columns().iter().find(|c| c.dump.0 as usize == dump && Some(c.value_type) == shown);
        column.map_or(0, |column| column.total())
    };
    let all: Vec<_> = profile.dumps().iter().map(|dump| Dump { is_base: false, ..dump.clone() }).collect();
    let kept = |series: Series| -> Vec<usize> { series.dumps.into_iter().filter(|&dump| among(dump)).collect() };
    let processes = Series::of(&all).into_iter().map(kept).filter(|dumps| !dumps.is_empty());
    processes.max_by_key(|dumps| {
        let last = dumps.last().map_or((0, 0), |&dump| (all[dump].time_nanos, all[dump].file_time));
        (dumps.iter().map(|&dump| total(dump)).max(), last)
    })
}

/// Shows only the dump `shown`; the others are open, too, and shown where a view names them.
pub fn show_only(profile: &mut Profile, shown: usize) {
    for (i, dump) in profile.dumps_mut().iter_mut().enumerate() {
        dump.is_added = !dump.is_base && i != shown;
    }
}
