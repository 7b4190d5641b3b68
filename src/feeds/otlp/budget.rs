//! Bytes that a request may take, and that may be read for it.

use crate::feeds::error::BadRequest;

/// Bytes that are asked for beyond what is needed now, to ask less often.
const AHEAD: u64 = 64 << 10;

/// Counts what is kept and written of one request, and reserves it; and what is read again and again. Entries of the dictionary that
/// everything refers to make small requests large.
pub(super) struct Budget<'r> {
    most: u64,
    /// Bytes that may still be spent.
    left: u64,
    /// Bytes of the dictionary that may still be read.
    to_read: u64,
    /// Bytes that are reserved and not spent.
    ahead: u64,
    /// Reserves so many bytes; `false`: there are none at the moment.
    reserve: &'r mut dyn FnMut(u64) -> bool,
}

impl<'r> Budget<'r> {
    /// For a request of `length` bytes: reading it once is free.
    pub(super) fn new(length: usize, most: u64, reserve: &'r mut dyn FnMut(u64) -> bool) -> Self {
        Budget { most, left: most, to_read: length as u64 + most / 4, ahead: 0, reserve }
    }

    /// Counts bytes that are read.
    pub(super) fn read(&mut self, n: usize) -> Result<(), BadRequest> {
        self.to_read = self.to_read.checked_sub(n as u64).ok_or(BadRequest::References)?;
        Ok(())
    }

    /// Counts bytes that are kept or written.
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
        let mut budget = Budget::new(0, 1 << 20, &mut reserve);
        (0..1 << 10).for_each(|_| budget.spend(1 << 10).unwrap());
        assert_eq!(budget.spend(1), Err(BadRequest::Large(1 << 20)));
        assert_eq!((n, calls), (1 << 20, 16));
        assert_eq!(Budget::new(0, 1 << 20, &mut |_| false).spend(1), Err(BadRequest::Busy));
    }

    #[test]
    fn reading_a_request_once_is_free() {
        let mut reserve = |_| true;
        let mut budget = Budget::new(100, 40, &mut reserve);
        assert_eq!((budget.read(100), budget.read(10), budget.read(1)), (Ok(()), Ok(()), Err(BadRequest::References)));
    }
}
