//! Sampling error of the numbers of a sampled profile.
//!
//! An allocation of `s` bytes is sampled with probability `p = 1 − e^(−s/R)`, where `R` is the mean distance between samples in
//! bytes, and represents `1/p` allocations of its size. A row un-sampled to `O` objects of `s = B/O` bytes is therefore based on
//! `n = O·p` samples; the variance of its objects is `O·(1−p)/p`, of its bytes `B·s·(1−p)/p`. Rows are independent, so variances
//! add up over rows and dumps. Only `R` must be known about the sampling.
//!
//! Approximations:
//! - A row of mixed sizes is treated as one of its mean size. Far below `R` sizes do not matter (the variance is `B·R`), far
//!   above it there is hardly any error; between them the error of a mixed row may be off by some ten per cent.
//! - The variance is itself estimated from the samples: below ten of them it means little more than "few".
//! - In two dumps of one process, objects that stay alive are the same samples. A row that is equal in both to the last digit is
//!   taken for such and adds nothing to the error of a difference; all others add the variances of both sides, which is an upper
//!   bound.
//! - The sum of several dumps of one process counts one sample several times: its true error is larger than reported.

use std::sync::OnceLock;

use super::chosen::{Chosen, companion};
use super::sampling_error::{SamplingError, SamplingErrors};
use crate::analyze::tree::call_tree::CallTree;
use crate::analyze::tree::totals::TreeTotals;
use crate::base::units;
use crate::profile::Profile;
use crate::query::View;

/// Sampling statistics of a number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Noise {
    /// Allocations that were seen.
    pub(crate) samples: f64,
    /// Square of the standard error, in the number's own unit.
    pub(crate) variance: f64,
}

/// Sampling of one value type in one dump.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampling {
    /// The value type that counts objects: index into the profile's.
    pub(crate) objects: usize,
    /// The one that weighs them.
    pub(crate) bytes: usize,
    /// Whether the value type is bytes (otherwise objects).
    is_bytes: bool,
    /// Mean distance of samples, in the unit of `bytes`.
    distance: f64,
}

impl Sampling {
    /// `None` if every allocation is recorded, if the period is unknown, and for value types other than objects and bytes or
    /// without the other one.
    pub(crate) fn of(profile: &Profile, dump: usize, value_type: usize) -> Option<Self> {
        let (types, period) = (profile.value_types(), profile.dumps()[dump].period);
        let other = companion(profile, value_type).filter(|_| period > 1)?;
        let is_bytes = types[value_type].kind.ends_with("space");
        let (objects, bytes) = if is_bytes { (other, value_type) } else { (value_type, other) };
        let unit = units::factor(&types[bytes].unit.to_lowercase(), "bytes")?;
        Some(Sampling { objects, bytes, is_bytes, distance: period as f64 / unit })
    }

    /// Variance of a row, or of any set of objects of one size. Without objects or bytes it is unknown.
    pub(crate) fn noise(&self, objects: i64, bytes: i64) -> Noise {
        if objects == 0 || bytes == 0 {
            return Noise::default();
        }
        let (objects, bytes) = ((objects as f64).abs(), (bytes as f64).abs());
        let size = bytes / objects;
        // (1 − p)/p is 1/(e^(s/R) − 1).
        let scaled_objects = objects / libm::expm1(size / self.distance);
        Noise {
            samples: objects * -libm::expm1(-size / self.distance),
            variance: if self.is_bytes { size * size * scaled_objects } else { scaled_objects },
        }
    }
}

impl SamplingErrors {
    /// Of the numbers that `totals` has on `tree`, which were made for `view`. `None` where nothing is sampled,
    /// and of means. O(dumps × rows + nodes).
    pub(crate) fn new(profile: &Profile, tree: &CallTree, totals: &TreeTotals, view: &View) -> Option<Self> {
        let row = rows(profile, totals, view, totals.value_type?)?;
        let mut noises = SamplingErrors { row, cum: Vec::new(), by_key: OnceLock::new() };
        noises.cum = noises.own(tree);
        for node in (1..tree.len()).rev() {
            let below = noises.cum[node];
            noises.cum[tree.parent[node] as usize].add(below);
        }
        Some(noises)
    }
}

impl TreeTotals {
    /// Sampling errors; `None` if every allocation was recorded or the period is unknown. `view` must be the view of these
    /// totals.
    pub(crate) fn noise(&self, profile: &Profile, tree: &CallTree, view: &View) -> Option<&SamplingErrors> {
        self.noise.get_or_init(|| SamplingErrors::new(profile, tree, self, view)).as_ref()
    }
}

/// Row → how sure its number of this value type is, where filters keep it. `None` where nothing is sampled.
pub(crate) fn rows(profile: &Profile, totals: &TreeTotals, view: &View, value_type: usize) -> Option<Vec<SamplingError>> {
    if view.weight.mean {
        return None;
    }
    let chosen = Chosen::new(profile, &view.weight).ok()?;
    let sides = [&chosen.value, &chosen.base];
    let sampling = |dump: usize| Sampling::of(profile, dump, value_type);
    let first = sides.into_iter().flatten().find_map(|&dump| sampling(dump))?;
    let n = profile.samples().len();
    let mut rows = vec![SamplingError::default(); n];
    let factor = if view.weight.normalize { chosen.rows(profile, value_type, true).1 } else { 1.0 };
    for (side, dumps) in sides.into_iter().enumerate() {
        for (&dump, sampling) in dumps.iter().filter_map(|dump| Some((dump, sampling(*dump)?))) {
            let [objects, bytes] = [sampling.objects, sampling.bytes].map(|of| profile.values(dump, of));
            for (i, row) in rows.iter_mut().enumerate().filter(|(i, _)| totals.kept[*i]) {
                let Noise { samples, variance } = sampling.noise(objects[i], bytes[i]);
                row.samples[side] += samples;
                match side {
                    0 => (row.value, row.change) = (row.value + variance * factor * factor, row.change + variance * factor * factor),
                    _ => row.change += variance,
                }
            }
        }
    }
    if !chosen.base.is_empty() && factor == 1.0 {
        // Objects that live on are the same samples.
        let mut lives = vec![true; n];
        for value_type in [first.objects, first.bytes] {
            let (both, _) = chosen.rows(profile, value_type, false);
            lives.iter_mut().zip(both.iter()).for_each(|(lives, row)| *lives &= row[0] == row[1]);
        }
        rows.iter_mut().zip(lives).filter(|(_, lives)| *lives).for_each(|(row, _)| row.change = 0.0);
    }
    Some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Portable random numbers (xorshift, Marsaglia 2003) between 0 and 1, both exclusive.
    struct Dice(u64);

    impl Dice {
        fn throw(&mut self) -> f64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            ((self.0 >> 11) as f64 + 0.5) / (1u64 << 53) as f64
        }

        /// Number of hits in `n` trials with probability `p`, drawn from hit to hit.
        fn seen(&mut self, n: u64, p: f64) -> u64 {
            let (mut seen, mut at) = (0, 0.0);
            loop {
                at += 1.0 + (self.throw().ln() / (-p).ln_1p()).floor();
                if at > n as f64 {
                    return seen;
                }
                seen += 1;
            }
        }
    }

    const DISTANCE: f64 = 4096.0;

    /// Heaps of rows of mixed sizes, sampled and un-sampled row by row as parsers do it: how often in 2000 the
    /// truth is within 1.96 standard errors, of a thousand.
    fn coverage(rows: &[&[(u64, u64)]], is_bytes: bool) -> u32 {
        let sampling = Sampling { objects: 0, bytes: 1, is_bytes, distance: DISTANCE };
        let truth: u64 = rows.iter().flat_map(|row| row.iter()).map(|(n, size)| if is_bytes { n * size } else { *n }).sum();
        let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
        let inside = (0..2000).filter(|_| {
            let (mut sum, mut variance) = (0.0, 0.0);
            for row in rows {
                let (mut objects, mut bytes) = (0, 0);
                for &(n, size) in *row {
                    let seen = dice.seen(n, -(-(size as f64) / DISTANCE).exp_m1());
                    (objects, bytes) = (objects + seen, bytes + seen * size);
                }
                if objects == 0 {
                    continue;
                }
                let scale = 1.0 / -(-(bytes as f64 / objects as f64) / DISTANCE).exp_m1();
                let (objects, bytes) = ((objects as f64 * scale).round() as i64, (bytes as f64 * scale).round() as i64);
                sum += if is_bytes { bytes } else { objects } as f64;
                variance += sampling.noise(objects, bytes).variance;
            }
            (sum - truth as f64).abs() <= 1.96 * variance.sqrt()
        });
        inside.count() as u32 / 2
    }

    #[test]
    fn the_truth_is_within_the_stated_error_in_nineteen_of_twenty_heaps() {
        let small: &[(u64, u64)] = &[(20_000, 16)];
        let middle: &[(u64, u64)] = &[(900, 2048)];
        let large: &[(u64, u64)] = &[(300, 8192)];
        for rows in [&[small][..], &[middle], &[large], &[small, middle, large, small]] {
            for is_bytes in [true, false] {
                let inside = coverage(rows, is_bytes);
                assert!((930..=970).contains(&inside), "{inside} of 1000, {rows:?}, bytes: {is_bytes}");
            }
        }
    }

    #[test]
    fn samples_are_what_the_profiler_saw() {
        let sampling = Sampling { objects: 0, bytes: 1, is_bytes: true, distance: 524_288.0 };
        // Three samples of 100 bytes, un-sampled.
        let noise = sampling.noise(15730, 1_573_014);
        assert_eq!(noise.samples.round(), 3.0);
        // With three samples the estimate is within √3 of 3.
        assert!((noise.variance.sqrt() / 1_573_014.0 - 3f64.sqrt().recip()).abs() < 1e-3, "{noise:?}");
        // Allocations far larger than the period are always sampled.
        assert!(sampling.noise(1, 1 << 30).variance < 1e-9);
        assert_eq!(sampling.noise(0, 5), Noise::default());
    }

    #[test]
    fn a_difference_is_noise_up_to_twice_its_error() {
        let spreads = SamplingError { change: 100.0, ..SamplingError::default() };
        assert!(spreads.hides([119, 100]) && spreads.hides([100, 119]));
        assert!(!spreads.hides([120, 100]) && !spreads.hides([7, 7]));
    }
}
