//! Terminal output other than reports: messages, the progress line, colours, panics in one line.

pub(crate) mod line_writer;
pub(crate) mod message;
pub(crate) mod paint;
pub(crate) mod panics;
pub(crate) mod printable;
pub(crate) mod progress;
pub(crate) mod style;
