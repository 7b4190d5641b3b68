//! Classes of sizes, as wide as an allocator's: steps of 8 bytes up to 64, then four steps per doubling (80, 96, 112, 128, 160, …),
//! like jemalloc's. Rounding to a class loses at most a fifth of a size.

/// Sizes up to this are in steps of 8 bytes.
const FINE: i64 = 64;

/// Classes up to `FINE`: 0, and eight steps.
const N_FINE: usize = 9;

/// The class that a size is in; classes are numbered from the smallest.
pub(crate) fn class_of(size: i64) -> usize {
    if size <= FINE {
        return (size.max(0) as usize).div_ceil(8);
    }
    // The largest power of two below the size, then which quarter of the way to the next.
    let log = (size - 1).ilog2();
    let quarter = ((size - 1) >> (log - 2)) & 3;
    N_FINE + (log - FINE.ilog2()) as usize * 4 + quarter as usize
}

/// Smallest and largest size of a class.
pub(crate) fn bounds(class: usize) -> (i64, i64) {
    if class < N_FINE {
        let high = class as i64 * 8;
        return (if class == 0 { 0 } else { high - 7 }, high);
    }
    let (doubling, quarter) = ((class - N_FINE) / 4, (class - N_FINE) % 4);
    let start = i128::from(FINE) << doubling;
    let step = start / 4;
    let low = start + step * quarter as i128 + 1;
    let saturated = |size: i128| i64::try_from(size).unwrap_or(i64::MAX);
    (saturated(low), saturated(low + step - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_follow_each_other_and_hold_their_sizes() {
        assert_eq!((0..14).map(bounds).map(|b| b.1).collect::<Vec<_>>(), [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160]);
        for class in 0..class_of(i64::MAX) {
            let (low, high) = bounds(class);
            assert_eq!((class_of(low), class_of(high)), (class, class), "{low}..{high}");
            assert_eq!(bounds(class + 1).0, high + 1);
        }
        assert_eq!(bounds(class_of(i64::MAX)).1, i64::MAX);
    }
}
