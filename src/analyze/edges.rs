//! Who calls whom: weights of calls between keys, over keys that are not kept.

use super::Answer;
use super::gross::Change;
use super::noise::Spreads;
use super::shape::NONE;
use crate::cancel;
use crate::hash::HashMap;
use crate::pair::{net, plus, quotient};

/// A call between two keys.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) from: u32,
    pub(super) to: u32,
    /// `[value, base]`, each stack counted once.
    pub(super) value: [i64; 2],
    /// What only some reports ask for: most have a million edges without it.
    asked: Option<Box<Asked>>,
    /// Somewhere it passes over keys that are not kept.
    pub(super) residual: bool,
    /// Every call was inlined.
    pub(super) inlined: bool,
}

/// What is known of a call beside its value, where it was asked for.
#[derive(Clone, Copy, Debug)]
struct Asked {
    /// The other one of bytes and objects.
    companion: i64,
    /// Sampling error of the value.
    spread: Option<Spreads>,
    /// What of the value grew and shrank.
    gross: Option<Change>,
    /// What the value is divided by before it is shown, where means are asked for.
    divisor: Option<i64>,
}

impl Edge {
    /// What is shown: the value, or the mean of the difference and 0.
    pub(super) fn shown(&self) -> [i64; 2] {
        let divisor = self.asked.as_ref().and_then(|asked| asked.divisor);
        divisor.map_or(self.value, |by| [quotient(net(self.value), by), 0])
    }

    /// The other one of bytes and objects; 0 where it was not asked for.
    pub(super) fn companion(&self) -> i64 {
        self.asked.as_ref().map_or(0, |asked| asked.companion)
    }

    /// Sampling error of the value, where it was asked for.
    pub(super) fn spread(&self) -> Option<Spreads> {
        self.asked.as_ref()?.spread
    }

    /// What of the value grew and shrank, where it was asked for.
    pub(super) fn gross(&self) -> Option<Change> {
        self.asked.as_ref()?.gross
    }
}

/// The edges between kept keys of which `wanted(from, to)` holds. O(nodes).
pub(super) fn edges(answer: &Answer, kept: &[bool], wanted: impl Fn(u32, u32) -> bool) -> Vec<Edge> {
    let Answer { shape, weights, .. } = answer;
    let (noise, gross) = (answer.noise(), answer.gross());
    let n = shape.len();
    let asked = (noise.is_some() || gross.is_some() || weights.companion.is_some() || weights.divisor.is_some()).then(|| Asked {
        companion: 0,
        spread: noise.map(|_| Spreads::default()),
        gross: gross.map(|_| [0; 2]),
        divisor: weights.divisor.as_ref().map(|_| 0),
    });
    // Node → the nearest kept key at or above it, whether it lies further up, and in a tree
    // whether all code on the way was inlined.
    let mut nearest = vec![(NONE, false, true); n];
    let mut ids: HashMap<u64, usize> = HashMap::default();
    let mut edges: Vec<Edge> = Vec::new();
    // Edge → where the last subtree that counts it ends: below, it would count twice.
    let mut open: Vec<u32> = Vec::new();
    let mut node = 1;
    while node < n {
        cancel::check();
        // A mean counts what it is divided by, even where there is nothing to divide.
        if !weights.moved[node] && !weights.divisor.as_ref().is_some_and(|divisor| divisor.moved[node]) {
            node = shape.end[node] as usize;
            continue;
        }
        let key = shape.key[node];
        let (from, residual, above) = nearest[shape.parent[node] as usize];
        let inlined = shape.inlined[node] && (above || !shape.is_call_tree);
        if !kept[key as usize] {
            nearest[node] = (from, true, inlined);
        } else {
            nearest[node] = (key, false, true);
            if from != NONE && from != key && wanted(from, key) {
                let id = *ids.entry(u64::from(from) << 32 | u64::from(key)).or_insert(edges.len());
                if id == edges.len() {
                    edges.push(Edge { from, to: key, value: [0; 2], asked: asked.map(Box::new), residual: false, inlined: true });
                    open.push(0);
                }
                if node as u32 >= open[id] {
                    open[id] = shape.end[node];
                    let edge = &mut edges[id];
                    let cum = weights.cum[node];
                    edge.value = plus(edge.value, cum);
                    edge.residual |= residual;
                    edge.inlined &= inlined;
                    let Some(asked) = &mut edge.asked else {
                        node += 1;
                        continue;
                    };
                    if let Some(companion) = &weights.companion {
                        asked.companion = asked.companion.saturating_add(companion.cum[node][0]);
                    }
                    if let (Some(spread), Some(noise)) = (&mut asked.spread, noise) {
                        spread.add(noise.cum[node]);
                    }
                    if let (Some(change), Some(gross)) = (&mut asked.gross, gross) {
                        *change = plus(*change, gross.cum[node]);
                    }
                    if let (Some(sum), Some(divisor)) = (&mut asked.divisor, &weights.divisor) {
                        *sum = sum.saturating_add(net(divisor.cum[node]));
                    }
                }
            }
        }
        node += 1;
    }
    edges
}
