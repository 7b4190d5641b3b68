//! The scraper of a team server: fetches heap dumps of running programs, at intervals and when their memory grew.

mod job;

pub use job::{GrowthStep, RSS_METRIC, ScrapeAuth, ScrapeJob, ScrapeKind};
