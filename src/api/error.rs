//! Errors of the API, with HTTP status and JSON.

use serde::Serialize;

use crate::base::units::binary_size;
use crate::query::QueryError;

/// An error response.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
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

impl ApiError {
    /// An error that no parameter caused.
    pub fn plain(error: impl Into<String>, hint: impl Into<String>) -> Self {
        ApiError { error: error.into(), field: String::new(), hint: hint.into(), unknown: Vec::new() }
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswerError {
    /// Parameters are wrong, or nothing matches them.
    Query(Vec<QueryError>),
    /// No machine code can be shown: the reason, a sentence.
    NoCode(String),
    /// Answers of this kind need files that are not here: what a report would have shown of them.
    NoFiles(&'static str),
    /// No report has this name.
    NoSuchReport(String),
    /// Nothing is at this path.
    NotFound,
    /// No stack is left to draw.
    NothingToDraw,
    /// No profile is open yet.
    NoProfile,
    /// The answer would have more bytes than this.
    TooLong(usize),
    /// A defect of heapview: what failed, a sentence.
    Internal(String),
}

impl From<QueryError> for AnswerError {
    fn from(error: QueryError) -> Self {
        AnswerError::Query(vec![error])
    }
}

impl AnswerError {
    /// HTTP status.
    pub fn status(&self) -> u16 {
        match self {
            AnswerError::Query(errors) => {
                let is_missing = |error: &QueryError| matches!(error, QueryError::NoMatch { .. } | QueryError::NoBox { .. });
                if errors.iter().any(is_missing) { 404 } else { 400 }
            }
            AnswerError::NoCode(_) | AnswerError::NoSuchReport(_) | AnswerError::NotFound | AnswerError::NothingToDraw => 404,
            AnswerError::NoProfile => 409,
            AnswerError::TooLong(_) => 413,
            AnswerError::Internal(_) => 500,
            AnswerError::NoFiles(_) => 501,
        }
    }

    /// The response's body.
    pub fn body(&self) -> ApiError {
        match self {
            AnswerError::Query(errors) => ApiError {
                error: errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
                field: errors.iter().find_map(QueryError::field).unwrap_or_default().to_owned(),
                hint: "all parameters are listed at /api/v1/fields".into(),
                unknown: errors.iter().filter_map(QueryError::unknown).map(str::to_owned).collect(),
            },
            AnswerError::NoCode(error) => ApiError { field: "disasm".into(), ..ApiError::plain(error, "") },
            AnswerError::NoFiles(what) => ApiError::plain(
                format!("this report has no {what}"),
                "export the report again with -with-sources, or open the profile with heapview -http",
            ),
            AnswerError::NoSuchReport(name) => ApiError::plain(
                format!("unknown report {name:?}"),
                "reports are summary, top, tree, peek, flame, graph, traces, tags, sizes, source and disasm; see /api/v1/openapi.json",
            ),
            AnswerError::NotFound => ApiError::plain("not found", "the page is at /, the API at /api/v1/"),
            AnswerError::NothingToDraw => ApiError::plain("nothing to draw: all remaining stacks are empty", "remove filters"),
            AnswerError::NoProfile => ApiError::plain("no profile is open yet", "open one on the start page, at /"),
            AnswerError::TooLong(most) => ApiError::plain(
                format!("the response would exceed {}", binary_size(*most as u64)),
                "keep trim on, reduce nodecount or add a filter; only the owner can download larger responses",
            ),
            AnswerError::Internal(what) => {
                ApiError::plain(what, "this is a bug in heapview; please report it with the address of the request")
            }
        }
    }
}
