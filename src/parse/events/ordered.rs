//! Events of several threads in the order of their times: recorders write them nearly in order.

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
#[derive(Debug, Default)]
pub(in crate::parse) struct Ordered {
    /// A ring: the first event is at `first`, the last one before it.
    ring: Vec<Timed>,
    first: usize,
}

impl Ordered {
    /// Adds an event; returns the first one if there are many, and whether this one had to be given a later time: it came too late.
    #[inline]
    pub(in crate::parse) fn push(&mut self, event: Timed) -> (Option<Timed>, bool) {
        let n = self.ring.len();
        if n < MOST {
            self.ring.push(event);
            return (None, self.ring.len() > 1 && event.at < self.ring[n - 1].at && self.settle(n));
        }
        let place = self.first;
        self.first = (place + 1) % MOST;
        let out = std::mem::replace(&mut self.ring[place], event);
        let last = self.ring[(place + MOST - 1) % MOST];
        (Some(out), event.at < last.at && (self.settle(place) | self.delay(out.at)))
    }

    /// Moves the event at `place`, which is the last one, before those that are later. Returns whether it would have to go farther.
    #[cold]
    fn settle(&mut self, mut place: usize) -> bool {
        let n = self.ring.len();
        for _ in 0..FARTHEST {
            let before = (place + n - 1) % n;
            if place == self.first || self.ring[before].at <= self.ring[place].at {
                return false;
            }
            self.ring.swap(before, place);
            place = before;
        }
        let before = (place + n - 1) % n;
        let is_late = place != self.first && self.ring[before].at > self.ring[place].at;
        self.ring[place].at = self.ring[place].at.max(if is_late { self.ring[before].at } else { i64::MIN });
        is_late
    }

    /// The first event is not before `at`. Returns whether it was.
    fn delay(&mut self, at: i64) -> bool {
        let first = &mut self.ring[self.first];
        let is_late = first.at < at;
        first.at = first.at.max(at);
        is_late
    }

    /// Takes the events that are left, in their order.
    pub(in crate::parse) fn drain(&mut self) -> Vec<Timed> {
        self.ring.rotate_left(self.first);
        self.first = 0;
        std::mem::take(&mut self.ring)
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
        out.extend(ordered.drain());
        assert_eq!((out.len(), n_late), (5002, 1));
        assert!(out.windows(2).all(|pair| pair[0].at < pair[1].at || pair[0].at == pair[1].at && pair[0].block != pair[1].block));
        let same: Vec<u64> = out.iter().filter(|event| event.at == 4990).map(|event| event.block).collect();
        assert!(same.is_sorted() && same.ends_with(&[5001]), "{same:?}");
    }
}
