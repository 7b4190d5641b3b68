//! Columns of whole numbers as bytes that gzip makes small: the lowest bytes of all numbers first, then the
//! next ones, and so on up to the last that any number needs.
//!
//! Signs are folded in (0, -1, 1, -2 … are 0, 1, 2, 3 …), so that small numbers of both signs need few bytes.
//! The reader is [`super::numbers`].

/// The sign folded in.
pub(super) fn folded(n: i64) -> u64 {
    (n << 1 ^ n >> 63) as u64
}

/// The number that was folded.
pub(super) fn unfolded(n: u64) -> i64 {
    (n >> 1) as i64 ^ -((n & 1) as i64)
}

/// Bytes that each of the numbers needs.
pub(super) fn width(folded: &[u64]) -> usize {
    let most = folded.iter().fold(0, |all, n| all | n);
    (8 - most.leading_zeros() as usize / 8).max(1)
}

/// Appends the lowest bytes of all numbers, then the next ones.
pub(super) fn push(bytes: &mut Vec<u8>, folded: &[u64]) {
    bytes.extend((0..width(folded)).flat_map(|byte| folded.iter().map(move |n| (n >> (8 * byte)) as u8)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_split_into_byte_planes() {
        let bytes = |numbers: &[i64]| {
            let mut bytes = Vec::new();
            push(&mut bytes, &numbers.iter().map(|&n| folded(n)).collect::<Vec<_>>());
            bytes
        };
        assert_eq!(bytes(&[1, -1, 300]), [2, 1, 88, 0, 0, 2]);
        assert_eq!(bytes(&[]), [] as [u8; 0]);
        assert_eq!(bytes(&[i64::MIN, i64::MAX])[..4], [255, 254, 255, 255]);
        assert!([0, -1, 300, i64::MIN, i64::MAX].iter().all(|&n| unfolded(folded(n)) == n));
    }
}
