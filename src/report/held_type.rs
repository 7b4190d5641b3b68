//! Container type of most of a row's memory.

use serde::Serialize;

/// Container type of most of a row's memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct HeldType {
    /// Short name, such as `Vec<Block>`; empty when unknown.
    pub name: String,
    /// Name with full paths.
    pub full_name: String,
    /// Value of that type.
    pub value: i64,
    /// Same for the base.
    pub base: i64,
}
