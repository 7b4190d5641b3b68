//! Dumps added by `-watch`, and which of them are kept.
//!
//! At most [`DUMPS`] are kept. Beyond that, a dump is dropped whose neighbours are close together for its age, so that the first,
//! the last, and more of the newer ones remain. Of a run of equal dumps only the first and the last are kept. The same happens
//! when the open dumps use too much memory.

use std::collections::BTreeMap;

use crate::profile::{Profile, Series};

/// Maximum number of dumps that are kept.
const DUMPS: usize = 200;

/// Bytes that the open profile may take before dumps are thinned out, or twice of what was opened first.
const BYTES: usize = 256 << 20;

/// Places in the list of dumps, thinned ones too, after which every other dump takes the place of the one before; after
/// twice as many three of four do, and so on. Otherwise the list itself would grow for ever.
const PLACES: usize = 1000;

/// The dumps that came by `-watch`.
pub(crate) struct Followed {
    /// Index of the dump → when it came.
    added: BTreeMap<usize, u64>,
    /// Counts dumps.
    now: u64,
    /// Value of the counter when the last dump was kept.
    last_place: u64,
    most_bytes: usize,
    most_dumps: usize,
}

impl Followed {
    /// No dumps yet, beside an open profile of this many bytes.
    pub(crate) fn new(open_bytes: usize) -> Self {
        Followed { added: BTreeMap::new(), now: 0, last_place: 0, most_bytes: BYTES.max(open_bytes.saturating_mul(2)), most_dumps: DUMPS }
    }

    /// The dump that the one at `new` replaces: the last watched one of its process, if equal. O(numbers of the dump).
    pub(crate) fn superseded(&self, profile: &Profile, new: usize) -> Option<usize> {
        let dumps = profile.dumps();
        let series = Series::of(dumps).into_iter().find(|series| series.dumps.contains(&new))?;
        let at = series.dumps.iter().position(|dump| *dump == new)?;
        // One that comes late is not the newest.
        if at + 1 != series.dumps.len() {
            return None;
        }
        let last = *series.dumps.get(at.checked_sub(1)?)?;
        if !self.added.contains_key(&last) {
            return None;
        }
        let is_early = self.now + 1 < self.last_place + (1 << (new / PLACES).min(32));
        let before = at.checked_sub(2).and_then(|at| series.dumps.get(at));
        let is_run = || before.is_some_and(|before| profile.is_same_dump(*before, last) && profile.is_same_dump(last, new));
        (is_early || is_run()).then_some(last)
    }

    /// A dump came, and is at this index.
    pub(crate) fn add(&mut self, at: usize) {
        self.now += 1;
        if self.added.insert(at, self.now).is_none() {
            self.last_place = self.now;
        }
    }

    /// The dumps that are to go; they are forgotten. O(dumps²) in the worst case, which is once for many dumps.
    pub(crate) fn too_many(&mut self, profile: &Profile) -> Vec<usize> {
        let dumps = profile.dumps();
        let n = self.added.len();
        let is_large = profile.heap_bytes() > self.most_bytes;
        let most = if is_large { self.most_dumps.min(n / 2) } else { self.most_dumps };
        let mut series: Vec<Vec<usize>> = Series::of(dumps).into_iter().map(|series| series.dumps).collect();
        series.iter_mut().for_each(|dumps| dumps.retain(|dump| self.added.contains_key(dump)));
        let mut dropped = Vec::new();
        while n - dropped.len() > most {
            // Of the process with most of them.
            let Some(largest) = series.iter_mut().max_by_key(|dumps| dumps.len()) else { break };
            let added: Vec<u64> = largest.iter().map(|dump| self.added.get(dump).copied().unwrap_or(0)).collect();
            let Some(at) = superfluous(&added) else { break };
            dropped.push(largest.remove(at));
        }
        self.added.retain(|dump, _| !dropped.contains(dump));
        dropped
    }

    /// Message about dropped dumps.
    pub(crate) fn note(&self) -> String {
        format!(
            "-watch keeps at most {} dumps, or fewer above {} MiB: it drops older ones and keeps the first and the latest",
            self.most_dumps,
            self.most_bytes >> 20
        )
    }
}

/// Index of the least important of several ascending times: its neighbours are closest relative to its age. Never the first or
/// the last. O(n).
fn superfluous(moments: &[u64]) -> Option<usize> {
    let last = *moments.last()?;
    let gap = |at: usize| {
        let (between, age) = (moments[at + 1].saturating_sub(moments[at - 1]), last.saturating_sub(moments[at]));
        between as f64 / age.max(1) as f64
    };
    (1..moments.len().checked_sub(1)?).min_by(|&a, &b| gap(a).total_cmp(&gap(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, parse};
    use crate::profile::merge;

    #[test]
    fn old_dumps_are_thinned_out_evenly_for_their_age() {
        let mut kept: Vec<u64> = Vec::new();
        for now in 0..100_000 {
            kept.push(now);
            if kept.len() > 50 {
                kept.remove(superfluous(&kept).unwrap());
            }
        }
        assert_eq!((kept[0], kept[49]), (0, 99_999));
        // The last twenty dumps have half of the places at least; nothing is missing for more than half of its age.
        assert!(kept[44] > 99_990, "{kept:?}");
        for pair in kept.windows(2).skip(1) {
            assert!((pair[1] - pair[0]) * 2 <= (99_999 - pair[0]).max(2), "{kept:?}");
        }
        assert_eq!((superfluous(&[]), superfluous(&[1]), superfluous(&[1, 2])), (None, None, None));
        assert_eq!(superfluous(&[1, 2, 3]), Some(1));
    }

    fn open(values: &[i64]) -> Profile {
        let one = |(number, value): (usize, &i64)| {
            let mut profile = parse(format!("main;work {value}\n").as_bytes(), &ParseOptions::default()).unwrap().profile;
            profile.dumps_mut()[0].number = Some(number as u64);
            profile
        };
        merge(values.iter().enumerate().map(one).collect()).unwrap()
    }

    #[test]
    fn a_run_of_equal_dumps_is_its_first_and_its_last() {
        let superseded = |values: &[i64]| {
            let mut followed = Followed::new(0);
            (1..values.len() - 1).for_each(|at| followed.add(at));
            followed.superseded(&open(values), values.len() - 1)
        };
        assert_eq!(superseded(&[5, 5, 5]), Some(1));
        assert_eq!(superseded(&[5, 7, 7, 7]), Some(2));
        assert_eq!(superseded(&[5, 7, 7]), None);
        assert_eq!(superseded(&[7, 7, 8]), None);
        // Dumps from the command line stay.
        assert_eq!(superseded(&[7, 7]), None);
    }

    #[test]
    fn fewer_large_dumps_are_kept() {
        let values: Vec<i64> = (1..=20).collect();
        let followed = |most_bytes: usize, most_dumps: usize| {
            let mut followed = Followed { most_bytes, most_dumps, ..Followed::new(0) };
            (1..20).for_each(|at| followed.add(at));
            followed.too_many(&open(&values)).len()
        };
        assert_eq!(followed(1 << 20, 200), 0);
        assert_eq!(followed(1 << 20, 15), 4);
        assert_eq!(followed(10, 200), 10);
    }
}
