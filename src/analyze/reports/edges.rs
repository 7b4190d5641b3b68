//! Call graph edges: totals of calls between keys, also across keys that are not kept.

use std::hash::BuildHasher;

use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::call_tree::NONE;
use crate::analyze::tree::gross_changes::Change;
use crate::analyze::tree::sampling_error::SamplingError;
use crate::base::cancel;
use crate::base::hash::Keyed;
use crate::base::pair::{net, plus, quotient};

/// Calls between keys, as columns: reports have up to millions, and optional columns are empty.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edges {
    /// Edge → key of the caller.
    pub(crate) from: Vec<u32>,
    /// Edge → key of the callee.
    pub(crate) to: Vec<u32>,
    /// Edge → `[value, base]`, each stack counted once.
    pub(crate) value: Vec<[i64; 2]>,
    /// Edge → somewhere it passes over keys that are not kept.
    pub(crate) residual: Vec<bool>,
    /// Edge → every call was inlined.
    pub(crate) inlined: Vec<bool>,
    /// Edge → value in the companion type; empty unless requested.
    pub(crate) companion: Vec<i64>,
    /// Edge → sampling error of the value; empty unless requested.
    pub(crate) spread: Vec<SamplingError>,
    /// Edge → growth and shrinkage; empty unless requested.
    pub(crate) gross: Vec<Change>,
    /// Edge → divisor of the value; empty unless means are requested.
    divisor: Vec<i64>,
}

impl Edges {
    pub(crate) fn len(&self) -> usize {
        self.from.len()
    }

    /// Displayed value of an edge: the value, or the mean of the difference and 0.
    pub(crate) fn shown(&self, edge: usize) -> [i64; 2] {
        let value = self.value[edge];
        self.divisor.get(edge).map_or(value, |by| [quotient(net(value), *by), 0])
    }

    /// Returns whether what is shown is not the values.
    pub(crate) fn has_means(&self) -> bool {
        !self.divisor.is_empty()
    }

    /// Absolute value of an edge, by which edges are sorted and cut.
    pub(crate) fn weight(&self, edge: usize) -> i64 {
        net(self.value[edge]).saturating_abs()
    }

    /// Keeps the edges that `is_kept` is true for, in their order.
    pub(crate) fn retain(&mut self, is_kept: impl Fn(&Edges, usize) -> bool) {
        let kept: Vec<bool> = (0..self.len()).map(|edge| is_kept(self, edge)).collect();
        if kept.iter().all(|kept| *kept) {
            return;
        }
        fn keep<T>(column: &mut Vec<T>, kept: &[bool]) {
            let mut kept = kept.iter();
            column.retain(|_| kept.next() == Some(&true));
        }
        let Edges { from, to, value, residual, inlined, companion, spread, gross, divisor } = self;
        keep(from, &kept);
        keep(to, &kept);
        keep(value, &kept);
        keep(residual, &kept);
        keep(inlined, &kept);
        keep(companion, &kept);
        keep(spread, &kept);
        keep(gross, &kept);
        keep(divisor, &kept);
    }

    /// Numbers of the edges, grouped by what `key` makes of them; within a group in the order of the edges.
    pub(crate) fn grouped(&self, n_keys: usize, key: &[u32]) -> Groups {
        let mut start = vec![0u32; n_keys + 1];
        key.iter().for_each(|&key| start[key as usize + 1] += 1);
        (0..n_keys).for_each(|key| start[key + 1] += start[key]);
        let mut next = start.clone();
        let mut edges = vec![0u32; key.len()];
        for (edge, &key) in key.iter().enumerate() {
            let at = &mut next[key as usize];
            edges[*at as usize] = edge as u32;
            *at += 1;
        }
        Groups { start, edges }
    }

    fn push(&mut self, from: u32, to: u32, columns: EdgeColumns) {
        self.from.push(from);
        self.to.push(to);
        self.value.push([0; 2]);
        self.residual.push(false);
        self.inlined.push(true);
        if columns.companion {
            self.companion.push(0);
        }
        if columns.spread {
            self.spread.push(SamplingError::default());
        }
        if columns.gross {
            self.gross.push([0; 2]);
        }
        if columns.divisor {
            self.divisor.push(0);
        }
    }
}

/// Numbers of edges by key.
pub(crate) struct Groups {
    /// Key → where its group starts in `edges`; one more at the end.
    start: Vec<u32>,
    edges: Vec<u32>,
}

impl Groups {
    /// The edges of a key.
    pub(crate) fn of(&self, key: u32) -> &[u32] {
        let key = key as usize;
        self.edges.get(self.start[key] as usize..self.start[key + 1] as usize).unwrap_or_default()
    }
}

/// Requested columns.
#[derive(Clone, Copy)]
struct EdgeColumns {
    companion: bool,
    spread: bool,
    gross: bool,
    divisor: bool,
}

/// Caller and callee → edge: a hash table of numbers only, because the edges have the keys.
#[derive(Default)]
struct Index {
    /// [`NONE`] where it is free; as many as a power of two, a quarter of them free.
    slots: Vec<u32>,
    hash: Keyed,
}

impl Index {
    /// The slot of an edge, or the free one where it belongs.
    fn slot(&self, edges: &Edges, from: u32, to: u32) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.hash.hash_one(u64::from(from) << 32 | u64::from(to)) as usize & mask;
        while let Some(&edge) = self.slots.get(slot).filter(|edge| **edge != NONE) {
            if (edges.from[edge as usize], edges.to[edge as usize]) == (from, to) {
                break;
            }
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The edge between two keys; `None`: it is new and belongs to the end of `edges`.
    fn find_or_add(&mut self, edges: &Edges, from: u32, to: u32) -> Option<usize> {
        const FIRST: usize = 64;
        if edges.len() >= self.slots.len() / 4 * 3 {
            let n = (2 * self.slots.len()).max(FIRST);
            // Drops the old table first: both at once would be the peak.
            self.slots = Vec::new();
            self.slots = vec![NONE; n];
            for edge in 0..edges.len() {
                let slot = self.slot(edges, edges.from[edge], edges.to[edge]);
                self.slots[slot] = edge as u32;
            }
        }
        let slot = self.slot(edges, from, to);
        match self.slots[slot] {
            NONE => {
                self.slots[slot] = edges.len() as u32;
                None
            }
            edge => Some(edge as usize),
        }
    }
}

/// The edges between kept keys for which `wanted(from, to)` is true. Each counts `n_bytes` of the answer. O(nodes).
pub(crate) fn edges(context: &ReportContext, kept: &[bool], n_bytes: usize, wanted: impl Fn(u32, u32) -> bool) -> Edges {
    let ReportContext { tree, totals, .. } = context;
    let (noise, gross) = (context.noise(), context.gross());
    let n = tree.len();
    let columns = EdgeColumns {
        companion: totals.companion.is_some(),
        spread: noise.is_some(),
        gross: gross.is_some(),
        divisor: totals.divisor.is_some(),
    };
    // Node → the nearest kept key at or above it, whether it is further up, and in a tree
    // whether all code between was inlined.
    let mut nearest = vec![(NONE, false, true); n];
    let mut index = Index::default();
    let mut edges = Edges::default();
    // Edge → where the last subtree that counts it ends: below, it would count twice.
    let mut open: Vec<u32> = Vec::new();
    let mut node = 1;
    while node < n {
        cancel::check();
        // A mean counts what it is divided by, even where there is nothing to divide.
        if !totals.moved[node] && !totals.divisor.as_ref().is_some_and(|divisor| divisor.moved[node]) {
            node = tree.end[node] as usize;
            continue;
        }
        let key = tree.key[node];
        let (from, residual, above) = nearest[tree.parent[node] as usize];
        let inlined = tree.inlined[node] && (above || !tree.is_call_tree);
        if !kept[key as usize] {
            nearest[node] = (from, true, inlined);
            node += 1;
            continue;
        }
        nearest[node] = (key, false, true);
        if from != NONE && from != key && wanted(from, key) {
            let edge = index.find_or_add(&edges, from, key).unwrap_or_else(|| {
                cancel::charge(n_bytes);
                edges.push(from, key, columns);
                open.push(0);
                edges.len() - 1
            });
            if node as u32 >= open[edge] {
                open[edge] = tree.end[node];
                edges.value[edge] = plus(edges.value[edge], totals.cum[node]);
                edges.residual[edge] |= residual;
                edges.inlined[edge] &= inlined;
                if let (Some(sum), Some(companion)) = (edges.companion.get_mut(edge), &totals.companion) {
                    *sum = sum.saturating_add(companion.cum[node][0]);
                }
                if let (Some(spread), Some(noise)) = (edges.spread.get_mut(edge), noise) {
                    spread.add(noise.cum[node]);
                }
                if let (Some(change), Some(gross)) = (edges.gross.get_mut(edge), gross) {
                    *change = plus(*change, gross.cum[node]);
                }
                if let (Some(sum), Some(divisor)) = (edges.divisor.get_mut(edge), &totals.divisor) {
                    *sum = sum.saturating_add(net(divisor.cum[node]));
                }
            }
        }
        node += 1;
    }
    edges
}
