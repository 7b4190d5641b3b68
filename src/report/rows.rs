//! The table of functions, lines, files or addresses.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Gross, Header, HeldType, Spread};
use crate::kind::PackageKind;

/// How the rows came into their callers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Inlining {
    /// Called.
    #[default]
    None,
    /// Inlined everywhere.
    Inline,
    /// Inlined in some callers.
    Partial,
}

/// What a row, node or box stands for. Which fields are set depends on the granularity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Row {
    /// Full label as reports print it, unique at this granularity.
    pub name: String,
    /// Function with its generic arguments and parameters; mangled, where nobody demangled it yet.
    pub full_name: String,
    /// Source file; empty when unknown. For functions: the file of their heaviest use.
    pub file: String,
    /// Source line; 0 when unknown.
    pub line: i64,
    /// Base name of the mapped file.
    pub object: String,
    /// Crate, Go package, C++ namespace, library or program; empty when unknown.
    pub package: String,
    /// The package's version, where paths tell it; else empty.
    pub version: String,
    /// What sort of code it is.
    pub kind: PackageKind,
}

/// Rows sorted as the view asks.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct TopReport {
    /// What every report says first.
    pub header: Header,
    /// Row → what it stands for.
    pub row: Vec<Row>,
    /// Row → value in the row itself.
    pub flat: Vec<i64>,
    /// Row → value in the row and what it calls, recursion counted once.
    pub cum: Vec<i64>,
    /// Row → flat of the base; empty without a base.
    pub flat_base: Vec<i64>,
    /// Row → cum of the base; empty without a base.
    pub cum_base: Vec<i64>,
    /// Row → how it came into its callers.
    pub inlining: Vec<Inlining>,
    /// Row → the other one of bytes and objects in the row itself; empty when `header.companion_type` is.
    pub flat_companion: Vec<i64>,
    /// Row → the same with what it calls.
    pub cum_companion: Vec<i64>,
    /// Row → how sure flat is; empty unless asked for, and where every allocation was recorded.
    pub flat_spread: Vec<Spread>,
    /// Row → how sure cum is.
    pub cum_spread: Vec<Spread>,
    /// Row → what of it grew and shrank since the base; empty unless asked for, and without a base.
    pub flat_gross: Vec<Gross>,
    /// Row → the same with what it calls.
    pub cum_gross: Vec<Gross>,
    /// Row → the type that most of what it holds itself is of, else of what it holds with all that it calls; empty
    /// unless `with_type` is asked for.
    #[serde(rename = "type")]
    pub held: Vec<HeldType>,
    /// Number of the first row in the whole table, where only some rows are here.
    pub offset: usize,
    /// Rows of the whole table that match what is to be found; they come first.
    pub n_found: usize,
    /// Sum of flat (value − base) of the rows before the first one here.
    pub sum_before: i64,
    /// Number of the sought function's row in the whole table.
    pub sought: Option<usize>,
}
