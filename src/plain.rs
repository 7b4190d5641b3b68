//! Text out of a profile as one printable line: nothing in a profile is trusted.

use std::borrow::Cow;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_moves_the_cursor_or_turns_the_line_around() {
        assert_eq!(one_line("a\x1b[2J\n\u{9b}b"), "a\\u{1b}[2J\\n\\u{9b}b");
        assert_eq!(one_line("a\u{202e}b\u{2066}c\u{2028}"), "a\\u{202e}b\\u{2066}c\\u{2028}");
        assert!(matches!(one_line("größer 大きい שלום"), Cow::Borrowed("größer 大きい שלום")));
    }
}
