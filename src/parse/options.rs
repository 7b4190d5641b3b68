//! Options of parsing.

use std::io::{Read, Seek, Write};

/// A temporary file.
pub trait LogFile: Read + Write + Seek + Send {}

impl<T: Read + Write + Seek + Send> LogFile for T {}

/// Makes a temporary file; `None` if there can be none.
pub type OpenLogFile = fn() -> Option<Box<dyn LogFile>>;

/// Keeps all events of recordings, so that the state at any time can be computed.
#[derive(Clone, Copy, Debug)]
pub struct KeepEvents {
    /// Makes a temporary file for events that are too many for memory; without one, later events are not kept.
    pub file: Option<OpenLogFile>,
}

/// Options of parsing.
#[derive(Clone, Debug)]
pub struct ParseOptions {
    /// Maximum number of bytes that a compressed dump may unpack to.
    pub max_expanded: usize,
    /// Handling of jemalloc's thread rows.
    pub threads: Threads,
    /// Fraction of the unit that values are in: un-sampling gives fractions, which add up. At least 1.
    pub parts: i64,
    /// `None`: of recordings only the states at some moments are kept.
    pub events: Option<KeepEvents>,
}

/// Handling of jemalloc's thread rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Threads {
    /// They divide their stack's total, so that they add up to it; labels have the threads' names.
    #[default]
    Shared,
    /// Each is un-sampled by itself, like in jeprof, and their stack's total is dropped; labels have the threads' numbers: `t0`,
    /// `t1` and so on.
    Apart,
}

impl Default for ParseOptions {
    fn default() -> Self {
        ParseOptions { max_expanded: 700 << 20, threads: Threads::default(), parts: 1, events: None }
    }
}
