//! Addresses of the team server and what answers them.

use std::sync::Arc;

use axum::http::{Method, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post, put};
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use super::error::TeamError;
use super::gate;
use super::state::{Team, TeamSetup};
use super::{binaries, dumps, feeds, health, links, lists, login, notes, pages, paths, profiles, services_page, targets};
use crate::web::{assets, connections};

/// The API described for programs. A test writes the file (`src/web/team/openapi.rs`).
const OPENAPI: &str = include_str!("openapi.json");

/// The whole team server as a service; tests call it without a socket.
pub fn team_app(setup: TeamSetup) -> Router {
    of(Team::new(setup))
}

pub(super) fn of(team: Team) -> Router {
    let limits = Arc::new(team.setup.limits.clone());
    // Answers of profiles are compressed by their own routes, and files by build id are sent as they are.
    let lists = Router::new()
        .route("/", get(services_page::services))
        .route("/services/{service}", get(pages::service))
        .route("/api/v1/services", get(lists::services))
        .route("/api/v1/openapi.json", get(|| async { ([(header::CONTENT_TYPE, "application/json")], OPENAPI) }))
        .route(paths::DUMPS, put(dumps::upload).post(dumps::upload).get(lists::dumps))
        .route(paths::BINARIES, put(binaries::upload).post(binaries::upload).get(binaries::list))
        .route(paths::NOTES, get(notes::list).post(notes::write).put(notes::write))
        .route("/api/v1/checks", get(notes::checks))
        .route("/api/v1/targets", get(targets::targets))
        .route("/metrics", get(health::metrics))
        .layer(CompressionLayer::new());
    Router::new()
        .merge(lists)
        .route(paths::PUSH, post(feeds::push::push))
        .route(paths::INGEST, post(feeds::ingest::ingest))
        .route(paths::OTLP, post(feeds::otlp::export))
        .route("/api/v1/dumps/{id}", get(dumps::download))
        .route("/buildid/{id}/{file}", get(binaries::by_build_id))
        .route("/s/{service}", get(profiles::series))
        .route("/s/{service}/{range}", get(profiles::answer))
        .route("/s/{service}/{range}/{*rest}", get(profiles::answer))
        .route("/s/{service}/{range}/", get(profiles::answer))
        .route("/d/{ids}", get(profiles::answer))
        .route("/d/{ids}/", get(profiles::answer))
        .route("/d/{ids}/{*rest}", get(profiles::answer))
        .route(paths::LINKS, post(links::shorten))
        .route("/l/{id}", get(links::follow))
        .route("/healthz", get(health::healthz))
        .route(paths::LOGIN, get(login::page).post(login::log_in))
        .route("/assets/{*path}", get(assets::file))
        .fallback(|| async { TeamError::not_found("there is nothing at this address") })
        .method_not_allowed_fallback(|method: Method| async move {
            TeamError::new(StatusCode::METHOD_NOT_ALLOWED, format!("{method} is not supported at this address"), "")
        })
        .layer(CatchPanicLayer::custom(|_| TeamError::internal("the answer failed").into_response()))
        .layer(middleware::from_fn_with_state(limits, connections::count))
        .layer(middleware::from_fn_with_state(team.clone(), gate::gate))
        .with_state(team)
}
