//! Call graph: the largest nodes and the calls between them.

use super::selection::Selection;
use super::table::Nodes;
use crate::base::hash::HashMap;
use crate::query::JeprofGraphSpec;
use crate::report::{JeprofEdge, JeprofGraph};

/// `PrintDot`, without its text: nodes above a share of the total, then edges that make
/// nodes reachable or are worth it, as many as a node may have.
pub fn graph(selection: &Selection<'_>, spec: &JeprofGraphSpec) -> JeprofGraph {
    let nodes = Nodes::new(selection);
    let total = selection.header.local_total;
    // A whole number of units, as Perl's int: towards zero.
    let parts = selection.header.parts;
    let limit = |fraction: f64| ((fraction * total as f64 / parts as f64) as i64).saturating_mul(parts);
    let (node_limit, edge_limit) = (limit(spec.nodefraction), limit(spec.edgefraction));
    let weight = |i: usize| nodes.row[i].cum.saturating_abs();
    let mut order: Vec<usize> = (0..nodes.row.len()).collect();
    order.sort_by(|&a, &b| weight(b).cmp(&weight(a)).then_with(|| nodes.row[a].name.cmp(&nodes.row[b].name)));
    order.truncate(spec.nodecount);
    while order.last().is_some_and(|&i| weight(i) <= node_limit) {
        order.pop();
    }
    let mut place = vec![None; nodes.row.len()];
    order.iter().enumerate().for_each(|(at, &node)| place[node] = Some(at));
    let row = order.iter().map(|&i| nodes.row[i].clone()).collect();
    let edge = Edges { selection, nodes: &nodes, place }.kept(edge_limit, spec.maxdegree, order.len());
    JeprofGraph { header: selection.header, row, edge, node_limit, edge_limit }
}

struct Edges<'a> {
    selection: &'a Selection<'a>,
    nodes: &'a Nodes,
    /// Node → its place in the graph.
    place: Vec<Option<usize>>,
}

impl Edges<'_> {
    /// All calls between nodes of the graph, largest first. Recursion counts each time.
    fn all(&self) -> Vec<JeprofEdge> {
        let frames = &self.selection.profile.code().frames;
        let mut values: HashMap<(usize, usize), (i64, bool)> = HashMap::default();
        for path in &self.selection.stacks {
            let mut callee = None;
            for frame in self.selection.frames(path) {
                let at = self.nodes.of(frame).and_then(|node| self.place[node]);
                if let (Some(from), Some((to, inlined))) = (at, callee) {
                    let edge = values.entry((from, to)).or_insert((0, inlined));
                    edge.0 = edge.0.saturating_add(path.value);
                }
                callee = at.map(|at| (at, frames[frame].inlined));
            }
        }
        let edges = values.into_iter().map(|((from, to), (value, inlined))| JeprofEdge { from, to, value, inlined });
        let mut edges: Vec<JeprofEdge> = edges.collect();
        edges.sort_by_key(|e| (std::cmp::Reverse(e.value), e.from, e.to));
        edges
    }

    fn kept(&self, limit: i64, most: usize, n: usize) -> Vec<JeprofEdge> {
        let (mut incoming, mut outgoing) = (vec![0usize; n], vec![0usize; n]);
        let mut edges = self.all();
        edges.retain(|e| {
            let is_worth_it = e.value.saturating_abs() > limit && outgoing[e.from] < most && incoming[e.to] < most;
            // The first edge into a node makes it reachable.
            let keep = incoming[e.to] == 0 || is_worth_it;
            outgoing[e.from] += usize::from(keep);
            incoming[e.to] += usize::from(keep);
            keep
        });
        edges
    }
}
