//! Queries and profiles for tests of everything that must answer like a session.

use heapview::analyze::match_builds;
use heapview::parse::{ParseOptions, parse};
use heapview::profile::{Function, Labels, Line, Mapping, Profile, ProfileBuilder, merge};

use crate::fixture::path;

/// Every option, on profiles with recursion, inlined calls, labels, differences and code without names.
pub(crate) const QUERIES: &[&str] = &[
    "explain",
    "explain?n=3&unit=kB&f=walk|wrap|serve|shop",
    "explain?base=0&dump=1",
    "explain?f=nowhere",
    "explain?f=((",
    "summary",
    "summary?n=3&si=0",
    "summary?n=0&f=walk|wrap|serve",
    "summary?n=2&base=0&dump=1",
    "summary?diff_base=0&dump=1&norm=t",
    "summary?mean=t&g=files",
    "summary?tf=bytes=1kb:&h=main&rel=t",
    "top",
    "top?sort=cum&n=12",
    "top?g=lines",
    "top?g=lines&showcolumns=t",
    "top?g=files",
    "top?g=filefunctions&nf=0.02",
    "top?g=addresses&n=9",
    "top?g=addresses&noinlines=t",
    "top?noinlines=t",
    "top?trim=f",
    "top?f=walk|push|Sprintf|Slab",
    "top?f=nowhere",
    "top?i=leaf|alloc",
    "top?i=nowhere&f=main",
    "top?h=walk|alloc|fmt",
    "top?h=nowhere",
    "top?s=walk|make|shop|main",
    "top?sf=walk|make|serve|wrap",
    "top?prune_from=walk|push|audit|wrap",
    "top?f=tree.c|fmt|src&h=main&sort=cum&g=lines",
    "top?tf=thread=a",
    "top?tf=a,load",
    "top?tf=bytes=1kb:",
    "top?ti=size=:128b",
    "top?ti=load",
    "top?tf=thread=a %26%26 size=64b,1kb: || phase=store",
    "top?tf=bytes=16b,1kb:2kb",
    "top?si=0",
    "top?si=0&mean=t",
    "top?rel=t&f=walk|wrap|serve",
    "top?divide_by=3&unit=MB",
    "top?unit=auto",
    "top?dropneg=t&base=0&dump=1",
    "top?base=0&dump=1",
    "top?diff_base=0&dump=1&norm=t",
    "top?dump=0,1&compact=t",
    "top?dump=9",
    "top?base=x",
    "top?n=many&focuss=x",
    "top?g=crumbs&zoom=1",
    "top?si=nothing",
    "top?source_path=/",
    "top?divide_by=0",
    "top?nf=1e-7&ef=0.25",
    "top?counts=t&n=7",
    "top?counts=t&order=mean",
    "top?with_type=t&n=9",
    "top?with_type=t&order=type&g=lines&n=20",
    "top?with_type=t&order=-type&base=0&dump=1&hide_kind=runtime,allocator",
    "top?type=unknown",
    "top?type=^Vec<|vector|string&n=7",
    "top?type=nothing",
    "types",
    "types?n=2&si=0",
    "types?n=0&base=0&dump=1",
    "types?kinds=main=runtime&n=4&type=.",
    "flame?type=alloc::|std::&nf=0.05",
    "top?order=-name&rows=2-5",
    "top?order=place&g=lines",
    "top?order=cumdelta&base=0&dump=1&counts=t",
    "top?order=objects&counts=t&diff_base=0&dump=1",
    "top?order=sideways",
    "top?order=package&rows=0-9",
    "top?find=walk|alloc|wrap&rows=0-4",
    "top?seek=main&rows=0-3",
    "top?seek=leaf&rows=0-3&g=lines&trim=f",
    "top?rows=5",
    "top?errors=t&gross=t&g=lines",
    "top?errors=t&gross=t&base=0&dump=1&n=12",
    "top?errors=t&gross=t&diff_base=0&dump=1&norm=t&f=shop|walk|a",
    "top?errors=t&si=0&base=0&dump=1&g=addresses",
    "top?errors=t&gross=t&mean=t&base=0&dump=1",
    "top?order=grown&base=0&dump=1",
    "top?order=-shrunk&base=0&dump=1",
    "top?order=owngrown&base=0&dump=1&h=a",
    "top?order=ownshrunk&base=0&dump=1&gross=t",
    "summary?base=0&dump=1&n=0",
    "summary?diff_base=0&dump=1&si=0&n=4",
    "peek?peek=.&n=5&errors=t&gross=t&base=0&dump=1",
    "flame?errors=t&gross=t&base=0&dump=1",
    "flame?errors=t&gross=t&base=0&dump=1&inverted=t&nf=0.02",
    "flame?open=*&errors=t&gross=t&diff_base=0&dump=1",
    "flame?open=none&errors=t&gross=t&inverted=t",
    "tree",
    "tree?sort=cum&n=4&ef=0.2",
    "peek?peek=walk|Sprintf|push|alloc",
    "peek?peek=walk|wrap|serve&g=lines&diff_base=0&dump=1",
    "peek?peek=walk|wrap&mean=t",
    "peek?peek=walk|wrap|serve&counts=t",
    "peek?peek=nowhere",
    "peek?peek=^[[]|<unknown>",
    "flame",
    "flame?inverted=t",
    "flame?g=functions&nf=0.05",
    "flame?g=lines&f=walk|wrap",
    "flame?inverted=t&h=leaf|alloc&nf=0.01",
    "flame?base=0&dump=1",
    "flame?inverted=t&diff_base=0&dump=1",
    "flame?mean=t",
    "flame?open=auto",
    "flame?open=none&inverted=t",
    "flame?open=*&base=0&dump=1&counts=t",
    "flame?open=_&inverted=t&counts=t",
    "flame?open=auto&inverted=t&nf=0.1",
    "flame?open=xyz",
    "flame?zoom=123",
    "flame?zoom=no",
    "graph",
    "graph?n=5",
    "graph?n=6&ef=0.01&nf=0.02",
    "graph?g=lines&n=12",
    "graph?call_tree=t",
    "graph?h=walk|alloc",
    "graph?ts=thread",
    "graph?th=bytes|nowhere",
    "graph?nodelets=f&base=0&dump=1",
    "graph?diff_base=0&dump=1&mean=t",
    "sizes",
    "sizes?si=0&n=2",
    "sizes?base=0&dump=1",
    "sizes?mean=t&f=walk|wrap&g=lines",
    "sizes?th=bytes",
    "summary?hk=own",
    "summary?kinds=*=third_party&h=main",
    "summary?kinds=function:*walk*=runtime,library:*shop=allocator",
    "summary?package=o|shop|main",
    "summary?blame=walk|wrap|serve&base=0&dump=1",
    "top?culprit=t",
    "top?culprit=t&h=walk|wrap|main",
    "top?culprit=t&noinlines=t&g=lines",
    "top?culprit=t&prune_from=main|serve",
    "top?culprit=t&hk=third_party,unknown&kinds=o*=runtime",
    "top?culprit=t&hk=alloc,std,async,third_party&order=delta",
    "flame?culprit=t&hk=alloc,std,async,third_party,own,unknown",
    "flame?culprit=t&hk=alloc,std,async,own&prune_from=walk|main|push",
    "graph?culprit=t&hk=alloc,std,async,third_party,own",
    "peek?peek=.&n=6&culprit=t&hk=alloc,std,async,own,unknown&base=0&dump=1",
    "top?hk=none&f=walk|wrap|serve",
    "top?hk=none,own",
    "top?hk=allocator,runtime",
    "top?hk=std,alloc,async,third_party,own,unknown",
    "top?hk=own&sf=walk|make|serve",
    "top?hk=mine",
    "top?kinds=function:*walk*=own/walkers,file:*=plumbing/files&order=package",
    "top?kinds=function:*walk*=own/walkers,file:*=plumbing/files&g=files",
    "top?kinds=a<b,c>=own,=own",
    "top?package=o|main|shop&f=main|walk",
    "top?package=nowhere&blame=nowhere",
    "top?blame=walk|push|Sprintf",
    "top?g=packages",
    "top?g=modules",
    "top?g=libraries",
    "top?g=modules&kinds=function:*walk*=own/walkers&counts=t",
    "tree?g=packages&culprit=t",
    "peek?peek=.&g=modules",
    "flame?culprit=t",
    "flame?hk=plumbing,runtime,allocator",
    "flame?g=packages&inverted=t",
    "flame?g=modules&hk=unknown",
    "graph?g=packages",
    "graph?hk=plumbing&kinds=function:*walk*=plumbing",
    "graph?call_tree=t&culprit=t",
    "sizes?culprit=t",
    "tags?package=o|main|shop",
    "tags",
    "tags?ts=size&unit=kB",
    "tags?ts=nowhere",
    "tags?f=walk|wrap",
    "tags?base=0&dump=1",
    "growth",
    "growth?by=functions&n=0",
    "growth?by=lines&si=0",
    "growth?by=files&n=3",
    "growth?by=packages",
    "growth?by=modules&kinds=function:*walk*=own/walkers",
    "growth?by=stacks&n=12",
    "growth?by=types",
    "growth?g=addresses",
    "growth?f=walk|wrap|serve|cache&limit=1MB",
    "growth?limit=3.5g&by=culprits",
    "growth?si=alloc_space&limit=1GB",
    "growth?limit=much",
    "growth?limit=1.2.3kb",
    "growth?by=crumbs",
    "growth?series=1234",
    "growth?series=78",
    "growth?series=77&by=stacks&n=0",
    "growth?dump=0,1",
    "growth?dump=0,2,5,6,7,9,12,30",
    "growth?h=main&package=o|shop|cache&base=0",
];

/// Queries that only a session can answer, not the page's own analysis.
pub(crate) const MORE_QUERIES: &[&str] = &[
    "traces",
    "traces?n=5&g=lines",
    "traces?f=walk|wrap&base=0&dump=1",
    "traces?mean=t&noinlines=t&g=addresses",
    "traces?diff_base=0&dump=1&n=4",
    "top?tagroot=thread&cum=t",
    "top?tagroot=thread,phase&tagleaf=bytes&sort=cum",
    "top?tagleaf=size&unit=kB&hk=alloc,std",
    "top?tagroot=nowhere",
    "tree?tagleaf=thread",
    "flame?tagroot=bytes&culprit=t",
    "flame?tagleaf=bytes&inverted=t",
    "graph?tagroot=thread&g=packages",
    "types?tagroot=thread",
    "types?tagleaf=thread",
    "summary?tagroot=bytes&n=3",
    "growth?tagroot=thread",
    "peek?peek=.&n=4&tagroot=bytes",
    "traces?tagroot=thread&n=5",
    "top?tagroot=thread&kinds=function:*walk*=own/walkers&order=package",
    "source?list=walk|main|serve|push",
    "source?list=.&n=2&base=0&dump=1",
    "top?show_from=serve|main&g=modules",
    "top?package=shop|o|main&hk=own&tagroot=bytes",
];

pub(crate) fn read(file: &str) -> Profile {
    let mut profile = parse(&std::fs::read(path(file)).unwrap(), &ParseOptions::default()).unwrap().profile;
    profile.set_origin(file, false);
    profile
}

/// Three dumps of a process; the last one is shown.
fn series() -> Profile {
    let dump = |number: u64| {
        let mut profile = read(&format!("testdata/gperftools/shop.000{number}.heap"));
        for dump in profile.dumps_mut() {
            (dump.series, dump.number, dump.is_added) = ("shop".into(), Some(number), number < 3);
        }
        profile
    };
    merge((1..=3).map(dump).collect()).unwrap()
}

/// Many dumps of two processes in which everything takes a course of its own; times need more digits than the page has.
fn courses() -> Profile {
    const DUMPS: i64 = 40;
    // The same numbers in every run.
    let mut state = 42u32;
    let mut noise = move |most: i64| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (i64::from(state >> 16) * most) >> 16
    };
    let mut dump = |at: i64| {
        let doubled = 1000 << (at / 4 + 1).ilog2();
        let pruned = 2000 + 300 * (at % 9) + noise(90);
        let courses = [
            ("main;ledger::serve;ledger::cache::leak;alloc::vec::push", 4000 + 250 * at + noise(300)),
            ("main;ledger::serve;ledger::peers::doubles;alloc::vec::push", doubled),
            ("main;ledger::serve;ledger::cache::fills;alloc::vec::push", (700 * at).min(9000) + noise(20)),
            ("main;ledger::serve;ledger::index::prune;std::map::add", pruned),
            ("main;ledger::start;ledger::tables::load", if at < 4 { 100 * at } else { 30_000 }),
            ("main;ledger::start;ledger::tables::late", if at < 22 { 500 } else { 7500 }),
            ("main;ledger::serve;serde::de::parse;alloc::vec::push", 5000 + noise(4000)),
            ("main;ledger::serve;serde::de::slow", 900_000 + 40 * at + noise(90_000)),
            ("main;ledger::serve;ledger::tables::leaves", 50_000 - 1100 * at + noise(500)),
            ("main;ledger::serve;ledger::cache::spike", if at == DUMPS { 90_000 } else { 40 }),
            ("main;ledger::serve;ledger::cache::starts", 6000 + 300 * (at - 25).max(0) + noise(60)),
            ("main;ledger::serve;tokio::task::run;ledger::flat", 12_345),
            ("main;<unknown>;nobody", 10 + at * at),
        ];
        let text: String = courses.iter().map(|(stack, value)| format!("{stack} {value}\n")).collect();
        let mut profile = parse(text.as_bytes(), &ParseOptions::default()).unwrap().profile;
        profile.set_origin(&format!("course.{at:04}.folded"), false);
        for dump in profile.dumps_mut() {
            dump.series = format!("ledger.{}", if at % 5 == 0 { 78 } else { 77 });
            (dump.number, dump.is_added) = (Some(at as u64), at < DUMPS);
            dump.time_nanos = 1_760_000_000_123_456_789 + at * 60_000_000_000 + at * at * 1_234_567_891;
        }
        profile
    };
    merge((1..=DUMPS).map(&mut dump).collect()).unwrap()
}

/// Dumps of a process that ends: everything falls at once in the last dump.
fn exit() -> Profile {
    const LOST: &str = "[rows lost by gperftools' buffer limit]";
    let dump = |at: i64| {
        let left = i64::from(at < 9);
        let text = format!(
            "main;serve;cache::leak {}\nmain;serve;cache::keep {}\nmain;start;table {}\nmain;start;config 300\n{LOST} {}\n",
            (4000 + 700 * at) * left + 90,
            (50_000 - 10 * at) * left,
            (3000 + 900 * (at / 3)) * left,
            if at == 4 { 2500 } else { 0 },
        );
        let mut profile = parse(text.as_bytes(), &ParseOptions::default()).unwrap().profile;
        profile.set_origin(&format!("ends.{at:04}.folded"), false);
        for dump in profile.dumps_mut() {
            (dump.series, dump.number, dump.is_added) = ("ends".into(), Some(at as u64), at < 8);
        }
        profile
    };
    merge((0..10).map(dump).collect()).unwrap()
}

/// Two builds without mappings, each with the names of its toolchain.
fn builds() -> Profile {
    let read = |name: &str, text: &str| {
        let mut profile = parse(text.as_bytes(), &ParseOptions::default()).unwrap().profile;
        profile.set_origin(name, false);
        profile
    };
    let old = "main;a::Till::serve;alloc::vec::Vec<T>::push;alloc::raw_vec::RawVec<T>::grow_one 900\n\
        main;a::Till::serve;a::Till::open::{{closure}};a::Book::read 400\n";
    let new = "main;<a::Till>::serve;<alloc::vec::Vec<>>::push;<alloc::raw_vec::RawVec<>>::grow_one 1500\n\
        main;<a::Till>::serve;<a::Till>::open::{closure#0};<a::Book>::read 300\n";
    match_builds(merge(vec![read("old.folded", old), read("new.folded", new)]).unwrap(), &[])
}

/// A program with names that calls libraries without: its own, one of the system, and memory of no file.
fn plugins() -> Profile {
    let mut builder = ProfileBuilder::new(&[("inuse_space", "bytes")]);
    let files = ["/srv/server", "/srv/libplugin.so", "/usr/lib/libz.so.1", "[anon]"];
    let mappings: Vec<_> = (1..)
        .zip(files)
        .map(|(n, file)| {
            let file = builder.string(file);
            builder.mapping(Mapping { file, start: n << 16, limit: (n + 1) << 16, ..Mapping::default() })
        })
        .collect();
    // A function of the program, or a place in one of the files.
    let mut location = |word: &str, number: u64| match word.split_once('+') {
        Some((file, at)) => {
            let file: usize = file.parse().unwrap();
            builder.location(Some(mappings[file]), ((file as u64 + 1) << 16) + at.parse::<u64>().unwrap(), &[])
        }
        None => {
            let name = builder.string(word);
            let function = builder.function(Function { name, system_name: name, ..Function::default() });
            builder.location(Some(mappings[0]), 0x10000 + number, &[Line { function: Some(function), line: 0, column: 0 }])
        }
    };
    let stacks = [
        ("main serve 1+16 1+32", 9000),
        ("main serve 1+16 app::on_event", 700),
        ("main serve 1+16 0+64 1+48", 500),
        ("main 2+16", 300),
        ("main 3+16", 200),
        ("0+80 1+64", 100),
    ];
    let mut number = 0;
    let paths: Vec<(Vec<_>, i64)> = stacks
        .iter()
        .map(|(words, value)| {
            let path = words.split(' ').map(|word| {
                number += 128;
                location(word, number)
            });
            let mut path: Vec<_> = path.collect();
            path.reverse();
            (path, *value)
        })
        .collect();
    for (path, value) in paths {
        builder.sample(&path, Labels::NONE, &[value]);
    }
    builder.build()
}

pub(crate) fn profiles() -> [(&'static str, Profile); 10] {
    let both = |files: [&str; 2]| merge(files.map(read).to_vec()).unwrap();
    let mut base = read("tests/oracle/odd0.folded");
    base.mark_base();
    [
        ("odd", merge(vec![read("tests/oracle/odd.folded"), base]).unwrap()),
        ("depots", both(["testdata/pprof/depot.0.pb.gz", "testdata/pprof/depot.1.pb.gz"])),
        ("series", series()),
        ("shop", read("testdata/pprof/shop.0003.pb.gz")),
        ("sampled", both(["testdata/jemalloc/shop-sampled.2000.0.m0.heap", "testdata/jemalloc/shop-sampled.2000.2.m2.heap"])),
        ("kitchen", read("testdata/gperftools/kitchen.0001.heap")),
        ("courses", courses()),
        ("exit", exit()),
        ("builds", builds()),
        ("plugins", plugins()),
    ]
}
