//! Events of bytehound, for the fuzzer and for the test that replays what it found: most changed bytes of a compressed file only
//! damage a chunk.

use super::parse::parse;

/// Text of a chunk, bytes: events go on in the next one.
const CHUNK: usize = 500;

/// Reads `text` as events behind a header, in stored chunks. Returns whether any block was allocated.
pub(crate) fn bytehound(text: &[u8]) -> bool {
    let mut whole = Vec::new();
    // Tag, identity, times, process; words, path and machine of the program, flags, size of an address.
    whole.extend_from_slice(&[0; 4]);
    [1u64, 1, 1000, 1000, 1_700_000_000, 0].iter().for_each(|n| whole.extend_from_slice(&n.to_le_bytes()));
    whole.extend_from_slice(&9u32.to_le_bytes());
    for word in [&b"it"[..], b"/bin/it", b"x86_64"] {
        whole.extend_from_slice(&(word.len() as u32).to_le_bytes());
        whole.extend_from_slice(word);
    }
    whole.extend_from_slice(&[1, 0, 0, 0, 0, 0, 0, 0, 8]);
    whole.extend_from_slice(text);
    let mut file = Vec::new();
    for chunk in whole.chunks(CHUNK) {
        file.push(2);
        file.extend_from_slice(&(chunk.len() as u32).to_le_bytes());
        file.extend_from_slice(chunk);
    }
    parse(&file)
}
