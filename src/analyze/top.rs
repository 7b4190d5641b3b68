//! Rows by weight.

use super::Answer;
use super::sums::{Sums, choose_unit};
use crate::report::{Header, Inlining, TopReport};

/// The table. O(nodes + rows log rows).
pub(super) fn top(answer: &Answer) -> TopReport {
    let weights = answer.weights;
    let (header, sums, keys) = ranked(answer);
    let inlining = inlining(answer);
    let column = |of: &[[i64; 2]], side: usize| keys.iter().map(|&k| of[k as usize][side]).collect::<Vec<_>>();
    let base = |of: &[[i64; 2]]| if weights.has_base { column(of, 1) } else { Vec::new() };
    TopReport {
        header,
        row: keys.iter().map(|&k| answer.row(k)).collect(),
        flat: column(&sums.flat, 0),
        cum: column(&sums.cum, 0),
        flat_base: base(&sums.flat),
        cum_base: base(&sums.cum),
        inlining: keys.iter().map(|&k| inlining[k as usize]).collect(),
    }
}

/// The keys that the table shows, in its order.
pub(super) fn ranked(answer: &Answer) -> (Header, Sums, Vec<u32>) {
    let Answer { shape, view, .. } = answer;
    let sums = Sums::new(answer);
    let mut header = answer.header();
    let (mut keys, _) = sums.large(view, &mut header);
    sums.sort(&mut keys, shape, view.cut.by_cum);
    match view.nodecount() {
        0 => {}
        most => keys.truncate(most),
    }
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
