//! The whole way from the bytes of a program to frames, for the fuzzer and for the test that
//! goes through its corpus.

use std::path::Path;

use heapview::profile::{Labels, Mapping, ProfileBuilder};
use heapview::symbolize::{Binary, Options, symbolize};

/// Addresses that are looked up at most.
const MOST: usize = 256;

/// Looks up addresses in the program with these `bytes`. `folder` is for the file. Returns how
/// many frames have names.
pub(crate) fn frames(bytes: &[u8], folder: &Path) -> usize {
    let path = folder.join("program");
    std::fs::write(&path, bytes).expect("a folder to write to");
    frames_of(&path)
}

/// The same for the program at `path`, as `heapview -top` and `-list` do it.
pub(crate) fn frames_of(path: &Path) -> usize {
    let options = Options::default();
    let Ok(binary) = Binary::open(path, &options) else { return named(path, &[0, 1, 0x1000], &options) };
    let regions = binary.regions().iter().flat_map(|r| [r.range.start, r.range.start + (r.range.end - r.range.start) / 2, r.range.end]);
    let routines = binary.routines().flat_map(|r| [r.range.start, r.range.start.wrapping_add(5), r.range.end.wrapping_sub(1)]);
    let mut addresses: Vec<u64> = regions.chain(routines).chain([0, 1, 0x1000, u64::MAX]).take(MOST).collect();
    addresses.sort_unstable();
    addresses.dedup();
    let frames = binary.frames(&addresses);
    assert_eq!(frames.len(), addresses.len());
    for &address in &addresses {
        let _ = (binary.slot(address), binary.symbol_before(address), binary.bytes(address..address.saturating_add(64)));
    }
    named(path, &addresses, &options)
}

/// The same through a profile whose addresses are the program's own.
fn named(path: &Path, addresses: &[u64], options: &Options) -> usize {
    let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
    let file = b.string(&path.to_string_lossy());
    let mapping = b.mapping(Mapping { limit: u64::MAX, file, ..Mapping::default() });
    for &address in addresses {
        let location = b.location(Some(mapping), address, &[]);
        b.sample(&[location], Labels::NONE, &[1]);
    }
    let profile = b.build();
    let symbolized = symbolize(&profile, options, &());
    let names = symbolized.names.lines.values().flatten().filter(|line| !line.name.is_empty()).count();
    assert!(profile.renamed(&symbolized.names).validate().is_ok());
    names
}
