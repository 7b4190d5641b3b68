//! Stack by stack.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::Header;

/// One row of the profile.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Trace {
    /// Value; with a base, that of one side.
    pub value: i64,
    /// Labels: key and printed value.
    pub labels: Vec<(String, String)>,
    /// Frames, leaf first, as reports name them.
    #[schema(value_type = Vec<String>)]
    pub frames: Vec<Arc<str>>,
    /// Frame → 1 when inlined into the next.
    pub inlined: Vec<u8>,
}

/// All stacks, in the profile's order.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct TracesReport {
    /// Common header.
    pub header: Header,
    /// The stacks.
    pub trace: Vec<Trace>,
}
