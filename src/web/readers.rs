//! Path filter for readers, who must not learn where files are on this machine. Owners see whole paths; answers to readers have
//! only what identifies a file on every machine (`serde-1.0.200/src/de.rs`, `main.rs`).
//!
//! Every text answer of the API passes through this filter, so that a new field cannot be forgotten. Events and the
//! profile as a file are filtered where they are made; the page itself contains no paths.

use axum::body::to_bytes;
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::access::Role;
use super::app::App;
use super::error::WebError;

/// Longest answer that is filtered on the async thread, bytes.
const SHORT: usize = 64 << 10;

/// Cuts paths in answers to readers.
pub(super) async fn cut_paths(State(app): State<App>, request: Request, next: Next) -> Response {
    let is_reader = request.extensions().get() == Some(&Role::Reader);
    // The page itself has addresses of this server in it, and no paths.
    let is_ours = !request.uri().path().starts_with("/api/");
    let response = next.run(request).await;
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let is_text = ["text/", "application/json", "image/svg"].iter().any(|start| kind.starts_with(start));
    if !is_reader || is_ours || !is_text || kind.starts_with("text/event-stream") {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, usize::MAX).await else {
        return WebError::internal("the response was cut off").into_response();
    };
    let is_short = bytes.len() <= SHORT;
    let filter = app.paths.clone();
    let cut = move || filter.cut(&String::from_utf8_lossy(&bytes)).into_bytes();
    let cut = if is_short { Ok(cut()) } else { tokio::task::spawn_blocking(cut).await };
    parts.headers.remove(header::CONTENT_LENGTH);
    match cut {
        // What was counted as on its way ended here; this is sent instead.
        Ok(bytes) => match app.shared.in_flight.send(Role::Reader, bytes) {
            Some(body) => Response::from_parts(parts, body.into()),
            None => WebError::Busy(app.setup.limits.write_timeout).into_response(),
        },
        Err(error) => WebError::internal(format!("the response failed: {error}")).into_response(),
    }
}
