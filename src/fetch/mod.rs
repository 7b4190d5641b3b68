//! Profiles and names from other machines, over HTTP.
//!
//! [`Address`] parses addresses like pprof, [`Client`] sends requests with limits on time and size, and `symbols` is
//! the protocol of servers that name addresses (`/symbolz`, `/pprof/symbol`). Responses are bytes: this module parses no profile,
//! prints nothing and does not read the environment.

mod address;
mod client;
mod download;
mod error;
mod exchange;
mod guarded;
mod symbols;
mod tls;
mod webhook;

pub use address::Address;
pub use client::{Client, Fetched, Options, Proxies, Token, first_line};
pub use download::Limits;
pub use error::FetchError;
pub use exchange::Reply;
pub use guarded::{Guarded, is_forbidden};
pub use symbols::{answers, command_line, program, question, service};
pub use tls::TlsFiles;
