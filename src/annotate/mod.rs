//! What reports show beside numbers: source text and machine code.

mod files;
mod instructions;

pub use files::Files;
pub use instructions::{Limits, annotate};
