//! The tree of stacks as boxes in preorder.

use std::fmt::{self, Display, Formatter};
use std::num::NonZeroU64;

use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use super::{Header, Row};

/// Identifier of a box: 16 hexadecimal digits, or an empty text for boxes that cannot be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoxId(pub Option<NonZeroU64>);

impl BoxId {
    /// The box with this hash.
    pub fn new(hash: u64) -> Self {
        BoxId(NonZeroU64::new(hash))
    }
}

impl Display for BoxId {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |hash| write!(f, "{hash:016x}"))
    }
}

impl Serialize for BoxId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Boxes above the cut, in preorder, heaviest sibling first; what lies below the cut is
/// folded into one box without a name (`row` = -1) for each parent.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct FlameReport {
    /// What every report says first.
    pub header: Header,
    /// Leaves at the bottom: a box's children are its callers.
    pub inverted: bool,
    /// Rows that boxes name by number.
    pub row: Vec<Row>,
    /// Box → row number; -1 for what was folded together, and for the first box: everything.
    pub node: Vec<i32>,
    /// Box → depth; the first box has 0, its children 1.
    pub depth: Vec<u32>,
    /// Box → value of its subtree.
    pub cum: Vec<i64>,
    /// Box → value that ends in it.
    pub flat: Vec<i64>,
    /// Box → the same of the base; empty without a base.
    pub cum_base: Vec<i64>,
    /// Box → the same of the base; empty without a base.
    pub flat_base: Vec<i64>,
    /// Box → the other one of bytes and objects of its subtree; empty when `header.companion_type` is.
    pub cum_companion: Vec<i64>,
    /// Box → samples behind cum, those of the base included; this and the next two are empty unless asked for, and where every allocation was recorded.
    pub cum_samples: Vec<i64>,
    /// Box → standard error of cum.
    pub cum_error: Vec<i64>,
    /// Box → standard error of cum less its base.
    pub cum_change_error: Vec<i64>,
    /// Box → what of cum grew since the base; this and the next one are empty unless asked for, and without a base.
    pub cum_grown: Vec<i64>,
    /// Box → what of it shrank; not positive.
    pub cum_shrunk: Vec<i64>,
    /// Box → 1 when its code was inlined into the box above.
    pub inlined: Vec<u8>,
    /// Box → what to ask for to zoom into it: a hash of the names from the root to it. The web server sends the
    /// first only: the id of a box is `mix(mix(id around it, hash of its name), inlined + 1)` with
    /// `mix(h, x) = (h ^ x) * 0x100000001b3` modulo 2^64, the hash of a name is `mix` of all its bytes from
    /// `0xcbf29ce484222325` on, and everything has `mix(0xcbf29ce484222325, inverted)`. From the leaves `inlined` is 0.
    #[schema(value_type = Vec<String>)]
    pub id: Vec<BoxId>,
    /// Box → 1 when it is closed: boxes below it are not here. Empty unless open boxes were named.
    pub closed: Vec<u8>,
    /// Box → how many boxes are folded into it; 0 for all others. Empty unless open boxes were named.
    pub folded: Vec<u32>,
    /// Rows of the boxes above the zoomed one, from the root on; empty when not zoomed.
    pub above: Vec<usize>,
    /// Ids of the boxes above, for the way back.
    pub above_id: Vec<String>,
}
