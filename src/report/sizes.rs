//! Objects by size, and the functions that allocated each size.

use serde::Serialize;

use super::{Header, Row};

/// Source of object sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum SizesFrom {
    /// Unknown.
    #[default]
    Nothing,
    /// The numeric label `bytes` of each sample, as in a filter `bytes=…`.
    Label,
    /// Bytes divided by objects of each sample (mean size).
    Mean,
}

/// Totals of some samples. Bases are 0 without a base; types that the profile lacks are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SizeSum {
    /// Bytes, in `bytes_unit`.
    pub bytes: i64,
    /// Same for the base.
    pub bytes_base: i64,
    /// Objects.
    pub objects: i64,
    /// Same for the base.
    pub objects_base: i64,
}

/// Objects of one size class of one function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SizePart {
    /// Index of the function in `row`.
    pub row: usize,
    /// Totals.
    pub sum: SizeSum,
}

/// Objects of about the same size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SizeClass {
    /// Smallest size of the class, bytes.
    pub low: i64,
    /// Largest size of the class, bytes.
    pub high: i64,
    /// Totals.
    pub sum: SizeSum,
    /// Top functions, heaviest first.
    pub part: Vec<SizePart>,
    /// Totals of all other functions.
    pub rest: SizeSum,
    /// Number of other functions.
    pub n_rest: usize,
}

/// Histogram of object sizes. Classes and `unsized` add up to `header.shown`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SizesReport {
    /// Common header.
    pub header: Header,
    /// Source of the sizes.
    pub from: SizesFrom,
    /// Value type of `bytes`; empty if the profile has none for the type shown.
    pub bytes_type: String,
    /// Unit of `bytes`, as in the profile.
    pub bytes_unit: String,
    /// Value of 100% of bytes.
    pub bytes_total: i64,
    /// Value type of `objects`; empty if the profile has none for the type shown.
    pub objects_type: String,
    /// Value of 100% of objects.
    pub objects_total: i64,
    /// Functions behind the classes.
    pub row: Vec<Row>,
    /// Classes from the smallest to the largest size, empty ones included.
    pub class: Vec<SizeClass>,
    /// Totals of samples of unknown size.
    #[serde(rename = "unsized")]
    pub of_unknown: SizeSum,
}
