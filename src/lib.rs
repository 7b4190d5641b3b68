//! heapview opens heap profiles and shows what holds the memory.
//!
//! The way of a file to the screen, which is also the order to read the modules in:
//!
//! 1. [`parse`] turns bytes into a [`profile::Profile`], whatever their format;
//! 2. [`profile::merge`] makes several dumps one profile with a column for each;
//! 3. [`symbolize`] finds names for addresses
//!    ([`disasm`] shows the code behind them);
//! 4. [`query`] reads options into a [`query::View`];
//! 5. [`session::Session`] answers it: [`analyze`] makes a [`report::Report`];
//! 6. [`render`] prints it, or [`web`] sends it to the page; [`export`] writes profiles;
//! 7. [`cli`] is the program around all this.

#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used))]

pub mod analyze;
#[cfg(feature = "app")]
pub mod annotate;
pub mod api;
pub mod attribution;
pub mod base;
#[cfg(feature = "app")]
pub mod cli;
pub mod demangle;
#[cfg(feature = "app")]
pub mod disasm;
#[cfg(feature = "app")]
pub mod doctor;
pub mod export;
#[cfg(feature = "app")]
pub mod fetch;
pub mod gate;
#[cfg(feature = "app")]
mod open;
pub mod parse;
pub mod profile;
mod proto;
pub mod query;
pub mod render;
pub mod report;
pub mod session;
#[cfg(feature = "app")]
pub mod sources;
#[cfg(feature = "app")]
pub mod symbolize;
#[cfg(feature = "app")]
mod terminal;
#[cfg(feature = "app")]
pub mod web;
