//! JSON with strings that are safe to display: control and invisible characters are escaped (`\u009b`, `\u202e`), and so are
//! commands of CI job logs (`##[error]`). Parsers get the same strings.

use std::io::{self, BufWriter, Write};

use serde::Serialize;
use serde_json::ser::Formatter;

use crate::base::plain::is_plain;

/// Writes `value`.
///
/// # Errors
/// Errors of `out`.
pub(crate) fn write_json_value(out: &mut dyn Write, value: &impl Serialize) -> io::Result<()> {
    // Numbers and names come in many small pieces.
    let mut out = BufWriter::with_capacity(PIECE, out);
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut out, Printable))?;
    out.flush()
}

/// Bytes that are written at once.
const PIECE: usize = 64 << 10;

/// Returns whether a text has the beginning of an old workflow command.
fn has_command(text: &str) -> bool {
    text.as_bytes().contains(&b'#') && text.contains("##[")
}

/// Compact JSON; serde_json escapes what JSON demands, below U+0020.
struct Printable;

impl Formatter for Printable {
    fn write_string_fragment<W: ?Sized + Write>(&mut self, out: &mut W, text: &str) -> io::Result<()> {
        // Nearly all names.
        if text.bytes().all(|b| (b' '..0x7f).contains(&b)) && !has_command(text) {
            return out.write_all(text.as_bytes());
        }
        let mut rest = text;
        let is_command = |at: usize| text.as_bytes().get(at - 1..at + 2) == Some(b"##[");
        let must_escape = |at: usize, c: char| !is_plain(c) || (c == '#' && at > 0 && is_command(at));
        while let Some((at, c)) = rest.char_indices().find(|&(at, c)| must_escape(text.len() - rest.len() + at, c)) {
            out.write_all(&rest.as_bytes()[..at])?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(out, "\\u{unit:04x}")?;
            }
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_string_is_a_command() {
        let mut out = Vec::new();
        write_json_value(&mut out, &["##[error]a", "#[derive]", "ö##["]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), r##"["#\u0023[error]a","#[derive]","ö#\u0023["]"##);
    }

    #[test]
    fn strings_are_printable_and_the_same() {
        let text = "a\u{1b}[2J\u{9b}\u{202e}\u{7f}\u{e0041}größer\n\"";
        let mut out = Vec::new();
        write_json_value(&mut out, &[text]).unwrap();
        let written = String::from_utf8(out).unwrap();
        assert_eq!(written, r#"["a\u001b[2J\u009b\u202e\u007f\udb40\udc41größer\n\""]"#);
        assert_eq!(serde_json::from_str::<Vec<String>>(&written).unwrap(), [text]);
    }
}
