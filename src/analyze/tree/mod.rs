//! The call tree of a view, and the numbers on it.

pub(crate) mod blame_filter;
pub(crate) mod by_key;
pub(crate) mod call_tree;
pub(crate) mod chosen;
mod conditions;
pub(crate) mod folded_kinds;
pub(crate) mod gross;
pub(crate) mod gross_changes;
pub(crate) mod keys;
pub(crate) mod label_units;
pub(crate) mod labelled;
pub(crate) mod matcher;
pub(crate) mod sampling_error;
pub(crate) mod sampling_variance;
pub(crate) mod shown;
pub(crate) mod sums;
pub(crate) mod table;
pub(crate) mod totals;
pub(crate) mod type_filter;
pub(crate) mod visibility;
