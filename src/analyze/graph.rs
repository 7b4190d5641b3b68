//! The call graph, trimmed as pprof trims it (`internal/graph`, `newTrimmedGraph`).

use super::Answer;
use super::edges::{Edge, edges};
use super::nodelets::Nodelets;
use super::shape::Shape;
use super::sums::{Sums, choose_unit, share};
use crate::hash::{HashMap, HashSet};
use crate::pair::net;
use crate::report::{GraphEdges, GraphReport, GraphTag, Header};

/// Nodes and edges that survive the cut.
pub(super) struct Trimmed {
    pub(super) header: Header,
    pub(super) sums: Sums,
    /// Kept keys, sorted.
    pub(super) keys: Vec<u32>,
    pub(super) edges: Vec<Edge>,
    pub(super) nodelets: Nodelets,
}

/// A graph for a table, sorted as the view asks: callers and callees.
pub(super) fn for_table(answer: &Answer) -> Trimmed {
    trim(answer, false)
}

/// The call graph. O(nodes + edges).
pub(super) fn graph(answer: &Answer) -> GraphReport {
    let mut trimmed = trim(answer, true);
    sort_edges(&mut trimmed.edges, answer.shape);

    let number: HashMap<u32, usize> = trimmed.keys.iter().enumerate().map(|(i, &k)| (k, i)).collect();
    let has_base = answer.weights.has_base;
    let node = |k: u32| number[&k];
    let keys = &trimmed.keys;
    let column = |of: &[[i64; 2]], side: usize| keys.iter().map(|&k| of[k as usize][side]).collect::<Vec<_>>();
    let base = |of: &[[i64; 2]]| if has_base { column(of, 1) } else { Vec::new() };
    let edges = &trimmed.edges;
    let calls: HashSet<u32> = edges.iter().map(|e| e.from).collect();
    let mut tags: Vec<GraphTag> = Vec::new();
    for &key in keys {
        let before = tags.len();
        let nodelets = trimmed.nodelets.of(key, !calls.contains(&key)).into_iter();
        tags.extend(nodelets.map(|tag| GraphTag { node: node(key), under: tag.under.map(|text| before + text), ..tag }));
    }
    GraphReport {
        row: keys.iter().map(|&k| answer.row(k)).collect(),
        flat: column(&trimmed.sums.flat, 0),
        cum: column(&trimmed.sums.cum, 0),
        flat_base: base(&trimmed.sums.flat),
        cum_base: base(&trimmed.sums.cum),
        edges: GraphEdges {
            from: edges.iter().map(|e| node(e.from)).collect(),
            to: edges.iter().map(|e| node(e.to)).collect(),
            value: edges.iter().map(|e| e.shown()[0]).collect(),
            base: if has_base { edges.iter().map(|e| e.shown()[1]).collect() } else { Vec::new() },
            residual: edges.iter().map(|e| u8::from(e.residual)).collect(),
            inlined: edges.iter().map(|e| u8::from(e.inlined)).collect(),
        },
        tags,
        header: trimmed.header,
    }
}

/// Sorts by weight, then by the names of caller and callee; those that are equal stay as they come.
pub(super) fn sort_edges(edges: &mut [Edge], shape: &Shape) {
    let name = |k: u32| shape.keys.name(k);
    edges.sort_by(|a, b| by_weight(a, b).then_with(|| (name(a.from), name(a.to)).cmp(&(name(b.from), name(b.to)))));
}

fn by_weight(a: &Edge, b: &Edge) -> std::cmp::Ordering {
    net(b.value).saturating_abs().cmp(&net(a.value).saturating_abs())
}

/// `visual`: nodes are chosen by how much they tell, label values count as nodes, and
/// edges that another path makes redundant go.
fn trim(answer: &Answer, visual: bool) -> Trimmed {
    let Answer { shape, view, .. } = answer;
    let sums = Sums::new(answer);
    let mut header = answer.header();
    let (mut keys, cutoffs) = sums.large(view, &mut header);
    header.edge_cutoff = share(header.total, view.edgefraction());

    let peeked: Option<Vec<bool>> = view.cut.peek.as_ref().filter(|_| !visual).map(|p| names_that_match(shape, p));
    let wanted = |from: u32, to: u32| peeked.as_ref().is_none_or(|p| p[from as usize] || p[to as usize]);
    let mut kept = mask(&keys, shape);
    let mut between = Vec::new();
    // In a table the order needs no edges, so they are found once, at the end.
    if visual {
        between = edges(answer, &kept, wanted);
        sort_by_interest(&mut keys, &sums, &between, shape);
    } else {
        sums.sort(&mut keys, shape, view.cut.by_cum);
    }
    let most = view.nodecount();
    let mut nodelets = if visual && view.cut.nodelets { Nodelets::new(answer, &kept, cutoffs.node) } else { Nodelets::default() };
    if most > 0 {
        let most = if visual { nodelets.fit(&keys, most) } else { most };
        if most < keys.len() {
            keys.truncate(most);
            kept = mask(&keys, shape);
            if visual {
                between = edges(answer, &kept, wanted);
                sort_by_interest(&mut keys, &sums, &between, shape);
                nodelets.keep(&kept);
            }
        }
    }
    if !visual {
        between = edges(answer, &kept, wanted);
    }
    let before = between.len();
    between.retain(|e| net(e.value).saturating_abs() >= cutoffs.edge);
    header.dropped_edges = before - between.len();
    if visual {
        drop_redundant(&keys, &mut between, shape);
    }
    let sums = sums.shown();
    header.n_shown = keys.len();
    header.shown = sums.flat_of(&keys);
    choose_unit(&mut header, &sums, &keys);
    Trimmed { header, sums, keys, edges: between, nodelets }
}

fn mask(keys: &[u32], shape: &Shape) -> Vec<bool> {
    let mut kept = vec![false; shape.keys.len()];
    keys.iter().for_each(|&k| kept[k as usize] = true);
    kept
}

/// Key → its label matches.
pub(super) fn names_that_match(shape: &Shape, pattern: &crate::query::Pattern) -> Vec<bool> {
    shape.keys.iter().map(|r| pattern.is_match(&r.name)).collect()
}

/// Sorts by pprof's entropy score: what merely passes everything on tells little.
fn sort_by_interest(keys: &mut [u32], sums: &Sums, edges: &[Edge], shape: &Shape) {
    let mut incoming: HashMap<u32, Vec<i64>> = HashMap::default();
    let mut outgoing: HashMap<u32, Vec<i64>> = HashMap::default();
    for edge in edges {
        incoming.entry(edge.to).or_default().push(net(edge.value));
        outgoing.entry(edge.from).or_default().push(net(edge.value));
    }
    let score = |k: u32| {
        let (flat, cum) = (net(sums.flat[k as usize]), net(sums.cum[k as usize]));
        let one = |edges: Option<&Vec<i64>>, own: i64| edges.map_or(1.0, |e| entropy(e, own));
        let score = one(incoming.get(&k), 0) + one(outgoing.get(&k), flat);
        match score.is_nan() {
            // What Go's conversion of no number gives: first with a flat of its own, else last.
            true => i64::MIN.wrapping_add(flat).wrapping_abs(),
            false => ((score * cum as f64) as i64).saturating_add(flat).saturating_abs(),
        }
    };
    let name = |k: u32| shape.keys.name(k);
    let mut scored: Vec<(i64, u32)> = keys.iter().map(|&k| (score(k), k)).collect();
    scored.sort_unstable_by(|&(a, x), &(b, y)| {
        let flat = |k: u32| net(sums.flat[k as usize]).saturating_abs();
        b.cmp(&a).then_with(|| name(x).cmp(name(y))).then(flat(y).cmp(&flat(x))).then(x.cmp(&y))
    });
    for (key, (_, k)) in keys.iter_mut().zip(scored) {
        *key = k;
    }
}

/// Bits that say which edge a byte took, counting `own` as one more edge; not a number when a
/// call nets to zero: pprof's formula, which chooses what is drawn.
fn entropy(edges: &[i64], own: i64) -> f64 {
    let total = edges.iter().filter(|&&w| w > 0).fold(own as f64, |sum, &w| sum + w as f64);
    if total == 0.0 {
        return 0.0;
    }
    let bits = |weight: f64| {
        let share = weight.abs() / total;
        -share * share.log2()
    };
    edges.iter().map(|&w| bits(w as f64)).sum::<f64>() + if own > 0 { bits(own as f64) } else { 0.0 }
}

/// Drops residual edges whose caller is reached another way, lightest first, up to the
/// first edge of each node that is not residual.
fn drop_redundant(keys: &[u32], edges: &mut Vec<Edge>, shape: &Shape) {
    let name = |k: u32| shape.keys.name(k);
    let mut incoming: HashMap<u32, Vec<usize>> = HashMap::default();
    for (i, edge) in edges.iter().enumerate() {
        incoming.entry(edge.to).or_default().push(i);
    }
    let mut gone = vec![false; edges.len()];
    for key in keys.iter().rev() {
        let Some(list) = incoming.get(key) else { continue };
        let mut list = list.clone();
        list.sort_unstable_by(|&a, &b| by_weight(&edges[a], &edges[b]).then_with(|| name(edges[a].from).cmp(name(edges[b].from))));
        for &i in list.iter().rev() {
            if !edges[i].residual {
                break;
            }
            gone[i] = reaches(edges, &incoming, &gone, i);
        }
    }
    let mut i = 0;
    edges.retain(|_| {
        i += 1;
        !gone[i - 1]
    });
}

/// Whether the callee of edge `skip` is reached from its caller without it.
fn reaches(edges: &[Edge], incoming: &HashMap<u32, Vec<usize>>, gone: &[bool], skip: usize) -> bool {
    let Edge { from, to, .. } = edges[skip];
    let mut seen: HashSet<u32> = HashSet::from_iter([to]);
    let mut queue = vec![to];
    let mut at = 0;
    while let Some(&node) = queue.get(at) {
        at += 1;
        for &i in incoming.get(&node).map_or(&[][..], |v| v) {
            let caller = edges[i].from;
            if i == skip || gone[i] || !seen.insert(caller) {
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
