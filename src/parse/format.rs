//! Table of formats: detection and parser of each.

use super::container::Content;
use super::error::{ErrorKind, ParseError, Warning, WarningKind, excerpt};
use super::input::{HEAD, Input};
use super::options::ParseOptions;
use super::parsed::Parsed;
use super::symbols::Symbols;
use super::{bytehound, dhat, folded, gperftools, heaptrack, jemalloc, massif, pprof, refused_formats, report_data, symbolized, tracy};

/// A format that is read.
struct Format {
    /// Name, as [`Parsed::format`] has it (symbolized files take the inner one's).
    name: &'static str,
    /// Display name; empty if the format is not listed among those expected.
    title: &'static str,
    /// Detects the format from the first bytes, after a byte order mark and blanks.
    sniff: fn(&[u8]) -> bool,
    parse: fn(Input<'_>) -> Result<Parsed, ParseError>,
}

/// The best guess first. Text comes before protobuf: `heap` is also a message.
static FORMATS: [Format; 11] = [
    Format { name: report_data::NAME, title: "", sniff: report_data::sniff, parse: report_data::parse },
    Format { name: gperftools::NAME, title: "gperftools or Go heap text", sniff: gperftools::sniff, parse: gperftools::parse },
    Format { name: jemalloc::NAME, title: "jemalloc heap_v2 text", sniff: jemalloc::sniff, parse: jemalloc::parse },
    Format {
        name: "symbolized",
        title: "symbolized profiles",
        sniff: symbolized::sniff,
        parse: |input| symbolized::parse(input, parse_behind_symbols),
    },
    Format { name: heaptrack::NAME, title: "heaptrack recordings", sniff: heaptrack::sniff, parse: heaptrack::parse },
    Format { name: massif::NAME, title: "massif's output", sniff: massif::sniff, parse: massif::parse },
    Format { name: bytehound::NAME, title: "bytehound recordings", sniff: bytehound::sniff, parse: bytehound::parse },
    Format { name: tracy::NAME, title: "Tracy traces", sniff: tracy::sniff, parse: tracy::parse },
    Format { name: dhat::NAME, title: "DHAT's JSON of valgrind and the crate dhat", sniff: dhat::sniff, parse: dhat::parse },
    Format { name: pprof::NAME, title: "pprof protobuf", sniff: pprof::sniff, parse: pprof::parse },
    Format { name: folded::NAME, title: "collapsed stacks", sniff: folded::sniff, parse: folded::parse },
];

/// gperftools' and jemalloc's.
static HEAP_TEXTS: &[Format] = FORMATS.split_at(1).1.split_at(2).0;

/// Reads unpacked bytes.
pub(super) fn parse(content: &Content<'_>, options: &ParseOptions) -> Result<Parsed, ParseError> {
    let symbols = Symbols::default();
    let text = without_mark(&content.bytes);
    let (threads, parts) = (options.threads, options.parts.max(1));
    let input = Input { text, first_line: 1, cut: content.cut(), symbols: &symbols, threads, parts };
    let mut parsed = dispatch(input, &FORMATS)?;
    if [pprof::NAME, folded::NAME, massif::NAME, report_data::NAME].contains(&parsed.format) {
        // The others did so while they un-sampled.
        parsed.profile.multiply(parts);
    }
    for warning in &content.warnings {
        if matches!(warning, WarningKind::TrailingBytes { .. }) {
            parsed.warnings.push(Warning { format: parsed.format, kind: warning.clone(), at: None });
        }
    }
    Ok(parsed)
}

/// Parses the profile after a symbol table; a second table is not allowed.
fn parse_behind_symbols(input: Input<'_>) -> Result<Parsed, ParseError> {
    dispatch(input, HEAP_TEXTS)
}

/// The heap text in unpacked bytes, without a table of symbols in front; `None` when they are
/// another format.
pub(super) fn heap_text<'a>(content: &'a Content<'_>) -> Option<&'a [u8]> {
    let text = symbolized::behind(without_mark(&content.bytes));
    HEAP_TEXTS.iter().any(|f| (f.sniff)(head_of(text))).then_some(text)
}

/// The name of the format that `head` looks like.
pub(super) fn sniff(head: &[u8]) -> Option<&'static str> {
    let head = head_of(without_mark(head));
    FORMATS.iter().find(|f| (f.sniff)(head)).map(|f| f.name)
}

fn dispatch(input: Input<'_>, formats: &[Format]) -> Result<Parsed, ParseError> {
    let fail = |kind| Err(ParseError { format: "", kind, at: None });
    let (text, head) = (input.text, head_of(input.text));
    let titles = || FORMATS.iter().map(|f| f.title).filter(|title| !title.is_empty()).collect::<Vec<_>>().join(", ");
    if let Some(format) = formats.iter().find(|f| (f.sniff)(head)) {
        return (format.parse)(input).map_err(|error| match format.name == pprof::NAME && is_plain_text(text) {
            // A few letters look like the beginning of a message.
            true => ParseError { format: "", kind: ErrorKind::Unrecognized { expected: titles(), found: excerpt(head) }, at: None },
            false => error,
        });
    }
    if let Some((what, hint)) = refused_formats::sniff(input.text) {
        return fail(ErrorKind::Unsupported { what, hint });
    }
    if let Some(container) = input.cut {
        return fail(ErrorKind::CompressionCut { container, expanded: input.text.len() });
    }
    if head.is_empty() {
        return fail(ErrorKind::Empty);
    }
    fail(ErrorKind::Unrecognized { expected: titles(), found: excerpt(head) })
}

/// Returns whether the first bytes are printable text with line ends.
fn is_plain_text(text: &[u8]) -> bool {
    let head = &text[..text.len().min(HEAD)];
    // A character may be cut off at the end.
    let text = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) if head.len() == HEAD && error.valid_up_to() + 4 > HEAD => {
            std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or("\0")
        }
        Err(_) => return false,
    };
    !text.contains(|c: char| c.is_control() && !"\n\r\t".contains(c))
}

/// The text without the byte order mark of UTF-8.
fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// The first bytes, after blank lines. A message may start with a byte that is a
/// line end in text; `pprof::sniff` sees the bytes as they are when they start so.
fn head_of(text: &[u8]) -> &[u8] {
    let head = &text[..text.len().min(HEAD)];
    let blank = head.iter().take_while(|b| matches!(b, b'\n' | b'\r')).count();
    let plain = &head[blank..];
    match plain.first() {
        Some(b) if b.is_ascii_graphic() && blank > 0 && !pprof::sniff(head) => plain,
        None => plain,
        _ => head,
    }
}
