//! Pyroscope's `push.v1.PusherService/Push`: a unary call of the Connect protocol, which is plain HTTP.

use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Serialize;

use super::receive::{received, store, text};
use crate::feeds::push::{from_json, from_protobuf};
use crate::web::team::error::TeamError;
use crate::web::team::grant::Grant;
use crate::web::team::state::Team;

const PROTOBUF: &str = "application/proto";
const JSON: &str = "application/json";

/// POST: stores the memory profiles of the request. The answer comes when all are durable; profiles of other kinds are left out and
/// counted, since agents send all they have to one address.
pub(in crate::web::team) async fn push(
    State(team): State<Team>,
    Extension(grant): Extension<Grant>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, TeamError> {
    let content_type = text(&headers, header::CONTENT_TYPE).split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let read = match content_type.as_str() {
        PROTOBUF => from_protobuf,
        JSON => from_json,
        _ => {
            let error = format!("the body has the type {:?}", content_type.chars().take(60).collect::<String>());
            let hint = format!("expected {PROTOBUF} or {JSON}: unary calls of the Connect protocol, not gRPC");
            return Err(TeamError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, error, hint));
        }
    };
    let version = text(&headers, "connect-protocol-version");
    if !matches!(version, "" | "1") {
        return Err(TeamError::new(StatusCode::BAD_REQUEST, format!("the Connect protocol has no version {version:?} here"), "expected 1"));
    }
    let (series, _reserved) = received(&team, &headers, body, move |bytes, _, _| Ok(read(&bytes)?)).await?;
    let outcome = store(&team, &grant, "push", series, &headers).await?;
    match outcome.error() {
        Some(error) => Err(error),
        // An empty message.
        None if content_type == JSON => Ok(([(header::CONTENT_TYPE, JSON)], "{}").into_response()),
        None => Ok(([(header::CONTENT_TYPE, PROTOBUF)], "").into_response()),
    }
}

/// Error of a unary call.
#[derive(Serialize)]
struct ConnectError {
    code: &'static str,
    message: String,
}

/// Clients try `unavailable` and `resource_exhausted` again, so that a profile that is too large has another code; the status is the
/// one of the code.
pub(super) fn shaped(error: &TeamError, answer: Response) -> Response {
    let (code, status) = match error.status {
        StatusCode::UNAUTHORIZED => ("unauthenticated", StatusCode::UNAUTHORIZED),
        StatusCode::FORBIDDEN => ("permission_denied", StatusCode::FORBIDDEN),
        StatusCode::TOO_MANY_REQUESTS => ("resource_exhausted", StatusCode::TOO_MANY_REQUESTS),
        StatusCode::REQUEST_TIMEOUT | StatusCode::SERVICE_UNAVAILABLE => ("unavailable", StatusCode::SERVICE_UNAVAILABLE),
        StatusCode::METHOD_NOT_ALLOWED => ("unimplemented", StatusCode::METHOD_NOT_ALLOWED),
        status if status.is_server_error() => ("internal", StatusCode::INTERNAL_SERVER_ERROR),
        _ => ("invalid_argument", StatusCode::BAD_REQUEST),
    };
    let mut shaped = (status, Json(ConnectError { code, message: error.sentence() })).into_response();
    let headers = answer.headers().iter().filter(|(name, _)| !matches!(*name, &header::CONTENT_TYPE | &header::CONTENT_LENGTH));
    headers.for_each(|(name, value): (_, &HeaderValue)| drop(shaped.headers_mut().insert(name, value.clone())));
    shaped
}
