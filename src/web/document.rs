//! The API described for programs. A test writes the file (`src/web/openapi.rs`).

/// What `/api/v1/openapi.json` serves.
pub const OPENAPI: &str = include_str!("openapi.json");
