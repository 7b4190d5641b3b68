//! Text out of a profile as one printable line, and as short as it has to be: nothing in a profile is trusted.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Control characters, which could move a terminal's cursor or forge lines, and those that turn
/// the order of what follows around, as `\u{…}`.
pub fn one_line(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if is_plain(c) { c.to_string() } else { c.escape_default().to_string() }).collect::<String>().into()
}

fn is_plain(c: char) -> bool {
    // Separators of lines and paragraphs; marks, embeddings and isolates of direction.
    let misleads = matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !c.is_control() && !misleads
}

/// Columns that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// The text in at most `most` columns: its head, `…` and its tail when it is longer.
pub fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    if text.width() <= most {
        return Cow::Borrowed(text);
    }
    let room = most.saturating_sub(1);
    let head = fitting(text.char_indices(), room.div_ceil(2), |(at, c)| at + c.len_utf8()).unwrap_or(0);
    let left = room.saturating_sub(text[..head].width());
    let tail = fitting(text.char_indices().rev(), left, |(at, _)| at).unwrap_or(text.len());
    Cow::Owned(format!("{}…{}", &text[..head], &text[tail..]))
}

/// `end` of the last of the characters that together take no more than `room` columns.
fn fitting(chars: impl Iterator<Item = (usize, char)>, room: usize, end: impl Fn((usize, char)) -> usize) -> Option<usize> {
    let mut used = 0;
    let fits = chars.take_while(|&(_, c)| {
        used += c.width().unwrap_or(0);
        used <= room
    });
    fits.last().map(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves_the_cursor_or_turns_the_line_around() {
        assert_eq!(one_line("a\x1b[2J\n\u{9b}b"), "a\\u{1b}[2J\\n\\u{9b}b");
        assert_eq!(one_line("a\u{202e}b\u{2066}c\u{2028}"), "a\\u{202e}b\\u{2066}c\\u{2028}");
        assert!(matches!(one_line("größer 大きい שלום"), Cow::Borrowed("größer 大きい שלום")));
    }

    #[test]
    fn names_keep_head_and_tail() {
        assert_eq!(shortened("alloc::vec::Vec<T>::push", 24), "alloc::vec::Vec<T>::push");
        assert_eq!(shortened("alloc::vec::Vec<T>::push", 12), "alloc:…:push");
        assert_eq!(shortened("abc", 0), "…");
    }

    #[test]
    fn wide_characters_count_twice() {
        assert_eq!(shortened("漢字漢字漢字", 7), "漢…漢字");
        assert_eq!(width(&shortened("漢字漢字漢字", 8)), 7);
    }
}
