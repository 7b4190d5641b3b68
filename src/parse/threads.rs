//! Shares a stack's sum out to its threads.
//!
//! Each row was un-sampled by itself; together they miss the un-sampled sum by
//! rounding, or by more where the threads' mean sizes differ. Totals come from the
//! sum, so the rows must give way.

/// Makes `shares` add up to `total`, column by column. A difference that rounding
/// explains (at most one for each share) goes to the largest share; a larger one is
/// spread in proportion, so that no share becomes negative (pprof's totals add up
/// absolute values). Returns what no share can take, because all are 0. O(shares).
pub(super) fn share_out<const N: usize>(total: [i64; N], shares: &mut [[i64; N]]) -> [i64; N] {
    let rounding = shares.len() as u64;
    std::array::from_fn(|column| {
        let total = total[column];
        let mut sum = sum_of(column, shares);
        if sum.abs_diff(total) > rounding {
            if sum == 0 || shares.iter().any(|s| s[column] != 0 && (s[column] < 0) != (total < 0)) {
                return total.saturating_sub(sum);
            }
            for share in &mut *shares {
                let part = i128::from(share[column]) * i128::from(total) / i128::from(sum);
                share[column] = i64::try_from(part).unwrap_or(total);
            }
            sum = sum_of(column, shares);
        }
        let rest = total.saturating_sub(sum);
        match shares.iter_mut().max_by_key(|s| s[column].unsigned_abs()) {
            Some(largest) => {
                largest[column] = largest[column].saturating_add(rest);
                0
            }
            None => rest,
        }
    })
}

fn sum_of<const N: usize>(column: usize, shares: &[[i64; N]]) -> i64 {
    shares.iter().fold(0, |sum: i64, s| sum.saturating_add(s[column]))
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
    fn more_than_rounding_is_spread() {
        let mut shares = [[10, 100], [30, 0]];
        assert_eq!(share_out([50, 33], &mut shares), [0, 0]);
        assert_eq!(shares, [[12, 33], [38, 0]]);
    }

    #[test]
    fn what_no_share_can_take_is_returned() {
        assert_eq!(share_out([7, 0], &mut []), [7, 0]);
        let mut shares = [[0], [0]];
        assert_eq!(share_out([7], &mut shares), [7]);
        let mut shares = [[-5], [9]];
        assert_eq!(share_out([100], &mut shares), [96]);
        assert_eq!(shares, [[-5], [9]]);
    }

    #[test]
    fn absurd_numbers_do_not_overflow() {
        let mut shares = [[i64::MAX], [i64::MAX], [1]];
        assert_eq!(share_out([i64::MAX - 9], &mut shares), [0]);
        let mut shares = [[i64::MIN], [i64::MIN]];
        share_out([i64::MAX], &mut shares);
    }
}
