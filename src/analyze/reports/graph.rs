//! Call graph, trimmed like pprof's (`internal/graph`, `newTrimmedGraph`).

use super::edges::{Edges, Groups, edges};
use super::nodelets::Nodelets;
use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::call_tree::CallTree;
use crate::analyze::tree::sums::{Cutoffs, Sums, choose_unit, share};
use crate::base::cancel;
use crate::base::pair::net;
use crate::report::{GraphEdges, GraphReport, GraphTag, Header, Row};

/// Nodes and edges that survive the cut.
pub(crate) struct Trimmed {
    pub(crate) header: Header,
    pub(crate) sums: Sums,
    /// Kept keys, sorted.
    pub(crate) keys: Vec<u32>,
    pub(crate) edges: Edges,
    pub(crate) nodelets: Nodelets,
}

/// Bytes of an edge while the graph is made, which is more than in the answer.
const EDGE_BYTES: usize = 64;

/// Graph for a table, sorted as in the view: callers and callees. Without edges between keys outside of `focus`, a mask of the
/// keys in their order. Each edge is charged with `n_bytes` of the response.
pub(crate) fn for_table(context: &ReportContext, n_bytes: usize, focus: impl FnOnce(&[u32]) -> Option<Vec<bool>>) -> Trimmed {
    let ReportContext { tree, view, .. } = context;
    let sums = Sums::new(context);
    let mut header = context.header();
    let (mut keys, cutoffs) = sums.large(view, &mut header);
    header.edge_cutoff = share(header.total, view.edgefraction());
    // The order needs no edges, so that they are found once.
    sums.sort(&mut keys, tree, view.cut.by_cum);
    if view.nodecount() > 0 {
        keys.truncate(view.nodecount());
    }
    let focus = focus(&keys);
    let between = edges(context, &mask(&keys, tree), n_bytes, |from, to| focus.as_ref().is_none_or(|f| f[from as usize] || f[to as usize]));
    finished(header, sums, keys, between, Nodelets::default(), &cutoffs)
}

/// The call graph. O(nodes + edges).
pub(crate) fn graph(context: &ReportContext) -> GraphReport {
    let Trimmed { header, sums, keys, edges, mut nodelets } = trim(context);
    let order = by_weight_and_name(&edges, context.tree);

    let mut number = vec![0; context.tree.keys.len()];
    keys.iter().enumerate().for_each(|(i, &key)| number[key as usize] = i as u32);
    let has_base = context.totals.has_base;
    let column = |of: &[[i64; 2]], side: usize| keys.iter().map(|&k| of[k as usize][side]).collect::<Vec<_>>();
    let base_column = |of: &[[i64; 2]]| if has_base { column(of, 1) } else { Vec::new() };
    let mut calls = vec![false; context.tree.keys.len()];
    edges.from.iter().for_each(|&from| calls[from as usize] = true);
    let mut tags: Vec<GraphTag> = Vec::new();
    for (node, &key) in keys.iter().enumerate() {
        let before = tags.len();
        let nodelets = nodelets.of(key, !calls[key as usize]).into_iter();
        tags.extend(nodelets.map(|tag| GraphTag { node, under: tag.under.map(|text| before + text), ..tag }));
    }
    let row: Vec<Row> = keys.iter().map(|&k| context.row(k)).collect();
    let shown = |side: usize| order.iter().map(|&edge| edges.shown(edge as usize)[side]).collect();
    let value = shown(0);
    let base = if has_base { shown(1) } else { Vec::new() };
    let Edges { from, to, residual, inlined, .. } = edges;
    // Columns are dropped as soon as they are sorted: there may be millions of edges.
    fn ordered<T: Copy, U>(order: &[u32], column: Vec<T>, of: impl Fn(T) -> U) -> Vec<U> {
        order.iter().map(|&edge| of(column[edge as usize])).collect()
    }
    GraphReport {
        row,
        flat: column(&sums.flat, 0),
        cum: column(&sums.cum, 0),
        flat_base: base_column(&sums.flat),
        cum_base: base_column(&sums.cum),
        edges: GraphEdges {
            from: ordered(&order, from, |key| number[key as usize]),
            to: ordered(&order, to, |key| number[key as usize]),
            value,
            base,
            residual: ordered(&order, residual, u8::from),
            inlined: ordered(&order, inlined, u8::from),
        },
        tags,
        header,
    }
}

/// Numbers of edges by weight, then by the names of caller and callee; those that are equal stay as they come.
pub(crate) fn by_weight_and_name(edges: &Edges, tree: &CallTree) -> Vec<u32> {
    let name = |keys: &[u32], edge: u32| tree.keys.name(keys[edge as usize]);
    let mut order: Vec<u32> = (0..edges.len() as u32).collect();
    order.sort_by(|&a, &b| {
        let names = |edge: u32| (name(&edges.from, edge), name(&edges.to, edge));
        by_weight(edges, a, b).then_with(|| names(a).cmp(&names(b)))
    });
    order
}

fn by_weight(edges: &Edges, a: u32, b: u32) -> std::cmp::Ordering {
    edges.weight(b as usize).cmp(&edges.weight(a as usize))
}

/// Nodes are chosen by entropy, label values count as nodes, and redundant edges are removed.
fn trim(context: &ReportContext) -> Trimmed {
    let ReportContext { tree, view, .. } = context;
    let sums = Sums::new(context);
    let mut header = context.header();
    let (mut keys, cutoffs) = sums.large(view, &mut header);
    header.edge_cutoff = share(header.total, view.edgefraction());

    let mut kept = mask(&keys, tree);
    let all = |_: u32, _: u32| true;
    let most = view.nodecount();
    // Edges between nodes that may still go do not count as part of the answer.
    let is_final = most == 0 || keys.len() <= most;
    let mut between = edges(context, &kept, if is_final { EDGE_BYTES } else { 0 }, all);
    sort_by_interest(&mut keys, &sums, &between, tree);
    // Values count as nodes: no more keys than this fit.
    let fitting = if most > 0 { &keys[..most.min(keys.len())] } else { &keys };
    let nodelets = if view.cut.nodelets { Nodelets::new(context, fitting, cutoffs.node) } else { Nodelets::default() };
    if most > 0 {
        let most = nodelets.fit(&keys, most);
        if most < keys.len() {
            keys.truncate(most);
            kept = mask(&keys, tree);
            // Both at once would be the peak.
            drop(std::mem::take(&mut between));
            between = edges(context, &kept, EDGE_BYTES, all);
            sort_by_interest(&mut keys, &sums, &between, tree);
        }
    }
    let mut trimmed = finished(header, sums, keys, between, nodelets, &cutoffs);
    drop_redundant(&trimmed.keys, &mut trimmed.edges, tree);
    trimmed
}

/// Drops small edges and completes the header.
fn finished(mut header: Header, sums: Sums, keys: Vec<u32>, mut edges: Edges, nodelets: Nodelets, cutoffs: &Cutoffs) -> Trimmed {
    let before = edges.len();
    edges.retain(|edges, edge| edges.weight(edge) >= cutoffs.edge);
    header.dropped_edges = before - edges.len();
    let sums = sums.shown();
    header.n_shown = keys.len();
    header.shown = sums.flat_of(&keys);
    choose_unit(&mut header, &sums, &keys);
    Trimmed { header, sums, keys, edges, nodelets }
}

fn mask(keys: &[u32], tree: &CallTree) -> Vec<bool> {
    let mut kept = vec![false; tree.keys.len()];
    keys.iter().for_each(|&k| kept[k as usize] = true);
    kept
}

/// Key → its label matches.
pub(crate) fn names_that_match(tree: &CallTree, pattern: &crate::query::Pattern) -> Vec<bool> {
    tree.keys.iter().map(|r| pattern.is_match(&r.name)).collect()
}

/// Sorts by pprof's entropy score: nodes that merely pass everything on score low.
fn sort_by_interest(keys: &mut [u32], sums: &Sums, edges: &Edges, tree: &CallTree) {
    let n_keys = tree.keys.len();
    let (incoming, outgoing) = (edges.grouped(n_keys, &edges.to), edges.grouped(n_keys, &edges.from));
    let score = |k: u32| {
        let (flat, cum) = (net(sums.flat[k as usize]), net(sums.cum[k as usize]));
        let one = |group: &[u32], own: i64| match group {
            [] => 1.0,
            group => entropy(group.iter().map(|&edge| net(edges.value[edge as usize])), own),
        };
        let score = one(incoming.of(k), 0) + one(outgoing.of(k), flat);
        match score.is_nan() {
            // Go's conversion of NaN: first if it has a flat value, else last.
            true => i64::MIN.wrapping_add(flat).wrapping_abs(),
            false => ((score * cum as f64) as i64).saturating_add(flat).saturating_abs(),
        }
    };
    let name = |k: u32| tree.keys.name(k);
    let mut scored: Vec<(i64, u32)> = keys.iter().map(|&k| (score(k), k)).collect();
    scored.sort_unstable_by(|&(a, x), &(b, y)| {
        let flat = |k: u32| net(sums.flat[k as usize]).saturating_abs();
        b.cmp(&a).then_with(|| name(x).cmp(name(y))).then(flat(y).cmp(&flat(x))).then(x.cmp(&y))
    });
    for (key, (_, k)) in keys.iter_mut().zip(scored) {
        *key = k;
    }
}

/// Entropy in bits of the distribution over edges, with `own` as one more edge; NaN if a call nets to zero: pprof's formula,
/// which selects the nodes to draw.
fn entropy(edges: impl Iterator<Item = i64> + Clone, own: i64) -> f64 {
    let total = edges.clone().filter(|&w| w > 0).fold(own as f64, |sum, w| sum + w as f64);
    if total == 0.0 {
        return 0.0;
    }
    let bits = |weight: f64| {
        let share = weight.abs() / total;
        -share * libm::log2(share)
    };
    edges.map(|w| bits(w as f64)).sum::<f64>() + if own > 0 { bits(own as f64) } else { 0.0 }
}

/// Drops residual edges whose caller is reachable otherwise, lightest first, up to the first edge of each node that is not
/// residual.
fn drop_redundant(keys: &[u32], edges: &mut Edges, tree: &CallTree) {
    if !edges.residual.contains(&true) {
        return;
    }
    let name = |edge: u32| tree.keys.name(edges.from[edge as usize]);
    let incoming = edges.grouped(tree.keys.len(), &edges.to);
    let mut removed = vec![false; edges.len()];
    // Key → the last search that met it.
    let mut seen = vec![0; tree.keys.len()];
    let mut n_searches = 0;
    for &key in keys.iter().rev() {
        let mut list = incoming.of(key).to_vec();
        list.sort_unstable_by(|&a, &b| by_weight(edges, a, b).then_with(|| name(a).cmp(name(b))));
        for &edge in list.iter().rev() {
            if !edges.residual[edge as usize] {
                break;
            }
            n_searches += 1;
            removed[edge as usize] =
                reaches(edges, &incoming, &removed, edge, |key| std::mem::replace(&mut seen[key as usize], n_searches) != n_searches);
        }
    }
    edges.retain(|_, edge| !removed[edge]);
}

/// Returns whether the callee of edge `skip` is reached from its caller without it. `is_new` is true for a key once.
fn reaches(edges: &Edges, incoming: &Groups, removed: &[bool], skip: u32, mut is_new: impl FnMut(u32) -> bool) -> bool {
    let (from, to) = (edges.from[skip as usize], edges.to[skip as usize]);
    is_new(to);
    let mut queue = vec![to];
    let mut at = 0;
    while let Some(&node) = queue.get(at) {
        cancel::check();
        at += 1;
        for &edge in incoming.of(node) {
            let caller = edges.from[edge as usize];
            if edge == skip || removed[edge as usize] || !is_new(caller) {
                continue;
            }
            if caller == from {
                return true;
            }
            queue.push(caller);
        }
    }
    false
}
