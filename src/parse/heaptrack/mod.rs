//! heaptrack's recordings, file versions 0 to 3: interpreted files, which name functions, and raw ones, which have addresses.
//!
//! ```text
//! v 10400 3           version of the tool and of the file
//! X ./it 300          command line
//! I 1000 5e298d       bytes of a page, pages of the machine
//! s 4 main            text 1
//! i 55563aa8331f 0 1  code address 1: module, then function, file and line, then those it was inlined into
//! t 1 0               stack 1: code address, calling stack
//! a 3e8 1             allocation 0: size, stack
//! + 0                 allocation 0 happens
//! c a                 milliseconds since the start
//! - 0                 one of those blocks is freed
//! ```
//!
//! Numbers are hexadecimal and tables are in the order of their lines. Raw files have memory maps (`m`), stacks of addresses and
//! pointers in place of numbered allocations. Files of heaptrack before 1.0 have pointers, too.
//!
//! The text is read piece by piece and never held as a whole. Damaged lines are skipped and counted; a file that ends early is
//! shown as far as it goes.

mod lines;
mod modules;
mod problems;
mod reader;
mod scan;
#[cfg(test)]
pub(super) mod tests;
mod version;

pub(super) use version::NAME;

use super::error::{ErrorKind, ParseError, Warning, WarningKind};
use super::input::Input;
use super::options::{KeepEvents, ParseOptions};
use super::parsed::Parsed;
use super::stream::{Source, for_each_piece};
use reader::Reader;
use scan::{Piece, Scanner};
use version::Version;

/// Returns whether the first line is a version, and the next one follows the grammar.
pub(super) fn sniff(head: &[u8]) -> bool {
    let mut lines = head.split_inclusive(|&b| b == b'\n').filter(|line| !matches!(line.trim_ascii(), [] | [b'#', ..]));
    let Some(first) = lines.next().filter(|line| line.ends_with(b"\n")) else { return false };
    let is_plain = |line: &[u8]| match line.trim_ascii_end() {
        [] | [b'A'] => true,
        [letter, rest @ ..] => letter.is_ascii_alphabetic() && rest.first().is_none_or(|&b| b == b' ') || b"+-#".contains(letter),
    };
    Version::of(first).is_some() && lines.next().is_none_or(is_plain)
}

/// Reads text that is in memory.
pub(super) fn parse(input: Input<'_>) -> Result<Parsed, ParseError> {
    let cut = input.cut.map(|container| WarningKind::CutContainer { container });
    read(Source::Text(input.text), cut, input.parts, usize::MAX, None)
}

/// Reads text as it comes.
pub(super) fn parse_stream(source: Source<'_>, options: &ParseOptions) -> Result<Parsed, ParseError> {
    // Text of recordings is a hundredth of its size when it is compressed; bombs are smaller.
    const RATIO: usize = 400;
    let limit = |length: usize| options.max_expanded.max(length.saturating_mul(RATIO));
    let limit = match &source {
        Source::Packed(bytes) => limit(bytes.len()),
        Source::PackedFile(_, length) => limit(usize::try_from(*length).unwrap_or(usize::MAX)),
        Source::Text(_) | Source::File(_) => usize::MAX,
    };
    read(source, None, options.parts.max(1), limit, options.events.as_ref())
}

/// `limit`: bytes of text that are read.
fn read(source: Source<'_>, cut: Option<WarningKind>, parts: i64, limit: usize, events: Option<&KeepEvents>) -> Result<Parsed, ParseError> {
    let mut reader: Option<Reader> = None;
    let mut scanner = Scanner::new();
    let mut n_read = 0usize;
    let odd = for_each_piece(source, &mut |text, piece| scanner.cut_up(text, piece), &mut |piece: &Piece| {
        let Some(version) = piece.version else { return false };
        n_read = n_read.saturating_add(piece.length);
        reader.get_or_insert_with(|| Reader::new(version, events)).take(piece) && n_read <= limit
    });
    if let Some(error) = scanner.error {
        return Err(error);
    }
    let (odd, reader) = match (odd, reader) {
        (odd, Some(reader)) => (odd, reader),
        (Err(error), None) => return Err(error),
        (Ok(_), None) => return Err(ParseError { format: NAME, kind: ErrorKind::Empty, at: None }),
    };
    // What came before the damage is shown.
    let odd = match odd {
        Ok(odd) => cut.or(odd),
        Err(ParseError { kind: ErrorKind::Compression { container, .. }, .. }) => Some(WarningKind::CutContainer { container }),
        Err(error) => return Err(error),
    };
    let (mut profile, mut warnings) = reader.finish(odd, scanner.last_line());
    if n_read > limit {
        warnings.push(Warning { format: NAME, kind: WarningKind::TooLong { limit }, at: None });
    }
    profile.multiply(parts);
    if profile.samples().is_empty() && warnings.is_empty() {
        warnings.push(Warning { format: NAME, kind: WarningKind::NoEvents, at: None });
    }
    Ok(Parsed { profile, format: NAME, warnings })
}
