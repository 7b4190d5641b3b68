//! The data of report files: a profile as columns, with what a session knows beside it, to bytes and back.
//!
//! [`encode`] writes all that a report, a filter or a download needs, and of the code only what stacks run through;
//! [`decode`] makes the profile of it again, and believes nothing: every number is checked. What is hidden by `-redact` never
//! gets into the bytes ([`Redaction`]).
//!
//! The bytes are meant to be compressed afterwards. They are, in this order: [`MAGIC`], the version, a header in JSON, texts,
//! then columns of numbers ([`columns`]) for packages, containers, facts about names, mappings, functions, locations, frames,
//! stacks, labels, rows and values; at the end attachments. Tables have no ids: things are named by their place in them, 0
//! being nothing where there may be nothing.
//!
//! **Facts about names are always recorded** ([`crate::profile::RecordedNames`]), not only where names are redacted: what a
//! name says also depends on functions that no stack runs through, which are left out; a reader need not classify names, which
//! is much of the time to a first answer; and there is one path, so that what is tested with names is known to work without.
//! It costs some bytes for each function.

pub mod base85;
mod columns;
mod decode;
mod encode;
mod error;
mod header;
mod html;
mod moments;
mod numbers;
mod redact;
mod used;

pub use decode::{Decoded, decode};
pub use encode::encode;
pub use error::{DecodeError, DecodeErrorKind};
pub use header::{About, Attachment, MAGIC, VERSION, redacted_option};
pub use html::{DATA_ELEMENT, data_element, is_report_file, pack};
pub use redact::{PathsInText, Redaction, RuleError, TextKind, source_path};

/// Name of the format, as in [`crate::parse::Parsed::format`].
pub const NAME: &str = "report data";
