//! Words of a line.

/// Byte → value of a hexadecimal digit; 16 or more: none.
static DIGIT: [u8; 256] = digits();

const fn digits() -> [u8; 256] {
    let mut table = [0xff; 256];
    let mut value = 0;
    while value < 16 {
        let lower = b"0123456789abcdef"[value];
        table[lower as usize] = value as u8;
        table[lower.to_ascii_uppercase() as usize] = value as u8;
        value += 1;
    }
    table
}

/// The number that `text` begins with, and the number of its digits. Digits beyond 64 bits are lost.
#[inline]
pub(super) fn leading_hex(text: &[u8]) -> (u64, usize) {
    let (mut number, mut n) = (0u64, 0);
    for &byte in text {
        let digit = DIGIT[byte as usize];
        if digit > 15 {
            break;
        }
        number = number << 4 | u64::from(digit);
        n += 1;
    }
    (number, n)
}

/// The number that `word` is.
pub(super) fn hex(word: &[u8]) -> Option<u64> {
    let (number, n) = leading_hex(word);
    (n > 0 && n == word.len() && n <= 16).then_some(number)
}

/// The words of a line behind its letter.
#[derive(Clone, Copy)]
pub(super) struct Words<'a> {
    rest: &'a [u8],
}

impl<'a> Words<'a> {
    pub(super) fn new(line: &'a [u8]) -> Self {
        Words { rest: line.get(1..).unwrap_or_default() }
    }

    /// The next word as a number; `None` at the end, too.
    pub(super) fn number(&mut self) -> Option<u64> {
        hex(self.word()?)
    }

    /// The next word as a number; 0 at the end.
    pub(super) fn number_or_zero(&mut self) -> Option<u64> {
        self.word().map_or(Some(0), hex)
    }

    pub(super) fn word(&mut self) -> Option<&'a [u8]> {
        let rest = self.rest.trim_ascii_start();
        let end = rest.iter().position(|&b| b == b' ').unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    /// Everything behind the next blank.
    pub(super) fn text(self) -> &'a [u8] {
        self.rest.strip_prefix(b" ").unwrap_or(self.rest)
    }

    /// A text behind its length and a blank.
    pub(super) fn text_of_length(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let rest = self.rest.strip_prefix(b" ").unwrap_or(self.rest);
        let text = rest.get(..length)?;
        self.rest = &rest[length..];
        Some(text)
    }

    /// Returns whether no word is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.rest.trim_ascii_start().is_empty()
    }
}

/// Longest text that may contain line ends, bytes.
const LONGEST_TEXT: usize = 1 << 20;

/// Length of the line that `text` begins with, its end included; a text behind its length may contain line ends. `None` when more
/// is needed.
pub(super) fn line_length(text: &[u8], has_lengths: bool) -> Option<usize> {
    let end = |from: usize| text.get(from..)?.iter().position(|&b| b == b'\n').map(|at| from + at + 1);
    let length = end(0)?;
    let [b's' | b'x' | b'm' | b'S', b' ', rest @ ..] = text else { return Some(length) };
    let (size, n) = leading_hex(rest);
    let size = usize::try_from(size).unwrap_or(usize::MAX);
    if !has_lengths || n == 0 || n > 8 || size > LONGEST_TEXT || rest.get(n) != Some(&b' ') {
        return Some(length);
    }
    let last = 3 + n + size;
    match text.get(last) {
        _ if last < length => Some(length),
        Some(b'\n' | b' ' | b'\r') => end(last),
        // The length is wrong.
        Some(_) => Some(length),
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_whole_words() {
        for (word, want) in [("0", Some(0)), ("ff", Some(255)), ("FfF", Some(4095)), ("", None), ("1x", None), ("-1", None)] {
            assert_eq!(hex(word.as_bytes()), want, "{word}");
        }
        assert_eq!(hex(b"ffffffffffffffff"), Some(u64::MAX));
        assert_eq!(hex(b"10000000000000000"), None);
        let mut words = Words::new(b"i 10  0 f");
        assert_eq!((words.number(), words.number(), words.is_at_end()), (Some(16), Some(0), false));
        assert_eq!((words.number(), words.is_at_end(), words.number(), words.number_or_zero()), (Some(15), true, None, Some(0)));
    }

    #[test]
    fn texts_may_contain_line_ends() {
        assert_eq!(line_length(b"s 4 main\nt", true), Some(9));
        assert_eq!(line_length(b"s 5 ma\nin\nt", true), Some(10));
        assert_eq!(line_length(b"s 5 ma\ni", true), None);
        assert_eq!(line_length(b"s 6 ma\nin\nt 1\n", true), Some(7), "a wrong length");
        assert_eq!(line_length(b"s 5 ma\nin\nt", false), Some(7));
        assert_eq!(line_length(b"m 3 a\nb 10 0 1\n", true), Some(15));
        assert_eq!(line_length(b"+ 1", true), None);
    }
}
