//! Events of several threads in the order of their times: recorders write them nearly in order.

use std::collections::VecDeque;

/// Events that wait for earlier ones; few enough to stay in a core's cache.
const MOST: usize = 1 << 8;
/// Most events that one can be put before.
const FARTHEST: usize = 1 << 7;

/// An allocation or a free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::parse) struct Timed {
    /// Nanoseconds since the recording began.
    pub(in crate::parse) at: i64,
    pub(in crate::parse) row: u32,
    pub(in crate::parse) is_free: bool,
    pub(in crate::parse) size: u64,
    pub(in crate::parse) block: u64,
}

/// The last events, in the order of their times; those of one time in the order they came.
#[derive(Debug)]
pub(in crate::parse) struct Ordered {
    queue: VecDeque<Timed>,
    /// Time of the last event that was returned.
    returned: i64,
}

impl Default for Ordered {
    fn default() -> Self {
        Ordered { queue: VecDeque::new(), returned: i64::MIN }
    }
}

impl Ordered {
    /// Adds an event; returns the first one if there are many, and whether this one had to be given a later time: it came too late.
    #[inline]
    pub(in crate::parse) fn push(&mut self, mut event: Timed) -> (Option<Timed>, bool) {
        let mut is_late = false;
        if self.queue.back().is_none_or(|last| last.at <= event.at) {
            self.queue.push_back(event);
        } else {
            let n_later = self.queue.iter().rev().take(FARTHEST).take_while(|other| other.at > event.at).count();
            let place = self.queue.len() - n_later;
            let before = place.checked_sub(1).and_then(|before| self.queue.get(before)).map_or(self.returned, |other| other.at);
            is_late = before > event.at;
            event.at = event.at.max(before);
            self.queue.insert(place, event);
        }
        (if self.queue.len() > MOST { self.pop() } else { None }, is_late)
    }

    /// Takes the first of the events that are left.
    pub(in crate::parse) fn pop(&mut self) -> Option<Timed> {
        let first = self.queue.pop_front()?;
        self.returned = first.at;
        Some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_come_out_in_order() {
        let event = |at: i64, block: u64| Timed { at, row: 0, is_free: false, size: 1, block };
        let mut ordered = Ordered::default();
        let mut out = Vec::new();
        let mut n_late = 0;
        let times = (0..5000i64).map(|n| n - 50 * (n % 3)).chain([10, 4990]);
        for (block, at) in (0..).zip(times) {
            let (first, is_late) = ordered.push(event(at, block));
            out.extend(first);
            n_late += usize::from(is_late);
        }
        out.extend(std::iter::from_fn(|| ordered.pop()));
        assert_eq!((out.len(), n_late), (5002, 1));
        assert!(out.windows(2).all(|pair| pair[0].at < pair[1].at || pair[0].at == pair[1].at && pair[0].block != pair[1].block));
        let same: Vec<u64> = out.iter().filter(|event| event.at == 4990).map(|event| event.block).collect();
        assert!(same.is_sorted() && same.ends_with(&[5001]), "{same:?}");
    }
}
