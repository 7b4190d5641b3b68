//! States of a recording between the moments whose columns are kept.

use std::sync::Arc;

use super::moments::MomentParts;
use super::run_log::{LOGGED, LoggedChanges, RunLog};
use super::samples::SparseValues;
use super::{Column, Dump, Moment, MomentKind, Profile};

/// A state of a recording.
#[derive(Clone, Debug)]
pub enum StateAt {
    /// The dump of this number has it.
    Kept(usize),
    /// A state between two dumps.
    Between {
        /// When, by the clock of the recording: that of the first stamp from the time asked for on.
        at: i64,
        /// Its numbers.
        parts: MomentParts,
    },
}

impl Profile {
    /// Adds the log of a recording.
    #[must_use]
    pub fn with_log(mut self, log: RunLog) -> Profile {
        self.logs.push(log);
        self
    }

    /// Returns whether there is a log of the recording of this name.
    pub fn has_log(&self, name: &str) -> bool {
        self.logs.iter().any(|log| log.name == name)
    }

    /// The dumps that are moments of the recording whose dump as a whole is `whole`.
    pub fn moments_of(&self, whole: usize) -> impl Iterator<Item = (usize, Moment)> + '_ {
        let whole = self.dumps.get(whole);
        self.dumps.iter().enumerate().filter_map(move |(place, dump)| {
            let of_run =
                |whole: &Dump| whole.moment.is_none() && whole.is_base == dump.is_base && dump.series == whole.name && !dump.is_thinned;
            Some((place, dump.moment.filter(|_| whole.is_some_and(of_run))?))
        })
    }

    /// When a recording ended, by its clock.
    pub fn end_of(&self, whole: usize) -> i64 {
        let last = self.moments_of(whole).map(|(_, moment)| moment.at).max().unwrap_or(0);
        let name = self.dumps.get(whole).map(|dump| &dump.name);
        self.meta.runs.iter().find(|run| Some(&run.name) == name).map_or(last, |run| run.duration.max(last))
    }

    /// The state of a recording `time` after it began, by its clock, as of the first stamp that is not earlier: an event is as old
    /// as the last stamp before it, like in heaptrack. Without a log, or after its end, that of the kept moment before; then the
    /// second value is true. `None` if there is no moment. O(events between two kept moments).
    pub fn state_at(&self, whole: usize, time: i64) -> Option<(StateAt, bool)> {
        let dump = self.dumps.get(whole)?;
        if let Some((end, moment)) = self.moments_of(whole).find(|(_, moment)| moment.kind == MomentKind::End)
            && time >= moment.at
        {
            return Some((StateAt::Kept(end), false));
        }
        self.moments_of(whole).next()?;
        let log = self.logs.iter().find(|log| log.name == dump.name);
        // A log has no place for the peak.
        let kept = self.moments_of(whole).filter(|(_, moment)| moment.kind == MomentKind::Sampled || log.is_none());
        let before = kept.filter(|(_, moment)| moment.at <= time && moment.has_time()).max_by_key(|(_, moment)| moment.at);
        let kept = || match before {
            Some((place, _)) => StateAt::Kept(place),
            None => StateAt::Between { at: 0, parts: vec![Vec::new(); self.value_types.len()] },
        };
        if time <= 0 || before.is_some_and(|(_, moment)| moment.at == time) {
            return Some((kept(), false));
        }
        let Some(log) = log else { return Some((kept(), true)) };
        let from = before.map_or(0, |(_, moment)| moment.at);
        let place = log.places.iter().find(|(at, _)| *at == from).map(|(_, place)| *place);
        let Some(place) = place.or(before.is_none().then_some(0)) else { return Some((kept(), true)) };
        let Some(changes) = log.log.changes(place, time) else { return Some((kept(), true)) };
        if changes.at <= from && before.is_some() {
            return Some((kept(), changes.is_cut));
        }
        let mut sampled = self.moments_of(whole).filter(|(_, moment)| moment.kind == MomentKind::Sampled);
        if let Some((place, _)) = sampled.find(|(_, moment)| moment.at == changes.at) {
            return Some((StateAt::Kept(place), changes.is_cut));
        }
        let before = before.map(|(dump, _)| dump).filter(|_| !changes.is_whole);
        let parts = (0..self.value_types.len()).map(|value_type| self.parts_after(before, value_type, log, &changes)).collect();
        Some((StateAt::Between { at: changes.at, parts }, changes.is_cut))
    }

    /// Parts of the column of a value type: those of a kept moment, and changes.
    fn parts_after(&self, kept: Option<usize>, value_type: usize, log: &RunLog, changes: &LoggedChanges) -> Vec<Arc<SparseValues>> {
        let column: Option<&Column> = kept.and_then(|dump| self.columns.get(dump * self.value_types.len() + value_type));
        let mut parts = match column.map(|column| (column, column.parts())) {
            Some((_, Some(parts))) => parts.to_vec(),
            Some((column, None)) => {
                let pairs = column.nonzero().map(|(row, value)| (row as u32, value)).collect();
                vec![Arc::new(SparseValues::new(pairs))]
            }
            None => Vec::new(),
        };
        // What is in use at a moment is its peak, too.
        let kind = self.value_types[value_type].kind.replace("peak_", "inuse_");
        let Some(counter) = LOGGED.iter().position(|logged| *logged == kind) else { return parts };
        let change = |(row, change): &(u32, [i64; LOGGED.len()])| {
            let row = log.rows.get(*row as usize).copied().filter(|row| *row != u32::MAX)?;
            Some((row, change[counter].saturating_mul(log.factor))).filter(|(_, change)| *change != 0)
        };
        let pairs: Vec<(u32, i64)> = changes.rows.iter().filter_map(change).collect();
        if !pairs.is_empty() {
            parts.push(Arc::new(SparseValues::new(pairs)));
        }
        parts
    }

    /// Appends the state of a recording at a moment as a further dump, which is shown where a view names it. Returns its number.
    /// O(parts).
    pub fn add_moment(&mut self, whole: usize, moment: Moment, parts: MomentParts) -> usize {
        let (name, is_base) = self.dumps.get(whole).map_or((String::new(), false), |dump| (dump.name.clone(), dump.is_base));
        let number = self.dumps.len();
        self.append_moments(vec![(moment, parts)]);
        if let Some(dump) = self.dumps.last_mut() {
            *dump = Dump { name: moment.name(&name), series: name, is_base, ..dump.clone() };
        }
        number
    }
}
