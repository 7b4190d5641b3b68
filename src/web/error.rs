//! What the API says when it cannot answer.

use std::time::Duration;

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::annotate::DisasmError;
use crate::api::{ApiError, Refusal};
use crate::query::QueryError;

/// What every visitor without a token is told.
pub(super) const NEEDS_LINK: &str = "this address needs the link that heapview printed in its terminal";

/// What to do, in the answers for programs.
pub(super) const HINT: &str = "in a browser, open the link that heapview printed last, or ask the owner of the server for one; in a script, \
    send the header Authorization: Bearer TOKEN, with the token given to heapview by -token-file or HEAPVIEW_TOKEN";

/// Why a request fails.
#[derive(Clone, Debug)]
pub(super) enum WebError {
    Query(Vec<QueryError>),
    Code(DisasmError),
    NoSuchReport(String),
    NotHere,
    NothingToDraw,
    /// No profile is open yet.
    NoProfile,
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
    /// More than there is room for: bytes of all files together, and those that are left.
    TooBig {
        most: u64,
        left: u64,
    },
    Refused(Refusal),
    /// So many pages listen already.
    Crowded(usize),
    /// Too much is asked at the moment; it may be less after this time.
    Busy(Duration),
    /// The answer was not computed in this time.
    Deadline(Duration),
    /// The answer would have more bytes than this.
    TooLong(usize),
    Internal(String),
}

impl From<QueryError> for WebError {
    fn from(error: QueryError) -> Self {
        WebError::Query(vec![error])
    }
}

impl IntoResponse for WebError {
    fn into_response(self) -> Response {
        let plain = |error: String, hint: &str| ApiError { error, field: String::new(), hint: hint.into(), unknown: Vec::new() };
        let retry_after = match &self {
            WebError::Busy(after) | WebError::Deadline(after) => Some(after.as_secs().max(1)),
            _ => None,
        };
        let (status, body) = match self {
            WebError::Query(errors) => {
                let missing = errors.iter().any(|e| matches!(e, QueryError::NoMatch { .. } | QueryError::NoBox { .. }));
                let field = errors.iter().find_map(QueryError::field).unwrap_or_default().to_owned();
                let error = errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ");
                let hint = "all parameters are listed at /api/v1/fields".into();
                let unknown = errors.iter().filter_map(QueryError::unknown).map(str::to_owned).collect();
                (if missing { StatusCode::NOT_FOUND } else { StatusCode::BAD_REQUEST }, ApiError { error, field, hint, unknown })
            }
            WebError::Code(error) => {
                let missing = ApiError { field: "disasm".into(), ..plain(error.to_string(), "") };
                (StatusCode::NOT_FOUND, missing)
            }
            WebError::NoSuchReport(name) => {
                let hint =
                    "reports are summary, top, tree, peek, flame, graph, traces, tags, sizes, source and disasm; see /api/v1/openapi.json";
                (StatusCode::NOT_FOUND, plain(format!("unknown report {name:?}"), hint))
            }
            WebError::NothingToDraw => {
                (StatusCode::NOT_FOUND, plain("nothing to draw: all remaining stacks are empty".into(), "remove filters"))
            }
            WebError::NoProfile => (StatusCode::CONFLICT, plain("no profile is open yet".into(), "open one on the start page, at /")),
            WebError::NotHere => (StatusCode::NOT_FOUND, plain("not found".into(), "the page is at /, the API at /api/v1/")),
            WebError::Host(host) => {
                let hint = "open the address that heapview printed";
                (StatusCode::FORBIDDEN, plain(format!("requests for host {host:?} are refused"), hint))
            }
            WebError::Hosts => {
                let hint = "send one Host header, with the name in the address";
                (StatusCode::BAD_REQUEST, plain("the request must name exactly one host".into(), hint))
            }
            WebError::Site => {
                (StatusCode::FORBIDDEN, plain("requests from other sites are refused".into(), "open the address that heapview printed"))
            }
            WebError::Method => (
                StatusCode::METHOD_NOT_ALLOWED,
                plain("only GET is supported, POST at /api/v1/files and /api/v1/start, and DELETE at /api/v1/start/recent".into(), ""),
            ),
            WebError::Token(reason) => {
                let error = format!("{}; {}", NEEDS_LINK, uncapitalized(reason));
                (StatusCode::UNAUTHORIZED, plain(error, HINT))
            }
            WebError::ReadOnly => {
                let hint = "the owner of this server has a link that can";
                (StatusCode::FORBIDDEN, plain("this link is read-only".into(), hint))
            }
            WebError::NoFiles => (StatusCode::METHOD_NOT_ALLOWED, plain("this server does not open files".into(), "")),
            WebError::TooBig { most, left } => {
                let error = format!("the file is too large: of {} for all files, {} are left", size(most), size(left));
                let hint = "increase -upload_limit, or give the file on the command line";
                (StatusCode::PAYLOAD_TOO_LARGE, plain(error, hint))
            }
            WebError::Refused(Refusal { error, hint }) => (StatusCode::UNPROCESSABLE_ENTITY, plain(error, &hint)),
            WebError::Crowded(most) => {
                let hint = "close unused tabs";
                (StatusCode::SERVICE_UNAVAILABLE, plain(format!("{most} pages are already connected to this server"), hint))
            }
            WebError::Busy(_) => {
                (StatusCode::SERVICE_UNAVAILABLE, plain("the server is busy with other requests".into(), "try again in a few seconds"))
            }
            WebError::Deadline(limit) => {
                let error = format!("the request was cancelled after {} s", limit.as_secs());
                (StatusCode::SERVICE_UNAVAILABLE, plain(error, "use simpler expressions, narrower filters or a smaller nodecount"))
            }
            WebError::TooLong(most) => {
                let error = format!("the response would exceed {}", size(most as u64));
                let hint = "keep trim on, reduce nodecount or add a filter; only the owner can download larger responses";
                (StatusCode::PAYLOAD_TOO_LARGE, plain(error, hint))
            }
            WebError::Internal(what) => {
                let hint = "this is a bug in heapview; please report it with the address of the request";
                (StatusCode::INTERNAL_SERVER_ERROR, plain(what, hint))
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

/// Bytes for people: whole numbers of the greatest unit that is not zero.
fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..0x10_0000 => format!("{} KiB", bytes >> 10),
        0x10_0000..0x4000_0000 => format!("{} MiB", bytes >> 20),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30)),
    }
}
