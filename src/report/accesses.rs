//! How often the bytes of blocks are read and written, by allocation site.

use serde::Serialize;

use super::{Header, Row};

/// Neighbouring bytes of a block that were accessed equally often: mostly a field of the type that is stored there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct AccessField {
    /// Offset of the first byte.
    pub start: u64,
    /// Number of bytes.
    pub bytes: u64,
    /// Reads and writes of each byte in all blocks together.
    pub count: u64,
}

/// Whether the counts of a site are complete.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum AccessCounts {
    /// Their sum is the number of bytes read and written.
    #[default]
    Exact,
    /// Some are too small by multiples of 65,536, which is more than the recorder writes.
    Wrapped,
    /// Some accesses were dropped, as the recorder does for blocks that are resized.
    Incomplete,
}

/// Blocks of one size from one site.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct AccessSite {
    /// The culprit that allocates them.
    pub row: Row,
    /// Size of a block, bytes.
    pub size: u64,
    /// Number of blocks that were allocated.
    pub blocks: i64,
    /// Stacks that are summed up.
    pub n_stacks: usize,
    /// Bytes read and written in all blocks.
    pub accessed: i64,
    /// Sum of the counts of all bytes.
    pub counted: i64,
    /// Whether the counts are complete.
    pub counts: AccessCounts,
    /// A byte of one block was accessed 65,535 times or more: the recorder stops counting there.
    pub is_capped: bool,
    /// Bytes of a block that were never accessed.
    pub untouched: u64,
    /// Fields, from the first byte on, without gaps.
    pub field: Vec<AccessField>,
}

/// Sites with accesses by byte, those with most allocated bytes first.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct AccessesReport {
    /// Common header.
    pub header: Header,
    /// The sites.
    pub site: Vec<AccessSite>,
    /// Number of sites.
    pub n_sites: usize,
}
