//! Divides a stack's total among its threads.
//!
//! Each thread's row is un-sampled by itself, and so is the total. The rows differ from the total by rounding, or by more if the
//! threads' mean sizes differ. A profile's totals are sums of the stacks' totals, so the rows are adjusted.

/// Divides `total` among rows whose un-sampled values are `rows`; also returns the part of `total` that no row can take because
/// all are 0. By column.
///
/// A share has the sign of the total or is 0, so shares add up to the total in absolute
/// values, too, which is how pprof computes totals. Where rounding explains the
/// difference, a share is its row's value rounded down or up, up for those with the
/// largest fractions; else `total` is divided in proportion to the rows, again with the
/// largest remainders rounded up. O(n log n) for n rows.
pub(super) fn share_out<const N: usize>(total: [i64; N], rows: &[[f64; N]]) -> (Vec<[i64; N]>, [i64; N]) {
    let mut shares = vec![[0; N]; rows.len()];
    let rest = std::array::from_fn(|column| {
        let total = total[column];
        let sizes: Vec<f64> = rows.iter().map(|row| size(row[column], total < 0)).collect();
        let Some(divided) = divide(total.unsigned_abs(), &sizes) else { return total };
        for (share, part) in shares.iter_mut().zip(divided) {
            // No part is larger than the total.
            share[column] = 0i64.saturating_add_unsigned(part);
            if total < 0 {
                share[column] = 0i64.saturating_sub_unsigned(part);
            }
        }
        0
    });
    (shares, rest)
}

/// Absolute value of a row, in the range of `i64`; 0 when its sign is not the total's.
fn size(value: f64, is_negative: bool) -> f64 {
    let value = if is_negative { -value } else { value };
    // NaN becomes 0.
    value.max(0.0).min(i64::MAX as f64)
}

/// Whole numbers that add up to `total` and are 0 where `sizes` are less than one half;
/// nothing when `total` is not 0 and all would be.
fn divide(total: u64, sizes: &[f64]) -> Option<Vec<u64>> {
    if total == 0 {
        return Some(vec![0; sizes.len()]);
    }
    let mut parts: Vec<u64> = sizes.iter().map(|size| size.trunc() as u64).collect();
    let mut sum: u128 = parts.iter().map(|&part| u128::from(part)).sum();
    let n_parts = parts.iter().filter(|&&part| part > 0).count();
    let by_rounding = sum..=sum + n_parts as u128;
    let mut order: Vec<usize> = Vec::new();
    if by_rounding.contains(&u128::from(total)) {
        order.extend((0..sizes.len()).filter(|&i| parts[i] > 0));
        order.sort_by(|&a, &b| sizes[b].fract().total_cmp(&sizes[a].fract()).then(sizes[b].total_cmp(&sizes[a])));
    } else {
        let whole: Vec<u128> = sizes.iter().map(|size| size.round() as u128).collect();
        let all: u128 = whole.iter().sum();
        if all == 0 {
            return None;
        }
        // Both factors are at most 2⁶³.
        let products: Vec<u128> = whole.iter().map(|size| size * u128::from(total)).collect();
        parts = products.iter().map(|product| u64::try_from(product / all).unwrap_or(total)).collect();
        sum = parts.iter().map(|&part| u128::from(part)).sum();
        order.extend((0..sizes.len()).filter(|&i| !products[i].is_multiple_of(all)));
        order.sort_by(|&a, &b| (products[b] % all, whole[b]).cmp(&(products[a] % all, whole[a])));
    }
    let left = usize::try_from(u128::from(total).saturating_sub(sum)).unwrap_or(usize::MAX);
    for i in order.into_iter().take(left) {
        parts[i] += 1;
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_largest_fractions_are_rounded_up() {
        assert_eq!(share_out([61, 192], &[[10.4, 99.6], [30.3, 89.7], [20.6, 5.2]]), (vec![[10, 98], [30, 89], [21, 5]], [0, 0]));
        assert_eq!(share_out([61, 195], &[[10.4, 99.6], [30.3, 89.7], [20.6, 5.2]]).0, [[10, 100], [30, 90], [21, 5]]);
    }

    #[test]
    fn many_small_rows_do_not_charge_one() {
        let (shares, rest) = share_out([125], &[[4.6]; 27]);
        assert_eq!(rest, [0]);
        assert_eq!(shares.iter().filter(|share| **share == [5]).count(), 17);
        assert_eq!(shares.iter().filter(|share| **share == [4]).count(), 10);
    }

    #[test]
    fn more_than_rounding_is_divided_in_proportion() {
        assert_eq!(share_out([50, 33], &[[10.0, 100.0], [30.0, 0.0]]), (vec![[12, 33], [38, 0]], [0, 0]));
    }

    #[test]
    fn remainders_without_shares_are_returned() {
        assert_eq!(share_out([7, 0], &[]), (vec![], [7, 0]));
        assert_eq!(share_out([7], &[[0.0], [0.0]]), (vec![[0], [0]], [7]));
        assert_eq!(share_out([-7], &[[5.0]]), (vec![[0]], [-7]));
    }

    #[test]
    fn a_row_of_the_other_sign_gets_nothing() {
        assert_eq!(share_out([100], &[[-5.0], [9.0]]), (vec![[0], [100]], [0]));
    }

    #[test]
    fn absurd_numbers_do_not_overflow() {
        const MAX: f64 = i64::MAX as f64;
        let (shares, rest) = share_out([i64::MAX - 9], &[[MAX], [MAX], [1.0]]);
        assert_eq!((shares.iter().map(|s| i128::from(s[0])).sum::<i128>(), rest), (i128::from(i64::MAX) - 9, [0]));
        assert_eq!(share_out([i64::MIN], &[[f64::NEG_INFINITY], [f64::NAN]]), (vec![[i64::MIN], [0]], [0]));
    }

    fn row() -> impl Strategy<Value = f64> {
        prop_oneof![Just(0.0), 0.0..20.0, 1.0..1e6, -20.0..20.0, any::<f64>(), Just(f64::NAN)]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        /// Whatever the rows and however they were rounded.
        #[test]
        fn shares_keep_their_sign_and_add_up(
            rows in prop::collection::vec(row(), 0..60),
            total in prop_oneof![-500i64..500, any::<i64>()],
            near in prop::option::of(-70i64..70),
        ) {
            // Often a total that the rows nearly add up to.
            let total = near.map_or(total, |by| (rows.iter().sum::<f64>() as i64).saturating_add(by));
            let (shares, [rest]) = share_out([total], &rows.iter().map(|&row| [row]).collect::<Vec<_>>());
            let shares: Vec<i64> = shares.into_iter().map(|[share]| share).collect();
            let sum: i128 = shares.iter().map(|&share| i128::from(share)).sum();
            let absolute: u128 = shares.iter().map(|share| u128::from(share.unsigned_abs())).sum();
            prop_assert_eq!(sum + i128::from(rest), i128::from(total));
            prop_assert_eq!(absolute + u128::from(rest.unsigned_abs()), u128::from(total.unsigned_abs()));
            for (share, row) in shares.iter().zip(&rows) {
                prop_assert!(*share == 0 || (*share < 0) == (*row < 0.0), "{} of {}", share, row);
            }
            prop_assert!(rest == 0 || shares.iter().all(|share| *share == 0));
        }

        /// Rows that differ from the total by rounding only change by less than one.
        #[test]
        fn rounding_moves_no_share_by_more_than_one(rows in prop::collection::vec(1.0..1e6, 1..60)) {
            let total = rows.iter().sum::<f64>().round() as i64;
            let (shares, _) = share_out([total], &rows.iter().map(|&row| [row]).collect::<Vec<_>>());
            for ([share], row) in shares.iter().zip(&rows) {
                prop_assert!((*share as f64 - row).abs() < 1.0, "{} of {}", share, row);
            }
        }
    }
}
