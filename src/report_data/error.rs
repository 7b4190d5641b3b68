//! Errors in report data, with their offset.

use std::fmt;

use thiserror::Error;

/// Report data that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Kind of the error.
    pub kind: DecodeErrorKind,
    /// Offset of the wrong byte in the decompressed data.
    pub at: usize,
}

/// Kinds of errors in report data.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The magic bytes are missing.
    #[error("expected the data of a heapview report, found something else")]
    Magic,
    /// Unknown version of the format.
    #[error("written by a newer heapview (version {found} of the format; this one reads {expected}); update heapview")]
    Version {
        /// The version in the file.
        found: u8,
        /// The version that is read.
        expected: u8,
    },
    /// The data is truncated.
    #[error("ends in the middle of {what}; the file is truncated")]
    Truncated {
        /// Incomplete part.
        what: &'static str,
    },
    /// Something follows the end.
    #[error("expected the end, found {bytes} more bytes; the file is damaged")]
    Trailing {
        /// Number of bytes after the end.
        bytes: usize,
    },
    /// The header is not the JSON that is expected.
    #[error("the header is damaged: {reason}")]
    Header {
        /// Message of the JSON parser.
        reason: String,
    },
    /// A column with another number of rows than its table.
    #[error("expected {expected} numbers in {what}, found {found}; the file is damaged")]
    Length {
        /// Column.
        what: &'static str,
        /// Rows of the table.
        expected: usize,
        /// Rows of the column.
        found: usize,
    },
    /// A number out of range.
    #[error("{what} is {found}, expected less than {limit}; the file is damaged")]
    Range {
        /// Column.
        what: &'static str,
        /// The number.
        found: i64,
        /// One past the greatest number.
        limit: usize,
    },
    /// Text is not UTF-8.
    #[error("{what} is no UTF-8; the file is damaged")]
    Text {
        /// Text with invalid UTF-8.
        what: &'static str,
    },
    /// Number of items over the limit.
    #[error("has {found} {what}; the limit is {most}")]
    TooMany {
        /// Kind of item.
        what: &'static str,
        /// Number of items.
        found: usize,
        /// The limit.
        most: usize,
    },
    /// Tables that contradict each other.
    #[error("the tables contradict each other ({reason}); the file is damaged")]
    Invalid {
        /// The invariant that does not hold.
        reason: String,
    },
}

impl std::error::Error for DecodeError {}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: {}", self.at, self.kind)
    }
}
