//! Addresses and what answers them.

use std::sync::Arc;

use axum::http::header;
use axum::response::IntoResponse;
use axum::routing::{delete, get, post};
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use super::app::App;
use super::document::OPENAPI;
use super::guard::{self, Gate};
use super::setup::Setup;
use super::{answers, assets, connections, download, error, events, meta, readers, share, start, uploads};
use crate::api::{AnswerError, DOWNLOADS};
use crate::session::Session;

/// The whole server as a service; tests call it without a socket.
pub fn app(session: Arc<Session>, setup: impl Into<Setup>) -> Router {
    let setup: Setup = setup.into();
    let limits = Arc::new(setup.limits.clone());
    let gate = Gate { hosts: setup.hosts.clone(), access: setup.access.clone() };
    profile(App::new(session, setup))
        .layer(middleware::from_fn_with_state(limits, connections::count))
        .layer(middleware::from_fn_with_state(Arc::new(gate), guard::guard))
}

/// The addresses of one profile, for visitors whose rights were checked.
pub(super) fn profile(app: App) -> Router {
    Router::new()
        .route("/api/v1/meta", get(meta::meta))
        .route("/api/v1/events", get(events::events))
        .route("/api/v1/share", get(share::share))
        .route(guard::FILES, post(uploads::open))
        .route(guard::START, get(start::list).post(start::open))
        .route(guard::RECENT, delete(start::clear_recent))
        .route("/api/v1/fields", get(meta::fields))
        .route("/api/v1/openapi.json", get(|| async { ([(header::CONTENT_TYPE, "application/json")], OPENAPI) }))
        .route(download::REPORT_FILE, get(download::report_file))
        .route("/api/v1/{report}", get(answers::answer))
        .route("/api/{*rest}", get(|| async { error::WebError::from(AnswerError::NotFound) }))
        .route(DOWNLOADS[0], get(answers::answer))
        .route(DOWNLOADS[1], get(answers::answer))
        .route("/assets/{*path}", get(assets::file))
        .fallback(assets::page)
        .layer(middleware::from_fn_with_state(app.clone(), readers::cut_paths))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_| error::WebError::internal("the report failed").into_response()))
        .with_state(app)
}
