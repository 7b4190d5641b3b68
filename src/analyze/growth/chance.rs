//! Probabilities of chance results.

/// Share of a normal distribution that is further than `z` from its mean, on both sides. Error below 2e-7
/// (Abramowitz and Stegun, 26.2.17).
pub(super) fn both_tails(z: f64) -> f64 {
    let z = z.abs();
    let t = 1.0 / (1.0 + 0.231_641_9 * z);
    let polynomial = t * (0.319_381_530 + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    // 2 / √(2π)
    (0.797_884_560_802_865_4 * libm::exp(-z * z / 2.0) * polynomial).min(1.0)
}

/// Probability that `n` throws of a coin differ from half and half at least as much as `heads` heads do.
pub(super) fn coin(n: usize, heads: usize) -> f64 {
    let fewer = heads.min(n - heads);
    if 2 * fewer == n {
        return 1.0;
    }
    if n > 1000 {
        let z = (n as f64 - 2.0 * fewer as f64 - 1.0) / (n as f64).sqrt();
        return both_tails(z);
    }
    // Probability of 0 heads in `n` throws, then of 1, …
    let mut probability = 1.0;
    for _ in 0..n {
        probability /= 2.0;
    }
    let mut sum = 0.0;
    for k in 0..=fewer {
        sum += probability;
        probability = probability * (n - k) as f64 / (k + 1) as f64;
    }
    (2.0 * sum).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tails_of_the_normal_distribution() {
        for (z, share) in [(0.0, 1.0), (1.0, 0.317_310_5), (1.959_964, 0.05), (3.290_527, 0.001), (6.0, 1.973_18e-9)] {
            let found = both_tails(z);
            assert!((found - share).abs() < 2e-7 && (found / share - 1.0).abs() < 1e-2, "{z}: {found}");
            assert_eq!(both_tails(-z), found);
        }
        assert_eq!(both_tails(1e9), 0.0);
    }

    #[test]
    fn coins() {
        assert_eq!(coin(4, 4), 0.125);
        assert_eq!(coin(4, 2), 1.0);
        assert_eq!(coin(5, 2), 1.0);
        assert_eq!(coin(10, 1), 22.0 / 1024.0);
        assert!(coin(1000, 900) < 1e-100);
        assert!((coin(2000, 1060) - coin(1000, 540)).abs() < 0.01);
    }
}
