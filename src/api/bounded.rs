//! A body that may not grow beyond a number of bytes.

use std::io::{self, Write};

use crate::base::cancel;

/// Bytes in memory, up to a bound.
pub(super) struct Bounded {
    pub(super) bytes: Vec<u8>,
    most: usize,
    /// Whether a write failed because the bound was reached.
    pub(super) is_full: bool,
}

impl Bounded {
    pub(super) fn new(most: usize) -> Self {
        Bounded { bytes: Vec::new(), most, is_full: false }
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        cancel::check();
        if self.bytes.len().saturating_add(bytes.len()) > self.most {
            self.is_full = true;
            return Err(io::Error::other("the answer is too long"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounded_body_ends_at_its_bound() {
        let mut body = Bounded::new(5);
        body.write_all(b"12345").unwrap();
        assert!(!body.is_full);
        assert!(body.write_all(b"6").is_err() && body.is_full);
    }
}
