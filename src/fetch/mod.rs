//! Profiles and names from other machines, over HTTP.
//!
//! [`Address`] reads what the person typed as pprof does, [`Client`] gets and posts within
//! bounds of time and size, and `symbols` is the dialect of servers that name addresses
//! (`/symbolz`, `/pprof/symbol`). What comes back is bytes: no profile is read here, nothing is
//! printed, and the environment is the caller's to read.

mod address;
mod client;
mod download;
mod error;
mod symbols;
mod tls;

pub use address::Address;
pub use client::{Client, Fetched, Options, Proxies, first_line};
pub use download::Limits;
pub use error::FetchError;
pub use symbols::{answers, command_line, program, question, service};
pub use tls::TlsFiles;
