//! What is counted of a cell.

use std::fmt::Debug;

use super::counts::Counts;

/// Counters of a cell.
pub(in crate::parse) trait Tally: Copy + Debug + Default {
    /// Counts an event; a free of a temporary block counts for both.
    fn add(&mut self, size: u64, is_free: bool, is_temporary: bool);

    /// All counters. `size`: that of the cell's blocks.
    fn counts(self, size: u64) -> Counts;
}

/// Blocks of any size.
impl Tally for Counts {
    #[inline]
    fn add(&mut self, size: u64, is_free: bool, is_temporary: bool) {
        Counts::add(self, size, is_free, is_temporary);
    }

    fn counts(self, _: u64) -> Counts {
        self
    }
}

/// Blocks of one size.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::parse) struct Blocks {
    /// Number of allocations, and of frees.
    pub(super) n: [u64; 2],
    /// Number of temporary allocations.
    pub(super) temporary: u64,
}

impl Tally for Blocks {
    #[inline]
    fn add(&mut self, _: u64, is_free: bool, is_temporary: bool) {
        self.n[usize::from(is_free)] += 1;
        self.temporary += u64::from(is_temporary);
    }

    fn counts(self, size: u64) -> Counts {
        let bytes = |n: u64| n.wrapping_mul(size);
        Counts { n: self.n, bytes: self.n.map(bytes), temporary: [self.temporary, bytes(self.temporary)] }
    }
}
