//! Each function between its callers and its callees.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Gross, Header, Row, Spread};

/// A caller or a callee of an entry.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PeekLink {
    /// The other function.
    pub row: Row,
    /// Value of this call.
    pub value: i64,
    /// Same for the base; 0 without a base.
    pub base: i64,
    /// Value in `header.companion_type`; 0 if that is empty.
    pub companion: i64,
    /// Sampling error of the value; absent unless requested, and in unsampled profiles.
    pub spread: Option<Spread>,
    /// Growth and shrinkage since the base; absent unless requested, and without a base.
    pub gross: Option<Gross>,
    /// Whether the call was always inlined.
    pub inlined: bool,
}

/// A function with its callers and callees, heaviest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PeekEntry {
    /// The function.
    pub row: Row,
    /// Flat value of the function.
    pub flat: i64,
    /// Cumulative value: the function and its callees.
    pub cum: i64,
    /// Flat of the base; 0 without a base.
    pub flat_base: i64,
    /// Cum of the base; 0 without a base.
    pub cum_base: i64,
    /// Flat in `header.companion_type`; 0 if that is empty.
    pub flat_companion: i64,
    /// Cumulative in `header.companion_type`.
    pub cum_companion: i64,
    /// Sampling error of flat; absent unless requested, and in unsampled profiles.
    pub flat_spread: Option<Spread>,
    /// Sampling error of cum.
    pub cum_spread: Option<Spread>,
    /// Growth and shrinkage of flat since the base; absent unless requested, and without a base.
    pub flat_gross: Option<Gross>,
    /// Same for cum.
    pub cum_gross: Option<Gross>,
    /// Whether it is recursive, directly or indirectly; recursive calls are not among its callers and callees.
    pub recursive: bool,
    /// Callers.
    pub callers: Vec<PeekLink>,
    /// Callees.
    pub callees: Vec<PeekLink>,
}

/// Functions with their callers and callees, in the order of the view.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct PeekReport {
    /// Common header.
    pub header: Header,
    /// The functions.
    pub entry: Vec<PeekEntry>,
}
