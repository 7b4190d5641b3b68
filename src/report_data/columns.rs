//! Columns of whole numbers as bytes that gzip makes small: the lowest bytes of all numbers first, then the
//! next ones, and so on up to the last that any number needs.
//!
//! Signs are folded in (0, -1, 1, -2 … are 0, 1, 2, 3 …), so that small numbers of both signs need few bytes.
//! The reader is [`super::numbers`].

use serde::Serialize;

/// The bytes of columns, one after the other.
#[derive(Default)]
pub struct Columns {
    bytes: Vec<u8>,
}

/// Where the bytes of a column are.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Column {
    /// First byte, length, bytes of each number.
    numbers: [usize; 3],
}

impl Columns {
    /// O(n).
    pub fn add(&mut self, numbers: impl IntoIterator<Item = i64>) -> Column {
        let folded: Vec<u64> = numbers.into_iter().map(folded).collect();
        let numbers = [self.bytes.len(), folded.len(), width(&folded)];
        push(&mut self.bytes, &folded);
        Column { numbers }
    }

    /// Numbers as differences to the one before.
    pub fn add_steps(&mut self, numbers: impl IntoIterator<Item = i64>) -> Column {
        let mut before = 0i64;
        self.add(numbers.into_iter().map(move |number| number.wrapping_sub(std::mem::replace(&mut before, number))))
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// The sign folded in.
pub(super) fn folded(n: i64) -> u64 {
    (n << 1 ^ n >> 63) as u64
}

/// The number that was folded.
pub(super) fn unfolded(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

/// Bytes that each of the numbers needs.
pub(super) fn width(folded: &[u64]) -> usize {
    let most = folded.iter().fold(0, |all, n| all | n);
    (8 - most.leading_zeros() as usize / 8).max(1)
}

/// Appends the lowest bytes of all numbers, then the next ones.
pub(super) fn push(bytes: &mut Vec<u8>, folded: &[u64]) {
    bytes.extend((0..width(folded)).flat_map(|byte| folded.iter().map(move |n| (n >> (8 * byte)) as u8)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lie_byte_by_byte() {
        let mut columns = Columns::default();
        assert_eq!(columns.add([1, -1, 300]).numbers, [0, 3, 2]);
        assert_eq!(columns.add([]).numbers, [6, 0, 1]);
        assert_eq!(columns.add_steps([5, 5, 4]).numbers, [6, 3, 1]);
        assert_eq!(columns.add([i64::MIN, i64::MAX]).numbers, [9, 2, 8]);
        assert_eq!(columns.bytes()[..9], [2, 1, 88, 0, 0, 2, 10, 0, 1]);
        assert_eq!(columns.bytes()[9..13], [255, 254, 255, 255]);
    }
}
