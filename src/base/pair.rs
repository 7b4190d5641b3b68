//! Pairs of value and base. Every number of a report is one, so that each view can be a difference.

/// Value less base.
#[inline]
pub fn net([value, base]: [i64; 2]) -> i64 {
    value.saturating_sub(base)
}

/// Values added to values, bases to bases.
#[inline]
pub fn plus(a: [i64; 2], b: [i64; 2]) -> [i64; 2] {
    [a[0].saturating_add(b[0]), a[1].saturating_add(b[1])]
}

/// A sum as a mean, whole numbers like in pprof; the sum itself where there is nothing to divide by.
pub fn quotient(sum: i64, by: i64) -> i64 {
    if by == 0 { sum } else { sum.wrapping_div(by) }
}

/// A column of pairs. Without a base it has no memory for bases, which are all 0 then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    value: Vec<i64>,
    /// As long as `value`, or empty.
    base: Vec<i64>,
}

impl Pairs {
    /// `n` pairs of zeros.
    pub fn zeros(n: usize, has_base: bool) -> Self {
        Pairs { value: vec![0; n], base: vec![0; if has_base { n } else { 0 }] }
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.value.len()
    }

    /// Returns whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.value.is_empty()
    }

    /// Pair at `i`, `[value, base]`; zeros past the end.
    #[inline]
    pub fn at(&self, i: usize) -> [i64; 2] {
        [&self.value, &self.base].map(|side| side.get(i).copied().unwrap_or(0))
    }

    /// Puts a pair at `i`. A base is lost in a column without bases.
    #[inline]
    pub fn set(&mut self, i: usize, pair: [i64; 2]) {
        for (side, number) in [&mut self.value, &mut self.base].into_iter().zip(pair) {
            if let Some(to) = side.get_mut(i) {
                *to = number;
            }
        }
    }

    /// All values, or all bases (`side` 1).
    pub fn side_mut(&mut self, side: usize) -> &mut [i64] {
        if side == 0 { &mut self.value } else { &mut self.base }
    }

    /// The pairs in order.
    pub fn iter(&self) -> impl Iterator<Item = [i64; 2]> + '_ {
        let base = self.base.iter().copied().chain(std::iter::repeat(0));
        self.value.iter().copied().zip(base).map(|(value, base)| [value, base])
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        (self.value.capacity() + self.base.capacity()) * size_of::<i64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_column_without_bases_has_pairs_all_the_same() {
        let mut plain = Pairs::zeros(2, false);
        plain.set(1, [5, 0]);
        assert_eq!((plain.at(1), plain.at(7)), ([5, 0], [0, 0]));
        assert_eq!(plain.iter().collect::<Vec<_>>(), [[0, 0], [5, 0]]);
        let mut both = Pairs::zeros(2, true);
        both.set(0, [1, 2]);
        both.side_mut(1)[1] = 3;
        assert_eq!(both.iter().collect::<Vec<_>>(), [[1, 2], [0, 3]]);
        assert_eq!(both.heap_bytes(), 2 * plain.heap_bytes());
    }
}
