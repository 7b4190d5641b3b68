//! Recordings of heaptrack, for the fuzzer and for the test that replays what it found: most changed bytes of a whole file hit its
//! names or its first line.

use super::parse::parse;

/// Version and tables in front of the text: two names, two code addresses, two stacks, two kinds of blocks.
const INTERPRETED: &str = "\nX ./it\nI 1000 10\ns 7 /bin/it\ns 4 main\ni 401235 1 2\ni 401300 1 2 2 7\nt 1 0\nt 2 1\na 10 1\na 2000 2\n";
const RAW: &str = "\nx 7 /bin/it\nX ./it\nI 1000 10\nm 1 x 400000 0 1000 1000 1000\nt 401000 0\nt 401100 1\n";

/// Reads `text` as lines of a recording. Its first byte chooses between interpreted and raw recordings of each version. Returns whether
/// any block was allocated.
pub(crate) fn heaptrack(text: &[u8]) -> bool {
    let (kind, lines) = text.split_first().unwrap_or((&0, &[]));
    let tables = if kind & 1 == 0 { INTERPRETED } else { RAW };
    let version = kind >> 1 & 3;
    // Only version 3 has lengths before names.
    let tables = if version == 3 {
        tables.to_owned()
    } else {
        tables.replace("s 7 ", "s ").replace("s 4 ", "s ").replace("x 7 ", "x ").replace("m 1 ", "m ")
    };
    let mut file = format!("v 10400 {version}{tables}").into_bytes();
    file.extend_from_slice(lines);
    parse(&file)
}
