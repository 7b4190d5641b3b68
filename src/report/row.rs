//! A row, node or frame, as most reports have them.

use serde::Serialize;

use crate::base::kind::PackageKind;

/// How a function is called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
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

/// A row, node or frame of a report. Which fields are set depends on the granularity.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct Row {
    /// Full label as printed in reports, unique at this granularity.
    pub name: String,
    /// Function with its generic arguments and parameters; may still be mangled.
    pub full_name: String,
    /// Source file; empty when unknown. For functions: the file of their heaviest use.
    pub file: String,
    /// Source line; 0 when unknown.
    pub line: i64,
    /// Base name of the mapping.
    pub object: String,
    /// Crate, Go package, C++ namespace, library or program; empty when unknown.
    pub package: String,
    /// Version of the package, if paths contain it; empty otherwise.
    pub version: String,
    /// Kind of code.
    pub kind: PackageKind,
}
