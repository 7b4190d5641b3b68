//! What all pages of services have: their looks, and the policy that allows nothing else.

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use base64::prelude::*;
use sha2::{Digest, Sha256};

use crate::base::units::iec_label;

/// Looks of the pages.
const STYLE: &str = include_str!("../../../web/templates/team.css");

/// Bytes as text.
pub(super) fn size(bytes: i64) -> String {
    iec_label(bytes, "bytes", "auto")
}

/// A difference of bytes as text, with its sign.
pub(super) fn change(bytes: i64) -> String {
    if bytes > 0 { format!("+{}", size(bytes)) } else { size(bytes) }
}

/// Milliseconds since 1970 UTC as text.
pub(super) fn at(millis: i64) -> String {
    crate::api::utc(millis.saturating_mul(1_000_000))
}

/// A page, with the policy that lets it have its own looks.
pub(super) fn html(status: StatusCode, page: &impl Template) -> Response {
    let body = match page.render() {
        Ok(body) => body,
        Err(error) => return (StatusCode::INTERNAL_SERVER_ERROR, format!("the page cannot be made: {error}")).into_response(),
    };
    // Templates include files without the last line break.
    let hash = BASE64_STANDARD.encode(Sha256::digest(STYLE.trim_end_matches('\n')));
    let policy = format!(
        "default-src 'none'; style-src 'sha256-{hash}'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    );
    let mut response = (status, Html(body)).into_response();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    response
}
