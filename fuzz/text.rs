//! Parts of dumps that a fuzzer hardly reaches through a whole one: memory maps, tables of names, and
//! what servers answer to questions for names.

use heapview::fetch;

use super::parse::parse;

/// `bytes` as the memory map of a heap dump with two stacks in it.
pub(crate) fn maps(bytes: &[u8]) -> bool {
    let head = b"heap profile: 2: 300 [2: 300] @ heapprofile\n1: 100 [1: 100] @ 0x401234 0x7f0000001000\n1: 200 [1: 200] @ 0x1 0xffffffffffffffff\n\nMAPPED_LIBRARIES:\n";
    parse(&[head, bytes].concat())
}

/// `bytes` as the table of names before a heap dump, and as a server's answers.
pub(crate) fn symbols(bytes: &[u8]) -> bool {
    for (address, name) in fetch::answers(bytes) {
        let _ = (address, name.len());
    }
    let _ = fetch::program(bytes);
    let heap = b"\n---\n--- heap\nheap profile: 1: 100 [1: 100] @ heapprofile\n1: 100 [1: 100] @ 0x401234 0x401300\n";
    parse(&[b"--- symbol\nbinary=/bin/x\n", bytes, heap].concat())
}
