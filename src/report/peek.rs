//! Each function between its callers and its callees.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Header, Row};

/// A caller or a callee of an entry.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PeekLink {
    /// The other function.
    pub row: Row,
    /// Value that flows along this call.
    pub value: i64,
    /// The same of the base; 0 without a base.
    pub base: i64,
    /// The other one of bytes and objects; 0 when `header.companion_type` is empty.
    pub companion: i64,
    /// The call was inlined, always.
    pub inlined: bool,
}

/// One function with its neighbours, heaviest first.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PeekEntry {
    /// The function.
    pub row: Row,
    /// Value in the function itself.
    pub flat: i64,
    /// Value in the function and what it calls.
    pub cum: i64,
    /// Flat of the base; 0 without a base.
    pub flat_base: i64,
    /// Cum of the base; 0 without a base.
    pub cum_base: i64,
    /// Flat of the other one of bytes and objects; 0 when `header.companion_type` is empty.
    pub flat_companion: i64,
    /// The same with what it calls.
    pub cum_companion: i64,
    /// It calls itself, by itself or through others: its own calls are none of its callers' or callees'.
    pub recursive: bool,
    /// Who calls it.
    pub callers: Vec<PeekLink>,
    /// Whom it calls.
    pub callees: Vec<PeekLink>,
}

/// Functions with their neighbours, sorted as the view asks.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct PeekReport {
    /// What every report says first.
    pub header: Header,
    /// The functions.
    pub entry: Vec<PeekEntry>,
}
