//! Our DWARF walk compared with the crate addr2line, on every function of a real binary.

use addr2line::Loader;
use heapview::profile::{Labels, Mapping, Profile, ProfileBuilder};
use heapview::symbolize::{Options, symbolize};
use object::{Object, ObjectSymbol, SymbolKind};

use crate::fixture::path;

/// Addresses in every function: its first byte, its middle, its last byte.
fn addresses(file: &str) -> Vec<u64> {
    let bytes = std::fs::read(path(file)).unwrap();
    let object = object::File::parse(&*bytes).unwrap();
    let functions = object.symbols().filter(|s| s.kind() == SymbolKind::Text && s.is_definition() && s.size() > 8);
    let mut all: Vec<u64> = functions.flat_map(|s| [s.address(), s.address() + s.size() / 2, s.address() + s.size() - 1]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A profile with one stack for each address of `file`.
fn profile(file: &str, addresses: &[u64]) -> Profile {
    let mut builder = ProfileBuilder::new(&[("inuse_space", "bytes")]);
    let name = builder.string(path(file).to_str().unwrap());
    // The addresses are the file's own.
    let mapping = builder.mapping(Mapping { file: name, limit: u64::MAX, ..Mapping::default() });
    for &address in addresses {
        let location = builder.location(Some(mapping), address, &[]);
        builder.sample(&[location], Labels::NONE, &[1]);
    }
    builder.build()
}

#[test]
fn lines_and_inlined_functions_are_the_same() {
    for file in ["testdata/bin/shop", "testdata/bin/shop-v0", "testdata/bin/kitchen", "testdata/bin/libpantry.so"] {
        let addresses = addresses(file);
        let profile = profile(file, &addresses);
        let found = symbolize(&profile, &Options::default(), &());
        let loader = Loader::new(path(file)).unwrap();
        let (mut with_lines, mut wrong) = (0, Vec::new());
        for (id, location) in profile.code().locations.enumerate() {
            let heapview_frames: Vec<(&str, i64)> =
                found.names.lines.get(&id).into_iter().flatten().map(|l| (&*l.system_name, l.line)).collect();
            let mut frames = loader.find_frames(location.address).unwrap();
            let mut addr2line_frames: Vec<(String, i64)> = Vec::new();
            while let Some(frame) = frames.next().unwrap() {
                let name = frame.function.as_ref().map_or(String::new(), |f| f.raw_name().unwrap().into_owned());
                addr2line_frames.push((name, frame.location.and_then(|l| l.line).unwrap_or(0).into()));
            }
            // Without DWARF both have the symbol or nothing.
            if addr2line_frames.iter().all(|(name, _)| name.is_empty()) {
                continue;
            }
            with_lines += 1;
            let (our_lines, their_lines): (Vec<i64>, Vec<i64>) =
                (heapview_frames.iter().map(|f| f.1).collect(), addr2line_frames.iter().map(|f| f.1).collect());
            // The outermost name is the symbol table's, which may be an alias.
            let inner = |n: usize| heapview_frames[..n].iter().map(|f| f.0).eq(addr2line_frames[..n].iter().map(|f| f.0.as_str()));
            if our_lines != their_lines || !inner(heapview_frames.len().saturating_sub(1)) {
                wrong.push(format!("{:#x}: ours {heapview_frames:?}, addr2line {addr2line_frames:?}", location.address));
            }
        }
        assert!(with_lines > 20, "{file}: only {with_lines} addresses have debug information");
        assert!(wrong.is_empty(), "{file}: {} of {with_lines} differ:\n{}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
    }
}
