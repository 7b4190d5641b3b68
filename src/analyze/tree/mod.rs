//! The call tree that a view looks at, and the numbers on it.

pub(crate) mod blame;
pub(crate) mod by_key;
pub(crate) mod call_tree;
pub(crate) mod change;
pub(crate) mod chosen;
pub(crate) mod folded;
pub(crate) mod gross;
pub(crate) mod keys;
pub(crate) mod label_units;
pub(crate) mod labelled;
pub(crate) mod matcher;
pub(crate) mod noise;
pub(crate) mod of_type;
pub(crate) mod shown;
pub(crate) mod spreads;
pub(crate) mod sums;
pub(crate) mod table;
pub(crate) mod totals;
pub(crate) mod visibility;
