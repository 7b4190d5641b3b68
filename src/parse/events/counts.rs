//! Counters of a row or of a whole recording.

/// What happened so far. Sums of sizes that no machine has wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::parse) struct Counts {
    /// Number of allocations, and of frees.
    pub(super) n: [u64; 2],
    /// Bytes of the same.
    pub(super) bytes: [u64; 2],
    /// Number of temporary allocations, and their bytes.
    pub(super) temporary: [u64; 2],
}

/// Number of counters.
pub(super) const N_COUNTS: usize = 6;

impl Counts {
    /// Counts an event; a free of a temporary block counts for both. Without branches: which kind follows is as good as random.
    #[inline]
    pub(super) fn add(&mut self, size: u64, is_free: bool, is_temporary: bool) {
        let kind = usize::from(is_free);
        self.n[kind] += 1;
        self.bytes[kind] = self.bytes[kind].wrapping_add(size);
        let n = u64::from(is_temporary);
        self.temporary[0] += n;
        self.temporary[1] = self.temporary[1].wrapping_add(size & n.wrapping_neg());
    }

    /// The counters as numbers.
    pub(super) fn to_array(self) -> [u64; N_COUNTS] {
        let Counts { n: [allocations, frees], bytes: [allocated, freed], temporary: [temporaries, temporary] } = self;
        [allocations, allocated, frees, freed, temporaries, temporary]
    }

    /// The inverse of [`Counts::to_array`].
    pub(super) fn from_array(counts: [u64; N_COUNTS]) -> Self {
        let [allocations, allocated, frees, freed, temporaries, temporary] = counts;
        Counts { n: [allocations, frees], bytes: [allocated, freed], temporary: [temporaries, temporary] }
    }

    /// The change from `before`.
    pub(super) fn since(self, before: Counts) -> Counts {
        let (now, before) = (self.to_array(), before.to_array());
        Counts::from_array(std::array::from_fn(|i| now[i].saturating_sub(before[i])))
    }

    /// The state after a change.
    pub(super) fn plus(self, change: Counts) -> Counts {
        let (now, change) = (self.to_array(), change.to_array());
        Counts::from_array(std::array::from_fn(|i| now[i].saturating_add(change[i])))
    }

    /// Number of blocks in use.
    pub(super) fn live_objects(self) -> i64 {
        signed(self.n[0]).saturating_sub(signed(self.n[1]))
    }

    /// Their bytes.
    pub(super) fn live_bytes(self) -> i64 {
        signed(self.bytes[0]).saturating_sub(signed(self.bytes[1]))
    }

    /// Values in the order of [`super::VALUE_TYPES`] without those of the peak: allocated, in use, temporary; objects and bytes.
    pub(super) fn values(self) -> [i64; N_COUNTS] {
        let ([objects, _], [bytes, _], temporary) = (self.n, self.bytes, self.temporary.map(signed));
        [signed(objects), signed(bytes), self.live_objects(), self.live_bytes(), temporary[0], temporary[1]]
    }
}

/// The number, or the largest that fits.
pub(super) fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
