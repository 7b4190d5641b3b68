//! Rows sorted by memory.

use super::main_type::to_report as held_type;
use super::order;
use super::ratios::Ratios;
use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::gross_changes;
use crate::analyze::tree::gross_changes::Change;
use crate::analyze::tree::sampling_error::SamplingError;
use crate::analyze::tree::sums::{Sums, choose_unit};
use crate::query::{OrderBy, QueryError, Window};
use crate::report::{Header, Inlining, TopReport};

/// The table. O(nodes + rows log rows).
pub(crate) fn top(context: &ReportContext) -> Result<TopReport, QueryError> {
    let ReportContext { tree, totals, view, .. } = context;
    let companion = totals.companion.as_deref().map(|w| Sums::of(tree, w));
    let needs_ratios = |by: OrderBy| matches!(by, OrderBy::Lifetime | OrderBy::Reads | OrderBy::Writes);
    let ratios = match view.cut.ratios || view.cut.order.is_some_and(|order| needs_ratios(order.by)) {
        true => Ratios::new(context)?,
        false => Ratios::default(),
    };
    let (header, sums, mut keys) = chosen(context, |sums, keys| {
        if let Some(chosen) = view.cut.order {
            order::sort(context, keys, sums, companion.as_ref(), &ratios, chosen);
        }
    });
    let n_found = view.cut.find.as_ref().map_or(0, |pattern| order::found_first(context, &mut keys, pattern));
    let sought = (!view.cut.seek.is_empty()).then(|| order::position(context, &keys, &view.cut.seek)).flatten();
    let window = view.cut.rows.unwrap_or(Window { first: 0, count: keys.len() });
    let first = match sought {
        // As many rows before it as after it.
        Some(row) => row.saturating_sub(window.count / 2),
        None => window.first,
    };
    let first = first.min(keys.len());
    let before = keys[..first].to_vec();
    let keys = &keys[first..keys.len().min(first.saturating_add(window.count))];
    let inlining = totals.table.inlining.get_or_init(|| inlining(context));
    let column = |of: &[[i64; 2]], side: usize| keys.iter().map(|&k| of[k as usize][side]).collect::<Vec<_>>();
    let type_of = |key: u32| held_type(context.packages.types(context.profile), order::main_type(context)[key as usize]);
    let base = |of: &[[i64; 2]]| if totals.has_base { column(of, 1) } else { Vec::new() };
    let noise = context.noise().map(|noise| noise.by_key(tree));
    let gross = context.gross().map(|gross| gross.by_key(tree));
    let spreads = |of: &[SamplingError]| keys.iter().map(|&k| of[k as usize].to_report()).collect();
    let changes = |of: &[Change]| keys.iter().map(|&k| gross_changes::to_report(of[k as usize])).collect();
    let ratio = |of_key: &[f64]| match view.cut.ratios && !of_key.is_empty() {
        true => keys.iter().map(|&k| of_key[k as usize]).collect(),
        false => Vec::new(),
    };
    Ok(TopReport {
        header,
        row: keys.iter().map(|&k| context.row(k)).collect(),
        flat: column(&sums.flat, 0),
        cum: column(&sums.cum, 0),
        flat_base: base(&sums.flat),
        cum_base: base(&sums.cum),
        inlining: keys.iter().map(|&k| inlining[k as usize]).collect(),
        flat_companion: companion.as_ref().map_or(Vec::new(), |c| column(&c.flat, 0)),
        cum_companion: companion.as_ref().map_or(Vec::new(), |c| column(&c.cum, 0)),
        flat_spread: noise.map_or(Vec::new(), |noise| spreads(&noise.flat)),
        cum_spread: noise.map_or(Vec::new(), |noise| spreads(&noise.cum)),
        flat_gross: gross.map_or(Vec::new(), |gross| changes(&gross.flat)),
        cum_gross: gross.map_or(Vec::new(), |gross| changes(&gross.cum)),
        held: if view.cut.with_type { keys.iter().map(|&k| type_of(k)).collect() } else { Vec::new() },
        mean_size: ratio(&ratios.size),
        mean_lifetime: ratio(&ratios.lifetime),
        reads_per_byte: ratio(&ratios.reads),
        writes_per_byte: ratio(&ratios.writes),
        lifetime_unit: if view.cut.ratios { ratios.lifetime_unit } else { String::new() },
        offset: first,
        n_found,
        sum_before: sums.flat_of(&before),
        sought,
    })
}

/// The keys that the table shows, in pprof's order.
pub(crate) fn ranked(context: &ReportContext) -> (Header, Sums, Vec<u32>) {
    chosen(context, |_, _| {})
}

/// Like [`top`], after `reorder` changed the order.
fn chosen(context: &ReportContext, reorder: impl FnOnce(&Sums, &mut Vec<u32>)) -> (Header, Sums, Vec<u32>) {
    let ReportContext { tree, view, totals, .. } = context;
    let sums = Sums::new(context);
    let mut header = context.header();
    let (mut keys, _) = sums.large(view, &mut header);
    let keys = totals.table.sorted(&view.cut, || {
        sums.sort(&mut keys, tree, view.cut.by_cum);
        match view.nodecount() {
            0 => {}
            most => keys.truncate(most),
        }
        reorder(&sums, &mut keys);
        keys
    });
    let sums = sums.shown();
    header.n_shown = keys.len();
    header.shown = sums.flat_of(&keys);
    choose_unit(&mut header, &sums, &keys);
    (header, sums, keys)
}

/// Key → how it is called. Without callers: called.
fn inlining(context: &ReportContext) -> Vec<Inlining> {
    let ReportContext { tree, totals, .. } = context;
    let mut seen = vec![[false; 2]; tree.keys.len()];
    for node in 1..tree.len() {
        if tree.parent[node] != 0 && totals.live[node] {
            seen[tree.key[node] as usize][usize::from(tree.inlined[node])] = true;
        }
    }
    seen.into_iter()
        .map(|[called, inlined]| match (called, inlined) {
            (true, true) => Inlining::Partial,
            (false, true) => Inlining::Inline,
            _ => Inlining::None,
        })
        .collect()
}
