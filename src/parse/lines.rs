//! Numbered lines of a byte buffer, and scanning within a line.
//!
//! Lines are not copied. Line ends are found several bytes at a time, by the search that `BufRead::skip_until` runs on a slice.

use std::io::BufRead;

/// Walks the lines of a text. Ends are `\n` or `\r\n`; the last line may have none.
#[derive(Clone)]
pub(super) struct Lines<'a> {
    rest: &'a [u8],
    /// Number of lines given so far.
    number: usize,
}

/// One line, without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Line<'a> {
    /// The bytes, blanks included.
    pub(super) bytes: &'a [u8],
    /// From 1.
    pub(super) number: usize,
    /// Whether the line has a line end.
    pub(super) ended: bool,
}

impl<'a> Lines<'a> {
    /// The lines of `text`, which starts with line `first` (from 1) of its file.
    pub(super) fn new(text: &'a [u8], first: usize) -> Self {
        Lines { rest: text, number: first.saturating_sub(1) }
    }

    /// Unread input, from the next line on.
    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Number of the next line, from 1.
    pub(super) fn next_number(&self) -> usize {
        self.number + 1
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    #[inline]
    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let (mut line, rest) = self.rest.split_at(end_of(self.rest, b'\n'));
        self.rest = rest;
        self.number += 1;
        let ended = line.last() == Some(&b'\n');
        if ended {
            line = &line[..line.len() - 1];
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        Some(Line { bytes: line, number: self.number, ended })
    }
}

/// One past the first `byte` of `text`, or its length.
#[inline]
fn end_of(text: &[u8], byte: u8) -> usize {
    // Reading a slice cannot fail.
    (&mut &*text).skip_until(byte).unwrap_or(text.len())
}

/// The place of the first `needle` in `text`. `rare` is the index of a byte of the
/// needle that is rare in such texts; the search jumps from one to the next.
pub(super) fn find(text: &[u8], needle: &[u8], rare: usize) -> Option<usize> {
    let &byte = needle.get(rare)?;
    let mut from = 0;
    while from < text.len() {
        let hit = from + end_of(&text[from..], byte) - 1;
        if let Some(start) = hit.checked_sub(rare)
            && text[start..].starts_with(needle)
        {
            return Some(start);
        }
        from = hit + 1;
    }
    None
}

/// A place in a line, which only moves forward.
#[derive(Clone, Copy)]
pub(super) struct Scan<'a> {
    rest: &'a [u8],
}

/// A decimal number of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decimal {
    /// In range.
    Fits(i64),
    /// Out of range; true if negative.
    TooBig(bool),
}

impl Decimal {
    /// The number, or the nearest that fits.
    pub(super) fn saturated(self) -> i64 {
        match self {
            Decimal::Fits(n) => n,
            Decimal::TooBig(negative) => {
                if negative {
                    i64::MIN
                } else {
                    i64::MAX
                }
            }
        }
    }
}

impl<'a> Scan<'a> {
    pub(super) fn new(line: &'a [u8]) -> Self {
        Scan { rest: line }
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Skips blanks and tabs.
    #[inline]
    pub(super) fn blanks(&mut self) {
        while let [b' ' | b'\t', rest @ ..] = self.rest {
            self.rest = rest;
        }
    }

    /// Skips blanks, then `byte` if it is there.
    #[inline]
    pub(super) fn eat(&mut self, byte: u8) -> Option<()> {
        self.blanks();
        match self.rest {
            [first, rest @ ..] if *first == byte => {
                self.rest = rest;
                Some(())
            }
            _ => None,
        }
    }

    /// Skips blanks, then `word` if it is there.
    pub(super) fn eat_word(&mut self, word: &[u8]) -> Option<()> {
        self.blanks();
        self.rest = self.rest.strip_prefix(word)?;
        Some(())
    }

    /// Skips blanks and reads digits, with a minus in front or none.
    #[inline]
    pub(super) fn decimal(&mut self) -> Option<Decimal> {
        self.blanks();
        let negative = self.rest.first() == Some(&b'-');
        let digits = if negative { &self.rest[1..] } else { self.rest };
        let mut value: u64 = 0;
        let mut fits = true;
        let mut n = 0;
        while let Some(digit) = digits.get(n).map(|b| b.wrapping_sub(b'0')).filter(|&d| d < 10) {
            if n < 18 {
                value = value * 10 + u64::from(digit);
            } else {
                match value.checked_mul(10).and_then(|v| v.checked_add(u64::from(digit))) {
                    Some(v) => value = v,
                    None => fits = false,
                }
            }
            n += 1;
        }
        if n == 0 {
            return None;
        }
        self.rest = &digits[n..];
        let signed = match negative {
            false => i64::try_from(value).ok(),
            true => 0i64.checked_sub_unsigned(value),
        };
        Some(match signed {
            Some(value) if fits => Decimal::Fits(value),
            _ => Decimal::TooBig(negative),
        })
    }

    /// Skips blanks and reads a hexadecimal number, with `0x` in front or none.
    /// `Some(None)` when it has more than 64 bits.
    pub(super) fn hex(&mut self) -> Option<Option<u64>> {
        self.blanks();
        let digits = self.rest.strip_prefix(b"0x").or_else(|| self.rest.strip_prefix(b"0X")).unwrap_or(self.rest);
        let (value, n) = hex_digits(digits);
        if n == 0 {
            return None;
        }
        self.rest = &digits[n..];
        Some(value)
    }

    /// Skips blanks and takes everything up to the next blank.
    pub(super) fn word(&mut self) -> &'a [u8] {
        self.blanks();
        let end = self.rest.iter().position(|&b| matches!(b, b' ' | b'\t')).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }
}

/// Values of hexadecimal digits; 255 for other bytes.
const HEX: [u8; 256] = {
    let mut table = [255; 256];
    let mut i = 0;
    while i < 16 {
        table[b"0123456789abcdef"[i] as usize] = i as u8;
        table[b"0123456789ABCDEF"[i] as usize] = i as u8;
        i += 1;
    }
    table
};

/// The number that `text` starts with and how many digits it has; no number when it
/// has more than 64 bits.
#[inline]
pub(super) fn hex_digits(text: &[u8]) -> (Option<u64>, usize) {
    let mut value: u64 = 0;
    let mut n = 0;
    while let Some(&byte) = text.get(n) {
        let digit = HEX[byte as usize];
        if digit == 255 {
            break;
        }
        if value >> 60 != 0 {
            let digits = text.iter().take_while(|&&b| HEX[b as usize] != 255).count();
            return (None, digits);
        }
        value = value << 4 | u64::from(digit);
        n += 1;
    }
    (Some(value), n)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<(String, usize, bool)> {
        Lines::new(text.as_bytes(), 1).map(|l| (String::from_utf8_lossy(l.bytes).into_owned(), l.number, l.ended)).collect()
    }

    #[test]
    fn lines_end_in_lf_or_crlf_or_nothing() {
        let want = [("a", 1, true), ("", 2, true), ("b\rc", 3, true), ("d", 4, false)];
        let want: Vec<_> = want.map(|(t, n, e)| (t.to_owned(), n, e)).into();
        assert_eq!(lines("a\r\n\nb\rc\nd"), want);
        assert_eq!(lines(""), vec![]);
        assert_eq!(lines("x\r"), vec![("x".into(), 1, false)]);
    }

    #[test]
    fn finds_a_needle_by_its_rare_byte() {
        assert_eq!(find(b"xxM MAPPED: M", b"MAPPED:", 0), Some(4));
        assert_eq!(find(b"--- Memory", b"--- Memory", 4), Some(0));
        assert_eq!(find(b"Memory", b"--- Memory", 4), None);
        assert_eq!(find(b"", b"M", 0), None);
        assert_eq!(find(b"abM", b"Mx", 0), None);
    }

    #[test]
    fn decimals_of_any_size() {
        let of = |text: &str| Scan::new(text.as_bytes()).decimal();
        assert_eq!(of("  42:"), Some(Decimal::Fits(42)));
        assert_eq!(of("-9223372036854775808"), Some(Decimal::Fits(i64::MIN)));
        assert_eq!(of("9223372036854775807"), Some(Decimal::Fits(i64::MAX)));
        assert_eq!(of("9223372036854775808"), Some(Decimal::TooBig(false)));
        assert_eq!(of("-99999999999999999999999"), Some(Decimal::TooBig(true)));
        assert_eq!(of("0000000000000000000000007"), Some(Decimal::Fits(7)));
        assert_eq!(of("-"), None);
    }

    #[test]
    fn hexadecimals_of_any_size() {
        assert_eq!(hex_digits(b"7f00AbZ"), (Some(0x7f00ab), 6));
        assert_eq!(hex_digits(b"ffffffffffffffff "), (Some(u64::MAX), 16));
        assert_eq!(hex_digits(b"000ffffffffffffffff"), (Some(u64::MAX), 19));
        assert_eq!(hex_digits(b"1ffffffffffffffff "), (None, 17));
        assert_eq!(hex_digits(b"x"), (Some(0), 0));
    }
}
