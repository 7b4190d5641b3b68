//! Traces of Tracy, for the fuzzer and for the test that replays what it found: most changed bytes of a compressed file only damage a
//! block.

use super::parse::parse;

/// Reads `text` as the text of a trace behind its first five bytes, in stored blocks of zstd; its first byte is the number of streams.
/// Returns whether it is one.
pub(crate) fn tracy(text: &[u8]) -> bool {
    let (n_streams, text) = text.split_first().unwrap_or((&1, &[]));
    let n_streams = n_streams % 4 + 1;
    let whole = [b"tracy", text].concat();
    let mut file = [&b"tr\xfdP\x01"[..], &[n_streams]].concat();
    for (number, block) in whole.chunks(1 << 16).enumerate() {
        let header = ((block.len() as u32) << 3).to_le_bytes();
        let magic: &[u8] = if number < usize::from(n_streams) { &[0x28, 0xb5, 0x2f, 0xfd, 0, 0x38] } else { &[] };
        file.extend_from_slice(&((magic.len() + 3 + block.len()) as u32).to_le_bytes());
        [magic, &header[..3], block].iter().for_each(|part| file.extend_from_slice(part));
    }
    parse(&file)
}
