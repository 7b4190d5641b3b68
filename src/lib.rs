//! heapview opens heap profiles and shows what holds the memory.
//!
//! The library reads profiles from bytes and answers questions about them. Open bytes, ask a question, print the report:
//!
//! ```
//! use heapview::parse::{ParseOptions, parse};
//! use heapview::query::{View, ViewKind};
//! use heapview::render::{Format, render};
//! use heapview::session::Session;
//!
//! // Any format that heapview knows; here collapsed stacks.
//! let dump = b"# inuse_space bytes\nmain;load;read_file 4096\nmain;serve;cache_add 1024\n";
//! let parsed = parse(dump, &ParseOptions::default())?;
//! assert!(parsed.warnings.is_empty());
//!
//! // Options have the names of the command line and of URLs: see `query::FIELDS`.
//! let view = View::parse(ViewKind::Top, [("focus", "load|serve"), ("sort", "cum")]).map_err(|mut errors| errors.remove(0))?;
//! let report = Session::new(parsed.profile, Vec::new()).answer(&view)?;
//!
//! let mut text = Vec::new();
//! let in_utc = |nanos: i64| heapview::api::utc(nanos);
//! render(&report, Format::Text, &in_utc, &mut text)?;
//! let text = String::from_utf8(text)?;
//! assert!(text.contains("read_file"), "{text}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The way of a file to the screen, which is also the order to read the modules in:
//!
//! 1. [`parse`] turns bytes into a [`profile::Profile`], whatever their format;
//! 2. [`profile::merge`] makes several dumps one profile with a column for each;
//! 3. `symbolize` finds names for addresses;
//! 4. [`query`] reads options into a [`query::View`];
//! 5. [`session::Session`] answers it: [`attribution`] tells whose code a function is, [`analyze`] makes a [`report::Report`];
//! 6. [`render`] prints it, [`api`] is the form in which the page gets it, [`export`] writes profiles.
//!
//! This much is the core: it computes, and needs no files, network, clock or environment. The feature `symbolize` adds names of
//! addresses, from files in memory or read through the caller (`attached`). The feature `app`, on by default,
//! adds what touches the machine: `open` and `fetch` get files and their names, `sources` and `annotate` show code,
//! `web` is the server, `cli` is the program around all this. Without it (`default-features = false`) the library builds
//! without tokio, axum, object, gimli, ureq and clap.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod analyze;
#[cfg(feature = "app")]
pub mod annotate;
pub mod api;
#[cfg(feature = "symbolize")]
pub mod attached;
pub mod attribution;
pub mod base;
#[cfg(feature = "app")]
pub mod cli;
pub mod demangle;
#[cfg(feature = "symbolize")]
pub mod doctor;
pub mod export;
pub mod feeds;
#[cfg(feature = "app")]
pub mod fetch;
#[cfg(feature = "app")]
mod jobs;
pub mod limits;
#[cfg(feature = "app")]
mod open;
pub mod parse;
pub mod profile;
mod proto;
pub mod query;
pub mod render;
pub mod report;
pub mod report_data;
#[cfg(feature = "app")]
pub mod scrape;
pub mod session;
#[cfg(feature = "app")]
pub mod sources;
#[cfg(feature = "app")]
pub mod store;
#[cfg(feature = "symbolize")]
pub mod symbolize;
#[cfg(feature = "app")]
mod terminal;
#[cfg(feature = "app")]
pub mod web;
