//! What labels say, and how much each value holds.

use serde::Serialize;
use utoipa::ToSchema;

use super::Header;

/// A number that a label says.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TagNumber {
    /// The number as the profile has it.
    pub number: i64,
    /// Its unit; empty when it has none.
    pub unit: String,
    /// What its samples hold.
    pub value: i64,
    /// The same of the base; 0 without a base.
    pub base: i64,
}

/// One value of a label.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TagValue {
    /// The value as text, with its unit.
    pub name: String,
    /// What its samples hold.
    pub value: i64,
    /// The same of the base; 0 without a base.
    pub base: i64,
    /// The numbers that print as this text, ascending; empty for texts.
    pub numbers: Vec<TagNumber>,
}

/// Numbers of a label from one to another.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct TagRange {
    /// Smallest number; in bytes or nanoseconds where the unit converts to these.
    pub low: i64,
    /// Largest number.
    pub high: i64,
    /// What `tagfocus=key=` takes to mean these.
    pub filter: String,
    /// What their samples hold.
    pub value: i64,
    /// The same of the base; 0 without a base.
    pub base: i64,
}

/// One label key.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct TagKey {
    /// The key.
    pub key: String,
    /// What the samples that have it hold.
    pub total: i64,
    /// The same of the base; 0 without a base.
    pub total_base: i64,
    /// Values, heaviest first.
    pub values: Vec<TagValue>,
    /// How many there were before an answer for the page left the lightest out.
    pub n_values: usize,
    /// Numbers in ranges, ascending; one for each number where there are few.
    pub range: Vec<TagRange>,
}

/// Label keys in alphabetical order.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct TagsReport {
    /// What every report says first.
    pub header: Header,
    /// The keys.
    pub tag: Vec<TagKey>,
}
