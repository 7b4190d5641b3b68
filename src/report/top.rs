//! Table of functions, lines, files or addresses.

use serde::Serialize;

use super::{Gross, Header, HeldType, Inlining, Row, Spread};

/// Rows in the order of the view.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct TopReport {
    /// Common header.
    pub header: Header,
    /// Row → what it represents.
    pub row: Vec<Row>,
    /// Row → flat value.
    pub flat: Vec<i64>,
    /// Row → cumulative value; recursion counts once.
    pub cum: Vec<i64>,
    /// Row → flat of the base; empty without a base.
    pub flat_base: Vec<i64>,
    /// Row → cum of the base; empty without a base.
    pub cum_base: Vec<i64>,
    /// Row → how it is called.
    pub inlining: Vec<Inlining>,
    /// Row → flat value in `header.companion_type`; empty if that is.
    pub flat_companion: Vec<i64>,
    /// Row → same, cumulative.
    pub cum_companion: Vec<i64>,
    /// Row → sampling error of flat; empty unless requested, and in unsampled profiles.
    pub flat_spread: Vec<Spread>,
    /// Row → sampling error of cum.
    pub cum_spread: Vec<Spread>,
    /// Row → growth and shrinkage of flat since the base; empty unless requested, and without a base.
    pub flat_gross: Vec<Gross>,
    /// Row → same, cumulative.
    pub cum_gross: Vec<Gross>,
    /// Row → container type of most of its flat memory, or of its cumulative memory if flat is 0; empty
    /// unless `with_type` is given.
    #[serde(rename = "type")]
    pub held: Vec<HeldType>,
    /// Row → bytes of an object, cumulative, of the value type shown if it has objects and bytes, else of all allocations; empty
    /// unless `ratios` is given, and where the profile lacks the numbers.
    pub mean_size: Vec<f64>,
    /// Row → lifetime of a block in `lifetime_unit`, cumulative.
    pub mean_lifetime: Vec<f64>,
    /// Row → bytes read for each allocated byte, cumulative.
    pub reads_per_byte: Vec<f64>,
    /// Row → bytes written for each allocated byte, cumulative.
    pub writes_per_byte: Vec<f64>,
    /// Unit of `mean_lifetime`.
    pub lifetime_unit: String,
    /// Index of the first row in the whole table, if only a range is returned.
    pub offset: usize,
    /// Number of rows that match `find`; they come first.
    pub n_found: usize,
    /// Sum of flat (value − base) of the rows before the range.
    pub sum_before: i64,
    /// Index of the requested function's row in the whole table.
    pub sought: Option<usize>,
}
