//! Extent of a zstd frame (RFC 8878), found without decompressing: from block to block.

/// What there is of a frame at the start of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// Length of the frame's header and whole blocks, with the checksum if all are there; bytes.
    pub(super) length: usize,
    /// More follows that is missing.
    pub(super) is_cut: bool,
}

/// What ends a frame whose last blocks are missing: an empty last block, and room for a checksum, which is not verified. A
/// decompressor gives all it has only when a frame ends.
pub(super) const END: &[u8] = &[1, 0, 0, 0, 0, 0, 0];

/// The extent of the frame that `bytes` begins with; `None` if not even its header is there. O(blocks).
pub(super) fn extent(bytes: &[u8]) -> Option<Extent> {
    let descriptor = *bytes.get(4)?;
    let has_window = descriptor & 0x20 == 0;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content_size = match descriptor >> 6 {
        0 => usize::from(!has_window),
        power => 1 << power,
    };
    let mut at = 5 + usize::from(has_window) + dictionary + content_size;
    if bytes.len() < at {
        return None;
    }
    loop {
        let cut = Some(Extent { length: at, is_cut: true });
        let Some(header) = bytes.get(at..at + 3) else { return cut };
        let header = u32::from_le_bytes([header[0], header[1], header[2], 0]);
        let size = if header >> 1 & 3 == 1 { 1 } else { (header >> 3) as usize };
        let end = at + 3 + size;
        if bytes.len() < end {
            return cut;
        }
        if header & 1 == 1 {
            let checksum = if descriptor & 4 == 0 { 0 } else { 4 };
            return if bytes.len() < end + checksum { cut } else { Some(Extent { length: end + checksum, is_cut: false }) };
        }
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_end_where_their_last_block_does() {
        // A raw block of three bytes, and a run of seven.
        let blocks = [3 << 3, 0, 0, b'a', b'b', b'c', 7 << 3 | 2 | 1, 0, 0, b'x'];
        for (header, checksum) in [(&[0x00, 0x58][..], 0), (&[0x24, 10], 4), (&[0x43, 0x58, 1, 2, 3, 4, 5, 6], 4)] {
            let checksum = if header[0] & 4 == 0 { 0 } else { checksum };
            let mut frame = [&[0x28, 0xb5, 0x2f, 0xfd], header, &blocks].concat();
            frame.extend(vec![0; checksum]);
            let whole = frame.len();
            assert_eq!(extent(&frame), Some(Extent { length: whole, is_cut: false }));
            let start = 4 + header.len();
            for n in 0..whole {
                let want = match n {
                    _ if n < start => None,
                    _ if n < start + 6 => Some(Extent { length: start, is_cut: true }),
                    _ => Some(Extent { length: start + 6, is_cut: true }),
                };
                assert_eq!(extent(&frame[..n]), want, "{n} of {whole}");
            }
        }
    }
}
