//! What containers hold the memory.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Header, Spread, SummaryCulprit, SummarySum};

/// The type that most of what a row holds is of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct HeldType {
    /// As people write it, such as `Vec<Block>`; empty when unknown.
    pub name: String,
    /// With whole paths.
    pub full_name: String,
    /// How much of it is.
    pub value: i64,
    /// The same of the base.
    pub base: i64,
}

/// A type that memory is held by, and who made it grow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct TypeRow {
    /// As people write it, such as `Vec<Block>`; empty when unknown.
    pub name: String,
    /// With whole paths.
    pub full_name: String,
    /// What stacks hold whose memory is of it.
    pub sum: SummarySum,
    /// How sure the value is; absent where every allocation was recorded.
    pub spread: Option<Spread>,
    /// Its heaviest culprits, heaviest first; those of what is unknown may ask for memory themselves.
    pub culprit: Vec<SummaryCulprit>,
    /// Culprits there are in all.
    pub n_culprits: usize,
}

/// Types, heaviest first, with a base what changed most first, what is unknown last; all add up to what the header says is shown.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct TypesReport {
    /// What every report says first.
    pub header: Header,
    /// Types.
    pub row: Vec<TypeRow>,
    /// What types hold that are not told.
    pub rest: SummarySum,
    /// Types there are in all.
    pub n_types: usize,
}
