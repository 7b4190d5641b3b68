//! What reports show beside numbers: source text and machine code.

mod attached;
mod files;
mod instructions;

pub use attached::{Attached, own_files};
pub use files::Files;
pub use instructions::{Limits, annotate};
