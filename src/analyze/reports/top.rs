//! Rows by weight.

use super::held_types::told as told_most;
use super::order;
use crate::analyze::reports::context::Answer;
use crate::analyze::tree::change;
use crate::analyze::tree::change::Change;
use crate::analyze::tree::spreads::Spreads;
use crate::analyze::tree::sums::{Sums, choose_unit};
use crate::query::Window;
use crate::report::{Header, Inlining, TopReport};

/// The table. O(nodes + rows log rows).
pub(crate) fn top(answer: &Answer) -> TopReport {
    let Answer { shape, weights, view, .. } = answer;
    let companion = weights.companion.as_deref().map(|w| Sums::of(shape, w));
    let (header, sums, mut keys) = chosen(answer, |sums, keys| {
        if let Some(chosen) = view.cut.order {
            order::sort(answer, keys, sums, companion.as_ref(), chosen);
        }
    });
    let n_found = view.cut.find.as_ref().map_or(0, |pattern| order::found_first(answer, &mut keys, pattern));
    let sought = (!view.cut.seek.is_empty()).then(|| order::position(answer, &keys, &view.cut.seek)).flatten();
    let window = view.cut.rows.unwrap_or(Window { first: 0, count: keys.len() });
    let first = match sought {
        // As many rows before it as after it.
        Some(row) => row.saturating_sub(window.count / 2),
        None => window.first,
    };
    let first = first.min(keys.len());
    let before = keys[..first].to_vec();
    let keys = &keys[first..keys.len().min(first.saturating_add(window.count))];
    let inlining = weights.table.inlining.get_or_init(|| inlining(answer));
    let column = |of: &[[i64; 2]], side: usize| keys.iter().map(|&k| of[k as usize][side]).collect::<Vec<_>>();
    let held = |key: u32| told_most(answer.packages.types(answer.profile), order::held_types(answer)[key as usize]);
    let base = |of: &[[i64; 2]]| if weights.has_base { column(of, 1) } else { Vec::new() };
    let noise = answer.noise().map(|noise| noise.by_key(shape));
    let gross = answer.gross().map(|gross| gross.by_key(shape));
    let spreads = |of: &[Spreads]| keys.iter().map(|&k| of[k as usize].told()).collect();
    let changes = |of: &[Change]| keys.iter().map(|&k| change::told(of[k as usize])).collect();
    TopReport {
        header,
        row: keys.iter().map(|&k| answer.row(k)).collect(),
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
        held: if view.cut.with_type { keys.iter().map(|&k| held(k)).collect() } else { Vec::new() },
        offset: first,
        n_found,
        sum_before: sums.flat_of(&before),
        sought,
    }
}

/// The keys that the table shows, in pprof's order.
pub(crate) fn ranked(answer: &Answer) -> (Header, Sums, Vec<u32>) {
    chosen(answer, |_, _| {})
}

/// The same after `reorder` changed their order.
fn chosen(answer: &Answer, reorder: impl FnOnce(&Sums, &mut Vec<u32>)) -> (Header, Sums, Vec<u32>) {
    let Answer { shape, view, weights, .. } = answer;
    let sums = Sums::new(answer);
    let mut header = answer.header();
    let (mut keys, _) = sums.large(view, &mut header);
    let keys = weights.table.sorted(&view.cut, || {
        sums.sort(&mut keys, shape, view.cut.by_cum);
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

/// Key → how it came into its callers. What has no caller was called.
fn inlining(answer: &Answer) -> Vec<Inlining> {
    let Answer { shape, weights, .. } = answer;
    let mut seen = vec![[false; 2]; shape.keys.len()];
    for node in 1..shape.len() {
        if shape.parent[node] != 0 && weights.live[node] {
            seen[shape.key[node] as usize][usize::from(shape.inlined[node])] = true;
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
