//! Container type of most of a row's memory.

use super::totals::Totals;
use crate::analyze::reports::context::ReportContext;
use crate::attribution::types::{Types, UNKNOWN};
use crate::base::hash::HashMap;
use crate::base::pair::plus;
use crate::report::HeldType;

/// Type → `[value, base]`.
pub(crate) type ByType = HashMap<u32, [i64; 2]>;

/// The type with most of the memory, and its amount; with a base, the type that changed most. Unknown types never count.
pub(crate) fn most(known: &Types, by_type: &ByType) -> (u32, [i64; 2]) {
    let name = |of: u32| &known.name[of as usize];
    let first = by_type.iter().map(|(of, sum)| (*of, *sum)).min_by(|(a, x), (b, y)| {
        let [x, y] = [x, y].map(|sum| Totals { pairs: [*sum, [0; 2]], ..Totals::default() }.size());
        y.cmp(&x).then_with(|| (*a == UNKNOWN).cmp(&(*b == UNKNOWN))).then_with(|| name(*a).cmp(name(*b)))
    });
    first.unwrap_or((UNKNOWN, [0; 2]))
}

/// Converts for reports.
pub(crate) fn to_report(known: &Types, (of, [value, base]): (u32, [i64; 2])) -> HeldType {
    let name = &known.name[of as usize];
    let short_name = if of == UNKNOWN { "" } else { &name.name };
    HeldType { name: short_name.to_owned(), full_name: name.full_name.clone(), value, base }
}

/// Key → the type of most of its flat memory, or of its cumulative memory if flat is 0, with recursion counted once. O(rows +
/// nodes × types below).
pub(crate) fn by_key(context: &ReportContext) -> Vec<(u32, [i64; 2])> {
    let ReportContext { profile, packages, tree, totals, .. } = context;
    let known = packages.types(profile);
    let mut flat: Vec<ByType> = vec![ByType::default(); tree.keys.len()];
    let mut cum = flat.clone();
    let mut below: Vec<ByType> = vec![ByType::default(); tree.len()];
    for (row, value) in totals.row.iter().enumerate().filter(|(_, value)| *value != [0; 2]) {
        let node = tree.node_of_row[row] as usize;
        if node != 0 {
            add(&mut flat[tree.key[node] as usize], known.of_row[row], value);
            add(&mut below[node], known.of_row[row], value);
        }
    }
    for node in (1..tree.len()).rev() {
        let mut node_types = std::mem::take(&mut below[node]);
        let key = tree.key[node] as usize;
        if tree.outermost[node] && flat[key].is_empty() {
            node_types.iter().for_each(|(of, sum)| add(&mut cum[key], *of, *sum));
        }
        let above = &mut below[tree.parent[node] as usize];
        // Merges the smaller into the larger.
        if above.len() < node_types.len() {
            std::mem::swap(above, &mut node_types);
        }
        node_types.into_iter().for_each(|(of, sum)| add(above, of, sum));
    }
    flat.iter().zip(&cum).map(|(flat, cum)| most(known, if flat.is_empty() { cum } else { flat })).collect()
}

/// Adds to what a type has.
pub(crate) fn add(to: &mut ByType, of: u32, sum: [i64; 2]) {
    let known = to.entry(of).or_default();
    *known = plus(*known, sum);
}
