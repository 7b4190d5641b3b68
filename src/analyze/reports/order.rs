//! Sort orders of rows: by a column, with search matches first.

use std::cmp::Ordering;

use super::main_type::by_key;
use super::ratios::Ratios;
use crate::analyze::reports::context::ReportContext;
use crate::analyze::tree::by_key::ByKey;
use crate::analyze::tree::gross_changes::Change;
use crate::analyze::tree::sums::Sums;
use crate::attribution::types::UNKNOWN;
use crate::base::pair::net;
use crate::query::{Granularity, Order, OrderBy, Pattern};

/// Sorts `keys`, which come in pprof's order: numbers largest first without their sign, text from A
/// with nothing last, equal ones by cum, then as they came. O(rows log rows).
pub(crate) fn sort(context: &ReportContext, keys: &mut Vec<u32>, sums: &Sums, companion: Option<&Sums>, ratios: &Ratios, order: Order) {
    let keys_of = &context.tree.keys;
    let size = |value: i64| value.unsigned_abs();
    let other = |of: fn(&Sums) -> &Vec<[i64; 2]>, k: usize| companion.map_or(0, |c| of(c)[k][0]);
    let gross = context.totals.gross(context.tree).map(|gross| gross.by_key(context.tree));
    let changed = |of: fn(&ByKey<Change>) -> &Vec<Change>, k: usize| gross.map_or([0; 2], |gross| of(gross)[k]);
    let number = |k: u32| -> u64 {
        let k = k as usize;
        match order.by {
            OrderBy::Flat => size(sums.flat[k][0]),
            OrderBy::Cum => size(sums.cum[k][0]),
            OrderBy::Base => size(sums.flat[k][1]),
            OrderBy::Cumbase => size(sums.cum[k][1]),
            OrderBy::Delta => size(net(sums.flat[k])),
            OrderBy::Cumdelta => size(net(sums.cum[k])),
            OrderBy::Objects => size(other(|c| &c.cum, k)),
            OrderBy::Ownobjects => size(other(|c| &c.flat, k)),
            OrderBy::Mean => mean(sums.cum[k][0], other(|c| &c.cum, k)),
            OrderBy::Lifetime => ratio(&ratios.lifetime, k),
            OrderBy::Reads => ratio(&ratios.reads, k),
            OrderBy::Writes => ratio(&ratios.writes, k),
            OrderBy::Grown => size(changed(|gross| &gross.cum, k)[0]),
            OrderBy::Shrunk => size(changed(|gross| &gross.cum, k)[1]),
            OrderBy::Owngrown => size(changed(|gross| &gross.flat, k)[0]),
            OrderBy::Ownshrunk => size(changed(|gross| &gross.flat, k)[1]),
            OrderBy::Name | OrderBy::Place | OrderBy::Package | OrderBy::Type => 0,
        }
    };
    let by_delta = matches!(order.by, OrderBy::Delta | OrderBy::Cumdelta);
    let cum = |k: u32| size(if by_delta { net(sums.cum[k as usize]) } else { sums.cum[k as usize][0] });
    let types = (order.by == OrderBy::Type).then(|| (context.packages.types(context.profile), main_type(context)));
    let type_name = |k: u32| match types.map(|(known, of_key)| (known, of_key[k as usize].0)) {
        Some((known, of)) if of != UNKNOWN => known.name[of as usize].name.as_str(),
        _ => "",
    };
    let mut ranked: Vec<(u64, u64, u32)> = keys.iter().map(|&k| (number(k), cum(k), k)).collect();
    ranked.sort_by(|a, b| {
        let (row, than) = (keys_of.row(a.2), keys_of.row(b.2));
        let found = match order.by {
            OrderBy::Name => text(&row.name, &than.name),
            OrderBy::Place => text(&row.file, &than.file).then(row.line.cmp(&than.line)),
            OrderBy::Package => text(&context.package(a.2).name, &context.package(b.2).name),
            OrderBy::Type => text(type_name(a.2), type_name(b.2)),
            _ => b.0.cmp(&a.0),
        };
        let found = found.then(b.1.cmp(&a.1));
        if order.reversed { found.reverse() } else { found }
    });
    keys.clear();
    keys.extend(ranked.into_iter().map(|(_, _, k)| k));
}

/// Key → container type of most of its memory. O(nodes × types below them) once.
pub(crate) fn main_type<'a>(context: &ReportContext<'a>) -> &'a [(u32, [i64; 2])] {
    context.totals.table.types.get_or_init(|| by_key(context))
}

/// Bytes of an object in thousandths, whichever of the two is the value: the larger of two
/// averages is the one of bytes.
fn mean(value: i64, companion: i64) -> u64 {
    let (a, b) = (value.unsigned_abs(), companion.unsigned_abs());
    let (larger, smaller) = (a.max(b), a.min(b));
    if smaller == 0 { 0 } else { (u128::from(larger) * 1000 / u128::from(smaller)).try_into().unwrap_or(u64::MAX) }
}

/// A quotient in thousandths.
fn ratio(of_key: &[f64], key: usize) -> u64 {
    of_key.get(key).map_or(0, |ratio| (ratio.abs() * 1000.0) as u64)
}

fn text(a: &str, b: &str) -> Ordering {
    match (a.is_empty(), b.is_empty()) {
        (false, false) => a.cmp(b),
        (a_empty, b_empty) => a_empty.cmp(&b_empty),
    }
}

/// Moves matching rows to the front, keeping both orders, and returns their number.
pub(crate) fn found_first(context: &ReportContext, keys: &mut Vec<u32>, pattern: &Pattern) -> usize {
    let matches = |&k: &u32| {
        let row = context.tree.keys.row(k);
        pattern.is_match(function(context, k)) || pattern.is_match(&row.file) || pattern.is_match(&row.object)
    };
    let (mut found, rest): (Vec<u32>, Vec<u32>) = keys.iter().partition(|k| matches(k));
    let n = found.len();
    found.extend(rest);
    *keys = found;
    n
}

/// Index of the row with this name or function.
pub(crate) fn position(context: &ReportContext, keys: &[u32], name: &str) -> Option<usize> {
    let by_name = keys.iter().position(|&k| context.tree.keys.name(k) == name);
    by_name.or_else(|| keys.iter().position(|&k| function(context, k) == name))
}

/// A row's function, without the address, file and line that finer granularities add to it.
fn function<'a>(context: &ReportContext<'a>, key: u32) -> &'a str {
    let ReportContext { profile, tree, view, .. } = context;
    match profile.function_of(tree.keys.frame(key)) {
        Some((_, function)) if view.granularity() != Granularity::Files => profile.text(function.name),
        _ => tree.keys.name(key),
    }
}
