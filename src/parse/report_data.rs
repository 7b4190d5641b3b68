//! Reports of heapview, opened like dumps: the data alone, compressed or not, or the report file that contains it.

use std::borrow::Cow;

use super::container::{self, Content};
use super::error::{ErrorKind, ParseError, Position, Warning, WarningKind};
use super::input::Input;
use super::options::ParseOptions;
use super::parsed::Parsed;
use crate::report_data::{DATA_ELEMENT, DecodeError, Decoded, MAGIC, data_element, decode};

pub(super) use crate::report_data::{NAME, is_report_file};

/// The data of a report, with all that its session knew; `None` when `bytes` are no report.
///
/// # Errors
/// When it is a report that cannot be read.
pub fn open_report_data(bytes: &[u8], options: &ParseOptions) -> Result<Option<Decoded>, ParseError> {
    if !is_report_file(bytes) && !sniff(&container::peek(bytes, MAGIC.len())) {
        return Ok(None);
    }
    let file = Unwrapped::new(bytes)?;
    let content = file.open(options.max_expanded)?;
    decode(&content.bytes).map(Some).map_err(error)
}

/// A file without the page around its data, if it is a report file.
pub(super) struct Unwrapped<'a> {
    bytes: Cow<'a, [u8]>,
    is_report_file: bool,
}

impl<'a> Unwrapped<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Result<Self, ParseError> {
        if !is_report_file(bytes) {
            return Ok(Unwrapped { bytes: Cow::Borrowed(bytes), is_report_file: false });
        }
        let fail = |found, at| {
            let kind = ErrorKind::ReportFile { element: DATA_ELEMENT, found };
            Err(ParseError { format: NAME, kind, at: Some(Position::Byte(at)) })
        };
        match data_element(bytes) {
            None => fail("none", bytes.len()),
            Some(Err(at)) => fail(if at == bytes.len() { "no end of it" } else { "other bytes" }, at),
            Some(Ok(data)) => Ok(Unwrapped { bytes: Cow::Owned(data), is_report_file: true }),
        }
    }

    /// The content out of its containers.
    pub(super) fn open(&self, limit: usize) -> Result<Content<'_>, ParseError> {
        let content = container::open(&self.bytes, limit)?;
        if self.is_report_file && !content.bytes.starts_with(MAGIC) && content.cut().is_none() {
            let hint = "open it in a browser, or export it again";
            return Err(ParseError {
                format: NAME,
                kind: ErrorKind::Unsupported { what: "a report file of an older heapview", hint },
                at: None,
            });
        }
        Ok(content)
    }
}

pub(super) fn sniff(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

pub(super) fn parse(input: Input<'_>) -> Result<Parsed, ParseError> {
    let Decoded { profile, about, .. } = decode(input.text).map_err(error)?;
    let warnings = about.warnings.into_iter().map(|text| Warning { format: NAME, kind: WarningKind::OfReport { text }, at: None });
    Ok(Parsed { profile, format: NAME, warnings: warnings.collect() })
}

fn error(error: DecodeError) -> ParseError {
    ParseError { format: NAME, kind: ErrorKind::ReportData(error.kind), at: Some(Position::Byte(error.at)) }
}
