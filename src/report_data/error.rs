//! What can be wrong with report data, and where.

use std::fmt;

use thiserror::Error;

/// Report data that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// What is wrong.
    pub kind: DecodeErrorKind,
    /// Offset of the wrong byte in the decompressed data.
    pub at: usize,
}

/// What is wrong with report data.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// It begins with other bytes.
    #[error("expected the data of a heapview report, found something else")]
    Magic,
    /// A version that is not known.
    #[error("written by a newer heapview (version {found} of the format; this one reads {expected}); update heapview")]
    Version {
        /// The version in the file.
        found: u8,
        /// The version that is read.
        expected: u8,
    },
    /// It ends too early.
    #[error("ends in the middle of {what}; the file is truncated")]
    Truncated {
        /// What is not complete.
        what: &'static str,
    },
    /// Something follows the end.
    #[error("expected the end, found {bytes} more bytes; the file is damaged")]
    Trailing {
        /// How many.
        bytes: usize,
    },
    /// The header is not the JSON that is expected.
    #[error("the header is damaged: {reason}")]
    Header {
        /// The JSON reader's words.
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
    /// Text that is no UTF-8.
    #[error("{what} is no UTF-8; the file is damaged")]
    Text {
        /// What should be text.
        what: &'static str,
    },
    /// More of something than is read.
    #[error("has {found} {what}; the limit is {most}")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many there are.
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
