//! Lengths, texts and columns of numbers, written one behind the other and read again.

use super::columns::{folded, push, unfolded, width};
use super::error::{DecodeError, DecodeErrorKind};

/// Longest number of a length: seven bits a byte.
const LONGEST_LENGTH: usize = 10;

/// The bytes that are written.
pub(super) struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    /// Begins with these bytes.
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        Writer { bytes }
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.bytes
    }

    /// A length: seven bits a byte, the lowest first; the highest bit is set of all bytes but the last.
    pub(super) fn length(&mut self, mut length: usize) {
        while length >= 0x80 {
            self.bytes.push(length as u8 | 0x80);
            length >>= 7;
        }
        self.bytes.push(length as u8);
    }

    /// Bytes with their length in front.
    pub(super) fn blob(&mut self, bytes: &[u8]) {
        self.length(bytes.len());
        self.bytes.extend_from_slice(bytes);
    }

    /// A column: the number of rows, bytes of each, the bytes.
    pub(super) fn column(&mut self, numbers: impl IntoIterator<Item = i64>) {
        let folded: Vec<u64> = numbers.into_iter().map(folded).collect();
        self.length(folded.len());
        self.bytes.push(width(&folded) as u8);
        push(&mut self.bytes, &folded);
    }

    /// A column of differences, each to the number before.
    pub(super) fn steps(&mut self, numbers: impl IntoIterator<Item = i64>) {
        let mut before = 0i64;
        self.column(numbers.into_iter().map(move |number| number.wrapping_sub(std::mem::replace(&mut before, number))));
    }
}

/// The bytes that are read.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Reads `bytes` from `at` on.
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Reader { bytes, at }
    }

    /// Current offset.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// An error at this place.
    pub(super) fn fail(&self, kind: DecodeErrorKind) -> DecodeError {
        DecodeError { kind, at: self.at }
    }

    /// Number of bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn take(&mut self, n: usize, what: &'static str) -> Result<&'a [u8], DecodeError> {
        let bytes = self.bytes.get(self.at..).and_then(|rest| rest.get(..n));
        let bytes = bytes.ok_or_else(|| self.fail(DecodeErrorKind::Truncated { what }))?;
        self.at += n;
        Ok(bytes)
    }

    /// A length, or a count of items of at least one byte each.
    pub(super) fn length(&mut self, what: &'static str) -> Result<usize, DecodeError> {
        let start = self.at;
        let mut length = 0u64;
        for i in 0..LONGEST_LENGTH {
            let [byte] = self.take(1, what)? else { break };
            length |= u64::from(byte & 0x7f).checked_shl(7 * i as u32).unwrap_or(0);
            if byte & 0x80 == 0 {
                let fits = usize::try_from(length).ok().filter(|length| *length <= self.left());
                return fits.ok_or(DecodeError { kind: DecodeErrorKind::Truncated { what }, at: start });
            }
        }
        Err(DecodeError { kind: DecodeErrorKind::Truncated { what }, at: start })
    }

    /// Bytes with their length in front.
    pub(super) fn blob(&mut self, what: &'static str) -> Result<&'a [u8], DecodeError> {
        let length = self.length(what)?;
        self.take(length, what)
    }

    /// Text with its length in front.
    pub(super) fn text(&mut self, what: &'static str) -> Result<&'a str, DecodeError> {
        let start = self.at;
        std::str::from_utf8(self.blob(what)?).map_err(|_| DecodeError { kind: DecodeErrorKind::Text { what }, at: start })
    }

    /// A column of any length.
    pub(super) fn column(&mut self, what: &'static str) -> Result<Numbers<'a>, DecodeError> {
        let n = self.length(what)?;
        let width = match self.take(1, what)? {
            [width @ 1..=8] => usize::from(*width),
            other => {
                let found = other.first().map_or(0, |width| i64::from(*width));
                return Err(self.fail(DecodeErrorKind::Range { what, found, limit: 9 }));
            }
        };
        let at = self.at;
        let bytes = self.take(n.saturating_mul(width), what)?;
        Ok(Numbers { what, at, n, bytes })
    }

    /// A column of `n` rows.
    pub(super) fn column_of(&mut self, n: usize, what: &'static str) -> Result<Numbers<'a>, DecodeError> {
        let start = self.at;
        let column = self.column(what)?;
        match column.n == n {
            true => Ok(column),
            false => Err(DecodeError { kind: DecodeErrorKind::Length { what, expected: n, found: column.n }, at: start }),
        }
    }
}

/// A column that was read; its numbers stay packed.
#[derive(Clone, Copy)]
pub(super) struct Numbers<'a> {
    what: &'static str,
    /// Offset of its first byte.
    at: usize,
    n: usize,
    /// Lowest bytes of all numbers, then the next ones.
    bytes: &'a [u8],
}

impl<'a> Numbers<'a> {
    pub(super) fn len(&self) -> usize {
        self.n
    }

    /// The numbers.
    pub(super) fn iter(self) -> impl Iterator<Item = i64> + 'a {
        let Numbers { n, bytes, .. } = self;
        (0..n).map(move |row| {
            let planes = bytes.chunks_exact(n).map(|plane| plane.get(row).copied().unwrap_or(0));
            unfolded(planes.zip((0..64).step_by(8)).fold(0, |number, (byte, shift)| number | u64::from(byte) << shift))
        })
    }

    /// The numbers of a column of differences.
    pub(super) fn sums(self) -> impl Iterator<Item = i64> + 'a {
        self.iter().scan(0i64, |sum, step| {
            *sum = sum.wrapping_add(step);
            Some(*sum)
        })
    }

    /// An error at a row.
    pub(super) fn fail(&self, row: usize, found: i64, limit: usize) -> DecodeError {
        DecodeError { kind: DecodeErrorKind::Range { what: self.what, found, limit }, at: self.at + row }
    }

    /// The numbers, each of them less than `limit`.
    pub(super) fn below(self, limit: usize) -> Result<Vec<u32>, DecodeError> {
        self.checked(self.iter(), limit)
    }

    /// The numbers of a column of differences, each of them less than `limit`.
    pub(super) fn sums_below(self, limit: usize) -> Result<Vec<u32>, DecodeError> {
        self.checked(self.sums(), limit)
    }

    fn checked(&self, numbers: impl Iterator<Item = i64>, limit: usize) -> Result<Vec<u32>, DecodeError> {
        let check = |(row, found): (usize, i64)| {
            let number = u32::try_from(found).ok().filter(|number| (*number as usize) < limit);
            number.ok_or_else(|| self.fail(row, found, limit))
        };
        numbers.enumerate().map(check).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn damaged_columns_are_refused_at_their_place() {
        let mut writer = Writer::new(b"before".to_vec());
        writer.column([3, 500, -1]);
        let bytes = writer.finish();
        let read = |bytes: &[u8]| {
            let column = Reader::new(bytes, 6).column_of(3, "numbers")?;
            column.below(600)
        };
        let message = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
        assert_eq!(message(&bytes), "byte 10: numbers is -1, expected less than 600; the file is damaged");
        assert_eq!(message(&bytes[..13]), "byte 8: ends in the middle of numbers; the file is truncated");
        let mut other = bytes.clone();
        other[7] = 9;
        assert_eq!(message(&other), "byte 8: numbers is 9, expected less than 9; the file is damaged");
        other[6] = 2;
        assert!(Reader::new(&other, 6).column("numbers").is_err());
        other[7] = 2;
        assert_eq!(message(&other), "byte 6: expected 3 numbers in numbers, found 2; the file is damaged");
        for length in [&[0xff; 12][..], &[0x80], &[]] {
            assert!(Reader::new(length, 0).length("a length").is_err());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn numbers_survive_a_round_trip(numbers: Vec<i64>, text: String) {
            let mut writer = Writer::new(Vec::new());
            writer.column(numbers.iter().copied());
            writer.blob(text.as_bytes());
            writer.steps(numbers.iter().copied());
            let bytes = writer.finish();
            let mut reader = Reader::new(&bytes, 0);
            prop_assert!(reader.column_of(numbers.len(), "a").unwrap().iter().eq(numbers.iter().copied()));
            prop_assert_eq!(reader.text("b").unwrap(), text);
            prop_assert!(reader.column("c").unwrap().sums().eq(numbers));
            prop_assert_eq!(reader.left(), 0);
        }
    }
}
