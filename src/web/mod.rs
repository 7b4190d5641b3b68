//! The web server: the API, the page and its files. All logic is in the session.

mod access;
mod api;
mod assets;
mod download;
mod error;
mod events;
mod file;
mod files;
mod form;
mod guard;
mod lines;
mod once;
mod openapi;
mod readers;
mod setup;
mod share;
mod token_login;

pub use access::{Access, LoginEvent};
pub use api::{DumpMeta, FieldDoc, MappingMeta, Meta, SymbolState, Symbols, ValueTypeMeta};
pub use error::ApiError;
pub use file::{FileOptions, file_data, write_file};
pub use files::{Opened, Opener, Refusal};
pub use guard::Hosts;
pub use openapi::openapi;
pub use setup::Setup;
pub use share::Share;

use std::sync::Arc;

use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use tokio::sync::Semaphore;

use crate::session::Session;

use self::events::Changes;
use self::files::Room;
use self::guard::Gate;
use self::once::Once;
use self::readers::PathFilter;

/// What handlers share.
#[derive(Clone)]
struct App {
    session: Arc<Session>,
    setup: Arc<Setup>,
    /// Tells this run of the server from others.
    instance: Arc<str>,
    /// One for each report that may be computed at a time.
    turns: Arc<Semaphore>,
    once: Once<api::Answer>,
    changes: Changes,
    room: Room,
    paths: Arc<PathFilter>,
    /// Files are opened one after another.
    opening: Arc<Semaphore>,
}

/// The whole server as a service; tests call it without a socket.
pub fn app(session: Arc<Session>, setup: impl Into<Setup>) -> Router {
    let setup: Setup = setup.into();
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    let gate = Gate { hosts: setup.hosts.clone(), access: setup.access.clone() };
    let paths = Arc::new(PathFilter::new());
    let app = App {
        changes: Changes::of(&session),
        room: Room::new(setup.most_uploaded),
        instance: access::instance().into(),
        turns: Arc::new(Semaphore::new(cores)),
        opening: Arc::new(Semaphore::new(1)),
        once: Once::default(),
        paths: paths.clone(),
        setup: Arc::new(setup),
        session,
    };
    Router::new()
        .route("/api/v1/meta", get(api::meta))
        .route("/api/v1/events", get(events::events))
        .route("/api/v1/share", get(share::share))
        .route(guard::FILES, post(files::open))
        .route("/api/v1/fields", get(api::fields))
        .route("/api/v1/openapi.json", get(|| async { Json(openapi()) }))
        .route("/api/v1/{report}", get(api::report))
        .route("/api/{*rest}", get(|| async { error::WebError::NotHere }))
        .route(guard::DOWNLOADS[0], get(download::profile))
        .route(guard::DOWNLOADS[1], get(download::profile))
        .route("/assets/{*path}", get(assets::file))
        .fallback(assets::page)
        .layer(middleware::from_fn_with_state(paths, readers::cut_paths))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_| error::WebError::Internal("the report failed".into()).into_response()))
        .layer(middleware::from_fn_with_state(Arc::new(gate), guard::guard))
        .with_state(app)
}
