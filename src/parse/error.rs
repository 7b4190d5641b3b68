//! Errors and warnings of parsing, with their place.
//!
//! They carry values; [`Display`](std::fmt::Display) prints one line with what was expected, what was found and what to do.

use std::fmt;

use thiserror::Error;

use crate::base::units::label;
use crate::report_data::DecodeErrorKind;

/// A dump that cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// The format it was taken for; empty when it was taken for none.
    pub format: &'static str,
    /// The error.
    pub kind: ErrorKind,
    /// Position after decompression.
    pub at: Option<Position>,
}

/// Something odd in a dump that is shown all the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The format.
    pub format: &'static str,
    /// The warning.
    pub kind: WarningKind,
    /// Position of the first occurrence.
    pub at: Option<Position>,
}

/// A place in a dump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// Line number, from 1.
    Line(usize),
    /// Bytes from the start.
    Byte(usize),
}

/// Errors in a dump.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Empty file.
    #[error("the file is empty; the program may have died before it wrote anything")]
    Empty,
    /// Unknown format.
    #[error("not a profile: expected {expected}, found `{found}`")]
    Unrecognized {
        /// The formats that are read.
        expected: String,
        /// First bytes of the file.
        found: String,
    },
    /// A known kind of file that is not read.
    #[error("this is {what}, which heapview cannot open; {hint}")]
    Unsupported {
        /// Kind of file, with its article.
        what: &'static str,
        /// Advice.
        hint: &'static str,
    },
    /// Decompression failed.
    #[error("damaged {container} data ({reason}); copy the file again")]
    Compression {
        /// gzip or zstd.
        container: &'static str,
        /// Message of the decompressor.
        reason: String,
    },
    /// Compressed data that ends too early.
    #[error("the {container} data ends too early, after {expanded} bytes of content; copy the file again")]
    CompressionCut {
        /// gzip or zstd.
        container: &'static str,
        /// Bytes that could be unpacked.
        expanded: usize,
    },
    /// Too many nested containers.
    #[error("{container} inside {container}: unpack it once and try again")]
    Nested {
        /// gzip or zstd.
        container: &'static str,
    },
    /// More data than is allowed.
    #[error("unpacks to more than the limit of {limit} bytes; unpack it first if you trust it")]
    TooBig {
        /// The limit, bytes.
        limit: usize,
    },
    /// A line that follows no rule.
    #[error("expected {expected}, found `{found}`; remove the line if it is not part of the profile")]
    Line {
        /// The rule.
        expected: &'static str,
        /// The line, shortened.
        found: String,
    },
    /// A number out of range.
    #[error("{what} does not fit in 64 bits: `{found}`")]
    Number {
        /// Meaning of the number.
        what: &'static str,
        /// The line, shortened.
        found: String,
    },
    /// Bytes without objects.
    #[error("expected 0 bytes for 0 objects, found {bytes} bytes ({pair})")]
    BytesWithoutObjects {
        /// The bytes.
        bytes: i64,
        /// Pair of counts in the row.
        pair: &'static str,
    },
    /// A header of an unknown kind.
    #[error("expected a heap profile (heapprofile, heap, heap_v2, growth, fragmentation), found `{found}`")]
    HeaderType {
        /// The word after `@`.
        found: String,
    },
    /// A symbolized file with nothing after its symbols.
    #[error(
        "expected a profile after the symbols, found nothing (jeprof --raw writes none for local files); give the original dump instead"
    )]
    OnlySymbols,
    /// Not a message, or a cut one.
    #[error("expected a {message}, found invalid bytes ({reason}); the file is damaged or truncated")]
    Wire {
        /// The message's name in pprof's schema.
        message: &'static str,
        /// Message of the decoder.
        reason: String,
    },
    /// A number that points at no text.
    #[error("{field} names text {index} of a table of {len}; the file is damaged")]
    TextIndex {
        /// The field that names it.
        field: &'static str,
        /// The index.
        index: i64,
        /// Entries in the table.
        len: usize,
    },
    /// The string table is missing, or its first entry is not empty.
    #[error("expected a string table whose first entry is empty, found {found}; the file is damaged or truncated")]
    TextTable {
        /// Value found.
        found: &'static str,
    },
    /// Ids must be unique and not 0.
    #[error("expected one {table} with id {id}, found {found}")]
    Id {
        /// Table.
        table: &'static str,
        /// Id.
        id: u64,
        /// Value found: `none`, `two`, or `a reserved id`.
        found: &'static str,
    },
    /// A sample with the wrong number of values.
    #[error("expected {expected} values in a sample, one for each value type, found {found}")]
    Values {
        /// Number of value types.
        expected: usize,
        /// Number of values.
        found: usize,
    },
    /// Samples, but no value types.
    #[error("expected the types of the samples' values, found none; the file is damaged")]
    NoValueTypes,
    /// More value types than any writer has.
    #[error("expected at most {most} value types, found {found}; the file is damaged")]
    TooManyValueTypes {
        /// Number of value types.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// Data of a report file that cannot be read.
    #[error("{0}")]
    ReportData(DecodeErrorKind),
    /// A report file without data, or with data that is not base 85.
    #[error("expected the report's data in base 85 in the element `{element}`, found {found}; the file is damaged or truncated")]
    ReportFile {
        /// The element's id.
        element: &'static str,
        /// What was found.
        found: &'static str,
    },
    /// A file of a newer version than is known.
    #[error("the file has version {found}, written by {what}; heapview reads versions up to {newest}")]
    NewerVersion {
        /// The writer.
        what: String,
        /// Version of the file.
        found: String,
        /// Newest version that is read.
        newest: String,
    },
    /// A file of a version that is older than those that are read.
    #[error("the file has version {found}; heapview reads versions from {oldest} on: {hint}")]
    OlderVersion {
        /// Version of the file.
        found: String,
        /// Oldest version that is read.
        oldest: String,
        /// Advice.
        hint: &'static str,
    },
    /// Text that is no JSON, or JSON without the data of a profile.
    #[error(
        "expected a profile in JSON, found {}; copy the file again, or record anew",
        if *is_cut { "its end before any data" } else { reason }
    )]
    Json {
        /// The text ends too early.
        is_cut: bool,
        /// Message of the reader, if it does not.
        reason: String,
    },
    /// JSON whose table of frames is missing or incomplete.
    #[error(
        "{}: the table of frames, which comes last, is not complete, so that stacks have no names; copy the file again, or record anew",
        broken_json(reason)
    )]
    NoFrames {
        /// Message of the reader; empty if the text ends too early.
        reason: String,
    },
    /// Two profiles in one file.
    #[error("two profiles are written one after the other; split the file")]
    Concatenated,
}

/// Warnings about a dump.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum WarningKind {
    /// The tree of stacks would not fit into memory.
    #[error("the stacks have too many frames to show: {rows} of them are cut off on the leaf side")]
    TooManyFrames {
        /// Rows that were cut.
        rows: usize,
    },
    /// Comments are left out.
    #[error("only the first {shown} of {found} comments are read: the limits are 10,000 comments and 1 MiB of text")]
    TooManyComments {
        /// Comments that were read.
        shown: usize,
        /// Comments of the file.
        found: usize,
    },
    /// The last line is incomplete.
    #[error("the profile is truncated in the middle of a line; the rest is missing")]
    CutLine,
    /// The last row's stack may be too short.
    #[error("the profile is truncated in a stack; the last row may lack callers, and the rest is missing")]
    CutStack,
    /// No memory map follows the rows.
    #[error("the rows hold {rows} of the header's {header} bytes and no memory map follows; the profile is truncated")]
    CutRows {
        /// Sum of the rows, bytes.
        rows: i64,
        /// The header's sum, bytes.
        header: i64,
    },
    /// Compressed data ends too early.
    #[error("the {container} data ends too early; the profile is truncated")]
    CutContainer {
        /// gzip or zstd.
        container: &'static str,
    },
    /// A recording that ends too early.
    #[error("{}the recording is truncated after {}; what follows is missing", of_container(container), label(*at_millis, "milliseconds", "auto"))]
    CutRecording {
        /// gzip or zstd, if their data ends or is damaged; otherwise empty.
        container: &'static str,
        /// Last time stamp, milliseconds.
        at_millis: i64,
    },
    /// An event of a recording that no version known has.
    #[error("event {tag} is unknown (heapview knows 0 to {newest}): the recording is damaged, or written by a newer version; what follows after {} is missing", label(*at_millis, "milliseconds", "auto"))]
    UnknownEvent {
        /// Number of the event.
        tag: u32,
        /// Largest number that is known.
        newest: u32,
        /// Time of the last event before, milliseconds.
        at_millis: i64,
    },
    /// An event of a recording with lengths that cannot be true.
    #[error("the recording is damaged; what follows after {} is missing", label(*at_millis, "milliseconds", "auto"))]
    DamagedEvent {
        /// Time of the last event before, milliseconds.
        at_millis: i64,
    },
    /// A recording of a version that is newer than those that are known.
    #[error(
        "the file has version {found}, heapview knows versions up to {newest}; it was read like those{}",
        if *is_checked { ", and its sums are right" } else { ": numbers may be wrong" }
    )]
    NewerRecording {
        /// Version of the file.
        found: String,
        /// Newest version that is known.
        newest: &'static str,
        /// Sums in the file agree with its events.
        is_checked: bool,
    },
    /// A recording that ends before or after its events.
    #[error("{}{what}", of_container(container))]
    CutTables {
        /// Name of the compression, if the data is damaged; otherwise empty.
        container: &'static str,
        /// What is missing.
        what: &'static str,
    },
    /// A recording without some of the events.
    #[error("{what}")]
    RecordedInPart {
        /// What is missing, and why.
        what: &'static str,
    },
    /// Damaged lines or events of a recording.
    #[error("{what}: {count}")]
    Lines {
        /// The damage.
        what: &'static str,
        /// Number of lines.
        count: usize,
    },
    /// JSON that ends too early or is damaged, behind some of the data.
    #[error("{}; program points that could be read: {}{n_points}", broken_json(reason), if *is_complete { "all " } else { "" })]
    CutJson {
        /// Message of the reader; empty if the text ends too early.
        reason: String,
        /// Program points that could be read.
        n_points: usize,
        /// These are all.
        is_complete: bool,
    },
    /// Damaged program points.
    #[error("{what}: {count}{}", if *first_point == 0 { String::new() } else { format!(" (first: program point {first_point})") })]
    ProgramPoints {
        /// The damage.
        what: String,
        /// Number of occurrences.
        count: usize,
        /// Program point with the first one, from 1; 0: outside of program points.
        first_point: usize,
    },
    /// Fields that a file lacks.
    #[error("the file has no field {fields}: {consequence}")]
    MissingFields {
        /// Their names, with commas.
        fields: String,
        /// What follows from that.
        consequence: &'static str,
    },
    /// Stacks that are too deep.
    #[error("the stacks have too many frames to show: {rows} of them are cut off on the caller side")]
    CutCallers {
        /// Rows that were cut.
        rows: usize,
    },
    /// A recording that unpacks to more than is read.
    #[error("the recording unpacks to more than {limit} bytes; the rest is not read. Unpack it first if you trust it")]
    TooLong {
        /// Bytes that are read.
        limit: usize,
    },
    /// A unit of time that is not known.
    #[error("times have the unit `{found}`, which heapview does not know (i, B, ms, s, us and ns are known); they are shown as numbers")]
    TimeUnit {
        /// The unit.
        found: String,
    },
    /// The largest snapshot has no stacks.
    #[error("{} were in use at {at}, but the recorder noted no stacks then; the peak shown has {}", label(*whole, "bytes", "auto"), label(*shown, "bytes", "auto"))]
    PeakWithoutStacks {
        /// Bytes of the largest snapshot that has stacks.
        shown: i64,
        /// Bytes of the largest snapshot.
        whole: i64,
        /// When that was.
        at: String,
    },
    /// A recording without allocations.
    #[error("no allocation was recorded")]
    NoEvents,
    /// Bytes follow the last gzip member.
    #[error("ignored {bytes} bytes after the compressed data")]
    TrailingBytes {
        /// Number of bytes.
        bytes: usize,
    },
    /// gperftools up to 2.15 stops at 1 MiB.
    #[error(
        "gperftools stopped writing at its 1 MiB limit: {objects} objects of {bytes} bytes have no stack; gperftools 2.16 has no limit"
    )]
    BufferLimit {
        /// Objects in use that have no row.
        objects: i64,
        /// Their bytes.
        bytes: i64,
    },
    /// A second dump in the same file.
    #[error("a second dump follows; only the first one is shown, split the file to see the other")]
    SecondDump,
    /// The header does not name the sampling method.
    #[error("the header does not say how the heap was sampled; assumed {assumed}")]
    AssumedSampling {
        /// Assumed method.
        assumed: &'static str,
    },
    /// Lines that were skipped.
    #[error("skipped lines that are not part of the format: {count}")]
    SkippedLines {
        /// Number of occurrences.
        count: usize,
    },
    /// Stacks without numbers.
    #[error("skipped stacks without numbers: {count}")]
    StacksWithoutValues {
        /// Number of occurrences.
        count: usize,
    },
    /// Numbers that were made smaller.
    #[error("numbers that do not fit in 64 bits, clamped to the maximum: {count}")]
    Saturated {
        /// Number of occurrences.
        count: usize,
    },
    /// Bytes without objects.
    #[error("rows with bytes but no objects, shown without un-sampling: {count}")]
    BytesWithoutObjects {
        /// Number of occurrences.
        count: usize,
    },
    /// Counters that ran over.
    #[error("the header's counters are negative (overflow); the rows are shown")]
    NegativeHeader,
    /// What a session warned of when its report was written.
    #[error("{text}")]
    OfReport {
        /// The warning.
        text: String,
    },
}

impl WarningKind {
    /// Returns whether more would have come: the dump was cut off, or its writer is not done.
    pub fn is_cut(&self) -> bool {
        matches!(
            self,
            Self::CutLine
                | Self::CutStack
                | Self::CutRows { .. }
                | Self::CutContainer { .. }
                | Self::CutRecording { .. }
                | Self::CutTables { .. }
                | Self::CutJson { .. }
                | Self::UnknownEvent { .. }
                | Self::DamagedEvent { .. }
        )
    }
}

/// Beginning of a message about JSON that cannot be read to its end.
fn broken_json(reason: &str) -> String {
    if reason.is_empty() { "the file ends too early".to_owned() } else { format!("the file is damaged ({reason})") }
}

/// Prefix of a message about data of a container, if there is one.
fn of_container(container: &str) -> String {
    if container.is_empty() { String::new() } else { format!("the {container} data is damaged or ends too early: ") }
}

impl std::error::Error for ParseError {}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        place(f, self.format, self.at)?;
        write!(f, "{}", self.kind)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        place(f, self.format, self.at)?;
        write!(f, "{}", self.kind)
    }
}

fn place(f: &mut fmt::Formatter<'_>, format: &str, at: Option<Position>) -> fmt::Result {
    match (format.is_empty(), at) {
        (true, None) => Ok(()),
        (true, Some(at)) => write!(f, "{at}: "),
        (false, None) => write!(f, "{format}: "),
        (false, Some(at)) => write!(f, "{format}, {at}: "),
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Line(n) => write!(f, "line {n}"),
            Position::Byte(n) => write!(f, "byte {n}"),
        }
    }
}

/// `bytes` for a message: printable, at most sixty characters, on one line.
pub(super) fn excerpt(bytes: &[u8]) -> String {
    const LENGTH: usize = 60;
    let line = bytes.split(|&b| b == b'\n').map(<[u8]>::trim_ascii).find(|l| !l.is_empty()).unwrap_or_default();
    let head = &line[..line.len().min(4 * LENGTH)];
    let text = String::from_utf8_lossy(head);
    let mut short: String = text.chars().take(LENGTH).map(|c| if c.is_control() { '·' } else { c }).collect();
    if text.chars().nth(LENGTH).is_some() || head.len() < line.len() {
        short.push('…');
    }
    short
}
