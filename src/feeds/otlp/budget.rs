//! Bytes that reading a request may take.

use crate::feeds::error::BadRequest;

/// Bytes that are asked for beyond what is needed now, to ask less often.
const AHEAD: u64 = 64 << 10;

/// Counts what is kept, written and decoded of one request, and reserves it: entries of the dictionary that everything refers to make
/// small requests large.
pub(super) struct Budget<'r> {
    most: u64,
    /// Bytes that may still be spent.
    left: u64,
    /// Bytes that are reserved and not spent.
    ahead: u64,
    /// Reserves so many bytes; `false`: there are none at the moment.
    reserve: &'r mut dyn FnMut(u64) -> bool,
}

impl<'r> Budget<'r> {
    pub(super) fn new(most: u64, reserve: &'r mut dyn FnMut(u64) -> bool) -> Self {
        Budget { most, left: most, ahead: 0, reserve }
    }

    pub(super) fn spend(&mut self, n: usize) -> Result<(), BadRequest> {
        let n = n as u64;
        self.left = self.left.checked_sub(n).ok_or(BadRequest::Large(self.most))?;
        if self.ahead < n {
            let wanted = n - self.ahead + AHEAD.min(self.left);
            if !(self.reserve)(wanted) {
                return Err(BadRequest::Busy);
            }
            self.ahead += wanted;
        }
        self.ahead -= n;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_reserved_than_may_be_spent() {
        let (mut n, mut calls) = (0, 0);
        let mut reserve = |of| {
            (n, calls) = (n + of, calls + 1);
            n <= 1 << 20
        };
        let mut budget = Budget::new(1 << 20, &mut reserve);
        (0..1 << 10).for_each(|_| budget.spend(1 << 10).unwrap());
        assert_eq!(budget.spend(1), Err(BadRequest::Large(1 << 20)));
        assert_eq!((n, calls), (1 << 20, 16));
        assert_eq!(Budget::new(1 << 20, &mut |_| false).spend(1), Err(BadRequest::Busy));
    }
}
