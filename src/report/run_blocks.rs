//! How long the blocks of a recording live, and how they end.

use serde::Serialize;

use super::Row;

/// Blocks of a recording as a whole.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct RunBlocks {
    /// Blocks by lifetime, the shortest first, those in use at the end last; empty when the recording does not tell.
    pub lifetime: Vec<LifetimeReport>,
    /// Blocks that changed their size; absent when the recording does not tell.
    pub reallocation: Option<ReallocationReport>,
    /// Memory that is freed only when the program ends; absent when there is none, or too few moments are known.
    pub freed_at_end: Option<FreedAtEndReport>,
}

/// Blocks that lived about as long.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct LifetimeReport {
    /// Value of the label `lifetime`, such as `1ms to 10ms`.
    pub name: String,
    /// Number of allocations.
    pub objects: i64,
    /// Their bytes.
    pub bytes: i64,
}

/// Blocks that changed their size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct ReallocationReport {
    /// Number of changes.
    pub objects: i64,
    /// Bytes that the blocks had before.
    pub bytes: i64,
    /// Number of changes that moved a block to another address.
    pub moved_objects: i64,
    /// Bytes that were copied for that.
    pub moved_bytes: i64,
    /// Number of blocks that changed their size.
    pub chains: i64,
    /// Most sizes that one block had.
    pub longest: i64,
    /// Who changed most bytes.
    pub culprit: Vec<RunCulprit>,
}

/// Memory that was in use for the whole rest of the run and freed when it ended: no leak, and nothing that shrinks either.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct FreedAtEndReport {
    /// The moment, shortly before the end, at which the memory was in use; by the clock of the recording.
    pub at: i64,
    /// Number of blocks.
    pub objects: i64,
    /// Their bytes.
    pub bytes: i64,
    /// Whose memory it is.
    pub culprit: Vec<RunCulprit>,
}

/// A culprit and its part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct RunCulprit {
    /// The function.
    pub row: Row,
    /// Number of blocks, or of changes.
    pub objects: i64,
    /// Their bytes.
    pub bytes: i64,
}
