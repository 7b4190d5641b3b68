//! Functions with their callers and callees.

use std::ops::Range;

use super::edges::{Edges, Groups};
use super::graph::{Trimmed, for_table, names_that_match};
use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::gross_changes;
use crate::analyze::tree::keys::text_bytes;
use crate::analyze::tree::sampling_error::SamplingError;
use crate::analyze::tree::sums::Sums;
use crate::base::cancel;
use crate::query::QueryError;
use crate::report::{PeekCalls, PeekEntries, PeekReport, Row, StoredEntry};

/// Bytes of a call in the answer, beside the texts of its rows; it is there twice.
const LINK_BYTES: usize = 160;

/// Every function that survives the cut, or those that the view's `peek` matches; at most the view's `entries`.
pub(crate) fn peek(context: &ReportContext) -> Result<PeekReport, QueryError> {
    let ReportContext { tree, totals, view, .. } = context;
    let pattern = view.cut.peek.as_ref();
    let matched = pattern.map(|pattern| names_that_match(tree, pattern));
    let most = if view.cut.entries > 0 { view.cut.entries } else { usize::MAX };
    // Keys with an entry, in order.
    let mut shown: Vec<u32> = Vec::new();
    let mut n_matched = 0;
    let Trimmed { mut header, sums, edges, .. } = for_table(context, 2 * LINK_BYTES, |keys| {
        shown = keys.iter().copied().filter(|&key| matched.as_ref().is_none_or(|matched| matched[key as usize])).collect();
        n_matched = shown.len();
        shown.truncate(most);
        let is_part = shown.len() < keys.len();
        is_part.then(|| {
            let mut mask = vec![false; tree.keys.len()];
            shown.iter().for_each(|&key| mask[key as usize] = true);
            mask
        })
    });
    match pattern {
        Some(pattern) if shown.is_empty() => return Err(QueryError::NoMatch { field: "peek", pattern: pattern.source().into() }),
        _ => {}
    }
    if shown.len() < n_matched {
        header.n_shown = shown.len();
        header.warnings.push(format!("showing the first {most} of {n_matched} functions; use a narrower regexp for the others"));
    }

    let beside = totals.companion.as_deref().map(|w| Sums::of(tree, w));
    let noise = context.noise().map(|noise| noise.by_key(tree));
    let changes = context.gross().map(|gross| gross.by_key(tree));
    let recursive = recursive(context);
    let mut rows = Rows::new(context);
    let (callers, callees) = (edges.grouped(tree.keys.len(), &edges.to), edges.grouped(tree.keys.len(), &edges.from));
    let mut link: Vec<u32> = Vec::new();
    let stored = shown.iter().map(|&key| {
        let k = key as usize;
        let companion = |of: fn(&Sums) -> &Vec<[i64; 2]>| beside.as_ref().map_or(0, |sums| of(sums)[k][0]);
        let ([flat, flat_base], [cum, cum_base]) = (sums.flat[k], sums.cum[k]);
        StoredEntry {
            row: rows.number(key),
            flat: [flat, flat_base, companion(|sums| &sums.flat)],
            cum: [cum, cum_base, companion(|sums| &sums.cum)],
            spread: noise.map(|noise| [noise.flat[k].to_report(), noise.cum[k].to_report()]),
            gross: changes.map(|changes| [gross_changes::to_report(changes.flat[k]), gross_changes::to_report(changes.cum[k])]),
            recursive: recursive[k],
            callers: links(context, &edges, &callers, &edges.from, key, &mut link),
            callees: links(context, &edges, &callees, &edges.to, key, &mut link),
        }
    });
    let stored = stored.collect();
    drop((callers, callees));
    let calls = calls(edges, &mut rows);
    Ok(PeekReport { header, entry: PeekEntries { row: rows.row, stored, link, calls } })
}

/// Appends the edges of a key, heaviest first, then by the name of the `other` end.
fn links(context: &ReportContext, edges: &Edges, groups: &Groups, other: &[u32], key: u32, link: &mut Vec<u32>) -> Range<usize> {
    let start = link.len();
    link.extend_from_slice(groups.of(key));
    let name = |edge: u32| context.tree.keys.name(other[edge as usize]);
    link[start..].sort_by(|&a, &b| edges.weight(b as usize).cmp(&edges.weight(a as usize)).then_with(|| name(a).cmp(name(b))));
    let texts = link[start..].iter().map(|&edge| text_bytes(context.tree.keys.row(other[edge as usize]))).sum();
    cancel::charge(texts);
    start..link.len()
}

/// The edges of the report: keys become rows.
fn calls(edges: Edges, rows: &mut Rows) -> PeekCalls {
    let value = if edges.has_means() { (0..edges.len()).map(|edge| edges.shown(edge)).collect() } else { edges.value };
    let [from, to] = [edges.from, edges.to].map(|mut keys| {
        keys.iter_mut().for_each(|key| *key = rows.number(*key));
        keys
    });
    PeekCalls {
        from,
        to,
        value,
        companion: edges.companion,
        spread: edges.spread.into_iter().map(SamplingError::to_report).collect(),
        gross: edges.gross.into_iter().map(gross_changes::to_report).collect(),
        inlined: edges.inlined,
    }
}

/// Rows of keys, each once.
struct Rows<'a> {
    context: &'a ReportContext<'a>,
    row: Vec<Row>,
    /// Key → number of its row; `u32::MAX`: it has none yet.
    number: Vec<u32>,
}

impl<'a> Rows<'a> {
    fn new(context: &'a ReportContext<'a>) -> Self {
        Rows { context, row: Vec::new(), number: vec![u32::MAX; context.tree.keys.len()] }
    }

    fn number(&mut self, key: u32) -> u32 {
        let number = &mut self.number[key as usize];
        if *number == u32::MAX {
            *number = self.row.len() as u32;
            self.row.push(self.context.row(key));
        }
        *number
    }
}

/// Key → whether it calls itself, directly or indirectly. O(nodes).
fn recursive(context: &ReportContext) -> Vec<bool> {
    let ReportContext { tree, totals, .. } = context;
    let mut recursive = vec![false; tree.keys.len()];
    for node in (1..tree.len()).filter(|&node| !tree.outermost[node] && totals.live[node]) {
        recursive[tree.key[node] as usize] = true;
    }
    recursive
}
