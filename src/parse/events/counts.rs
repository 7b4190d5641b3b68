//! Counters of a row or of a whole recording.

/// What happened so far. Sums saturate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) allocations: u64,
    pub(super) allocated_bytes: u64,
    pub(super) frees: u64,
    pub(super) freed_bytes: u64,
    pub(super) temporaries: u64,
    pub(super) temporary_bytes: u64,
}

/// Number of counters.
pub(super) const N_COUNTS: usize = 6;

impl Counts {
    #[inline]
    pub(super) fn allocate(&mut self, size: u64) {
        self.allocations += 1;
        self.allocated_bytes = self.allocated_bytes.saturating_add(size);
    }

    #[inline]
    pub(super) fn free(&mut self, size: u64, is_temporary: bool) {
        self.frees += 1;
        self.freed_bytes = self.freed_bytes.saturating_add(size);
        if is_temporary {
            self.temporaries += 1;
            self.temporary_bytes = self.temporary_bytes.saturating_add(size);
        }
    }

    /// The counters as numbers.
    pub(super) fn to_array(self) -> [u64; N_COUNTS] {
        let Counts { allocations, allocated_bytes, frees, freed_bytes, temporaries, temporary_bytes } = self;
        [allocations, allocated_bytes, frees, freed_bytes, temporaries, temporary_bytes]
    }

    /// The inverse of [`Counts::to_array`].
    pub(super) fn from_array(counts: [u64; N_COUNTS]) -> Self {
        let [allocations, allocated_bytes, frees, freed_bytes, temporaries, temporary_bytes] = counts;
        Counts { allocations, allocated_bytes, frees, freed_bytes, temporaries, temporary_bytes }
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
        signed(self.allocations).saturating_sub(signed(self.frees))
    }

    /// Their bytes.
    pub(super) fn live_bytes(self) -> i64 {
        signed(self.allocated_bytes).saturating_sub(signed(self.freed_bytes))
    }

    /// Values in the order of [`super::VALUE_TYPES`] without those of the peak: allocated, in use, temporary; objects and bytes.
    pub(super) fn values(self) -> [i64; N_COUNTS] {
        [
            signed(self.allocations),
            signed(self.allocated_bytes),
            self.live_objects(),
            self.live_bytes(),
            signed(self.temporaries),
            signed(self.temporary_bytes),
        ]
    }
}

/// The number, or the largest that fits.
pub(super) fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}
