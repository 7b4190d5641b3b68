//! Requests of agents and SDKs of continuous profilers, as profiles with labels: Pyroscope's `push.v1` and `/ingest`, and profiles of
//! OpenTelemetry.
//!
//! Nothing here knows the web or a store. A request is read whole before anything of it is kept, so that a damaged one leaves nothing.

mod error;
pub mod ingest;
mod kind;
mod origin;
pub mod otlp;
pub mod push;
mod series;
mod unpack;

pub use error::BadRequest;
pub use kind::{Kind, kind};
pub use origin::parameters;
pub use series::{MOST_LABELS, MOST_PROFILES, Series};
pub use unpack::unpack;
