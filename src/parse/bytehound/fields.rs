//! Fields of events.

/// Longest text or list of an event, bytes; the contents of files do not count.
pub(super) const LONGEST: usize = 1 << 26;

/// The bytes of an event that are not read yet. `None` from a method: there are too few.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    pub(super) rest: &'a [u8],
    /// A length that no event has.
    pub(super) is_absurd: bool,
}

impl<'a> Fields<'a> {
    #[inline]
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(*array)
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    #[inline]
    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    #[inline]
    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A number of one to nine bytes: as many more as the first byte has leading ones, the lowest first; the rest of the first
    /// byte is above them.
    pub(super) fn varint(&mut self) -> Option<u64> {
        let first = self.u8()?;
        let n = first.leading_ones();
        let mut low = 0u64;
        for at in 0..n {
            low |= u64::from(self.u8()?) << (8 * at);
        }
        let high = if n < 8 { u64::from(first) & (0xff >> n) } else { 0 };
        Some(if n < 8 { high << (8 * n) | low } else { low })
    }

    /// So many bytes.
    pub(super) fn bytes(&mut self, length: u64) -> Option<&'a [u8]> {
        let length = usize::try_from(length).ok().filter(|length| *length <= LONGEST);
        let Some(length) = length else {
            self.is_absurd = true;
            return None;
        };
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    /// Bytes behind their number.
    pub(super) fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.u32()?;
        self.bytes(length.into())
    }

    /// Items of `size` bytes behind their number.
    pub(super) fn list(&mut self, size: u64) -> Option<&'a [u8]> {
        let n = self.u32()?;
        self.bytes(u64::from(n) * size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_any_length() {
        for (bytes, number) in [
            (&[0x7f][..], 127),
            (&[0x80, 0x80], 128),
            (&[0xc0, 0x00, 0x40], 16384),
            (&[0xbf, 0xff], 0x3fff),
            (&[0xfe, 1, 2, 3, 4, 5, 6, 7], 0x07_0605_0403_0201),
            (&[0xff, 1, 2, 3, 4, 5, 6, 7, 8], 0x0807_0605_0403_0201),
        ] {
            let mut fields = Fields { rest: bytes, is_absurd: false };
            assert_eq!((fields.varint(), fields.rest.len()), (Some(number), 0), "{bytes:x?}");
            let mut fields = Fields { rest: &bytes[..bytes.len() - 1], is_absurd: false };
            assert_eq!(fields.varint(), None);
        }
    }

    #[test]
    fn declared_lengths_are_not_trusted() {
        let mut fields = Fields { rest: &[0xff, 0xff, 0xff, 0xff, 1], is_absurd: false };
        assert_eq!((fields.list(8), fields.is_absurd), (None, true));
    }
}
