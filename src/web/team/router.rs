//! Addresses of the team server and what answers them.

use std::sync::Arc;

use axum::response::IntoResponse;
use axum::routing::{get, post, put};
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use super::error::TeamError;
use super::gate::{self, WRITES};
use super::state::{Team, TeamSetup};
use super::{binaries, dumps, feeds, health, lists, login, notes, pages, profiles, targets};
use crate::web::{assets, connections};

/// The whole team server as a service; tests call it without a socket.
pub fn team_app(setup: TeamSetup) -> Router {
    of(Team::new(setup))
}

pub(super) fn of(team: Team) -> Router {
    let limits = Arc::new(team.setup.limits.clone());
    // Answers of profiles are compressed by their own routes, and files by build id are sent as they are.
    let lists = Router::new()
        .route("/", get(pages::services))
        .route("/services/{service}", get(pages::service))
        .route("/api/v1/services", get(lists::services))
        .route(WRITES[0], put(dumps::upload).post(dumps::upload).get(lists::dumps))
        .route(WRITES[1], put(binaries::upload).post(binaries::upload).get(binaries::list))
        .route(WRITES[2], get(notes::list).post(notes::write).put(notes::write))
        .route("/api/v1/checks", get(notes::checks))
        .route("/api/v1/targets", get(targets::targets))
        .route("/metrics", get(health::metrics))
        .layer(CompressionLayer::new());
    Router::new()
        .merge(lists)
        .route(WRITES[3], post(feeds::push::push))
        .route(WRITES[4], post(feeds::ingest::ingest))
        .route(WRITES[5], post(feeds::otlp::export))
        .route("/api/v1/dumps/{id}", get(dumps::download))
        .route("/buildid/{id}/{file}", get(binaries::by_build_id))
        .route("/s/{service}", get(profiles::series))
        .route("/s/{service}/{range}", get(profiles::answer))
        .route("/s/{service}/{range}/{*rest}", get(profiles::answer))
        .route("/s/{service}/{range}/", get(profiles::answer))
        .route("/d/{ids}", get(profiles::answer))
        .route("/d/{ids}/", get(profiles::answer))
        .route("/d/{ids}/{*rest}", get(profiles::answer))
        .route("/healthz", get(health::healthz))
        .route(login::PATH, post(login::log_in))
        .route("/assets/{*path}", get(assets::file))
        .fallback(|| async { TeamError::not_found("there is nothing at this address") })
        .layer(CatchPanicLayer::custom(|_| TeamError::internal("the answer failed").into_response()))
        .layer(middleware::from_fn_with_state(limits, connections::count))
        .layer(middleware::from_fn_with_state(team.clone(), gate::gate))
        .with_state(team)
}
