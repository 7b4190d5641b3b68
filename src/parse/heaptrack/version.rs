//! Version of a recording: its first line.

use super::lines::hex;
use crate::parse::error::{ErrorKind, ParseError, Position, excerpt};

/// The format's name in messages.
pub(in crate::parse) const NAME: &str = "heaptrack";

/// Newest version of files that is known.
const NEWEST: u64 = 3;

/// Versions of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Version {
    /// Of heaptrack: two hexadecimal digits each for major, minor and patch version.
    pub(super) tool: u64,
    pub(super) file: u64,
}

impl Version {
    /// `v 10400 3`
    pub(super) fn of(line: &[u8]) -> Option<Version> {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii_end();
        let mut words = line.strip_prefix(b"v ")?.split(|&b| b == b' ').filter(|word| !word.is_empty());
        let tool = hex(words.next()?)?;
        let file = match words.next() {
            Some(word) => hex(word)?,
            // The first version that had file versions did not write it.
            None if tool == 0x10200 => 1,
            None => 0,
        };
        words.next().is_none().then_some(Version { tool, file })
    }

    /// `heaptrack 1.4.0`
    pub(super) fn tool_name(self) -> String {
        format!("heaptrack {}.{}.{}", self.tool >> 16, self.tool >> 8 & 0xff, self.tool & 0xff)
    }
}

/// The version in the first lines.
pub(super) fn start(text: &[u8]) -> Result<Version, ParseError> {
    let lines = (1..).zip(text.split(|&b| b == b'\n'));
    let (number, line) = lines.into_iter().find(|(_, line)| !matches!(line.trim_ascii(), [] | [b'#', ..])).unwrap_or((1, b""));
    let fail = |kind| Err(ParseError { format: NAME, kind, at: Some(Position::Line(number)) });
    match Version::of(line) {
        None => fail(ErrorKind::Line { expected: "`v` and a version", found: excerpt(line) }),
        Some(version) if version.file > NEWEST => {
            fail(ErrorKind::NewerVersion { what: version.tool_name(), found: version.file.to_string(), newest: NEWEST.to_string() })
        }
        Some(version) => Ok(version),
    }
}
