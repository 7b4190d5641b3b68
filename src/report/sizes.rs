//! Objects by size, and the functions behind each size.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Header, Row};

/// What tells the size of an object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SizesFrom {
    /// Nothing.
    #[default]
    Nothing,
    /// The numeric label `bytes` of each sample; a filter `bytes=…` means the same sizes.
    Label,
    /// Bytes over objects of each sample: the mean of its objects.
    Mean,
}

/// What some samples hold. Bases are 0 without a base; numbers that the profile does not have are 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SizeSum {
    /// Bytes, in `bytes_unit`.
    pub bytes: i64,
    /// The same of the base.
    pub bytes_base: i64,
    /// Objects.
    pub objects: i64,
    /// The same of the base.
    pub objects_base: i64,
}

/// What one function holds in objects of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SizePart {
    /// The function: index into `row`.
    pub row: usize,
    /// What it holds.
    pub sum: SizeSum,
}

/// Objects of about the same size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SizeClass {
    /// Smallest size of the class, bytes.
    pub low: i64,
    /// Largest size of the class, bytes.
    pub high: i64,
    /// What they hold.
    pub sum: SizeSum,
    /// Most of that by function, heaviest first.
    pub part: Vec<SizePart>,
    /// What all other functions hold.
    pub rest: SizeSum,
    /// How many those are.
    pub n_rest: usize,
}

/// A histogram of sizes. Classes and `unsized` add up to what the header says is shown.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct SizesReport {
    /// What every report says first.
    pub header: Header,
    /// What tells the sizes.
    pub from: SizesFrom,
    /// Value type of `bytes`; empty: the profile has none that belongs to what is shown.
    pub bytes_type: String,
    /// Unit of `bytes`, as the profile names it.
    pub bytes_unit: String,
    /// What 100 % of bytes is.
    pub bytes_total: i64,
    /// Value type of `objects`; empty: the profile has none that belongs to what is shown.
    pub objects_type: String,
    /// What 100 % of objects is.
    pub objects_total: i64,
    /// Functions behind the classes.
    pub row: Vec<Row>,
    /// From the smallest size there is to the largest; empty ones between them are there, too.
    pub class: Vec<SizeClass>,
    /// What samples of unknown size hold.
    #[serde(rename = "unsized")]
    pub of_unknown: SizeSum,
}
