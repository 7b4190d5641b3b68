//! heapview opens heap profiles and shows what holds the memory.

pub mod analyze;
pub mod id;
pub mod parse;
pub mod profile;
pub mod query;
pub mod render;
pub mod report;
pub mod symbolize;
pub mod units;
