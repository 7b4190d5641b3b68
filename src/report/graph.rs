//! The call graph.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Header, Row};

/// A label value hanging at a node, such as the sizes of the objects it allocates.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GraphTag {
    /// Node number.
    pub node: usize,
    /// Label as text.
    pub name: String,
    /// A numeric label, drawn as a range.
    pub numeric: bool,
    /// Of a numeric label: the number in `tags` of the texts that its samples have.
    pub under: Option<usize>,
    /// Value of samples that end in the node.
    pub flat: i64,
    /// Value of all samples that pass through the node.
    pub cum: i64,
}

/// Calls between nodes, as columns.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct GraphEdges {
    /// Edge → caller's node number.
    pub from: Vec<usize>,
    /// Edge → callee's node number.
    pub to: Vec<usize>,
    /// Edge → value.
    pub value: Vec<i64>,
    /// Edge → value of the base; empty without a base.
    pub base: Vec<i64>,
    /// Edge → 1 when it passes over nodes that are not shown.
    pub residual: Vec<u8>,
    /// Edge → 1 when every call was inlined.
    pub inlined: Vec<u8>,
}

/// Nodes and edges, both heaviest first.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct GraphReport {
    /// What every report says first.
    pub header: Header,
    /// Node → what it stands for.
    pub row: Vec<Row>,
    /// Node → value in the node itself.
    pub flat: Vec<i64>,
    /// Node → value in the node and what it calls.
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
