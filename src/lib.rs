//! heapview opens heap profiles and shows what holds the memory.

pub mod export;
pub mod id;
pub mod parse;
pub mod profile;
mod proto;
pub mod report;
pub mod symbolize;
pub mod units;
