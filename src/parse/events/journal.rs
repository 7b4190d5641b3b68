//! Changes of rows between two moments, packed: they are kept for all moments until the end.

use super::counts::{Counts, N_COUNTS};

/// Changes of some rows, in order of rows, as variable-length numbers: the distance from the row before, then a change for each
/// counter.
#[derive(Clone, Debug, Default)]
pub(super) struct Changes {
    bytes: Box<[u8]>,
    n: usize,
}

impl Changes {
    /// Packs changes; rows ascend. Rows that did not change are left out.
    pub(super) fn new(changes: impl Iterator<Item = (u32, Counts)>) -> Self {
        let (mut bytes, mut n, mut before) = (Vec::new(), 0, 0);
        for (row, change) in changes.filter(|(_, change)| *change != Counts::default()) {
            push(&mut bytes, u64::from(row.wrapping_sub(before)));
            change.to_array().into_iter().for_each(|count| push(&mut bytes, count));
            (before, n) = (row, n + 1);
        }
        Changes { bytes: bytes.into(), n }
    }

    /// Packed changes, and the number of rows.
    pub(super) fn of_bytes(bytes: Vec<u8>, n: usize) -> Self {
        Changes { bytes: bytes.into(), n }
    }

    /// The inverse of [`Changes::of_bytes`], without the number.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The changes, in order of rows.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, Counts)> + '_ {
        let (mut rest, mut row) = (&*self.bytes, 0u32);
        (0..self.n).map(move |_| {
            row = row.wrapping_add(pop(&mut rest) as u32);
            let counts: [u64; N_COUNTS] = std::array::from_fn(|_| pop(&mut rest));
            (row, Counts::from_array(counts))
        })
    }

    /// These changes and those of the time after, as one. O(changes).
    pub(super) fn with_later(&self, later: &Changes) -> Changes {
        let (mut first, mut second) = (self.iter().peekable(), later.iter().peekable());
        Changes::new(std::iter::from_fn(|| match (first.peek(), second.peek()) {
            (Some((a, _)), Some((b, _))) if a == b => {
                let ((row, change), (_, next)) = (first.next()?, second.next()?);
                Some((row, change.plus(next)))
            }
            (Some((a, _)), Some((b, _))) if b < a => second.next(),
            (Some(_), _) => first.next(),
            (None, _) => second.next(),
        }))
    }

    /// Number of rows that changed.
    pub(super) fn len(&self) -> usize {
        self.n
    }

    /// Memory, bytes.
    pub(super) fn heap_bytes(&self) -> usize {
        self.bytes.len()
    }
}

/// Appends a number, seven bits a byte, the lowest first.
fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes off the first number.
fn pop(rest: &mut &[u8]) -> u64 {
    let (mut number, mut shift) = (0, 0);
    while let Some((&byte, after)) = rest.split_first() {
        *rest = after;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 || shift > 63 {
            break;
        }
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(n: u64) -> Counts {
        Counts { n: [n, n / 2], bytes: [n * 1000, 0], temporary: [0, u64::MAX - n] }
    }

    #[test]
    fn changes_come_back_and_add_up() {
        let some = [(3, change(1)), (200, change(2)), (70_000, change(3))];
        let first = Changes::new(some.iter().copied());
        assert_eq!(first.iter().collect::<Vec<_>>(), some);
        let later = Changes::new([(0, change(9)), (100, Counts::default()), (200, Counts { n: [0, 5], ..Counts::default() })].into_iter());
        assert_eq!(later.len(), 2);
        let both = [(0, change(9)), (3, change(1)), (200, Counts { n: [2, 6], ..change(2) }), (70_000, change(3))];
        assert_eq!(first.with_later(&later).iter().collect::<Vec<_>>(), both);
    }
}
