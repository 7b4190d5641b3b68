//! Text to numbers of events, and other lines: what can be done ahead.

use super::lines::{leading_hex, line_length};
use super::version::{Version, start};
use crate::parse::error::ParseError;

/// A piece of the text.
#[derive(Debug, Default)]
pub(super) struct Piece {
    /// Version of the file; `None`: it cannot be read.
    pub(super) version: Option<Version>,
    /// Events that have the numbers of allocations: twice the number, and one if it is a free.
    codes: Vec<u32>,
    /// Their number; there is room behind them.
    n_codes: usize,
    /// The other lines, one after the other, without their ends.
    text: Vec<u8>,
    /// For each of them the number of events before it, and where it ends.
    ends: Vec<(usize, usize)>,
    /// Length of the whole text, bytes.
    pub(super) length: usize,
}

impl Piece {
    fn clear(&mut self) {
        self.n_codes = 0;
        self.text.clear();
        self.ends.clear();
        self.length = 0;
    }

    fn add_line(&mut self, line: &[u8]) {
        self.text.extend_from_slice(line);
        self.ends.push((self.n_codes, self.text.len()));
    }

    /// The events.
    pub(super) fn codes(&self) -> &[u32] {
        self.codes.get(..self.n_codes).unwrap_or_default()
    }

    /// Makes room for the events of a text.
    fn reserve(&mut self, text: &[u8]) {
        const SHORTEST: usize = 4;
        let n = self.n_codes + text.len() / SHORTEST + 1;
        if self.codes.len() < n {
            self.codes.resize(n, 0);
        }
    }

    /// The other lines with the number of events before each.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let starts = std::iter::once(0).chain(self.ends.iter().map(|(_, end)| *end));
        self.ends.iter().zip(starts).filter_map(|((n_before, end), start)| Some((*n_before, self.text.get(start..*end)?)))
    }
}

/// Longest line that is read, bytes; longer than a text that may contain line ends.
const LONGEST_LINE: usize = 1 << 21;

/// Cuts text up.
pub(super) struct Scanner {
    version: Option<Version>,
    /// What is wrong with the first line.
    pub(super) error: Option<ParseError>,
    /// Events have the numbers of allocations, not sizes and pointers.
    is_numbered: bool,
    /// A line that goes on in the next piece.
    carried: Vec<u8>,
    /// The rest of a line that is too long, up to its end, is not read.
    is_too_long: bool,
    pairs: Pairs,
}

impl Scanner {
    pub(super) fn new() -> Self {
        Scanner { version: None, error: None, is_numbered: false, carried: Vec::new(), is_too_long: false, pairs: Pairs::new() }
    }

    /// The last line if it has no end.
    pub(super) fn last_line(&self) -> &[u8] {
        &self.carried
    }

    /// Cuts up a piece of whole lines; a last line without an end is incomplete.
    pub(super) fn cut_up(&mut self, text: &[u8], piece: &mut Piece) {
        piece.clear();
        piece.length = text.len();
        let mut text = text;
        if self.version.is_none() && self.error.is_none() {
            match start(text) {
                Ok(version) => (self.version, self.is_numbered) = (Some(version), version.file > 0),
                Err(error) => self.error = Some(error),
            }
            // A byte order mark.
            text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        }
        piece.version = self.version;
        let Some(version) = self.version else { return };
        if self.is_too_long {
            let Some(end) = text.iter().position(|&b| b == b'\n') else { return };
            (text, self.is_too_long) = (&text[end + 1..], false);
        }
        if self.carried.is_empty() {
            return self.cut_up_lines(text, version, piece);
        }
        let mut whole = std::mem::take(&mut self.carried);
        whole.extend_from_slice(text);
        self.cut_up_lines(&whole, version, piece);
    }

    fn cut_up_lines(&mut self, text: &[u8], version: Version, piece: &mut Piece) {
        let mut rest = text;
        piece.reserve(text);
        loop {
            if self.is_numbered {
                let (n, after) = self.pairs.events(rest, piece.codes.get_mut(piece.n_codes..).unwrap_or_default());
                (rest, piece.n_codes) = (after, piece.n_codes + n);
            }
            if rest.is_empty() {
                return;
            }
            let Some(length) = line_length(rest, version.file >= 3) else {
                if rest.len() > LONGEST_LINE {
                    piece.add_line(&rest[..1]);
                    self.is_too_long = true;
                    return;
                }
                // A text with line ends goes on in the next piece; or the text ends in this line.
                self.carried = rest.to_vec();
                return;
            };
            let (line, after) = rest.split_at(length);
            rest = after;
            // Of entries of tables the number is left.
            let line = if length > LONGEST_LINE { &line[..1] } else { line };
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            // Raw files have these lines.
            self.is_numbered &= !matches!(line, [b'x' | b'm'] | [b'x' | b'm', b' ', ..]);
            piece.add_line(line);
        }
    }
}

/// Two characters → number of two hexadecimal digits. Looking them up takes half the time of computing it.
struct Pairs {
    table: Box<[u16; 1 << 16]>,
}

/// No number.
const NONE: u16 = 0xff00;

impl Pairs {
    fn new() -> Self {
        let mut table = Box::new([NONE; 1 << 16]);
        let digits = || b"0123456789abcdefABCDEF".iter().copied();
        for (first, second) in digits().flat_map(|first| digits().map(move |second| (first, second))) {
            let (number, _) = leading_hex(&[first, second]);
            table[usize::from(u16::from_le_bytes([first, second]))] = number as u16;
        }
        Pairs { table }
    }

    #[inline(always)]
    fn of(&self, pair: u64) -> u32 {
        self.table[(pair & 0xffff) as usize].into()
    }

    /// Reads events such as `+ 1f` from the beginning, as many as there is room for. Returns their number and the rest: any other line,
    /// one with more than seven digits, or one at the end of the text.
    ///
    /// Without branches that are as good as random: whether it frees. The length of lines is guessed to be that of the line before, so
    /// that the next one need not wait for this.
    fn events<'a>(&self, text: &'a [u8], codes: &mut [u32]) -> (usize, &'a [u8]) {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const HIGH: u64 = 0x80 * ONES;
        const ZEROS: u64 = b'0' as u64 * ONES;
        const PLUS: u16 = u16::from_le_bytes(*b"+ ");
        const MINUS: u16 = u16::from_le_bytes(*b"- ");
        let mut rest = text;
        // Length of the blank and the digits.
        let mut length = 2usize;
        for (n, code) in codes.iter_mut().enumerate() {
            let Some(([sign, word @ .., end], _)) = rest.split_first_chunk::<10>() else { return (n, rest) };
            let start = u16::from_le_bytes([*sign, word[0]]);
            if (start != PLUS) & (start != MINUS) {
                return (n, rest);
            }
            let guessed = if length < 8 { word[length & 7] } else { *end };
            let word = u64::from_le_bytes(*word);
            if guessed != b'\n' {
                let difference = word ^ (ONES * b'\n' as u64);
                let ends = difference.wrapping_sub(ONES) & !difference & HIGH;
                length = if ends != 0 { (ends.trailing_zeros() / 8) as usize } else { 8 };
                if length < 2 || length == 8 && *end != b'\n' {
                    return (n, rest);
                }
            }
            // Pairs of digits, the last one in the highest bytes; the blank before an odd number of them, and what is before, are zeros.
            let is_pair = u64::MAX << (64 - 8 * (length & !1));
            let pairs = (word | ZEROS & 0xff) << (64 - 8 * length) & is_pair | ZEROS & !is_pair;
            let (a, b, c, d) = (self.of(pairs), self.of(pairs >> 16), self.of(pairs >> 32), self.of(pairs >> 48));
            if (a | b | c | d) & u32::from(NONE) != 0 {
                return (n, rest);
            }
            *code = (a << 24 | b << 16 | c << 8 | d) << 1 | u32::from(start >> 2 & 1);
            rest = rest.get(length + 2..).unwrap_or_default();
        }
        (codes.len(), rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> (Vec<u32>, usize) {
        let mut codes = vec![0; 100];
        let (n, rest) = Pairs::new().events(text.as_bytes(), &mut codes);
        codes.truncate(n);
        (codes, rest.len())
    }

    #[test]
    fn events_are_read_like_words() {
        let pairs = Pairs::new();
        let (mut text, mut want) = (String::new(), Vec::new());
        for number in (0..70_000u32).chain([0xfff_ffff, 0x123_4567, 0xfed_cba9, 0xabc_def0, 0]) {
            text += &format!("+ {number:x}\n- {number:X}\n");
            want.extend([2 * number, 2 * number + 1]);
        }
        text += "c 0123456789";
        let mut codes = vec![0; want.len() + 1];
        assert_eq!(pairs.events(text.as_bytes(), &mut codes), (want.len(), &b"c 0123456789"[..]));
        assert!(codes[..want.len()] == want);
    }

    #[test]
    fn other_lines_are_left() {
        let odd = [
            "+ \n345678901",
            "+ 12345678\nabc",
            "+ 1",
            "* 1\n12345678",
            "+1\n345678901",
            ") 1\n123456789",
            "/ 1\n123456789",
            "+ 1\r\n123456",
        ];
        for text in odd {
            assert_eq!(codes(text), (vec![], text.len()), "{text}");
            if text.len() > 9 {
                assert_eq!(codes(&format!("+ 1a\n{text}")), (vec![0x34], text.len()), "{text}");
            }
        }
        let pairs = Pairs::new();
        for odd in (0..=255u8).filter(|byte| !byte.is_ascii_hexdigit() && *byte != b'\n') {
            for (at, before) in (0..3).flat_map(|at| [(at, &b""[..]), (at, b"+ 123\n")]) {
                let mut text = *b"+ 1a9\n- 1\n- 1\n";
                text[2 + at] = odd;
                let rest = [before, &text].concat();
                assert_eq!(pairs.events(&rest, &mut [0; 9]), (before.len() / 6, &text[..]), "{odd:#x} at {at}");
            }
        }
    }
}
