//! Moments at which the state of all rows is kept, as changes since the moment before.
//!
//! The length of a recording is unknown until its end. Moments are therefore taken as often as stamps come; when there are twice as
//! many as wanted, every other one is dropped and the distance between new ones doubles.

use super::counts::Counts;
use super::journal::Changes;
use super::state::State;

/// Most moments of a profile, the peak and the end among them.
pub(super) const MOST_MOMENTS: usize = 512;

/// Most memory for changes until the end, bytes.
const MOST_BYTES: usize = 128 << 20;

/// Changes of rows in a profile, about: with the numbers of each type they take some 60 bytes each, and time to note. Where all rows
/// change all the time there are fewer moments.
const MOST_CHANGES: usize = 1 << 20;

/// Events for each further change: noting one and merging it later takes as long as ten of them.
const EVENTS_A_CHANGE: u64 = 64;

/// Moments that are kept all the same.
const FEWEST_MOMENTS: usize = 64;

/// A state of all rows.
#[derive(Clone, Debug)]
pub(super) struct Taken {
    /// Totals at that time. `high` is that since the moment before.
    pub(super) state: State,
    /// Counters of all rows together at that time.
    pub(super) counts: Counts,
    /// Changes since the moment before.
    pub(super) changes: Changes,
}

/// The moments so far.
#[derive(Debug, Default)]
pub(super) struct Moments {
    list: Vec<Taken>,
    /// Number of moments that were taken, dropped ones included.
    n_taken: u64,
    /// Least distance of two moments, nanoseconds.
    interval: i64,
    /// Number of events after which a moment is taken all the same: replaying those between two moments takes time.
    most_events: u64,
    /// Memory of the changes, bytes.
    heap_bytes: usize,
    /// Number of changes.
    n_changes: usize,
    /// Number of changes of all moments that were taken.
    n_noted: u64,
    /// Number of changes that was left when there were too many.
    n_left: usize,
    /// Counters of all rows together at the last moment.
    counts: Counts,
}

impl Moments {
    /// Number of moments that were taken, from 1: a row whose number differs has not changed since the last one.
    #[inline]
    pub(super) fn n_taken(&self) -> u64 {
        self.n_taken + 1
    }

    /// Returns whether the state of now is to be taken. `n_changed`: number of cells that changed since the last one.
    pub(super) fn is_due(&self, state: &State, n_changed: usize) -> bool {
        if self.n_noted + n_changed as u64 > MOST_CHANGES as u64 + state.n_events / EVENTS_A_CHANGE {
            return false;
        }
        match self.list.last() {
            Some(last) => {
                let n_events = state.n_events - last.state.n_events;
                state.time - last.state.time >= self.interval.max(1) || self.most_events > 0 && n_events >= self.most_events
            }
            None => state.n_events > 0,
        }
    }

    /// Returns whether the last moment is that of `state`.
    pub(super) fn is_at(&self, state: &State) -> bool {
        self.list.last().is_some_and(|last| last.state.n_events == state.n_events && last.state.time == state.time)
    }

    /// Takes a moment. `changed`: changes of rows since the last one, in order of rows, each once.
    pub(super) fn take(&mut self, state: State, changed: &[(u32, Counts)]) {
        self.counts = changed.iter().fold(self.counts, |sum, (_, change)| sum.plus(*change));
        let changes = Changes::new(changed.iter().copied());
        self.heap_bytes += changes.heap_bytes() + size_of::<Taken>();
        self.n_changes += changes.len();
        self.n_noted += changed.len() as u64;
        self.list.push(Taken { state, counts: self.counts, changes });
        self.n_taken += 1;
        // Changes of other rows at each moment do not become fewer.
        let is_much = self.n_changes > 2 * MOST_CHANGES.max(self.n_left) && self.list.len() > 2 * FEWEST_MOMENTS;
        if self.list.len() >= 2 * MOST_MOMENTS || is_much || self.heap_bytes > MOST_BYTES && self.list.len() > 8 {
            self.halve();
            self.n_left = self.n_changes;
        }
    }

    /// Drops every other moment; the last one stays.
    fn halve(&mut self) {
        let length = self.list.last().map_or(0, |last| last.state.time);
        let n_left = self.list.len() / 2;
        self.interval = (self.interval * 2).max(length / n_left.max(1) as i64);
        let n_events = self.list.last().map_or(0, |last| last.state.n_events);
        self.most_events = (self.most_events * 2).max(n_events / n_left.max(1) as u64).max(1);
        let mut list: Vec<Taken> = Vec::with_capacity(2 * MOST_MOMENTS);
        let is_odd = self.list.len() % 2;
        for (place, taken) in self.list.drain(..).enumerate() {
            match list.last_mut() {
                Some(last) if (place + is_odd) % 2 == 1 => *last = last.then(&taken),
                _ => list.push(taken),
            }
        }
        self.heap_bytes = list.iter().map(|taken| taken.changes.heap_bytes() + size_of::<Taken>()).sum();
        self.n_changes = list.iter().map(|taken| taken.changes.len()).sum();
        self.list = list;
    }

    /// All moments, the last one being the end; few enough for a profile.
    pub(super) fn finish(mut self) -> Vec<Taken> {
        // The peak becomes one of them.
        while self.list.len() > 2 * (MOST_MOMENTS - 1) || self.n_changes > MOST_CHANGES && self.list.len() > FEWEST_MOMENTS {
            self.halve();
        }
        thinned(self.list, MOST_MOMENTS - 1)
    }
}

impl Taken {
    /// The moment `later` and everything since the one before this.
    fn then(&self, later: &Taken) -> Taken {
        let state = State { high: self.state.high.max(later.state.high), ..later.state };
        Taken { state, counts: later.counts, changes: self.changes.with_later(&later.changes) }
    }
}

/// At most `most` moments, the last one among them: those that follow another one most closely are dropped, without making gaps
/// larger than two of the old ones. `list` has at most twice as many.
fn thinned(list: Vec<Taken>, most: usize) -> Vec<Taken> {
    let n_gone = list.len().saturating_sub(most);
    if n_gone == 0 {
        return list;
    }
    // Of each pair the first can go.
    let mut pairs: Vec<usize> = (0..list.len() / 2).collect();
    let end = list.last().map_or(State::default(), |last| last.state);
    // Share of the time and of the events.
    let gap = |pair: usize| {
        let (before, after) = ((2 * pair).checked_sub(1).map_or(State::default(), |at| list[at].state), list[2 * pair + 1].state);
        let share = |part: i128, whole: i128| (part << 20) / whole.max(1);
        let time = share((after.time - before.time).into(), end.time.into());
        time + share((after.n_events - before.n_events).into(), end.n_events.into())
    };
    pairs.sort_by_key(|pair| gap(*pair));
    let mut goes = vec![false; list.len()];
    pairs.into_iter().take(n_gone).for_each(|pair| goes[2 * pair] = true);
    let mut kept: Vec<Taken> = Vec::with_capacity(most);
    let mut gone: Option<Taken> = None;
    for (taken, goes) in list.into_iter().zip(goes) {
        let taken = gone.take().map_or_else(|| taken.clone(), |before| before.then(&taken));
        if goes { gone = Some(taken) } else { kept.push(taken) }
    }
    kept
}
