//! Growth that the owners of a program expect.

use serde::Serialize;

/// A function whose growth is expected, and how much of it there is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Expected {
    /// The function.
    pub function: String,
    /// Value of the last dump.
    pub value: i64,
    /// Value of the first dump, or of the base.
    pub base: i64,
    /// Whether there is more than expected.
    pub is_exceeded: bool,
    /// Conditions and reason, as their author wrote them.
    pub text: String,
}
