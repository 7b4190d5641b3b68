//! Ups and downs: buffers that fill and are flushed, caches that are pruned, load that comes and goes.

use super::fits::extent;

/// Whether `y` grows and falls back again and again: two falls at least, each of a third of the whole range or more,
/// on ways up and down that take several dumps. O(n).
pub(super) fn is_sawtooth(y: &[f64]) -> bool {
    let legs = legs(y);
    let of = |is_up: bool| {
        let (n, dumps) = legs.iter().filter(|leg| leg.is_up == is_up).fold((0, 0), |(n, dumps), leg| (n + 1, dumps + leg.dumps));
        (n, f64::from(dumps) / f64::from(n.max(1)))
    };
    let ((n_ups, up), (n_downs, down)) = (of(true), of(false));
    if n_ups == 0 || n_downs < 2 {
        return false;
    }
    // Slow one way and sudden the other, or slow both ways; noise turns at every other dump.
    let is_lopsided = up.max(down) >= 2.5 * up.min(down) && n_downs >= 3;
    let is_slow = (up + down) / 2.0 >= 3.0;
    (is_lopsided || is_slow) && directness(y, &legs) >= 0.7
}

/// A way up or down between two turns.
#[derive(Clone, Copy)]
struct Leg {
    is_up: bool,
    from: usize,
    dumps: u32,
}

/// The ways between turns, where what is less than a third of the range is no turn.
fn legs(y: &[f64]) -> Vec<Leg> {
    let (low, high) = extent(y);
    let turn = (high - low) / 3.0;
    let mut legs: Vec<Leg> = Vec::new();
    // Where the present leg begins, and how far it came; before there is one both ends are looked for.
    let (mut lowest, mut highest) = (0, 0);
    let mut leg: Option<(bool, usize, usize)> = None;
    for i in 1..y.len() {
        let Some((is_up, from, far)) = &mut leg else {
            lowest = if y[i] < y[lowest] { i } else { lowest };
            highest = if y[i] > y[highest] { i } else { highest };
            if y[highest] - y[lowest] >= turn {
                leg = Some((lowest < highest, lowest.min(highest), i));
            }
            continue;
        };
        let ahead = if *is_up { y[i] - y[*far] } else { y[*far] - y[i] };
        if ahead > 0.0 {
            *far = i;
        } else if -ahead >= turn {
            legs.push(Leg { is_up: *is_up, from: *from, dumps: (*far - *from) as u32 });
            (*is_up, *from, *far) = (!*is_up, *far, i);
        }
    }
    legs.extend(leg.map(|(is_up, from, far)| Leg { is_up, from, dumps: (far - from) as u32 }));
    legs
}

/// How much of all movement goes the way of its leg, 0 to 1.
fn directness(y: &[f64], legs: &[Leg]) -> f64 {
    let (mut net, mut all) = (0.0, 0.0);
    for leg in legs {
        let part = &y[leg.from..=leg.from + leg.dumps as usize];
        net += (part[part.len() - 1] - part[0]).abs();
        all += part.windows(2).map(|w| (w[1] - w[0]).abs()).sum::<f64>();
    }
    if all > 0.0 { net / all } else { 1.0 }
}
