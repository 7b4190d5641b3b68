//! Who calls whom: weights of calls between keys, over keys that are not kept.

use rustc_hash::FxHashMap;

use super::shape::{NONE, Shape};
use super::weigh::{Weights, plus};

/// A call between two keys.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    /// `[value, base]`, each stack counted once.
    pub(super) value: [i64; 2],
    /// Somewhere it passes over keys that are not kept.
    pub(super) residual: bool,
    /// Every call was inlined.
    pub(super) inlined: bool,
}

/// The edges between kept keys of which `wanted(from, to)` holds. O(nodes).
pub(super) fn edges(shape: &Shape, weights: &Weights, kept: &[bool], wanted: impl Fn(u32, u32) -> bool) -> Vec<Edge> {
    let n = shape.len();
    // Node → the nearest kept key at or above it, and whether it lies further up.
    let mut nearest = vec![(NONE, false); n];
    let mut ids: FxHashMap<u64, usize> = FxHashMap::default();
    let mut edges: Vec<Edge> = Vec::new();
    // Edge → where the last subtree that counts it ends: below, it would count twice.
    let mut open: Vec<u32> = Vec::new();
    let mut node = 1;
    while node < n {
        if !weights.live[node] {
            node = shape.end[node] as usize;
            continue;
        }
        let key = shape.key[node];
        let (from, residual) = nearest[shape.parent[node] as usize];
        if !kept[key as usize] {
            nearest[node] = (from, true);
        } else {
            nearest[node] = (key, false);
            if from != NONE && from != key && wanted(from, key) {
                let id = *ids.entry(u64::from(from) << 32 | u64::from(key)).or_insert(edges.len());
                if id == edges.len() {
                    edges.push(Edge { from, to: key, value: [0; 2], residual: false, inlined: true });
                    open.push(0);
                }
                if node as u32 >= open[id] {
                    open[id] = shape.end[node];
                    let edge = &mut edges[id];
                    let cum = weights.cum[node];
                    edge.value = plus(edge.value, cum);
                    edge.residual |= residual;
                    edge.inlined &= shape.inlined[node];
                }
            }
        }
        node += 1;
    }
    edges
}
