//! Printable text: one line, no control characters, shortened to a width. No text of a profile is trusted.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Control characters, which could move a terminal's cursor or forge lines, and characters that
/// are invisible or reverse the order of what follows, as `\u{…}`.
pub fn one_line(text: &str) -> Cow<'_, str> {
    // Nearly all texts, a few times as fast.
    let is_ascii = text.bytes().all(|b| (b' '..0x7f).contains(&b));
    if is_ascii || text.chars().all(is_plain) {
        return Cow::Borrowed(text);
    }
    text.chars().map(|c| if is_plain(c) { c.to_string() } else { escaped(c) }).collect::<String>().into()
}

/// Returns whether a terminal shows `c` as what it is, where it is.
pub fn is_plain(c: char) -> bool {
    let is_invisible = matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' // soft hyphen, zero width, marks of direction
        | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' // separators of lines, embeddings, isolates
        | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'); // byte order mark, annotations, tags
    !c.is_control() && !is_invisible
}

/// `c` as `\n`, `\t`, `\r` or `\u{…}`.
pub fn escaped(c: char) -> String {
    c.escape_default().to_string()
}

/// Commands that GitHub's runner takes from lines of a job's output.
const COMMANDS: [&str; 18] = [
    "error",
    "warning",
    "notice",
    "debug",
    "group",
    "endgroup",
    "add-mask",
    "add-path",
    "add-matcher",
    "remove-matcher",
    "set-env",
    "set-output",
    "save-state",
    "stop-commands",
    "echo",
    "command",
    "internal-set-repo-path",
    "section",
];

/// The line in a form that GitHub's runner does not take for a workflow command: `::error …::` at its
/// start, after blanks, or `##[error]` anywhere.
pub fn no_command(line: &str) -> Cow<'_, str> {
    let begins = |text: &str| {
        let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(text.len());
        COMMANDS.iter().any(|command| text[..end].eq_ignore_ascii_case(command))
    };
    let blanks = line.len() - line.trim_start().len();
    let is_new = line[blanks..].strip_prefix("::").is_some_and(begins);
    let is_old = line.split("##[").skip(1).any(begins);
    match (is_new, is_old) {
        (false, false) => Cow::Borrowed(line),
        (true, false) => Cow::Owned(format!("{}\\u{{3a}}{}", &line[..blanks], &line[blanks + 1..])),
        (false, true) => Cow::Owned(line.replace("##[", "#\\u{23}[")),
        (true, true) => Cow::Owned(format!("{}\\u{{3a}}{}", &line[..blanks], line[blanks + 1..].replace("##[", "#\\u{23}["))),
    }
}

/// The last component of a path.
pub fn base_name(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// The last component of a path of any system: Windows has backslashes.
pub fn base_name_of_any_system(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
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

/// The text in lines of at most `most` columns, broken at blanks; further lines are indented by two more than the first. A
/// word that is longer stays whole. `None`: one line.
pub fn wrapped(text: &str, most: Option<usize>) -> Cow<'_, str> {
    let Some(most) = most.filter(|most| text.width() > *most) else { return Cow::Borrowed(text) };
    let indent = text.len() - text.trim_start_matches(' ').len();
    let mut out = " ".repeat(indent);
    let (mut used, mut is_first) = (indent, true);
    for word in text[indent..].split(' ') {
        if !is_first && used + 1 + word.width() > most {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(&" ".repeat(indent + 2));
            used = indent + 2;
        } else if !is_first {
            out.push(' ');
            used += 1;
        }
        out += word;
        used += word.width();
        is_first = false;
    }
    Cow::Owned(out)
}

/// `end` of the last of the characters that together take at most `room` columns.
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
    fn long_texts_are_broken_at_blanks() {
        assert_eq!(wrapped("a b c", Some(5)), "a b c");
        assert_eq!(wrapped("  12 MiB in use by grün", Some(12)), "  12 MiB in\n    use by\n    grün");
        assert_eq!(wrapped("abcdefgh b", Some(4)), "abcdefgh\n  b");
        assert_eq!(wrapped("any length", None), "any length");
    }

    #[test]
    fn control_and_bidi_characters_are_escaped() {
        assert_eq!(one_line("a\x1b[2J\n\u{9b}b"), "a\\u{1b}[2J\\n\\u{9b}b");
        assert_eq!(one_line("a\u{202e}b\u{2066}c\u{2028}"), "a\\u{202e}b\\u{2066}c\\u{2028}");
        assert_eq!(one_line("a\u{200b}\u{feff}b\u{e0041}"), "a\\u{200b}\\u{feff}b\\u{e0041}");
        assert!(matches!(one_line("größer 大きい שלום"), Cow::Borrowed("größer 大きい שלום")));
    }

    #[test]
    fn workflow_commands_become_text() {
        assert_eq!(no_command("  ::error file=a::b"), "  \\u{3a}:error file=a::b");
        assert_eq!(no_command("1kB ##[warning]x"), "1kB #\\u{23}[warning]x");
        for line in ["::operator new(unsigned long)", "a ::error::", "##[x]", "::errors::f", ""] {
            assert!(matches!(no_command(line), Cow::Borrowed(_)), "{line}");
        }
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
