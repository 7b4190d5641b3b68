//! Flat and cumulative values of every key, and the keys that a report keeps.

use super::by_key::ByKey;
use crate::analyze::tree::call_tree::CallTree;
use crate::analyze::tree::totals::TreeTotals;
use crate::base::pair::{net, plus, quotient};
use crate::base::units;
use crate::query::View;
use crate::report::Header;

/// Flat and cum by key: `[value, base]`.
pub(crate) struct Sums {
    pub(crate) flat: Vec<[i64; 2]>,
    pub(crate) cum: Vec<[i64; 2]>,
    /// Keys that hold anything, be it only for their callees.
    pub(crate) alive: Vec<u32>,
    /// Key → the larger of growth and shrinkage of cum; empty unless requested.
    pub(crate) turnover: Vec<i64>,
    /// Divisors, if means are requested. Sorting and cutoffs use the sums.
    pub(crate) divisor: Option<Box<Sums>>,
}

impl Sums {
    /// Displayed values: sums, or the means of differences and 0.
    pub(crate) fn shown(mut self) -> Self {
        if let Some(by) = self.divisor.take() {
            divide(&mut self.flat, &by.flat);
            divide(&mut self.cum, &by.cum);
        }
        self
    }

    /// Keys that hold anything, be it only for their callees.
    pub(crate) fn alive(&self) -> &[u32] {
        &self.alive
    }

    /// Divisors, if means are requested.
    pub(crate) fn divisor(&self) -> Option<&Sums> {
        self.divisor.as_deref()
    }

    /// Sums of all keys. O(nodes) once, then O(keys).
    pub(crate) fn of(tree: &CallTree, totals: &TreeTotals) -> Self {
        let add = |to: &mut [i64; 2], more: [i64; 2]| *to = plus(*to, more);
        let sums = totals.table.sums.get_or_init(|| ByKey::new(tree, totals.rows(tree), &totals.cum, add));
        let ByKey { flat, cum } = sums.clone();
        Sums { flat, cum, alive: Vec::new(), turnover: Vec::new(), divisor: None }
    }

    /// Keys above the cutoffs of the view; records in `header` what was dropped.
    pub(crate) fn large(&self, view: &View, header: &mut Header) -> (Vec<u32>, Cutoffs) {
        let mut keys = self.alive.clone();
        let alive = keys.len();
        let cutoffs = Cutoffs::new(self.flat_of(&keys), view);
        let turnover = |k: u32| self.turnover.get(k as usize).copied().unwrap_or(0);
        keys.retain(|&k| net(self.cum[k as usize]).saturating_abs().max(turnover(k)) >= cutoffs.node);
        header.dropped_nodes = alive - keys.len();
        header.node_cutoff = share(header.total, view.nodefraction());
        header.n_total = keys.len();
        (keys, cutoffs)
    }

    /// Sum of flat of `keys`.
    pub(crate) fn flat_of(&self, keys: &[u32]) -> i64 {
        keys.iter().fold(0i64, |sum, &k| sum.saturating_add(net(self.flat[k as usize])))
    }

    /// Sorts by flat or cum, then name, then the other one.
    pub(crate) fn sort(&self, keys: &mut [u32], tree: &CallTree, by_cum: bool) {
        let flat = |k: u32| net(self.flat[k as usize]).saturating_abs();
        let cum = |k: u32| net(self.cum[k as usize]).saturating_abs();
        let name = |k: u32| tree.keys.name(k);
        keys.sort_unstable_by(|&a, &b| {
            let first = if by_cum { cum(b).cmp(&cum(a)) } else { flat(b).cmp(&flat(a)) };
            let last = if by_cum { flat(b).cmp(&flat(a)) } else { cum(b).cmp(&cum(a)) };
            first.then_with(|| name(a).cmp(name(b))).then(last).then(a.cmp(&b))
        });
    }
}

fn divide(sums: &mut [[i64; 2]], by: &[[i64; 2]]) {
    sums.iter_mut().zip(by).for_each(|(sum, by)| *sum = [quotient(net(*sum), net(*by)), 0]);
}

/// Cutoffs for small nodes and edges. pprof computes them from the (signed) sum of flat, but prints the share of the total.
pub(crate) struct Cutoffs {
    pub(crate) node: i64,
    pub(crate) edge: i64,
}

impl Cutoffs {
    pub(crate) fn new(flat_sum: i64, view: &View) -> Self {
        Cutoffs { node: share(flat_sum, view.nodefraction()), edge: share(flat_sum, view.edgefraction()) }
    }
}

/// This fraction of a sum's magnitude.
pub(crate) fn share(sum: i64, fraction: f64) -> i64 {
    ((sum as f64 * fraction) as i64).saturating_abs()
}

/// Chooses one unit for a whole report, as pprof does: the smallest value's, unless that
/// is over a hundred times smaller than the total in another unit.
pub(crate) fn choose_unit(header: &mut Header, sums: &Sums, keys: &[u32]) {
    if !keys.is_empty() && header.output_unit == "minimum" {
        choose(header, sums, keys, true);
    }
}

/// Chooses the smallest value's unit, for what can only write whole numbers of one unit.
pub(crate) fn finest_unit(header: &mut Header, sums: &Sums, keys: &[u32]) {
    if !keys.is_empty() && ["minimum", "auto"].contains(&header.output_unit.as_str()) {
        choose(header, sums, keys, false);
    }
}

fn choose(header: &mut Header, sums: &Sums, keys: &[u32], coarsen: bool) {
    let weight = |&k: &u32| match net(sums.flat[k as usize]).saturating_abs() {
        0 => net(sums.cum[k as usize]).saturating_abs(),
        flat => flat,
    };
    let divided = |v: i64| (v as f64 / header.divide_by) as i64;
    let largest = divided(header.total);
    let smallest = keys.iter().map(weight).filter(|&w| w > 0).min().map_or(largest, divided);
    let unit_of = |value| units::scale(value, &header.unit, "minimum").1;
    let (small, large) = (unit_of(smallest), unit_of(largest));
    let near = smallest.saturating_mul(100) >= largest;
    let unit = if small == large || near || !coarsen { small } else { unit_of(smallest.saturating_mul(100)) };
    header.output_unit = if unit.is_empty() { header.unit.clone() } else { unit.to_owned() };
}
