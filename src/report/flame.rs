//! Call tree as boxes in preorder.

use std::fmt::{self, Display, Formatter};
use std::num::NonZeroU64;

use serde::{Serialize, Serializer};

use super::{Header, Row};

/// Identifier of a frame: 16 hexadecimal digits, or an empty string for frames that cannot be zoomed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoxId(pub Option<NonZeroU64>);

impl BoxId {
    /// Creates the identifier with this hash.
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

/// Frames above the cut in preorder, heaviest sibling first; the frames below the cut are
/// folded into one unnamed frame (`row` = -1) per parent.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct FlameReport {
    /// Common header.
    pub header: Header,
    /// Inverted: the children of a frame are its callers.
    pub inverted: bool,
    /// Rows, referenced by index.
    pub row: Vec<Row>,
    /// Frame → row index; -1 for folded frames and for the root.
    pub node: Vec<i32>,
    /// Frame → depth; 0 for the root.
    pub depth: Vec<u32>,
    /// Frame → cumulative value.
    pub cum: Vec<i64>,
    /// Frame → flat value.
    pub flat: Vec<i64>,
    /// Frame → same for the base; empty without a base.
    pub cum_base: Vec<i64>,
    /// Frame → same for the base; empty without a base.
    pub flat_base: Vec<i64>,
    /// Frame → cumulative value in `header.companion_type`; empty if that is.
    pub cum_companion: Vec<i64>,
    /// Frame → number of samples behind cum and its base; this and the next two are empty unless requested, and in unsampled profiles.
    pub cum_samples: Vec<i64>,
    /// Frame → standard error of cum.
    pub cum_error: Vec<i64>,
    /// Frame → standard error of cum minus its base.
    pub cum_change_error: Vec<i64>,
    /// Frame → growth of cum since the base; this and the next one are empty unless requested, and without a base.
    pub cum_grown: Vec<i64>,
    /// Frame → shrinkage of cum, ≤ 0.
    pub cum_shrunk: Vec<i64>,
    /// Frame → 1 if it was inlined into its caller.
    pub inlined: Vec<u8>,
    /// Frame → id for `zoom`: a hash of the names from the root to it. The web server sends the
    /// first one only: the id of a frame is `mix(mix(id of its parent, hash of its name), inlined + 1)` with
    /// `mix(h, x) = (h ^ x) * 0x100000001b3` modulo 2^64, the hash of a name is `mix` of all its bytes from
    /// `0xcbf29ce484222325` on, and the root has `mix(0xcbf29ce484222325, inverted)`. In inverted graphs `inlined` is 0.
    #[cfg_attr(test, schema(value_type = Vec<String>))]
    pub id: Vec<BoxId>,
    /// Frame → 1 if it is collapsed: its children are not included. Empty unless `open` was given.
    pub closed: Vec<u8>,
    /// Frame → number of frames folded into it; 0 for others. Empty unless `open` was given.
    pub folded: Vec<u32>,
    /// Row indexes of the ancestors of the zoomed frame, from the root; empty when not zoomed.
    pub above: Vec<usize>,
    /// Ids of these ancestors.
    pub above_id: Vec<String>,
}
