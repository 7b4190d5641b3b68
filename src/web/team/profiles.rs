//! Addresses of profiles: `/d/…` and `/s/…`.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Uri;
use axum::http::uri::PathAndQuery;
use axum::response::{IntoResponse, Redirect, Response};
use hyper::service::Service;

use super::error::TeamError;
use super::extract::{Path, Query};
use super::lists::selection;
use super::place::{self, Place};
use super::sessions::ProfileService;
use super::state::Team;
use super::stored::in_store;
use crate::store::Selection;

/// GET /d/{…}, /d/{…}/{…}, /s/{service}/{range}/{…}: an address of a profile, which is opened if it is not.
pub(super) async fn answer(State(team): State<Team>, mut request: Request) -> Result<Response, TeamError> {
    let path = request.uri().path().to_owned();
    let query = request.uri().query().map_or(String::new(), |query| format!("?{query}"));
    let (prefix, rest) = place::split(&path);
    let Some(rest) = rest else {
        // Relative to it are the addresses of the profile.
        return Ok(Redirect::permanent(&format!("{prefix}/{query}")).into_response());
    };
    let service = match team.sessions.get(prefix) {
        Some(service) => service,
        None => open(&team, prefix).await?,
    };
    let inner: PathAndQuery = format!("{rest}{query}").parse().map_err(|_| TeamError::not_found("this address cannot be read"))?;
    *request.uri_mut() = Uri::from(inner);
    match service.call(request).await {
        Ok(response) => Ok(response.map(Body::new)),
        Err(never) => match never {},
    }
}

/// Opens the profile of an address, once for all who ask at the moment.
async fn open(team: &Team, prefix: &str) -> Result<ProfileService, TeamError> {
    let (opening, own_prefix) = (team.clone(), prefix.to_owned());
    let opened = async move {
        let place = Place::parse(&own_prefix).ok_or_else(|| TeamError::not_found("this address names no dumps"))?;
        let turn = {
            let _waiting = opening.metrics().wait();
            opening.turns.clone().acquire_owned().await
        };
        in_store(&opening, move |team| {
            let _turn = turn;
            // Another one may have been faster.
            if let Some(service) = team.sessions.get(&own_prefix) {
                return Ok(service);
            }
            let wanted = place.wanted(team)?;
            team.sessions.add(&own_prefix, &wanted)
        })
        .await
    };
    team.sessions.opening().answer(prefix, opened).await
}

/// GET /s/{service}?from=…&to=…: leads to the series, as an address that always means these dumps.
pub(super) async fn series(
    State(team): State<Team>,
    Path(service): Path<String>,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Redirect, TeamError> {
    in_store(&team, move |team| series_of(team, &service, &pairs)).await
}

fn series_of(team: &Team, service: &str, pairs: &[(String, String)]) -> Result<Redirect, TeamError> {
    let Selection { from, to, least, labels } = selection(pairs)?;
    if least.is_some() {
        return Err(TeamError::not_found("a series has no parameter `least`"));
    }
    let dumps = team.store().dumps_of(service).ok_or_else(|| place::no_service(service))?;
    let selection = Selection { from, to, least: None, labels };
    let chosen = selection.of(&dumps);
    let (Some(first), Some(last)) = (chosen.first(), chosen.last()) else {
        return Err(TeamError::not_found(format!("the service {service} has no dumps of this time with these labels")));
    };
    let (from, to) = (from.unwrap_or(first.time), to.unwrap_or(last.time + 1));
    Ok(Redirect::to(&place::series(service, &selection, from, to)))
}
