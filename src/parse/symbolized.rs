//! Symbolized text profiles: the symbol table that `jeprof --raw` and `pprof --raw` write, then heap text.

use super::error::{ErrorKind, ParseError, Position, Warning, WarningKind};
use super::input::Input;
use super::lines::{Lines, Scan};
use super::parsed::Parsed;
use super::symbols::Symbols;

const NAME: &str = "symbolized profile";

/// Returns whether a symbol table or a section heading is in front.
pub(super) fn sniff(head: &[u8]) -> bool {
    [&b"--- symbol"[..], b"--- heap", b"--- growth", b"--- profile"]
        .iter()
        .any(|heading| head.strip_prefix(*heading).is_some_and(|rest| matches!(rest, [] | [b'\r' | b'\n', ..])))
}

/// Reads the table, then whatever profile follows it with `inner`. Lines of the table that are none are
/// skipped with a warning.
pub(super) fn parse(input: Input<'_>, inner: fn(Input<'_>) -> Result<Parsed, ParseError>) -> Result<Parsed, ParseError> {
    let mut symbols = Symbols::default();
    let mut lines = Lines::new(input.text, input.first_line);
    let mut in_table = false;
    let mut skipped: Option<(usize, usize)> = None;
    for line in lines.by_ref() {
        let text = line.bytes.trim_ascii();
        match text {
            b"--- symbol" => in_table = true,
            b"---" => in_table = false,
            _ if text.starts_with(b"--- ") => break,
            b"" => {}
            _ if in_table => {
                if let Some(program) = text.strip_prefix(b"binary=") {
                    symbols.program = program.trim_ascii();
                } else if let Some((address, names)) = entry(text) {
                    symbols.names.insert(address, names);
                } else {
                    let (count, _) = skipped.get_or_insert((0, line.number));
                    *count += 1;
                }
            }
            _ => {
                let kind = ErrorKind::Line { expected: "`---` and a heading such as `--- heap`", found: super::error::excerpt(text) };
                return Err(ParseError { format: NAME, kind, at: Some(Position::Line(line.number)) });
            }
        }
    }
    if lines.rest().trim_ascii().is_empty() {
        return Err(ParseError { format: NAME, kind: ErrorKind::OnlySymbols, at: Some(Position::Line(lines.next_number())) });
    }
    let mut parsed = inner(Input { text: lines.rest(), first_line: lines.next_number(), symbols: &symbols, ..input })?;
    if let Some((count, line)) = skipped {
        parsed.warnings.insert(0, Warning { format: NAME, kind: WarningKind::SkippedLines { count }, at: Some(Position::Line(line)) });
    }
    Ok(parsed)
}

/// `0xADDRESS names`.
fn entry(text: &[u8]) -> Option<(u64, &[u8])> {
    let mut scan = Scan::new(text);
    if !text.starts_with(b"0x") {
        return None;
    }
    Some((scan.hex()??, scan.rest().trim_ascii()))
}

/// Text after the symbol table, unchanged; all of it if there is no table.
pub(super) fn behind(text: &[u8]) -> &[u8] {
    if !sniff(text) {
        return text;
    }
    let mut lines = Lines::new(text, 1);
    lines.find(|line| line.bytes.starts_with(b"--- ") && line.bytes.trim_ascii() != b"--- symbol");
    lines.rest()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_whole_lines() {
        assert!(sniff(b"--- symbol\r\n"));
        assert!(sniff(b"--- heap"));
        assert!(!sniff(b"--- heapz 1 ---\n"));
    }
}
