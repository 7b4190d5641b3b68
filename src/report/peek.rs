//! Each function between its callers and its callees.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Gross, Header, Row, Spread};

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
    /// How sure the value is; absent unless asked for, and where every allocation was recorded.
    pub spread: Option<Spread>,
    /// What of it grew and shrank since the base; absent unless asked for, and without a base.
    pub gross: Option<Gross>,
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
    /// How sure flat is; absent unless asked for, and where every allocation was recorded.
    pub flat_spread: Option<Spread>,
    /// How sure cum is.
    pub cum_spread: Option<Spread>,
    /// What of flat grew and shrank since the base; absent unless asked for, and without a base.
    pub flat_gross: Option<Gross>,
    /// The same of cum.
    pub cum_gross: Option<Gross>,
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
