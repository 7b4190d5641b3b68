//! Bytes to a [`Profile`].
//!
//! Formats are detected by content, never by name. Containers (gzip, zstd) are decompressed first. Damaged input is parsed as far
//! as possible, with warnings; an error means that nothing can be shown. No input makes the parser panic.
//!
//! Does not open files or symbolize.
//!
//! ```
//! use heapview::parse::{ParseOptions, parse};
//! let dump = b"heap profile: 3: 300 [3: 300] @ heapprofile\n3: 300 [3: 300] @ 0x401234\n";
//! let parsed = parse(dump, &ParseOptions::default())?;
//! assert_eq!(parsed.format, "gperftools");
//! assert_eq!(parsed.profile.columns()[1].get(0), 300);
//! # Ok::<(), heapview::parse::ParseError>(())
//! ```

mod addresses;
mod bytehound;
mod container;
mod dhat;
mod drop_frames;
mod error;
mod events;
mod folded;
mod format;
mod frame_text;
mod gperftools;
mod half_demangled;
mod heap_row;
mod heaptrack;
mod input;
mod jemalloc;
mod json_count;
mod lines;
mod mappings;
mod maps;
mod massif;
mod named_mappings;
mod options;
mod packed;
mod parsed;
mod pprof;
mod problems;
mod process;
mod refused_formats;
mod report_data;
mod row_pipe;
mod stream;
mod symbolized;
mod symbols;
#[cfg(test)]
mod testing;
mod threads;
mod tracy;
mod unsample;
pub(crate) mod wire;
mod zstd_frame;

use std::borrow::Cow;
use std::io::Read;

pub use drop_frames::of_jemalloc as allocator_names;
pub use error::{ErrorKind, ParseError, Position, Warning, WarningKind};
pub use massif::{MassifFile, MassifNode, MassifSnapshot, MassifTree};
pub use options::{KeepEvents, LogFile, OpenLogFile, ParseOptions, Threads};
pub use parsed::Parsed;
pub use process::{ProcessFound, is_process_file, process_facts, write_capture_note};

pub use report_data::open_report_data;

/// Reads a dump of any format. O(size).
///
/// # Errors
/// When it is no heap profile that heapview reads, or too broken to show.
pub fn parse(bytes: &[u8], options: &ParseOptions) -> Result<Parsed, ParseError> {
    let parsed = match recording(bytes) {
        Some(source) => heaptrack::parse_stream(source, options)?,
        None if bytehound::sniff(&bytes[..bytes.len().min(input::HEAD)]) => bytehound::parse_stream(&mut &*bytes, options)?,
        None if tracy::sniff(bytes) => tracy::parse_bytes(bytes, options)?,
        None => parse_dump(bytes, options)?,
    };
    Ok(with_cut_stacks(parsed))
}

/// Reads a recording from a file of `length` bytes as it comes: it need not fit into memory. Other formats are read whole by [`parse`].
///
/// # Errors
/// When it is no recording that heapview reads.
pub fn parse_recording(file: &mut (dyn Read + Send), length: u64, options: &ParseOptions) -> Result<Parsed, ParseError> {
    let mut head = Vec::new();
    // What cannot be read is missed by the parser, too.
    let _ = (&mut *file).take(input::HEAD as u64).read_to_end(&mut head);
    let (is_bytehound, is_text) = (bytehound::sniff(&head), heaptrack::sniff(&head));
    let mut file = std::io::Cursor::new(head).chain(file);
    let parsed = match is_bytehound {
        true => bytehound::parse_stream(&mut file, options)?,
        false if is_text => heaptrack::parse_stream(stream::Source::File(&mut file), options)?,
        false => heaptrack::parse_stream(stream::Source::PackedFile(&mut file, length), options)?,
    };
    Ok(with_cut_stacks(parsed))
}

/// First bytes that show whether a file is a recording, also a compressed one: at least a block of that.
pub const RECORDING_HEAD: u64 = 1 << 18;

/// Returns whether these are the first bytes of a recording that [`parse_recording`] reads.
pub fn is_recording(head: &[u8]) -> bool {
    heaptrack::sniff(head) || bytehound::sniff(head) || is_packed_recording(head)
}

/// Returns whether the bytes are a compressed recording that can be read piece by piece.
fn is_packed_recording(bytes: &[u8]) -> bool {
    container::is_packed_once(bytes) && heaptrack::sniff(&container::peek(bytes, input::HEAD))
}

/// Returns whether there is no byte yet behind the containers that `head` begins with.
pub fn is_blank(head: &[u8]) -> bool {
    container::peek(head, 1).is_empty()
}

/// The text of a recording, if it is one that can be read piece by piece.
fn recording(bytes: &[u8]) -> Option<stream::Source<'_>> {
    if heaptrack::sniff(&bytes[..bytes.len().min(input::HEAD)]) {
        return Some(stream::Source::Text(bytes));
    }
    is_packed_recording(bytes).then_some(stream::Source::Packed(bytes))
}

fn parse_dump(bytes: &[u8], options: &ParseOptions) -> Result<Parsed, ParseError> {
    let file = report_data::Unwrapped::new(bytes)?;
    let content = file.open(options.max_expanded)?;
    format::parse(&content, options)
}

fn with_cut_stacks(mut parsed: Parsed) -> Parsed {
    if parsed.profile.n_cut() > 0 {
        let kind = WarningKind::TooManyFrames { rows: parsed.profile.n_cut() };
        parsed.warnings.push(Warning { format: parsed.format, kind, at: None });
    }
    parsed
}

/// Returns the heap text (gperftools' or jemalloc's) of a dump, decompressed and without a symbol table; `None` for other
/// formats.
pub fn heap_text(bytes: &[u8], options: &ParseOptions) -> Option<Vec<u8>> {
    let content = container::open(bytes, options.max_expanded).ok()?;
    format::heap_text(&content).map(<[u8]>::to_vec)
}

/// The bytes of a dump without gzip or zstd around them. O(size).
///
/// # Errors
/// The compression is damaged from the beginning, or unpacks to more than [`ParseOptions::max_expanded`].
pub fn unpacked<'a>(bytes: &'a [u8], options: &ParseOptions) -> Result<Cow<'a, [u8]>, ParseError> {
    Ok(container::open(bytes, options.max_expanded)?.bytes)
}

/// The snapshots of massif's output, as they are written.
///
/// # Errors
/// When it is something else.
pub fn massif_file(text: &[u8]) -> Result<MassifFile<'_>, ParseError> {
    massif::read(text, 1)
}

/// Detects the format from the first few thousand bytes; `None` if they are no profile (for example a program). Cheap.
pub fn sniff(bytes: &[u8]) -> Option<&'static str> {
    if report_data::is_report_file(bytes) { Some(report_data::NAME) } else { format::sniff(&container::peek(bytes, 1 << 16)) }
}
