//! Errors of the server: access, uploads, load. Those of questions are [`AnswerError`].

use std::time::Duration;

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::api::{AnswerError, ApiError, Refusal};
use crate::base::units::binary_size;
use crate::query::QueryError;

/// Message for visitors without a token.
pub(super) const NEEDS_LINK: &str = "this address needs the link that heapview printed in its terminal";

/// Remedy in responses for programs.
pub(super) const HINT: &str = "in a browser, open the link that heapview printed last, or ask the owner of the server for one; in a script, \
    send the header Authorization: Bearer TOKEN, with the token given to heapview by -token-file or HEAPVIEW_TOKEN";

/// Why a request fails.
#[derive(Clone, Debug)]
pub(super) enum WebError {
    /// The question has no answer.
    Answer(AnswerError),
    Host(String),
    /// None or several `Host` headers, or one that contradicts the request line.
    Hosts,
    Site,
    Method,
    /// No token, or a wrong one: the reason.
    Token(&'static str),
    /// A token that only reads.
    ReadOnly,
    /// No files are taken at all.
    NoFiles,
    /// A report file needs what this program was built without: a sentence on how to get it.
    NotBuilt(String),
    /// More than there is room for: bytes of all files together, and those that are left.
    TooBig {
        most: u64,
        left: u64,
    },
    Refused(Refusal),
    /// So many pages listen already.
    Crowded(usize),
    /// Too many requests at the moment; the client may retry after this time.
    Busy(Duration),
    /// The answer was not computed in this time.
    Deadline(Duration),
}

impl From<AnswerError> for WebError {
    fn from(error: AnswerError) -> Self {
        WebError::Answer(error)
    }
}

impl From<QueryError> for WebError {
    fn from(error: QueryError) -> Self {
        WebError::Answer(error.into())
    }
}

impl WebError {
    /// A defect, a sentence.
    pub(super) fn internal(what: impl Into<String>) -> Self {
        WebError::Answer(AnswerError::Internal(what.into()))
    }
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        let retry_after = match &self {
            WebError::Busy(after) | WebError::Deadline(after) => Some(after.as_secs().max(1)),
            _ => None,
        };
        let (status, body) = match self {
            WebError::Answer(error) => {
                // All of them are valid.
                (StatusCode::from_u16(error.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), error.body())
            }
            WebError::Host(host) => {
                let hint = "open the address that heapview printed";
                (StatusCode::FORBIDDEN, ApiError::plain(format!("requests for host {host:?} are refused"), hint))
            }
            WebError::Hosts => {
                let hint = "send one Host header, with the name in the address";
                (StatusCode::BAD_REQUEST, ApiError::plain("the request must name exactly one host", hint))
            }
            WebError::Site => {
                (StatusCode::FORBIDDEN, ApiError::plain("requests from other sites are refused", "open the address that heapview printed"))
            }
            WebError::Method => (
                StatusCode::METHOD_NOT_ALLOWED,
                ApiError::plain("only GET is supported, POST at /api/v1/files and /api/v1/start, and DELETE at /api/v1/start/recent", ""),
            ),
            WebError::Token(reason) => {
                let error = format!("{}; {}", NEEDS_LINK, uncapitalized(reason));
                (StatusCode::UNAUTHORIZED, ApiError::plain(error, HINT))
            }
            WebError::ReadOnly => {
                let hint = "the owner of this server has a link that can";
                (StatusCode::FORBIDDEN, ApiError::plain("this link is read-only", hint))
            }
            WebError::NotBuilt(error) => (StatusCode::NOT_IMPLEMENTED, ApiError::plain(error, "")),
            WebError::NoFiles => (StatusCode::METHOD_NOT_ALLOWED, ApiError::plain("this server does not open files", "")),
            WebError::TooBig { most, left } => {
                let error = format!("the file is too large: of {} for all files, {} are left", binary_size(most), binary_size(left));
                let hint = "increase -upload_limit, or give the file on the command line";
                (StatusCode::PAYLOAD_TOO_LARGE, ApiError::plain(error, hint))
            }
            WebError::Refused(Refusal { error, hint }) => (StatusCode::UNPROCESSABLE_ENTITY, ApiError::plain(error, &hint)),
            WebError::Crowded(most) => {
                let hint = "close unused tabs";
                (StatusCode::SERVICE_UNAVAILABLE, ApiError::plain(format!("{most} pages are already connected to this server"), hint))
            }
            WebError::Busy(_) => {
                (StatusCode::SERVICE_UNAVAILABLE, ApiError::plain("the server is busy with other requests", "try again in a few seconds"))
            }
            WebError::Deadline(limit) => {
                let error = format!("the request was cancelled after {} s", limit.as_secs());
                (
                    StatusCode::SERVICE_UNAVAILABLE,
                    ApiError::plain(error, "use simpler expressions, narrower filters or a smaller nodecount"),
                )
            }
        };
        let mut response = (status, Json(body)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

fn uncapitalized(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or(String::new(), |first| first.to_lowercase().chain(letters).collect())
}
