//! Sizes that the program asked for.

use crate::base::hash::HashMap;

/// No machine has larger blocks, bytes.
const LARGEST: u64 = 1 << 48;
/// What is said of larger ones.
pub(in crate::parse) const HUGE: &str = "sizes that no machine has, clamped to 256 TiB";
/// Most different sizes that are counted.
const MOST: usize = 1 << 20;
/// Smaller sizes are counted in a table, bytes.
const SMALL: usize = 1 << 12;

/// The size, or the largest one that is possible. Calls `note` if it is larger.
#[inline]
pub(in crate::parse) fn clamped(size: u64, note: impl FnOnce()) -> u64 {
    if size > LARGEST {
        note();
    }
    size.min(LARGEST)
}

/// Number of allocations of each size.
#[derive(Debug)]
pub(in crate::parse) struct Sizes {
    small: Vec<u64>,
    large: HashMap<u64, u64>,
}

impl Default for Sizes {
    fn default() -> Self {
        Sizes { small: vec![0; SMALL], large: HashMap::default() }
    }
}

impl Sizes {
    /// Counts `n` allocations of `size` bytes. O(1).
    #[inline]
    pub(in crate::parse) fn add(&mut self, size: u64, n: u64) {
        let small = usize::try_from(size).ok().and_then(|size| self.small.get_mut(size));
        match small {
            Some(count) => *count += n,
            None if self.large.len() < MOST || self.large.contains_key(&size) => *self.large.entry(size).or_default() += n,
            None => {}
        }
    }

    /// Sizes, ascending, with their numbers. O(n log n).
    pub(in crate::parse) fn into_list(self) -> Vec<(u64, u64)> {
        let small = (0..).zip(self.small).filter(|(_, n)| *n > 0);
        let mut all: Vec<(u64, u64)> = small.chain(self.large).collect();
        all.sort_unstable();
        all
    }
}
