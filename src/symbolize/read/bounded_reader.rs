//! Bounded reader of [`FileBytes`] for the `object` crate.
//!
//! A damaged header may claim a table as long as the file, which may be sparse.

use std::ops::Range;

use object::read::{ReadCache, ReadCacheOps, ReadRef};

use super::file_bytes::FileBytes;
use crate::symbolize::read::paged::MOST_AT_ONCE;

/// A file that may be read only so much.
#[derive(Debug)]
pub(crate) struct Metered<'a> {
    bytes: &'a FileBytes,
    /// Next offset.
    at: u64,
    /// Bytes that may still be read.
    left: u64,
}

impl<'a> Metered<'a> {
    /// `bytes`, to be parsed.
    pub(crate) fn of(bytes: &'a FileBytes) -> ReadCache<Self> {
        // A damaged header may name the same bytes many times: an honest one needs
        // section headers, notes and symbol tables once each.
        let left = bytes.len().saturating_mul(2).saturating_add(1 << 20).min(2 * MOST_AT_ONCE);
        ReadCache::new(Metered { bytes, at: 0, left })
    }
}

impl ReadCacheOps for Metered<'_> {
    fn len(&mut self) -> Result<u64, ()> {
        Ok(self.bytes.len())
    }

    fn seek(&mut self, pos: u64) -> Result<u64, ()> {
        self.at = pos;
        Ok(pos)
    }

    fn read(&mut self, buf: &mut [u8]) -> Result<usize, ()> {
        let n = usize::try_from(self.bytes.len().saturating_sub(self.at)).map_or(buf.len(), |left| left.min(buf.len()));
        self.read_exact(&mut buf[..n]).map(|()| n)
    }

    fn read_exact(&mut self, buf: &mut [u8]) -> Result<(), ()> {
        self.left = self.left.checked_sub(buf.len() as u64).ok_or(())?;
        let end = self.at.checked_add(buf.len() as u64).filter(|&end| end <= self.bytes.len()).ok_or(())?;
        self.bytes.fill(buf, self.at).map_err(|_| ())?;
        self.at = end;
        Ok(())
    }
}

/// Cached bytes. The cache allocates before it reads, so tables longer than valid ones are rejected here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a>(pub(crate) &'a ReadCache<Metered<'a>>);

impl<'a> ReadRef<'a> for Bytes<'a> {
    fn len(self) -> Result<u64, ()> {
        self.0.len()
    }

    fn read_bytes_at(self, offset: u64, size: u64) -> Result<&'a [u8], ()> {
        if size > MOST_AT_ONCE { Err(()) } else { self.0.read_bytes_at(offset, size) }
    }

    fn read_bytes_at_until(self, range: Range<u64>, delimiter: u8) -> Result<&'a [u8], ()> {
        self.0.read_bytes_at_until(range, delimiter)
    }
}
