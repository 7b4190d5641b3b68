//! Lists of services and dumps, as JSON.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::Serialize;

use super::error::TeamError;
use super::extract::Query;
use super::place::{Links, no_service};
use super::state::Team;
use super::stored::in_store;
use crate::store::{Envelope, Selection, time};

/// Dumps of a list by default, and at most.
const DEFAULT: usize = 100;
pub(super) const MOST: usize = 10_000;

/// A service.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Service {
    pub(super) service: String,
    pub(super) dumps: usize,
    /// When the latest dump was taken, milliseconds since 1970 UTC.
    pub(super) latest: i64,
    /// Total of that dump.
    pub(super) total: i64,
    /// Versions, the one with the latest dump first.
    pub(super) versions: Vec<Version>,
}

/// A version of a service.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub(super) struct Version {
    pub(super) version: String,
    pub(super) dumps: usize,
    pub(super) latest: i64,
    pub(super) total: i64,
}

/// A dump with its link.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[cfg_attr(test, schema(as = DumpListed))]
pub(super) struct Listed {
    link: String,
    #[serde(flatten)]
    envelope: Envelope,
}

/// What is known of a service by its dumps, in order of time.
pub(super) fn described(service: &str, dumps: &[Arc<Envelope>]) -> Service {
    let mut versions: BTreeMap<&str, (usize, &Envelope)> = BTreeMap::new();
    for envelope in dumps {
        let (n, latest) = versions.entry(&envelope.origin.version).or_insert((0, envelope));
        (*n, *latest) = (*n + 1, envelope);
    }
    let version = |(version, (dumps, latest)): (&str, (usize, &Envelope))| Version {
        version: version.to_owned(),
        dumps,
        latest: latest.time,
        total: latest.total(),
    };
    let mut versions: Vec<Version> = versions.into_iter().map(version).collect();
    versions.sort_by_key(|version| std::cmp::Reverse(version.latest));
    let last = dumps.last();
    Service {
        service: service.to_owned(),
        dumps: dumps.len(),
        latest: last.map_or(0, |last| last.time),
        total: last.map_or(0, |last| last.total()),
        versions,
    }
}

/// GET /api/v1/services
pub(super) async fn services(State(team): State<Team>) -> Result<Json<Vec<Service>>, TeamError> {
    in_store(&team, |team| Ok(Json(team.store().services().iter().map(|(service, dumps)| described(service, dumps)).collect()))).await
}

/// Reads conditions: `from`, `to`, `least`, and labels.
pub(super) fn selection(pairs: &[(String, String)]) -> Result<Selection, TeamError> {
    let mut selection = Selection::default();
    for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        let bad = |expected: &str| TeamError::new(StatusCode::BAD_REQUEST, format!("{name}={value}: expected {expected}"), "");
        let at = || time(value).ok_or_else(|| bad("a time such as 2026-11-22T10:04:05Z, or seconds since 1970"));
        match name.as_str() {
            "from" => selection.from = Some(at()?),
            "to" => selection.to = Some(at()?),
            "least" => selection.least = Some(value.parse().map_err(|_| bad("a number of bytes"))?),
            _ => selection.labels.push((name.strip_prefix("label.").unwrap_or(name).to_owned(), value.clone())),
        }
    }
    Ok(selection)
}

/// The dumps of a query, the latest first, and how many there are: of more than [`MOST`], the latest.
pub(super) fn chosen(team: &Team, mut pairs: Vec<(String, String)>) -> Result<(Vec<Arc<Envelope>>, usize), TeamError> {
    let mut take =
        |wanted: &str| pairs.iter().position(|(name, _)| name == wanted).map(|at| pairs.remove(at).1).filter(|value| !value.is_empty());
    let (limit, service, id) = (take("limit"), take("service"), take("id"));
    let limit = limit.map_or(Ok(DEFAULT), |limit| limit.parse().map_err(|_| limit));
    let limit = limit.map_err(|limit| TeamError::new(StatusCode::BAD_REQUEST, format!("limit={limit}: expected a number"), ""))?;
    let selection = selection(&pairs)?;
    let mut dumps = match service {
        Some(service) => selection.of(&team.store().dumps_of(&service).ok_or_else(|| no_service(&service))?),
        None => {
            let mut all: Vec<Arc<Envelope>> = team.store().services().iter().flat_map(|(_, dumps)| selection.of(dumps)).collect();
            all.sort_by(|a, b| (a.time, &a.id).cmp(&(b.time, &b.id)));
            all
        }
    };
    if let Some(id) = id {
        dumps.retain(|envelope| envelope.sha256.short().to_string() == id);
    }
    let n = dumps.len();
    dumps.reverse();
    dumps.truncate(limit.min(MOST));
    Ok((dumps, n))
}

/// GET /api/v1/dumps
pub(super) async fn dumps(
    State(team): State<Team>,
    headers: HeaderMap,
    Query(pairs): Query<Vec<(String, String)>>,
) -> Result<Json<Vec<Listed>>, TeamError> {
    let links = Links::of(&team, &headers);
    let listed = move |envelope: &Arc<Envelope>| Listed { link: links.dump(&envelope.sha256.short()), envelope: Envelope::clone(envelope) };
    in_store(&team, move |team| Ok(Json(chosen(team, pairs)?.0.iter().map(listed).collect()))).await
}
