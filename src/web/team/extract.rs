//! Paths and queries of requests; what cannot be read is an error like all others.

use axum::extract;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use super::error::TeamError;

/// Parts of the path.
pub(super) struct Path<T>(pub(super) T);

/// Parameters of the query.
pub(super) struct Query<T>(pub(super) T);

impl<T: DeserializeOwned + Send, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = TeamError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, TeamError> {
        match extract::Path::from_request_parts(parts, state).await {
            Ok(extract::Path(read)) => Ok(Path(read)),
            Err(error) => Err(TeamError::new(error.status(), error.body_text(), "")),
        }
    }
}

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = TeamError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, TeamError> {
        match extract::Query::from_request_parts(parts, state).await {
            Ok(extract::Query(read)) => Ok(Query(read)),
            Err(error) => Err(TeamError::new(error.status(), error.body_text(), "")),
        }
    }
}
