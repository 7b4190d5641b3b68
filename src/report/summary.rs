//! The answer in short: totals, who holds the memory, whose code that is.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Gross, Header, HeldType, Row, Spread};
use crate::kind::PackageKind;

/// What some samples hold. Bases are 0 without a base.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct SummarySum {
    /// Value.
    pub value: i64,
    /// The same of the base.
    pub base: i64,
    /// The other one of bytes and objects; 0 when `header.companion_type` is empty.
    pub companion: i64,
    /// The same of the base.
    pub companion_base: i64,
}

/// What passes the filters, in one value type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SummaryTotal {
    /// Value type, such as `inuse_space`.
    pub value_type: String,
    /// Its unit, as the profile names it.
    pub unit: String,
    /// Sum.
    pub value: i64,
    /// The same of the base; 0 without a base.
    pub base: i64,
    /// How sure the value is; absent where every allocation was recorded.
    pub spread: Option<Spread>,
}

/// A function that holds memory: the innermost frame of its stacks that is own code, else the innermost
/// one of a third party, else the innermost that tells anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SummaryCulprit {
    /// The function.
    pub row: Row,
    /// What the stacks hold whose culprit it is.
    pub sum: SummarySum,
    /// How sure the value is; absent where every allocation was recorded.
    pub spread: Option<Spread>,
    /// What of it grew and shrank; absent without a base.
    pub gross: Option<Gross>,
    /// What most of that is.
    #[serde(rename = "type")]
    pub held: HeldType,
}

/// What the stacks hold whose culprits are in one package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SummaryPackage {
    /// The package; empty when unknown.
    pub package: String,
    /// Its version; empty when unknown.
    pub version: String,
    /// What sort of code it is.
    pub kind: PackageKind,
    /// Its culprits, by number.
    pub n_culprits: usize,
    /// What they hold.
    pub sum: SummarySum,
    /// How sure the value is; absent where every allocation was recorded.
    pub spread: Option<Spread>,
    /// What of it grew and shrank; absent without a base.
    pub gross: Option<Gross>,
}

/// Culprits and packages, heaviest first; with a base what changed most first. Culprits and their rest add
/// up to what the header says is shown, packages and their rest do, too.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct SummaryReport {
    /// What every report says first.
    pub header: Header,
    /// Every value type, in the profile's order.
    pub total: Vec<SummaryTotal>,
    /// Who holds the memory.
    pub culprit: Vec<SummaryCulprit>,
    /// What all other stacks hold, those without frames included.
    pub rest: SummarySum,
    /// Culprits there are in all.
    pub n_culprits: usize,
    /// Whose code that is.
    pub package: Vec<SummaryPackage>,
    /// What all others hold.
    pub package_rest: SummarySum,
    /// Packages there are in all.
    pub n_packages: usize,
    /// With a base: culprits that grew.
    pub n_grown: usize,
    /// Culprits that shrank.
    pub n_shrunk: usize,
}
