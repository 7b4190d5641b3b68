//! A row of heap text: four counts and a stack, `3: 300 [5: 500] @ 0x401234 0x401567`.

use super::lines::{Decimal, Scan, hex_digits};

/// Value types of a row's counts in pprof, which lists allocated values first.
pub(super) const VALUE_TYPES: [(&str, &str); 4] =
    [("alloc_objects", "count"), ("alloc_space", "bytes"), ("inuse_objects", "count"), ("inuse_space", "bytes")];

/// A row. Numbers are as written.
pub(super) struct Row<'a> {
    /// In use: objects, bytes; allocated: objects, bytes.
    pub(super) counts: [i64; 4],
    /// Leaf first.
    pub(super) addresses: AddressList<'a>,
}

/// Why a line is not a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowError {
    /// Other syntax.
    NoRow,
    /// A count has more than 64 bits.
    TooBig,
}

/// Parses a row anywhere in the line.
pub(super) fn row_within(line: &[u8]) -> Result<Row<'_>, RowError> {
    let is_digit = |i: usize| line.get(i).is_some_and(u8::is_ascii_digit);
    let starts = (0..line.len().min(4096)).filter(|&i| match i.checked_sub(1) {
        _ if line[i] != b'-' && !is_digit(i) => false,
        Some(before) => !is_digit(before) && line[before] != b'-',
        None => true,
    });
    starts.map(|i| row(&line[i..])).find(|row| !matches!(row, Err(RowError::NoRow))).unwrap_or(Err(RowError::NoRow))
}

/// Reads a row.
#[inline]
pub(super) fn row(line: &[u8]) -> Result<Row<'_>, RowError> {
    let mut scan = Scan::new(line);
    let Some(written) = counts(&mut scan).filter(|_| scan.eat(b'@').is_some()) else { return Err(RowError::NoRow) };
    let mut counts = [0; 4];
    for (to, count) in counts.iter_mut().zip(written) {
        match count {
            Decimal::Fits(n) => *to = n,
            Decimal::TooBig(_) => return Err(RowError::TooBig),
        }
    }
    Ok(Row { counts, addresses: AddressList { rest: scan.rest() } })
}

/// `objects: bytes [objects: bytes]`
#[inline]
pub(super) fn counts(scan: &mut Scan<'_>) -> Option<[Decimal; 4]> {
    let objects = scan.decimal()?;
    scan.eat(b':')?;
    let bytes = scan.decimal()?;
    scan.eat(b'[')?;
    let all_objects = scan.decimal()?;
    scan.eat(b':')?;
    let all_bytes = scan.decimal()?;
    scan.eat(b']')?;
    Some([objects, bytes, all_objects, all_bytes])
}

/// Iterator over the addresses of a row. Ends at the first token that is not an address.
#[derive(Clone, Copy)]
pub(super) struct AddressList<'a> {
    rest: &'a [u8],
}

/// One address.
pub(super) struct Address {
    /// `None` when it has more than 64 bits.
    pub(super) value: Option<u64>,
    /// Number of digits.
    pub(super) digits: usize,
    /// Nothing follows.
    pub(super) ends_text: bool,
}

impl<'a> AddressList<'a> {
    /// The addresses in `text`.
    pub(super) fn new(text: &'a [u8]) -> Self {
        AddressList { rest: text }
    }

    /// Returns whether nothing but blanks is left.
    pub(super) fn ended_well(&self) -> bool {
        self.rest.trim_ascii().is_empty()
    }
}

impl Iterator for AddressList<'_> {
    type Item = Address;

    #[inline]
    fn next(&mut self) -> Option<Address> {
        let mut rest = self.rest;
        while let [b' ' | b'\t', tail @ ..] = rest {
            rest = tail;
        }
        let digits = match rest {
            [b'0', b'x' | b'X', digits @ ..] => digits,
            // glibc's text for a null pointer.
            [b'(', b'n', b'i', b'l', b')', tail @ ..] => {
                self.rest = tail;
                return Some(Address { value: Some(0), digits: 0, ends_text: tail.is_empty() });
            }
            _ => return None,
        };
        let (value, n) = hex_digits(digits);
        if n == 0 {
            return None;
        }
        self.rest = &digits[n..];
        Some(Address { value, digits: n, ends_text: self.rest.is_empty() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<([i64; 4], Vec<Option<u64>>), RowError> {
        row_within(line.as_bytes()).map(|r| (r.counts, r.addresses.map(|a| a.value).collect()))
    }

    #[test]
    fn blanks_do_not_matter() {
        let want = Ok(([3, 300, 5, 500], vec![Some(0x40_1234), Some(0x40_1567)]));
        assert_eq!(read("     3:      300 [     5:      500] @ 0x401234 0x401567"), want);
        assert_eq!(read("3:300[5:500]@0x401234 0x401567  "), want);
        assert_eq!(read("I0601 12:00 x.cc:12] 3: 300 [5: 500] @ 0x401234 0x401567 and more"), want);
    }

    #[test]
    fn unusual_addresses() {
        assert_eq!(read("1: 8 [1: 8] @"), Ok(([1, 8, 1, 8], vec![])));
        assert_eq!(read("1: 8 [1: 8] @ (nil) 0X4F 0x"), Ok(([1, 8, 1, 8], vec![Some(0), Some(0x4f)])));
        assert_eq!(read("1: 8 [1: 8] @ 0x1ffffffffffffffff"), Ok(([1, 8, 1, 8], vec![None])));
    }

    #[test]
    fn what_is_no_row() {
        assert_eq!(read("hello, world"), Err(RowError::NoRow));
        assert_eq!(read("1: 8 [1: 8]"), Err(RowError::NoRow));
        assert_eq!(read("1: 99999999999999999999 [1: 8] @ 0x1"), Err(RowError::TooBig));
        assert_eq!(read("-3: -300 [5: 500] @"), Ok(([-3, -300, 5, 500], vec![])));
    }
}
