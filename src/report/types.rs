//! Container types by memory.

use serde::Serialize;

use super::{Header, Spread, SummaryCulprit, SummarySum};

/// A container type and the functions that allocate for it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TypeRow {
    /// Short name, such as `Vec<Block>`; empty when unknown.
    pub name: String,
    /// Name with full paths.
    pub full_name: String,
    /// Totals of the stacks that allocate for it.
    pub sum: SummarySum,
    /// Sampling error of the value; absent in unsampled profiles.
    pub spread: Option<Spread>,
    /// Its top culprits, heaviest first; those of unknown types may allocate directly.
    pub culprit: Vec<SummaryCulprit>,
    /// Total number of culprits.
    pub n_culprits: usize,
}

/// Types, heaviest first (with a base the largest changes first), unknown last; they add up to `header.shown`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TypesReport {
    /// Common header.
    pub header: Header,
    /// Types.
    pub row: Vec<TypeRow>,
    /// Totals of the omitted types.
    pub rest: SummarySum,
    /// Total number of types.
    pub n_types: usize,
}
