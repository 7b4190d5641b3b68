//! Dumps come in.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;

use super::body::{Bound, in_memory};
use super::error::TeamError;
use super::extract::{Path, Query};
use super::grant::Grant;
use super::place::Links;
use super::state::Team;
use super::stored::{find, in_store};
use crate::store::{Envelope, Said, Uploaded, measure, said};
use crate::web::answers::attachment;
use crate::web::upload_quota::Reservation;

/// What the sender of a dump is told.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[cfg_attr(test, schema(as = DumpTaken))]
pub(super) struct Taken {
    link: String,
    id: String,
    /// It was stored before, for the same service.
    known: bool,
    #[serde(flatten)]
    envelope: Envelope,
    /// A sentence each.
    warnings: Vec<String>,
}

/// PUT and POST /api/v1/dumps: stores the body. The answer comes when the dump and its envelope are durable.
pub(super) async fn upload(
    State(team): State<Team>,
    Extension(grant): Extension<Grant>,
    Query(pairs): Query<Vec<(String, String)>>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, TeamError> {
    let settings = team.store().settings();
    let said = said(&pairs, &settings)?;
    check(&team, &grant, &said)?;
    let bound = Bound { what: "dump", most: settings.most_body, setting: "most_body" };
    let (bytes, reserved) = in_memory(&team, bound, &headers, body).await?;
    let (uploaded, warnings) = take(&team, &grant, said, bytes, reserved).await?;
    Ok(answer(&Links::of(&team, &headers), uploaded, warnings, takes_json(&headers)))
}

/// Refuses what the sender may not store.
pub(super) fn check(team: &Team, grant: &Grant, said: &Said) -> Result<(), TeamError> {
    grant.check_push(&said.origin.service)?;
    team.store().reserve(grant.name(), 1, 0)?;
    Ok(team.store().check_service(&said.origin.service)?)
}

/// Reads and stores a dump whose sender may do that; also returns warnings.
pub(super) async fn take(
    team: &Team,
    grant: &Grant,
    said: Said,
    bytes: Vec<u8>,
    reserved: Reservation,
) -> Result<(Uploaded, Vec<String>), TeamError> {
    let turn = {
        let _waiting = team.metrics().wait();
        team.turns.clone().acquire_owned().await
    };
    let (store, token) = (team.store().clone(), grant.name().to_owned());
    let stored = tokio::task::spawn_blocking(move || {
        let measured = {
            let _turn = turn;
            measure(bytes, &store.settings())?
        };
        let mut warnings = measured.warnings.clone();
        let is_known = store.knows(&measured.envelope.sha256, &said.origin.service);
        let _part = if is_known { None } else { store.reserve(&token, 1, measured.envelope.bytes)? };
        // Others read meanwhile: this waits for the disk.
        let uploaded = store.upload(measured, said, &token)?;
        drop(reserved);
        if uploaded.envelope.was_in_future {
            warnings.push("the time is in the future, and was replaced by the time of receipt; check the sender's clock".into());
        }
        Ok((uploaded, warnings))
    });
    let stored: Result<_, TeamError> = stored.await.map_err(|error| TeamError::internal(format!("the dump cannot be stored: {error}")))?;
    let (uploaded, warnings) = stored?;
    team.metrics().stored(&uploaded);
    Ok((uploaded, warnings))
}

fn answer(links: &Links, Uploaded { envelope, was_known }: Uploaded, warnings: Vec<String>, is_json: bool) -> Response {
    let id = envelope.sha256.short();
    let link = links.dump(&id);
    let status = if was_known { StatusCode::OK } else { StatusCode::CREATED };
    let location = HeaderValue::from_str(&link).ok().map(|link| [(header::LOCATION, link)]);
    if is_json {
        return (status, location, Json(Taken { link, id: id.to_string(), known: was_known, envelope, warnings })).into_response();
    }
    let text = warnings.iter().fold(format!("{link}\n"), |text, warning| text + "# " + warning + "\n");
    (status, location, text).into_response()
}

/// Whether a program asks for JSON.
pub(super) fn takes_json(headers: &HeaderMap) -> bool {
    headers.get_all(header::ACCEPT).iter().any(|value| value.to_str().is_ok_and(|types| types.contains("application/json")))
}

/// GET /api/v1/dumps/{id}: the dump as it is stored.
pub(super) async fn download(State(team): State<Team>, Path(id): Path<String>) -> Result<Response, TeamError> {
    let found = in_store(&team, move |team| {
        let envelope = find(team, &id)?;
        let bytes = team.store().dump(&envelope.sha256)?;
        let bytes = bytes.ok_or_else(|| TeamError::not_found("the bytes of this dump are no longer in the store"))?;
        Ok((envelope, bytes))
    });
    let (envelope, bytes) = found.await?;
    let ending = match &bytes[..] {
        [0x1f, 0x8b, ..] => ".gz",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => ".zst",
        _ => "",
    };
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || "._-".contains(*c);
    let stem: String = envelope.origin.name.chars().filter(is_plain).collect();
    let stem = stem.strip_suffix(ending).filter(|stem| !stem.is_empty()).map_or_else(|| envelope.sha256.short().to_string(), str::to_owned);
    let name = attachment(&format!("{stem}{ending}"));
    let headers = [(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream")), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, bytes).into_response())
}
