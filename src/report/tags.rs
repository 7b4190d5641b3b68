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
}

/// Label keys in alphabetical order.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct TagsReport {
    /// What every report says first.
    pub header: Header,
    /// The keys.
    pub tag: Vec<TagKey>,
}
