//! Last filter before a terminal or a CI job log: output cannot move the cursor, hide text, or be taken for a command by GitHub's
//! runner.
//!
//! Reports escape names themselves if their format allows it; this filter covers all formats, including those that must stay
//! exact in files and pipes.

use std::io::{self, IsTerminal, Write};

use super::line_writer::by_line;
use crate::base::plain::{escaped, is_plain, no_command};

/// Kind of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// For display: may be changed slightly for any destination.
    Text,
    /// For programs: exact, but on a terminal and in the log of a job on GitHub.
    Data,
    /// Commands in it are our own: names are escaped where it is written (JSON, `-github`).
    Safe,
    /// Without lines, such as pictures and packed profiles: never changed.
    Binary,
}

/// Changes needed for one destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    controls: bool,
    commands: bool,
}

impl Filter {
    /// For `content` to `place`; `is_file` when it stays in a regular file.
    pub(crate) fn to(place: &impl IsTerminal, is_file: bool, content: Content) -> Self {
        let in_job = || std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| !value.is_empty());
        let commands = match content {
            Content::Text => true,
            Content::Data => in_job(),
            Content::Safe => false,
            Content::Binary => return Filter::default(),
        };
        Filter { controls: place.is_terminal(), commands: commands && !is_file }
    }

    /// Writes what `write` writes, filtered.
    pub(crate) fn through(self, out: &mut dyn Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        if self == Filter::default() {
            return write(out);
        }
        by_line(out, LONGEST, |line, out| self.write_line(line, out), write)
    }

    fn write_line(self, line: &[u8], out: &mut dyn Write) -> io::Result<()> {
        let is_exact = |line: &[u8]| !self.controls || line.iter().all(|b| (b' '..0x7f).contains(b));
        if is_exact(line) && (!self.commands || has_no_command(line)) {
            return out.write_all(line);
        }
        out.write_all(self.line(&String::from_utf8_lossy(line)).as_bytes())
    }

    fn line(self, text: &str) -> String {
        let text = if self.commands { no_command(text) } else { text.into() };
        if !self.controls {
            return text.into_owned();
        }
        // CSV ends its lines with both.
        let (text, end) = text.strip_suffix('\r').map_or((&*text, ""), |text| (text, "\r"));
        text.chars().map(|c| if c == '\t' || is_plain(c) { c.to_string() } else { escaped(c) }).chain([end.to_owned()]).collect()
    }
}

/// Returns whether a line has no command for sure; most have none. One pass.
fn has_no_command(line: &[u8]) -> bool {
    let first = line.iter().find(|&&b| b != b' ');
    first.is_none_or(|&b| b.is_ascii_graphic() && b != b':') && !line.contains(&b'#')
}

/// Longer lines are filtered piece by piece, bytes.
const LONGEST: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn output_is_printable_in_any_pieces(parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..30), 0..8)) {
            let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
            let text = filtered(Filter { controls: true, commands: true }, &parts).replace("\r\n", "\n");
            let text = text.strip_suffix('\r').unwrap_or(&text);
            prop_assert!(text.chars().all(|c| c == '\n' || c == '\t' || is_plain(c)), "{text:?}");
        }
    }

    fn filtered(filter: Filter, parts: &[&[u8]]) -> String {
        let mut out = Vec::new();
        filter.through(&mut out, |out| parts.iter().try_for_each(|part| out.write_all(part))).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn terminals_get_no_control_characters() {
        let filter = Filter { controls: true, commands: false };
        assert_eq!(
            filtered(filter, &[b"a\x1b[2J\tb\r\nc\rd\n", "\u{9b}31m\u{202e}".as_bytes()]),
            "a\\u{1b}[2J\tb\r\nc\\rd\n\\u{9b}31m\\u{202e}"
        );
        // Characters that come in two parts, and bytes that are none.
        assert_eq!(filtered(filter, &["ö".as_bytes().split_at(1).0, "ö".as_bytes().split_at(1).1, b"\xff"]), "ö\u{fffd}");
        let long = "ö".repeat(LONGEST);
        assert_eq!(filtered(filter, &[b"x", long.as_bytes()]), format!("x{long}"));
    }

    proptest! {
        #[test]
        fn lines_without_commands_stay_unchanged(line in "[ \t\u{a0}:#\\[a-c]{0,6}(::error|##\\[error\\]|::)?[ :#a]{0,3}") {
            prop_assert!(!has_no_command(line.as_bytes()) || no_command(&line) == line);
        }
    }

    #[test]
    fn logs_get_no_commands() {
        let filter = Filter { controls: false, commands: true };
        assert_eq!(filtered(filter, &[b"1\n  ::err", b"or::x\n"]), "1\n  \\u{3a}:error::x\n");
        assert_eq!(filtered(Filter::default(), &[b"::error::x\x1b"]), "::error::x\x1b");
    }
}
