//! Profiles that agents and SDKs of other systems send. What they carry is stored like an upload to /api/v1/dumps.
//!
//! A request is read whole first, then its labels and the sender's rights are checked, and only then are profiles stored, one after
//! the other: what is stored stays, and sending all of it again stores nothing twice.

pub(super) mod ingest;
pub(super) mod otlp;
pub(super) mod push;
mod receive;

use axum::response::Response;

use super::error::TeamError;

/// Errors of an address in the shape that its clients read; other answers as they are.
pub(super) fn in_its_shape(path: &str, answer: Response) -> Response {
    let Some(error) = answer.extensions().get::<TeamError>().cloned() else { return answer };
    match path {
        push::PATH => push::shaped(&error, answer),
        otlp::PATH => otlp::shaped(&error, answer),
        _ => answer,
    }
}
