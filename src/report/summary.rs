//! Summary: totals, culprits, packages.

use serde::Serialize;

use super::{Gross, Header, HeldType, ProcessMemory, Row, RunReport, Spread};
use crate::base::kind::PackageKind;

/// Totals of some samples. Bases are 0 without a base.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SummarySum {
    /// Value.
    pub value: i64,
    /// Same for the base.
    pub base: i64,
    /// Value in `header.companion_type`; 0 if that is empty.
    pub companion: i64,
    /// Same for the base.
    pub companion_base: i64,
}

/// Total of one value type after filters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SummaryTotal {
    /// Value type, such as `inuse_space`.
    pub value_type: String,
    /// Unit, as in the profile.
    pub unit: String,
    /// Sum.
    pub value: i64,
    /// Same for the base; 0 without a base.
    pub base: i64,
    /// Sampling error of the value; absent in unsampled profiles.
    pub spread: Option<Spread>,
}

/// A memory holder (culprit): the innermost frame of its stacks that is your own code, or else the innermost
/// third-party frame, or else the innermost known frame.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SummaryCulprit {
    /// The function.
    pub row: Row,
    /// Totals of the stacks charged to it.
    pub sum: SummarySum,
    /// Sampling error of the value; absent in unsampled profiles.
    pub spread: Option<Spread>,
    /// Growth and shrinkage; absent without a base.
    pub gross: Option<Gross>,
    /// Container type of most of that memory.
    #[serde(rename = "type")]
    pub held: HeldType,
}

/// Totals of the stacks charged to one package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SummaryPackage {
    /// The package; empty when unknown.
    pub package: String,
    /// Its version; empty when unknown.
    pub version: String,
    /// Kind of code.
    pub kind: PackageKind,
    /// Number of its culprits.
    pub n_culprits: usize,
    /// Totals.
    pub sum: SummarySum,
    /// Sampling error of the value; absent in unsampled profiles.
    pub spread: Option<Spread>,
    /// Growth and shrinkage; absent without a base.
    pub gross: Option<Gross>,
}

/// Culprits and packages, heaviest first; with a base the largest changes first. Culprits and their rest add
/// up to `header.shown`, and so do packages and their rest.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct SummaryReport {
    /// Common header.
    pub header: Header,
    /// Every value type, in the profile's order.
    pub total: Vec<SummaryTotal>,
    /// Top memory holders.
    pub culprit: Vec<SummaryCulprit>,
    /// Totals of all other stacks, including those without frames.
    pub rest: SummarySum,
    /// Total number of culprits.
    pub n_culprits: usize,
    /// Packages.
    pub package: Vec<SummaryPackage>,
    /// Totals of all other packages.
    pub package_rest: SummarySum,
    /// Total number of packages.
    pub n_packages: usize,
    /// Recordings that are shown, as a whole; absent for dumps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(test, schema(required = false))]
    pub run: Vec<RunReport>,
    /// Resident memory of the process; absent for values that are not bytes in use.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schema(required = false))]
    pub memory: Option<Box<ProcessMemory>>,
    /// With a base: number of culprits that grew.
    pub n_grown: usize,
    /// With a base: number of culprits that shrank.
    pub n_shrunk: usize,
}
