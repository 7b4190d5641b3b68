//! bytehound's recordings of versions 0.1 to 0.11: as recorded, culled, stored without compression, postprocessed (with names in
//! place of addresses), stripped.
//!
//! A file is a list of chunks (`chunks.rs`), each a kind, a length and text: an LZ4 block, or the text itself. The text of all
//! chunks together is a list of events (`decode.rs`): a tag and its fields, without a length. New versions only added tags, so
//! one reader serves all. Integers are little-endian.
//!
//! Nothing is held but tables, blocks in use and the binaries that the recorder put into the file. A file that ends early or is
//! damaged is shown as far as it goes: events have no length, so there is nothing to go on with after an unknown one.

mod blocks;
mod build_id;
mod chunks;
mod decode;
mod fields;
mod modules;
mod names;
mod problems;
mod reader;
mod resident;
mod stacks;
#[cfg(test)]
pub(super) mod tests;
#[cfg(test)]
pub(super) mod writer;

pub(super) use problems::NAME;

use std::io::Read;

use super::error::{ErrorKind, ParseError, Position, Warning, WarningKind};
use super::input::Input;
use super::options::{KeepEvents, ParseOptions};
use super::parsed::Parsed;
use chunks::for_each_block;
use decode::{Decoded, Event, decode};
use reader::Reader;

/// Returns whether the first chunk begins with a header.
pub(super) fn sniff(head: &[u8]) -> bool {
    const ARCHITECTURES: [&[u8]; 6] = [b"x86_64", b"aarch64", b"arm", b"mips64", b"mips", b"x86"];
    let text = chunks::peek(head);
    matches!(decode(&text), Decoded::Event(Event::Header(header), _) if ARCHITECTURES.contains(&header.architecture))
}

/// Reads a file that is in memory.
pub(super) fn parse(input: Input<'_>) -> Result<Parsed, ParseError> {
    let cut = input.cut.map(|container| WarningKind::CutContainer { container });
    let mut text = input.text;
    read(&mut text, cut, input.parts, None)
}

/// Reads a file as it comes.
pub(super) fn parse_stream(file: &mut (dyn Read + Send), options: &ParseOptions) -> Result<Parsed, ParseError> {
    read(file, None, options.parts.max(1), options.events.as_ref())
}

fn read(file: &mut (dyn Read + Send), cut: Option<WarningKind>, parts: i64, keep: Option<&KeepEvents>) -> Result<Parsed, ParseError> {
    let mut reader = Reader::new(keep);
    let end = for_each_block(file, &mut |block| reader.take(block));
    if reader.is_empty() {
        return Err(ParseError { format: NAME, kind: ErrorKind::Empty, at: Some(Position::Byte(0)) });
    }
    let (mut profile, warnings) = reader.finish(end, cut);
    profile.multiply(parts);
    let mut warnings: Vec<Warning> = warnings;
    if profile.samples().is_empty() && warnings.is_empty() {
        warnings.push(Warning { format: NAME, kind: WarningKind::NoEvents, at: None });
    }
    Ok(Parsed { profile, format: NAME, warnings })
}
