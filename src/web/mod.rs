//! The web server: the API, the page and its files. All logic is in the session.

mod api;
mod assets;
mod download;
mod error;
mod form;
mod guard;
mod lines;
mod openapi;

pub use api::{DumpMeta, FieldDoc, MappingMeta, Meta, SymbolState, Symbols, ValueTypeMeta};
pub use error::ApiError;
pub use guard::Hosts;
pub use openapi::openapi;

use std::sync::Arc;

use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use tokio::sync::Semaphore;

use crate::session::Session;

/// What handlers share.
#[derive(Clone)]
struct App {
    session: Arc<Session>,
    /// One for each report that may be computed at a time.
    turns: Arc<Semaphore>,
}

/// The whole server as a service; tests call it without a socket.
pub fn app(session: Arc<Session>, hosts: Hosts) -> Router {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    Router::new()
        .route("/api/v1/meta", get(api::meta))
        .route("/api/v1/fields", get(api::fields))
        .route("/api/v1/openapi.json", get(|| async { Json(openapi()) }))
        .route("/api/v1/{report}", get(api::report))
        .route("/api/{*rest}", get(|| async { error::WebError::NotHere }))
        .route("/download", get(download::profile))
        .route("/ui/download", get(download::profile))
        .route("/assets/{*path}", get(assets::file))
        .fallback(assets::page)
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_| error::WebError::Internal("the report failed".into()).into_response()))
        .layer(middleware::from_fn_with_state(Arc::new(hosts), guard::guard))
        .with_state(App { session, turns: Arc::new(Semaphore::new(cores)) })
}
