//! The web server: the API, the page and its files. All logic is in the session.

mod access;
mod api;
mod assets;
mod compute;
mod connections;
mod download;
mod embedded_sources;
mod error;
mod events;
mod file;
mod files;
mod form;
mod guard;
mod in_flight;
mod limits;
mod lines;
mod openapi;
mod readers;
mod server;
mod setup;
mod share;
mod single_flight;
mod slow_client;
mod start;
mod token_login;
mod turns;
mod workers;

pub use access::{Access, LoginEvent};
pub use api::{DumpMeta, FieldDoc, MappingMeta, Meta, SymbolState, Symbols, ValueTypeMeta};
pub use embedded_sources::embedded_sources;
pub use error::ApiError;
pub use file::{FileOptions, file_data, write_file};
pub use files::{Opened, Opener, Refusal};
pub use guard::Hosts;
pub use limits::Limits;
pub use openapi::openapi;
pub use server::serve;
pub use setup::{Setup, ShareCommand};
pub use share::Share;
pub use start::{StartEntry, StartList};

use std::sync::Arc;

use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use tokio::sync::Semaphore;

use crate::session::Session;

use self::events::Changes;
use self::files::UploadQuota;
use self::guard::Gate;
use self::in_flight::InFlight;
use self::readers::PathFilter;
use self::single_flight::SingleFlight;
use self::turns::Turns;
use self::workers::Workers;

/// Most downloads that are written while they are sent.
const DOWNLOADS: usize = 4;

/// What handlers share.
#[derive(Clone)]
struct App {
    session: Arc<Session>,
    setup: Arc<Setup>,
    /// Tells this run of the server from others.
    instance: Arc<str>,
    turns: Turns,
    workers: Workers,
    answers: SingleFlight<Result<api::Answer, error::WebError>>,
    in_flight: InFlight,
    /// Downloads that are written while they are sent.
    downloads: Arc<Semaphore>,
    changes: Changes,
    quota: UploadQuota,
    paths: Arc<PathFilter>,
    /// Files are opened one after another.
    opening: Arc<Semaphore>,
}

/// The whole server as a service; tests call it without a socket.
pub fn app(session: Arc<Session>, setup: impl Into<Setup>) -> Router {
    let setup: Setup = setup.into();
    let limits = Arc::new(setup.limits.clone());
    let gate = Gate { hosts: setup.hosts.clone(), access: setup.access.clone() };
    let app = App {
        changes: Changes::of(&session, &limits),
        quota: UploadQuota::new(setup.most_uploaded),
        instance: access::instance().into(),
        turns: Turns::new(limits.turns, limits.queued_per_visitor),
        workers: Workers::new(limits.turns),
        in_flight: InFlight::new(limits.bytes_in_flight, limits.bytes_for_owner),
        downloads: Arc::new(Semaphore::new(DOWNLOADS)),
        opening: Arc::new(Semaphore::new(1)),
        answers: SingleFlight::default(),
        paths: Arc::new(PathFilter::new()),
        setup: Arc::new(setup),
        session,
    };
    Router::new()
        .route("/api/v1/meta", get(api::meta))
        .route("/api/v1/events", get(events::events))
        .route("/api/v1/share", get(share::share))
        .route(guard::FILES, post(files::open))
        .route(guard::START, get(start::list).post(start::open))
        .route("/api/v1/fields", get(api::fields))
        .route("/api/v1/openapi.json", get(|| async { Json(openapi()) }))
        .route(download::REPORT_FILE, get(download::report_file))
        .route("/api/v1/{report}", get(api::report))
        .route("/api/{*rest}", get(|| async { error::WebError::NotHere }))
        .route(guard::DOWNLOADS[0], get(download::profile))
        .route(guard::DOWNLOADS[1], get(download::profile))
        .route("/assets/{*path}", get(assets::file))
        .fallback(assets::page)
        .layer(middleware::from_fn_with_state(app.clone(), readers::cut_paths))
        .layer(CompressionLayer::new())
        .layer(CatchPanicLayer::custom(|_| error::WebError::Internal("the report failed".into()).into_response()))
        .layer(middleware::from_fn_with_state(limits, connections::count))
        .layer(middleware::from_fn_with_state(Arc::new(gate), guard::guard))
        .with_state(app)
}
