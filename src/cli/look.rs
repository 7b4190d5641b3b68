//! How answers look on a terminal: colour, and rows no longer than it is wide.

use std::borrow::Cow;
use std::env;
use std::io::{self, IsTerminal};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// When to do something for the eye.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum When {
    /// On a terminal that does not say otherwise (NO_COLOR, TERM=dumb).
    #[default]
    Auto,
    Always,
    Never,
}

impl When {
    pub(super) const NAMES: [&'static str; 3] = ["auto", "always", "never"];

    pub(super) fn from_name(name: &str) -> Option<Self> {
        [When::Auto, When::Always, When::Never].into_iter().zip(Self::NAMES).find(|(_, n)| *n == name).map(|(when, _)| when)
    }
}

/// What the person asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Look {
    pub(super) color: When,
    /// Columns; 0 means as long as rows are, `None` what the terminal has.
    pub(super) width: Option<usize>,
}

/// What that comes to on this standard output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) color: bool,
    /// Columns that a row may take; `None` means any number.
    pub(super) width: Option<usize>,
}

impl Look {
    /// How to write to standard output.
    pub(super) fn style(self) -> Style {
        let is_terminal = io::stdout().is_terminal();
        let is_set = |name: &str| env::var_os(name).is_some_and(|v| !v.is_empty());
        let is_dumb = || env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
        let color = match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => is_terminal && !is_set("NO_COLOR") && !is_dumb(),
        };
        let width = match self.width {
            Some(0) => None,
            Some(width) => Some(width),
            None if is_terminal => terminal_width(),
            None => None,
        };
        Style { color, width }
    }
}

/// Columns of the terminal: COLUMNS where that is exported, else what the terminal says.
pub(super) fn terminal_width() -> Option<usize> {
    let told = env::var("COLUMNS").ok().and_then(|c| c.parse().ok());
    told.or_else(|| terminal_size::terminal_size().map(|(width, _)| usize::from(width.0))).filter(|&width| width > 0)
}

/// Columns that a text takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// The text in at most `most` columns: its head, `…` and its tail when it is longer.
pub(super) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
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
