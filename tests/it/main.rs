//! One test binary: behaviour seen from outside, a module for each side.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout, clippy::print_stderr)]

mod access;
mod addr2line;
mod api;
mod brute;
mod builds;
mod cache;
mod changes;
mod check;
mod cli;
mod compatibility;
mod culprits;
mod debuginfod;
mod disasm;
mod doctor;
mod explain;
mod failures;
mod fetch;
mod fixture;
mod forms;
mod fuzz;
mod growth;
mod guide;
mod hostile;
mod jeprof;
mod language;
mod layers;
mod limits;
mod locate;
mod matrix;
mod offline;
mod openapi;
mod oracle;
mod packages;
mod page_file;
mod printable;
mod series;

mod properties;
mod questions;
mod report_data;
mod reports;
mod served;
mod server;
mod shell;
mod source;
mod start;
mod tables;
mod tides;
mod views;
mod wrappers;
