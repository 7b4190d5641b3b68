//! The call graph.

use serde::Serialize;

use super::{Header, Row};

/// A label value of a node, such as a size of the objects it allocates.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct GraphTag {
    /// Node index.
    pub node: usize,
    /// Label as text.
    pub name: String,
    /// Whether the label is numeric, shown as a range.
    pub numeric: bool,
    /// For a numeric label: index in `tags` of the text label of its samples.
    pub under: Option<usize>,
    /// Flat value of the samples with this label.
    pub flat: i64,
    /// Cumulative value of the samples with this label.
    pub cum: i64,
}

/// Calls between nodes, as columns.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct GraphEdges {
    /// Edge → caller's node index.
    #[cfg_attr(test, schema(value_type = Vec<usize>))]
    pub from: Vec<u32>,
    /// Edge → callee's node index.
    #[cfg_attr(test, schema(value_type = Vec<usize>))]
    pub to: Vec<u32>,
    /// Edge → value.
    pub value: Vec<i64>,
    /// Edge → value of the base; empty without a base.
    pub base: Vec<i64>,
    /// Edge → 1 if it skips nodes that are not shown.
    pub residual: Vec<u8>,
    /// Edge → 1 if every call was inlined.
    pub inlined: Vec<u8>,
}

/// Nodes and edges, both heaviest first.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(utoipa::ToSchema))]
pub struct GraphReport {
    /// Common header.
    pub header: Header,
    /// Node → what it represents.
    pub row: Vec<Row>,
    /// Node → flat value.
    pub flat: Vec<i64>,
    /// Node → cumulative value.
    pub cum: Vec<i64>,
    /// Node → flat of the base; empty without a base.
    pub flat_base: Vec<i64>,
    /// Node → cum of the base; empty without a base.
    pub cum_base: Vec<i64>,
    /// Calls.
    pub edges: GraphEdges,
    /// Label values, a few for each node.
    pub tags: Vec<GraphTag>,
}
