//! Flat and cum of every key, and which keys a report keeps.

use super::Answer;
use super::shape::Shape;
use super::weigh::Weights;
use crate::pair::{net, plus, quotient};
use crate::query::View;
use crate::report::Header;
use crate::units;

/// Something of every key: of the key itself, and with all that it calls.
#[derive(Clone, Debug)]
pub(super) struct ByKey<T> {
    pub(super) flat: Vec<T>,
    pub(super) cum: Vec<T>,
}

impl<T> ByKey<T> {
    /// Values in both columns.
    pub(super) fn len(&self) -> usize {
        self.flat.capacity() + self.cum.capacity()
    }
}

impl<T: Copy + Default> ByKey<T> {
    /// Adds up what ends in nodes and what subtrees hold; recursion counts once, and the root has no key. O(nodes).
    pub(super) fn new(shape: &Shape, own: impl Iterator<Item = (usize, T)>, cum: &[T], add: impl Fn(&mut T, T)) -> Self {
        let n = shape.keys.len();
        let mut by_key = ByKey { flat: vec![T::default(); n], cum: vec![T::default(); n] };
        for (node, value) in own.filter(|(node, _)| *node != 0) {
            add(&mut by_key.flat[shape.key[node] as usize], value);
        }
        for node in (1..shape.len()).filter(|&node| shape.outermost[node]) {
            add(&mut by_key.cum[shape.key[node] as usize], cum[node]);
        }
        by_key
    }
}

/// Flat and cum by key: `[value, base]`.
pub(super) struct Sums {
    pub(super) flat: Vec<[i64; 2]>,
    pub(super) cum: Vec<[i64; 2]>,
    /// Keys that hold anything, be it only for their callees.
    pub(super) alive: Vec<u32>,
    /// Key → the larger one of what grew and what shrank of it and what it calls; empty where that is not told.
    turnover: Vec<i64>,
    /// Where means are asked for: what they are divided by before they are shown. All
    /// that is sorted and cut is sorted and cut by the sums.
    divisor: Option<Box<Sums>>,
}

impl Sums {
    /// Adds up nodes; recursion counts once. O(nodes).
    pub(super) fn new(answer: &Answer) -> Self {
        let Answer { shape, weights, view, .. } = answer;
        let mut sums = Sums::of(shape, weights);
        let net_of = |key: u32| (net(sums.flat[key as usize]), net(sums.cum[key as usize]));
        let is_negative = |(flat, cum)| flat < 0 || flat == 0 && cum < 0;
        if let Some(gross) = answer.gross() {
            let larger = |[grown, shrunk]: &[i64; 2]| (*grown).max(shrunk.saturating_neg());
            sums.turnover = gross.by_key(shape).cum.iter().map(larger).collect();
        }
        let moves = |key: u32| net_of(key) != (0, 0) || sums.turnover.get(key as usize).is_some_and(|turnover| *turnover != 0);
        let some = |&key: &u32| moves(key) && !(view.cut.drop_negative && is_negative(net_of(key)));
        sums.alive = (0..sums.flat.len() as u32).filter(some).collect();
        sums.divisor = weights.divisor.as_deref().map(|divisor| Box::new(Sums::of(shape, divisor)));
        sums
    }

    /// What is shown: sums, or the means of differences and 0.
    pub(super) fn shown(mut self) -> Self {
        if let Some(by) = self.divisor.take() {
            divide(&mut self.flat, &by.flat);
            divide(&mut self.cum, &by.cum);
        }
        self
    }

    /// Keys that hold anything, be it only for their callees.
    pub(super) fn alive(&self) -> &[u32] {
        &self.alive
    }

    /// What sums are divided by where means are asked for.
    pub(super) fn divisor(&self) -> Option<&Sums> {
        self.divisor.as_deref()
    }

    /// The same, without a choice of keys. O(nodes) once, then O(keys).
    pub(super) fn of(shape: &Shape, weights: &Weights) -> Self {
        let add = |to: &mut [i64; 2], more: [i64; 2]| *to = plus(*to, more);
        let sums = weights.table.sums.get_or_init(|| ByKey::new(shape, weights.rows(shape), &weights.cum, add));
        let ByKey { flat, cum } = sums.clone();
        Sums { flat, cum, alive: Vec::new(), turnover: Vec::new(), divisor: None }
    }

    /// The keys that are not too small for the view, with the cutoffs; `header` says what
    /// was dropped.
    pub(super) fn large(&self, view: &View, header: &mut Header) -> (Vec<u32>, Cutoffs) {
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
    pub(super) fn flat_of(&self, keys: &[u32]) -> i64 {
        keys.iter().fold(0i64, |sum, &k| sum.saturating_add(net(self.flat[k as usize])))
    }

    /// Sorts by flat or cum, then name, then the other one.
    pub(super) fn sort(&self, keys: &mut [u32], shape: &Shape, by_cum: bool) {
        let flat = |k: u32| net(self.flat[k as usize]).saturating_abs();
        let cum = |k: u32| net(self.cum[k as usize]).saturating_abs();
        let name = |k: u32| shape.keys.name(k);
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

/// What small nodes and edges are smaller than. pprof takes the share of the (signed)
/// sum of flat, but prints the share of the total.
pub(super) struct Cutoffs {
    pub(super) node: i64,
    pub(super) edge: i64,
}

impl Cutoffs {
    pub(super) fn new(flat_sum: i64, view: &View) -> Self {
        Cutoffs { node: share(flat_sum, view.nodefraction()), edge: share(flat_sum, view.edgefraction()) }
    }
}

/// That share of a sum, without its sign.
pub(super) fn share(sum: i64, fraction: f64) -> i64 {
    ((sum as f64 * fraction) as i64).saturating_abs()
}

/// Chooses one unit for a whole report, as pprof does: the smallest value's, unless that
/// is over a hundred times smaller than the total in another unit.
pub(super) fn choose_unit(header: &mut Header, sums: &Sums, keys: &[u32]) {
    if !keys.is_empty() && header.output_unit == "minimum" {
        choose(header, sums, keys, true);
    }
}

/// Chooses the smallest value's unit, for what can only write whole numbers of one unit.
pub(super) fn finest_unit(header: &mut Header, sums: &Sums, keys: &[u32]) {
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
