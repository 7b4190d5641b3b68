//! The scraper of a team server: fetches heap dumps of running programs, at intervals and when their memory grew by a step.
//!
//! Targets come from the configuration and from files in Prometheus' `file_sd` format. Dumps go through the same limits as uploads,
//! as those of the token `scrape/JOB`. The last dump of a process that ended is marked, and survives retention. All of it blocks,
//! on threads of its own.

mod discovery;
mod duty;
mod job;
mod names;
mod probe;
mod process;
mod progress;
mod requests;
mod scraper;
mod shared;
mod status;
mod target;
mod visit;
mod yaml;

pub use job::{GrowthStep, RSS_METRIC, ScrapeAuth, ScrapeJob, ScrapeKind};
pub use scraper::Scraper;
pub use status::{ScrapeResult, TargetStatus};
