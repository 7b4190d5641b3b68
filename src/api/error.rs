//! What is said when there is no answer.

use serde::Serialize;
use utoipa::ToSchema;

/// An error response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ApiError {
    /// What happened, a sentence.
    pub error: String,
    /// The wrong parameter; empty if none is.
    pub field: String,
    /// What to do; empty if the sentence says it.
    pub hint: String,
    /// Parameters of the request that no report has.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<String>,
}
