//! Profiles of OpenTelemetry, by OTLP over HTTP with protobuf. The signal is in development, and so is its address.

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::receive::{received, store, text};
use crate::base::units::binary_size;
use crate::feeds::BadRequest;
use crate::feeds::otlp::{from_protobuf, partly_stored, status};
use crate::store::Settings;
use crate::web::team::error::TeamError;
use crate::web::team::grant::Grant;
use crate::web::team::state::Team;
use crate::web::upload_quota::Reservation;

const PROTOBUF: HeaderValue = HeaderValue::from_static("application/x-protobuf");

/// POST: stores the memory profiles of the request, as pprof. Profiles of other kinds are left out and counted. What is refused while
/// others are stored makes a partial success.
pub(in crate::web::team) async fn export(
    State(team): State<Team>,
    Extension(grant): Extension<Grant>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, TeamError> {
    let content_type = text(&headers, header::CONTENT_TYPE).split(';').next().unwrap_or_default().trim();
    if !content_type.eq_ignore_ascii_case("application/x-protobuf") {
        let error = format!("the body has the type {:?}", content_type.chars().take(60).collect::<String>());
        return Err(TeamError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, error, "expected application/x-protobuf"));
    }
    let most_received = team.setup.most_received;
    let read = move |bytes: Vec<u8>, settings: &Settings, reserved: &mut Reservation| {
        // More than all that may be reserved would never fit.
        let most = settings.most_unpacked.min(most_received.saturating_sub(reserved.n()));
        from_protobuf(&bytes, most, &mut |n| reserved.grow(n).is_ok()).map_err(|error| match error {
            BadRequest::Large(most) if most < settings.most_unpacked => {
                let error = format!("the request needs more than {}, the memory that this server has for it", binary_size(most));
                TeamError::new(StatusCode::PAYLOAD_TOO_LARGE, error, "send its profiles in several requests")
            }
            error => error.into(),
        })
    };
    let (series, _reserved) = received(&team, &headers, body, read).await?;
    let outcome = store(&team, &grant, "otlp", series, &headers).await?;
    let message = match outcome.error() {
        Some(error) if error.is_passing() || outcome.stored.is_empty() => return Err(error),
        Some(error) => partly_stored(outcome.refused.len(), error.sentence()),
        None => Vec::new(),
    };
    Ok(([(header::CONTENT_TYPE, PROTOBUF)], message).into_response())
}

/// Errors as `google.rpc.Status`, which OTLP asks for.
pub(super) fn shaped(error: &TeamError, mut answer: Response) -> Response {
    let code = match error.status {
        StatusCode::UNAUTHORIZED => 16,
        StatusCode::FORBIDDEN => 7,
        StatusCode::TOO_MANY_REQUESTS => 8,
        StatusCode::SERVICE_UNAVAILABLE | StatusCode::REQUEST_TIMEOUT => 14,
        status if status.is_server_error() => 13,
        _ => 3,
    };
    let message = status(code, error.sentence());
    answer.headers_mut().remove(header::CONTENT_LENGTH);
    answer.headers_mut().insert(header::CONTENT_TYPE, PROTOBUF);
    *answer.body_mut() = Body::from(message);
    answer
}
