//! Labels and the totals of their values.

use serde::Serialize;

use super::Header;

/// A numeric label value.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TagNumber {
    /// The number as in the profile.
    pub number: i64,
    /// Its unit; empty when it has none.
    pub unit: String,
    /// Value of its samples.
    pub value: i64,
    /// Same for the base; 0 without a base.
    pub base: i64,
}

/// One value of a label.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TagValue {
    /// The value as text, with its unit.
    pub name: String,
    /// Value of its samples.
    pub value: i64,
    /// Same for the base; 0 without a base.
    pub base: i64,
    /// The numbers that print as this text, ascending; empty for texts.
    pub numbers: Vec<TagNumber>,
}

/// A range of numeric label values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TagRange {
    /// Smallest number; in bytes or nanoseconds where the unit converts to these.
    pub low: i64,
    /// Largest number.
    pub high: i64,
    /// Value of `tagfocus=key=` that selects this range.
    pub filter: String,
    /// Value of their samples.
    pub value: i64,
    /// Same for the base; 0 without a base.
    pub base: i64,
}

/// One label key.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TagKey {
    /// The key.
    pub key: String,
    /// Value of the samples with this key.
    pub total: i64,
    /// Same for the base; 0 without a base.
    pub total_base: i64,
    /// Values, heaviest first.
    pub values: Vec<TagValue>,
    /// Number of values before small ones were left out.
    pub n_values: usize,
    /// Ranges of numbers, ascending; one range per number if there are few.
    pub range: Vec<TagRange>,
}

/// Label keys in alphabetical order.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TagsReport {
    /// Common header.
    pub header: Header,
    /// The keys.
    pub tag: Vec<TagKey>,
}
