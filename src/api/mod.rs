//! Questions and answers of the API, without a server: paths below `/api/v1/`, and `/download`.
//!
//! [`answer`] answers a path. It is all that an engine without a server needs, such as the one in report files: it opens a
//! [`Session`](crate::session::Session), keeps it, and gives every path that the page asks for to [`answer`], together with
//! the source text and machine code that it has, or [`NoFiles`]. Status, media type, file name and bytes are those of the
//! server.
//!
//! ```
//! use heapview::api::{NoFiles, answer};
//! use heapview::parse::{ParseOptions, parse};
//! use heapview::session::Session;
//!
//! let parsed = parse(b"# inuse_space bytes\nmain;load;read_file 4096\n", &ParseOptions::default())?;
//! let session = Session::new(parsed.profile, Vec::new());
//!
//! let reply = answer(&session, &NoFiles, "/api/v1/top.csv?focus=load&download");
//! assert_eq!((reply.status, reply.content_type), (200, "text/csv; charset=utf-8"));
//! assert_eq!(reply.file_name.as_deref(), Some("inuse_space-top.csv"));
//! assert!(reply.body.starts_with(b"flat,"));
//!
//! // What is wrong is an answer, too.
//! assert_eq!(answer(&session, &NoFiles, "/api/v1/top?focus=((").status, 400);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The server does the same in steps, so that it can bound, share and stream answers: [`Question::parse`] reads a path,
//! [`Question::prepare`] computes, and then [`Question::write`] writes into memory or [`Prepared::write`] to a client.
//! Paths that only a server has (events, uploads, links, the API's description) are not known here.

mod address;
mod answer;
mod attachments;
mod bounded;
mod carried;
mod error;
mod explained;
mod fields;
mod file_name;
mod form;
mod meta;
mod open;
mod opener;
mod question;
mod report_data;
mod rules;
mod shorten;
mod start_list;
mod utc;

pub use answer::{ANSWER_BYTES, Prepared, Reply, answer};
pub use attachments::{AttachmentBudget, Attachments, NoFiles};
pub use carried::CarriedFiles;
pub use error::{AnswerError, ApiError};
pub use explained::explained;
pub use fields::{FieldDoc, field_docs};
pub use file_name::file_name;
pub use meta::{DumpMeta, MappingMeta, Meta, SymbolState, Symbols, ValueTypeMeta, of_session, program};
pub use open::{NamedFile, OpenedFiles, RefusedFile, Unopened, join, open, open_files, open_report, open_with_files, opened_reply};
pub use opener::{Opened, Opener, Refusal};
pub use question::{DOWNLOADS, PATTERN_BYTES, Question, visitors_view};
pub use report_data::report_data;
pub use rules::{Rule, Rules};
pub use shorten::keep_heaviest_files;
pub use start_list::{StartEntry, StartList};
pub use utc::utc;
