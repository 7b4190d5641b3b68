//! The web server: the API, the page and its files. Questions and answers are those of [`crate::api`]; here are access, limits,
//! turns, uploads and events.

mod access;
mod answers;
mod app;
mod assets;
mod changes;
mod compute;
mod connections;
mod document;
mod download;
mod embedded_sources;
mod error;
mod events;
mod guard;
mod hosts;
mod in_flight;
mod limits;
mod meta;
#[cfg(test)]
mod openapi;
mod path_filter;
mod readers;
mod report_file;
mod router;
mod server;
mod setup;
mod share;
mod single_flight;
mod site;
mod slow_client;
mod start;
mod team;
mod token_login;
mod turns;
mod upload_quota;
mod uploads;
mod workers;

pub use access::{Access, LoginEvent};
pub use assets::engine;
pub use document::OPENAPI;
pub use embedded_sources::embedded_sources;
pub use hosts::Hosts;
pub use limits::Limits;
pub use report_file::{FileOptions, write_file};
pub use router::app;
pub use server::serve;
pub use setup::{Setup, ShareCommand};
pub use share::Share;
pub use site::{SiteFile, site_files};
pub use team::{Log, LogFormat, Proxies, TeamSetup, serve_team, team_app};
