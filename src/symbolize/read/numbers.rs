//! Decodes numbers: fixed size in either byte order, and LEB128 (DWARF 5, section 7.6).

/// A number of at most eight bytes.
#[inline]
pub(crate) fn fixed(bytes: &[u8], is_little: bool) -> u64 {
    let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
    if is_little { bytes.iter().rev().fold(0, add) } else { bytes.iter().fold(0, add) }
}

/// Takes an unsigned number off `bytes`; `None` when it has no end or is too large.
#[inline]
pub(crate) fn unsigned(bytes: &mut &[u8]) -> Option<u64> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    if first < 0x80 { Some(first.into()) } else { more(bytes, first & 0x7f).map(|(value, _)| value) }
}

/// Takes a signed number off `bytes`; `None` when it has no end or is too large.
#[inline]
pub(crate) fn signed(bytes: &mut &[u8]) -> Option<i64> {
    let (&first, rest) = bytes.split_first()?;
    *bytes = rest;
    let (value, n_bits) = if first < 0x80 { (first.into(), 7) } else { more(bytes, first & 0x7f)? };
    // The highest bit that is there is the sign.
    let unused = 64u32.saturating_sub(n_bits);
    Some((value << unused).cast_signed() >> unused)
}

/// Passes over a number.
#[inline]
pub(crate) fn skip(bytes: &mut &[u8]) -> Option<()> {
    let last = bytes.iter().position(|byte| *byte < 0x80)?;
    *bytes = &bytes[last + 1..];
    Some(())
}

/// Remaining bytes after the first, with the number of bits.
fn more(bytes: &mut &[u8], first: u8) -> Option<(u64, u32)> {
    let mut value = u64::from(first);
    let mut shift = 7;
    loop {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let low = u64::from(byte & 0x7f);
        if shift < 63 {
            value |= low << shift;
        } else if shift == 63 && matches!(low, 0 | 1 | 0x7f) {
            value |= low << 63;
        } else {
            return None;
        }
        shift += 7;
        if byte < 0x80 {
            return Some((value, shift.min(64)));
        }
    }
}

#[cfg(test)]
mod tests {
    use gimli::{EndianSlice, LittleEndian, Reader};
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_order_of_bytes_is_the_files() {
        assert_eq!([fixed(&[1, 2, 3], true), fixed(&[1, 2, 3], false), fixed(&[], true)], [0x03_0201, 0x01_0203, 0]);
        assert_eq!(fixed(&[0xff; 8], true), u64::MAX);
    }

    proptest! {
        #[test]
        fn numbers_are_those_that_gimli_reads(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(0x80), Just(0xff)], 0..13)) {
            let reader = EndianSlice::new(&bytes, LittleEndian);
            let (mut ours, mut theirs) = (&bytes[..], reader);
            if let Ok(value) = theirs.read_uleb128() {
                prop_assert_eq!(unsigned(&mut ours), Some(value));
                prop_assert_eq!(ours.len(), theirs.len());
            }
            let (mut ours, mut theirs) = (&bytes[..], reader);
            if let Ok(value) = theirs.read_sleb128() {
                prop_assert_eq!(signed(&mut ours), Some(value));
                prop_assert_eq!(ours.len(), theirs.len());
            }
            let (mut ours, mut theirs) = (&bytes[..], reader);
            if theirs.skip_leb128().is_ok() {
                prop_assert_eq!(skip(&mut ours), Some(()));
                prop_assert_eq!(ours.len(), theirs.len());
            }
        }
    }
}
