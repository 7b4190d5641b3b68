//! Un-sampling: from sampled allocations to estimated allocations.
//!
//! An allocation of `s` bytes is sampled with probability `1 − e^(−s/R)`, where `R` is the mean distance between samples in
//! bytes. A row is scaled by the inverse of that, with its own mean size, before anything is summed: the sum of scaled rows is
//! not the scaled sum. Sources: google/pprof `profile/legacy_profile.go` (`scaleHeapSample`), jemalloc `bin/jeprof.in`
//! (`AdjustSamples`), and the comment at `prof_do_unbias` in jemalloc's `src/prof_data.c`, which makes the same formula right for
//! dumps of 5.3 and later.

/// Sampling method of the writer, with its inverse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Sampling {
    /// Every allocation is in the dump.
    None,
    /// Poisson with this mean distance, bytes; results are cut towards zero, to the
    /// bit as google/pprof computes them.
    Truncated(i64),
    /// Poisson with this mean distance, bytes; results are rounded to nearest, and
    /// small sizes do not lose digits.
    Rounded(u64),
    /// One sample per given number of bytes, as the first version of the format defines it. Only for headers without a version;
    /// jeprof's `$sampling_algorithm == 1`.
    Linear(i64),
}

/// Sampling period of a dump, bytes: 0 if every allocation is recorded.
pub(super) fn sampled_every(period: i64) -> i64 {
    if period > 1 { period } else { 0 }
}

impl Sampling {
    /// Objects and bytes before sampling, in `parts` of one (see [`super::ParseOptions`]).
    /// Rows without objects or bytes become 0, as in the sources.
    pub(super) fn undo(self, objects: i64, bytes: i64, parts: i64) -> (i64, i64) {
        let scale = match self.scale(objects, bytes) {
            Scale::None => return (objects.saturating_mul(parts), bytes.saturating_mul(parts)),
            Scale::Zero => return (0, 0),
            Scale::By(scale) => scale,
        };
        let scaled = (objects as f64 * scale * parts as f64, bytes as f64 * scale * parts as f64);
        match self {
            Sampling::Truncated(_) | Sampling::Linear(_) if parts == 1 => (scaled.0 as i64, scaled.1 as i64),
            _ => (scaled.0.round() as i64, scaled.1.round() as i64),
        }
    }

    /// [`undo`](Self::undo) before its result is rounded.
    pub(super) fn undo_unrounded(self, objects: i64, bytes: i64, parts: i64) -> (f64, f64) {
        let scale = match self.scale(objects, bytes) {
            Scale::None => 1.0,
            Scale::Zero => 0.0,
            Scale::By(scale) => scale,
        };
        (objects as f64 * scale * parts as f64, bytes as f64 * scale * parts as f64)
    }

    /// Factors for a row of `objects` and `bytes`.
    fn scale(self, objects: i64, bytes: i64) -> Scale {
        let is_empty = objects == 0 || bytes == 0;
        let mean = bytes as f64 / objects as f64;
        match self {
            Sampling::None => Scale::None,
            Sampling::Truncated(period) if period <= 1 && !is_empty => Scale::None,
            Sampling::Rounded(period) if period <= 1 => Scale::None,
            _ if is_empty => Scale::Zero,
            Sampling::Truncated(period) => Scale::By(1.0 / (1.0 - libm::exp(-mean / period as f64))),
            Sampling::Rounded(period) => Scale::By(-1.0 / libm::expm1(-mean / period as f64)),
            Sampling::Linear(period) => {
                let ratio = mean / period as f64;
                Scale::By(if ratio < 1.0 { 1.0 / ratio } else { 1.0 })
            }
        }
    }
}

/// Factor of a row.
enum Scale {
    /// The row is exact.
    None,
    /// The row counts as 0.
    Zero,
    By(f64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn go_row_of_the_format_notes() {
        assert_eq!(Sampling::Truncated(4096).undo(1840, 9_891_840, 1), (2517, 13_534_638));
        assert_eq!(Sampling::Truncated(524_288 / 2).undo(3, 300, 1), (7865, 786_582));
    }

    #[test]
    fn jemalloc_rows_of_the_format_notes() {
        assert_eq!(Sampling::Rounded(4096).undo(2041, 32_157_375, 1), (2086, 32_858_983));
        assert_eq!(Sampling::Rounded(4096).undo(460, 471_040, 1), (2080, 2_129_483));
        assert_eq!(Sampling::Rounded(1 << 30).undo(1, 81_920, 1), (13108, 1_073_782_785));
    }

    #[test]
    fn a_period_of_one_changes_nothing() {
        assert_eq!(Sampling::Truncated(1).undo(3, 300, 1), (3, 300));
        assert_eq!(Sampling::Rounded(1).undo(0, 300, 1), (0, 300));
        assert_eq!(Sampling::Truncated(0).undo(-3, -300, 1), (-3, -300));
        assert_eq!(Sampling::Truncated(512).undo(1, 0, 1), (0, 0));
    }

    #[test]
    fn tiny_objects_keep_their_digits() {
        let (objects, bytes) = Sampling::Rounded(1 << 40).undo(1, 1, 1);
        // The exact result ends in .5.
        assert_eq!((objects, bytes), ((1 << 40) + 1, (1 << 40) + 1));
    }

    #[test]
    fn absurd_numbers_saturate() {
        assert_eq!(Sampling::Truncated(i64::MAX).undo(i64::MAX, 1, 1), (i64::MAX, i64::MAX));
        assert_eq!(Sampling::Rounded(u64::MAX).undo(i64::MAX, 1, 1), (i64::MAX, i64::MAX));
        assert_eq!(Sampling::Linear(131_072).undo(1, 1, 1), (131_072, 131_072));
    }

    #[test]
    fn fractions_are_kept_in_parts() {
        assert_eq!(Sampling::Rounded(4096).undo(2041, 32_157_375, 1024), (2_135_583, 33_647_598_734));
        assert_eq!(Sampling::None.undo(3, 300, 4096), (3 * 4096, 300 * 4096));
        assert_eq!(Sampling::Rounded(1).undo(i64::MAX, 300, 2), (i64::MAX, 600));
    }
}
