//! Shares a stack's sum out to its threads.
//!
//! Each row was un-sampled by itself; together they miss the un-sampled sum by
//! rounding, or by more where the threads' mean sizes differ. Totals come from the
//! sum, so the difference must go somewhere.

/// Makes `shares` add up to `total`, column by column. A difference that rounding
/// explains (at most one for each share) goes to the largest share; a larger one is
/// returned. O(shares).
pub(super) fn share_out<const N: usize>(total: [i64; N], shares: &mut [[i64; N]]) -> [i64; N] {
    let rounding = shares.len() as u64;
    std::array::from_fn(|column| {
        let sum = shares.iter().fold(0i64, |sum, s| sum.saturating_add(s[column]));
        let rest = total[column].saturating_sub(sum);
        if rest.unsigned_abs() > rounding {
            return rest;
        }
        if let Some(largest) = shares.iter_mut().max_by_key(|s| s[column]) {
            largest[column] = largest[column].saturating_add(rest);
        }
        0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_goes_to_the_largest() {
        let mut shares = [[10, 100], [30, 90], [20, 5]];
        assert_eq!(share_out([61, 192], &mut shares), [0, 0]);
        assert_eq!(shares, [[10, 97], [31, 90], [20, 5]]);
    }

    #[test]
    fn more_than_rounding_is_returned() {
        let mut shares = [[10], [30]];
        assert_eq!(share_out([50], &mut shares), [10]);
        assert_eq!(share_out([37], &mut shares), [-3]);
        assert_eq!(shares, [[10], [30]]);
        assert_eq!(share_out([7, 0], &mut []), [7, 0]);
    }
}
