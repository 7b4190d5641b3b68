//! Errors of the team server: each has its own status and sentence.

use std::time::Duration;

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::api::{ApiError, Refusal};
use crate::base::units::binary_size;
use crate::store::{BadDump, BadOrigin, StoreError};

/// Time after which a client may try again.
const RETRY: Duration = Duration::from_secs(5);

/// Why a request fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::web) struct TeamError {
    pub(super) status: StatusCode,
    /// What happened, a sentence.
    pub(super) error: String,
    /// What to do; empty if the sentence says it.
    pub(super) hint: String,
    /// When to try again, if that helps.
    retry: Option<Duration>,
}

impl TeamError {
    pub(super) fn new(status: StatusCode, error: impl Into<String>, hint: impl Into<String>) -> Self {
        TeamError { status, error: error.into(), hint: hint.into(), retry: None }
    }

    /// The same request may succeed soon.
    pub(super) fn busy(error: impl Into<String>) -> Self {
        let hint = "try again in a few seconds";
        TeamError { retry: Some(RETRY), ..TeamError::new(StatusCode::SERVICE_UNAVAILABLE, error, hint) }
    }

    /// Whether the same request may succeed soon.
    pub(super) fn is_passing(&self) -> bool {
        self.retry.is_some()
    }

    /// The same error in other words.
    pub(super) fn saying(&self, error: String) -> Self {
        TeamError { error, ..self.clone() }
    }

    /// What happened and what to do, in one text.
    pub(super) fn sentence(&self) -> String {
        if self.hint.is_empty() { self.error.clone() } else { format!("{}; {}", self.error, self.hint) }
    }

    pub(super) fn internal(error: impl Into<String>) -> Self {
        TeamError::new(StatusCode::INTERNAL_SERVER_ERROR, error, "the server's log has more")
    }

    pub(super) fn not_found(error: impl Into<String>) -> Self {
        TeamError::new(StatusCode::NOT_FOUND, error, "the list of services is at /")
    }

    pub(super) fn too_large(what: &str, most: u64, setting: &str) -> Self {
        let error = format!("the {what} is longer than {}, the limit `{setting}` of this store", binary_size(most));
        TeamError::new(StatusCode::PAYLOAD_TOO_LARGE, error, format!("an administrator can raise it: heapview store set {setting}=…"))
    }
}

impl From<StoreError> for TeamError {
    fn from(error: StoreError) -> Self {
        match error.is_passing() {
            true => TeamError::busy(error.to_string()),
            false => TeamError::internal(error.to_string()),
        }
    }
}

impl From<BadDump> for TeamError {
    fn from(error: BadDump) -> Self {
        let (status, hint) = match &error {
            BadDump::Empty => (StatusCode::BAD_REQUEST, ""),
            BadDump::Binary => (StatusCode::UNSUPPORTED_MEDIA_TYPE, ""),
            BadDump::OtherKind(_) => (StatusCode::UNSUPPORTED_MEDIA_TYPE, "send the file that the profiler wrote, as it is"),
            BadDump::Damaged(_) => (StatusCode::UNPROCESSABLE_ENTITY, ""),
            BadDump::Bomb(_) => (StatusCode::PAYLOAD_TOO_LARGE, "an administrator can raise it: heapview store set most_unpacked=…"),
            BadDump::Stacks { .. } => (StatusCode::PAYLOAD_TOO_LARGE, "an administrator can raise it: heapview store set most_stacks=…"),
        };
        TeamError::new(status, error.to_string(), hint)
    }
}

impl From<BadOrigin> for TeamError {
    fn from(error: BadOrigin) -> Self {
        let status = match error {
            BadOrigin::Services(_) => StatusCode::TOO_MANY_REQUESTS,
            _ => StatusCode::BAD_REQUEST,
        };
        TeamError::new(status, error.to_string(), "")
    }
}

impl From<Refusal> for TeamError {
    fn from(Refusal { error, hint }: Refusal) -> Self {
        TeamError::new(StatusCode::UNPROCESSABLE_ENTITY, error, hint)
    }
}

impl IntoResponse for TeamError {
    fn into_response(self) -> Response {
        let mut response = (self.status, Json(ApiError::plain(self.error.clone(), &self.hint))).into_response();
        if let Some(after) = self.retry {
            response.headers_mut().insert(header::RETRY_AFTER, after.as_secs().into());
        }
        // Clients of some addresses expect another shape (feeds/mod.rs).
        response.extensions_mut().insert(self);
        response
    }
}
