//! Binaries come in, and go out by build id as from a debuginfod server.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use std::io::Read;

use super::body::{Bound, in_file};
use super::dumps::takes_json;
use super::error::TeamError;
use super::extract::{Path, Query};
use super::grant::Grant;
use super::metrics::Outcome;
use super::state::Team;
use super::stored::in_store;
use crate::base::plain::base_name_of_any_system;
use crate::store::{BinaryInfo, RunBy, is_build_id, is_name};
use crate::symbolize::{BuildFile, build_facts};

/// Bytes of a piece of a file that is sent.
const PIECE: usize = 256 << 10;

/// Longest name and version that are kept, characters.
const LONGEST: usize = 200;

/// Query of an upload.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
#[derive(Default)]
pub(super) struct Described {
    service: String,
    version: String,
    name: String,
    /// Only asks for this build, and says who runs it.
    build_id: String,
}

/// What the sender of a binary is told.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[cfg_attr(test, schema(as = BinaryTaken))]
pub(super) struct Taken {
    build_id: String,
    known: bool,
    has_code: bool,
    has_debug_information: bool,
    bytes: u64,
}

/// PUT and POST /api/v1/binaries: stores the body by its build id. The answer comes when it is durable.
pub(super) async fn upload(
    State(team): State<Team>,
    Extension(grant): Extension<Grant>,
    query: Result<Query<Described>, TeamError>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, TeamError> {
    let bad = |error: &str| TeamError::new(StatusCode::BAD_REQUEST, error, "");
    let Query(Described { service, version, name, build_id }) =
        query.map_err(|error| error.saying(format!("{}; expected service, version, name and build_id", error.error)))?;
    match service.is_empty() {
        true => grant.check_push_any()?,
        false => grant.check_push(&service)?,
    }
    if service.is_empty() != version.is_empty() {
        return Err(bad("service and version go together: dumps of this version then get names from the binary"));
    }
    if (!service.is_empty() && !is_name(&service)) || [&version, &name].iter().any(|text| text.chars().count() > LONGEST) {
        return Err(bad("the service has letters, digits, `.`, `_` and `-` in its name; a version and a name have at most 200 characters"));
    }
    team.store().reserve(grant.name(), 0, 0)?;
    if !build_id.is_empty() {
        let run_by = (!service.is_empty()).then(|| RunBy { service, version, name: base_name_of_any_system(&name).to_owned() });
        return asked(&team, build_id.to_ascii_lowercase(), run_by).await;
    }
    let most = team.store().settings().most_binary;
    let (file, bytes) = in_file(&team, Bound { what: "binary", most, setting: "most_binary" }, &headers, body).await?;
    let token = grant.name().to_owned();
    let stored = in_store(&team, move |team| {
        let name = base_name_of_any_system(&name).to_owned();
        if bytes == 0 {
            return Err(TeamError::new(StatusCode::BAD_REQUEST, "the body is empty; send the binary as the body of the request", ""));
        }
        let facts = build_facts(file.path()).map_err(|error| {
            let hint = "expected a program, a library or a debug file: ELF, Mach-O or PE";
            TeamError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("this is not a binary that heapview reads: {error}"), hint)
        })?;
        if !is_build_id(&facts.build_id) {
            let hint = "link it with -Wl,--build-id (Rust: -C link-arg=-Wl,--build-id)";
            return Err(TeamError::new(StatusCode::UNPROCESSABLE_ENTITY, "the binary has no build id, so no dump can name it", hint));
        }
        let _part = team.store().reserve(&token, 0, bytes)?;
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let info =
            BinaryInfo { bytes, received: i64::try_from(now.as_millis()).unwrap_or(i64::MAX), token: token.clone(), name: name.clone() };
        let run_by = (!service.is_empty()).then_some(RunBy { service, version, name });
        let is_new = team.store().put_binary(file.path(), &facts, &info, run_by.as_ref())?;
        team.store().log(&token, "binary", &facts.build_id)?;
        team.name_again();
        Ok((facts, is_new))
    });
    let (facts, is_new) = stored.await?;
    team.metrics().uploaded("binary", if is_new { Outcome::Stored } else { Outcome::Known });
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    if takes_json(&headers) {
        let taken = Taken {
            build_id: facts.build_id,
            known: !is_new,
            has_code: facts.has_code,
            has_debug_information: facts.has_debug_information,
            bytes,
        };
        return Ok((status, Json(taken)).into_response());
    }
    Ok((status, format!("{}\n", facts.build_id)).into_response())
}

/// Answers what the store has of a build, and remembers who runs it. Tokens that only push may ask this.
async fn asked(team: &Team, build_id: String, run_by: Option<RunBy>) -> Result<Response, TeamError> {
    let taken = in_store(team, move |team| {
        let store = team.store();
        let id = build_id.clone();
        let find = |file| if store.has_binary(&id, file)? { store.binary(&id, file) } else { Ok(None) };
        let (program, debug) = (find(BuildFile::Program)?, find(BuildFile::DebugInfo)?);
        let known = program.is_some() || debug.is_some();
        if let Some(run_by) = run_by.filter(|_| known) {
            store.put_run_by(&id, &run_by)?;
            team.name_again();
        }
        let has_debug_information =
            [&program, &debug].into_iter().flatten().any(|path| build_facts(path).is_ok_and(|facts| facts.has_debug_information));
        Ok(Taken { build_id, known, has_code: program.is_some(), has_debug_information, bytes: 0 })
    });
    Ok(Json(taken.await?).into_response())
}

/// GET /buildid/{id}/{file}: the file of a build.
pub(super) async fn by_build_id(State(team): State<Team>, Path((id, file)): Path<(String, String)>) -> Result<Response, TeamError> {
    let kind = match file.as_str() {
        "executable" => BuildFile::Program,
        "debuginfo" => BuildFile::DebugInfo,
        _ => return Err(TeamError::not_found(format!("a build has an executable and debuginfo, and no {file:?}"))),
    };
    let id = id.to_ascii_lowercase();
    let opened = in_store(&team, move |team| {
        let path = team.store().binary(&id, kind)?.ok_or_else(|| TeamError::not_found(format!("the store has no {file} of build {id}")))?;
        let failed = |error| TeamError::internal(format!("the file of build {id} cannot be read: {error}"));
        let file = std::fs::File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        Ok((file, length))
    });
    let (file, length) = opened.await?;
    let pieces = stream::unfold(Some(file), |file| async {
        let mut file = file?;
        let read = tokio::task::spawn_blocking(move || {
            let mut piece = vec![0; PIECE];
            let n = file.read(&mut piece)?;
            piece.truncate(n);
            std::io::Result::Ok((piece, file))
        });
        match read.await.map_err(std::io::Error::other).and_then(|read| read) {
            Ok((piece, _)) if piece.is_empty() => None,
            Ok((piece, file)) => Some((Ok(piece), Some(file))),
            Err(error) => Some((Err(error), None)),
        }
    });
    let headers = [(header::CONTENT_TYPE, "application/octet-stream".to_owned()), (header::CONTENT_LENGTH, length.to_string())];
    Ok((headers, Body::from_stream(pieces)).into_response())
}

/// GET /api/v1/binaries: builds and their files; those that a service and version runs, if they are given.
pub(super) async fn list(State(team): State<Team>, Query(run_by): Query<RunBy>) -> Result<Json<Vec<Listed>>, TeamError> {
    in_store(&team, move |team| Ok(Json(listed(team, &run_by)))).await
}

fn listed(team: &Team, run_by: &RunBy) -> Vec<Listed> {
    let store = team.store();
    let names: Option<Vec<(String, String)>> = (!run_by.service.is_empty()).then(|| store.run_by(&run_by.service, &run_by.version));
    let listed = store.binaries().into_iter().filter_map(|(build_id, files)| {
        let name = match &names {
            None => String::new(),
            Some(names) => names.iter().find(|(_, id)| *id == build_id)?.0.clone(),
        };
        Some(Listed { build_id, name, files })
    });
    listed.collect()
}

/// A build of the list.
#[derive(Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[cfg_attr(test, schema(as = BinaryListed))]
pub(super) struct Listed {
    build_id: String,
    /// File name that a service and version runs it by.
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    /// `executable`, `debuginfo`.
    files: Vec<&'static str>,
}
