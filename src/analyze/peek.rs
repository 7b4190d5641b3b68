//! Functions between their callers and callees.

use super::Answer;
use super::edges::Edge;
use super::graph::{Trimmed, for_table, names_that_match};
use super::gross::{self, Change};
use super::noise::Spreads;
use super::sums::{ByKey, Sums};
use crate::hash::HashMap;
use crate::pair::net;
use crate::query::QueryError;
use crate::report::{PeekEntry, PeekLink, PeekReport};

/// Every function that survives the cut, or those that the view's `peek` matches.
pub(super) fn peek(answer: &Answer) -> Result<PeekReport, QueryError> {
    let Trimmed { header, sums, keys, edges, .. } = for_table(answer);
    let matched = answer.view.cut.peek.as_ref().map(|p| (p, names_that_match(answer.shape, p)));
    let mut callers: HashMap<u32, Vec<&Edge>> = HashMap::default();
    let mut callees: HashMap<u32, Vec<&Edge>> = HashMap::default();
    for edge in &edges {
        callers.entry(edge.to).or_default().push(edge);
        callees.entry(edge.from).or_default().push(edge);
    }
    let links = |edges: Option<&Vec<&Edge>>, other: fn(&Edge) -> u32| {
        let mut edges: Vec<&Edge> = edges.into_iter().flatten().copied().collect();
        let weight = |e: &Edge| net(e.value).saturating_abs();
        let name = |e: &Edge| answer.shape.keys.name(other(e));
        edges.sort_by(|a, b| weight(b).cmp(&weight(a)).then_with(|| name(a).cmp(name(b))));
        let link = |e: &Edge| {
            let [value, base] = e.shown();
            PeekLink {
                row: answer.row(other(e)),
                value,
                base,
                companion: e.companion(),
                spread: e.spread().map(Spreads::told),
                gross: e.gross().map(gross::told),
                inlined: e.inlined,
            }
        };
        edges.into_iter().map(link).collect::<Vec<_>>()
    };
    let beside = answer.weights.companion.as_deref().map(|w| Sums::of(answer.shape, w));
    let companion = |of: fn(&Sums) -> &Vec<[i64; 2]>, k: u32| beside.as_ref().map_or(0, |sums| of(sums)[k as usize][0]);
    let noise = answer.noise().map(|noise| noise.by_key(answer.shape));
    let spread = |of: fn(&ByKey<Spreads>) -> &Vec<Spreads>, k: u32| noise.map(|noise| of(noise)[k as usize].told());
    let changes = answer.gross().map(|gross| gross.by_key(answer.shape));
    let change = |of: fn(&ByKey<Change>) -> &Vec<Change>, k: u32| changes.map(|changes| gross::told(of(changes)[k as usize]));
    let recursive = recursive(answer);
    let entry: Vec<PeekEntry> = keys
        .iter()
        .filter(|&&k| matched.as_ref().is_none_or(|(_, m)| m[k as usize]))
        .map(|&k| {
            let ([flat, flat_base], [cum, cum_base]) = (sums.flat[k as usize], sums.cum[k as usize]);
            PeekEntry {
                row: answer.row(k),
                flat,
                cum,
                flat_base,
                cum_base,
                flat_companion: companion(|c| &c.flat, k),
                cum_companion: companion(|c| &c.cum, k),
                flat_spread: spread(|of| &of.flat, k),
                cum_spread: spread(|of| &of.cum, k),
                flat_gross: change(|of| &of.flat, k),
                cum_gross: change(|of| &of.cum, k),
                recursive: recursive[k as usize],
                callers: links(callers.get(&k), |e| e.from),
                callees: links(callees.get(&k), |e| e.to),
            }
        })
        .collect();
    match matched {
        Some((pattern, _)) if entry.is_empty() => Err(QueryError::NoMatch { field: "peek", pattern: pattern.source().into() }),
        _ => Ok(PeekReport { header, entry }),
    }
}

/// Key → it is called by itself, directly or through others. O(nodes).
fn recursive(answer: &Answer) -> Vec<bool> {
    let Answer { shape, weights, .. } = answer;
    let mut recursive = vec![false; shape.keys.len()];
    for node in (1..shape.len()).filter(|&node| !shape.outermost[node] && weights.live[node]) {
        recursive[shape.key[node] as usize] = true;
    }
    recursive
}
