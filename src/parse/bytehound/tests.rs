use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::writer::{Id, Writer};
use crate::parse::testing::{rows, shown, survives, survives_any_cut};
use crate::parse::{ParseOptions, Parsed, WarningKind, parse, parse_recording};
use crate::profile::{MomentKind, Profile, RunCount};

const MAPS: &[u8] = b"\
400000-401000 r--p 00000000 fe:00 1 /opt/books
401000-500000 r-xp 00001000 fe:00 1 /opt/books
7f0000000000-7f0000001000 r-xp 00000000 fe:00 2 /opt/libbytehound.so
";

/// Return addresses: in the recorder, its `malloc`, and functions of the program.
const INSIDE: u64 = 0x7f00_0000_0101;
const MALLOC: u64 = 0x7f00_0000_0201;
const LEAK: u64 = 0x40_1011;
const GROW: u64 = 0x40_1021;
const SHORT: u64 = 0x40_1031;
const MAIN: u64 = 0x40_1101;

/// How stacks are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Since 0.6.
    Whole,
    /// As changes of a thread's last stack; blocks have no identity.
    Partial,
    /// With names.
    Named,
}

/// A run whose books are kept here: 3 blocks of 1000 bytes stay; one grows from 16 to 32 and 64 bytes and is freed after a
/// second; 5 of 24 bytes are freed at once, and one of 10 after 2 ms. The peak is 3000 + 64 + 100000 bytes after 1.2 s.
fn books(kind: Kind) -> Writer {
    let mut w = Writer::new();
    w.file("/proc/self/maps", MAPS);
    let base = u64::from(kind != Kind::Named);
    match kind {
        Kind::Whole => {
            for (id, leaf) in (1..).zip([LEAK, GROW, SHORT]) {
                w.stack(id, &[INSIDE, MALLOC, leaf, MAIN]);
            }
        }
        Kind::Partial => {
            w.thread_stack(1, 9, u32::MAX, &[INSIDE, MALLOC, LEAK, MAIN]);
            w.thread_stack(2, 9, 3, &[INSIDE, MALLOC, GROW]);
            w.thread_stack(3, 9, 3, &[INSIDE, MALLOC, SHORT]);
        }
        Kind::Named => {
            for (id, text) in (0..).zip(["books", "main", "leak", "grow", "short", "_Z5grow1v", "/src/books.c"]) {
                w.string(id, text);
            }
            let none = u32::MAX;
            w.frame(MAIN - 1, [0, 1, none, 6], 40, false).frame(LEAK - 1, [0, 2, none, 6], 10, false);
            // `grow` is inlined into what has its mangled name.
            w.frame(GROW - 1, [0, none, 3, 6], 20, true).frame(GROW - 1, [0, 5, 3, 6], 21, false);
            w.frame(SHORT - 1, [0, 4, none, none], none, false);
            w.frame_stack(&[1, 0]).frame_stack(&[2, 3, 0]).frame_stack(&[4, 0]);
        }
    }
    let id = |n: u64| -> Id { (kind != Kind::Partial).then_some((1, n)) };
    for n in 1..=3 {
        w.allocate(id(n), 100, 0x1000 * n, 1000, base);
    }
    w.allocate(id(4), 200, 0x9000, 16, base + 1);
    // It stays where it is, then it moves.
    w.reallocate(id(4), 300, 0x9000, 0x9000, 32, base + 1);
    w.reallocate(id(4), 400, 0x9000, 0xa000, 64, base + 1);
    for n in 0..5 {
        w.allocate(id(10 + n), 500 + 10 * n, 0xb000, 24, base + 2).free(id(10 + n), 505 + 10 * n, 0xb000);
    }
    w.region(1000, 3, "[anon:glibc]", 200).region(1000, 4, "[anon:bytehound]", 9000);
    w.allocate(id(20), 2000, 0xb000, 10, base + 2).free(id(20), 4000, 0xb000);
    w.allocate(id(30), 1_200_000, 0xc000, 100_000, base);
    w.free_by(id(30), 1_300_000, 0xc000, base + 2);
    w.free(id(4), 1_400_000, 0xa000);
    // Blocks of before the recording.
    w.free(id(99), 1_500_000, 0xdead).reallocate(id(98), 1_500_000, 0xdeae, 0xdeaf, 5, base);
    // The end: the clock.
    w.tag(12).u64(super::writer::BEGIN + 2_000_000).u64(0).u64(0);
    w
}

fn read(file: &[u8]) -> Parsed {
    let parsed = parse(file, &ParseOptions::default()).unwrap();
    parsed.profile.validate().unwrap();
    parsed
}

fn check(file: &[u8], want: Expect) {
    want.assert_eq(&shown(file));
}

/// The numbers of the whole run, without those of moments, by sample.
fn whole_run(profile: &Profile) -> String {
    let n = profile.value_types().len();
    let line = |line: &str| {
        // What only frees has no size.
        let at = line.find(" bytes=").or_else(|| line.find(" @")).unwrap();
        let numbers: Vec<&str> = line[..at].split(' ').take(n).collect();
        format!("{}{}\n", numbers.join(" "), &line[at..])
    };
    rows(profile).lines().skip(1).map(line).collect()
}

#[test]
fn recordings_agree_with_their_books() {
    let parsed = read(&books(Kind::Whole).finish());
    assert_eq!(parsed.warnings, []);
    let profile = parsed.profile;
    let types: Vec<&str> = profile.value_types().iter().map(|t| t.kind.as_str()).collect();
    assert_eq!(types[..8], crate::parse::events::VALUE_TYPES.map(|(kind, _)| kind));
    assert_eq!(types[8..], ["lifetime", "realloc_objects", "realloc_space", "freed_objects", "freed_space"]);
    expect![[r#"
        0 0 3 3000 3 3000 0 0 0 0 0 0 0 bytes=1000bytes thread="thread 1" @ 7f0000000200 401010 401100
        3 3000 0 0 0 0 0 0 5999700 0 0 0 0 bytes=1000bytes lifetime="never freed" thread="thread 1" @ 7f0000000200 401010 401100
        0 0 0 0 0 0 1 16 0 0 0 0 0 bytes=16bytes thread="thread 1" @ 7f0000000200 401020 401100
        1 16 0 0 0 0 0 0 100 0 0 0 0 bytes=16bytes lifetime="100us to 1ms" thread="thread 1" @ 7f0000000200 401020 401100
        0 0 0 0 0 0 1 32 0 1 16 0 0 bytes=32bytes thread="thread 1" @ 7f0000000200 401020 401100
        1 32 0 0 0 0 0 0 100 0 0 0 0 bytes=32bytes lifetime="100us to 1ms" thread="thread 1" @ 7f0000000200 401020 401100
        0 0 0 0 1 64 0 0 0 1 32 0 0 bytes=64bytes thread="thread 1" @ 7f0000000200 401020 401100
        1 64 0 0 0 0 0 0 1399600 0 0 0 0 bytes=64bytes lifetime="1s to 10s" thread="thread 1" @ 7f0000000200 401020 401100
        0 0 0 0 0 0 5 120 0 0 0 0 0 bytes=24bytes thread="thread 1" @ 7f0000000200 401030 401100
        5 120 0 0 0 0 0 0 25 0 0 0 0 bytes=24bytes lifetime="under 100us" thread="thread 1" @ 7f0000000200 401030 401100
        0 0 0 0 0 0 1 10 0 0 0 0 0 bytes=10bytes thread="thread 1" @ 7f0000000200 401030 401100
        1 10 0 0 0 0 0 0 2000 0 0 0 0 bytes=10bytes lifetime="1ms to 10ms" thread="thread 1" @ 7f0000000200 401030 401100
        0 0 0 0 1 100000 1 100000 0 0 0 0 0 bytes=100000bytes thread="thread 1" @ 7f0000000200 401010 401100
        1 100000 0 0 0 0 0 0 100000 0 0 0 0 bytes=100000bytes lifetime="100ms to 1s" thread="thread 1" @ 7f0000000200 401010 401100
        0 0 0 0 0 0 0 0 0 0 0 1 100000 @ 7f0000000200 401030 401100
    "#]]
    .assert_eq(&whole_run(&profile));
    let run = &profile.meta().runs[0];
    let count = |objects: i64, bytes: i64| RunCount { objects, bytes };
    assert_eq!((run.recorder.as_str(), run.command.as_str()), ("bytehound", "./books -n 3"));
    assert_eq!((run.allocated, run.freed, run.end), (count(13, 103_242), count(10, 100_242), count(3, 3000)));
    assert_eq!((run.peak, run.peak_at, run.duration), (count(5, 103_064), 1_200_000_000, 2_000_000_000));
    assert_eq!((run.temporary, run.is_temporary_exact), (count(9, 100_178), true));
    assert_eq!(run.peak_rss, 203 << 10);
    let chains = run.reallocations.unwrap();
    assert_eq!((chains.all, chains.moved, chains.chains, chains.longest), (count(2, 48), count(1, 32), 1, 3));
    assert_eq!(run.sizes, [(10, 1), (16, 1), (24, 5), (32, 1), (64, 1), (1000, 3), (100_000, 1)]);
    let lived: Vec<i64> = run.lifetimes.iter().map(|class| class.blocks.objects).collect();
    assert_eq!(lived, [5, 2, 1, 0, 1, 1, 0, 0, 3]);
    // The clock began 10 us before the header, which says when it was written.
    assert_eq!(profile.dumps()[0].time_nanos, 1_700_000_000_000_000_500 - 10_000 + 2_000_000_000);
    let kinds: Vec<MomentKind> = profile.dumps().iter().filter_map(|dump| Some(dump.moment?.kind)).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == MomentKind::Peak).count(), 1);
    assert_eq!(kinds.last(), Some(&MomentKind::End));
    let main = profile.code().mappings.iter().next().unwrap();
    assert_eq!((profile.text(main.file), main.start, main.offset, main.bias), ("/opt/books", 0x40_0000, 0, Some(0x40_0000)));
}

#[test]
fn all_ways_to_write_a_recording_give_the_same() {
    let want = whole_run(&read(&books(Kind::Whole).finish()).profile);
    let partial = books(Kind::Partial);
    let whole = books(Kind::Whole);
    let ways = [
        partial.finish(),
        whole.chunks(1 << 19, true),
        whole.chunks(1000, false),
        whole.chunks(150, true),
        // Events that go on in the next chunk, some in several.
        whole.chunks(201, false),
    ];
    for file in ways {
        let parsed = read(&file);
        assert_eq!((parsed.warnings, whole_run(&parsed.profile)), (vec![], want.clone()));
        let streamed = parse_recording(&mut &*file, file.len() as u64, &ParseOptions::default()).unwrap();
        assert_eq!(whole_run(&streamed.profile), want);
        assert_eq!(crate::parse::sniff(&file), Some("bytehound"));
    }
}

#[test]
fn postprocessed_recordings_have_names() {
    let named = read(&books(Kind::Named).finish());
    assert_eq!(named.warnings, []);
    let whole = whole_run(&read(&books(Kind::Whole).finish()).profile);
    let without_stacks = |text: &str| -> Vec<String> { text.lines().map(|line| line.split(" @ ").next().unwrap().to_owned()).collect() };
    let text = whole_run(&named.profile);
    assert_eq!(without_stacks(&text), without_stacks(&whole));
    assert!(text.contains("\"never freed\" thread=\"thread 1\" @ leak:10 main:40\n"), "{text}");
    assert!(text.contains(" @ grow:20[i] grow:21 main:40\n"), "{text}");
    assert!(text.contains(" @ short main:40\n"), "{text}");
    let profile = &named.profile;
    let mapped: Vec<&str> = profile.code().mappings.iter().map(|mapping| profile.text(mapping.file)).collect();
    assert_eq!(mapped, ["/opt/books", "books"]);
    let grow = profile.code().functions.iter().find(|f| profile.text(f.system_name) == "_Z5grow1v").unwrap();
    assert_eq!((profile.text(grow.name), profile.text(grow.filename)), ("grow", "/src/books.c"));
}

#[test]
fn culled_and_stripped_recordings_say_so() {
    let mut w = Writer::new();
    w.tag(11).bytes(b"MEMORY_PROFILER_CULL_TEMPORARY_ALLOCATIONS=1").stack(1, &[LEAK, MAIN]);
    w.allocate(Some((1, 1)), 10, 1, 40, 1);
    // 7 blocks of 300 bytes that were taken out.
    w.tag(17).u64(1).u64(0).u64(0).u64(7).u64(300).u64(40).u64(50);
    w.tag(17).u64(1).u64(0).u64(0).u64(0).u64(0).u64(0).u64(0);
    check(
        &w.finish(),
        expect![[r#"
            bytehound, period 0
            alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes peak_objects/count peak_space/bytes temp_objects/count temp_space/bytes lifetime/microseconds realloc_objects/count realloc_space/bytes freed_objects/count freed_space/bytes
            0 0 1 40 1 40 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 40 1 40 1 40 0 0 0 0 0 0 0 1 40 1 40 1 40 0 0 0 0 0 0 0 bytes=40bytes thread="thread 1" @ 401010 401100
            1 40 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 bytes=40bytes lifetime="never freed" thread="thread 1" @ 401010 401100
            7 300 0 0 0 0 0 0 0 0 0 0 0 7 300 0 0 0 0 0 0 0 0 0 0 0 7 300 0 0 0 0 0 0 0 0 0 0 0 7 300 0 0 0 0 0 0 0 0 0 0 0 bytes=42bytes @ 401010 401100
            warning: bytehound: the recorder left out blocks that were freed soon (MEMORY_PROFILER_CULL_TEMPORARY_ALLOCATIONS)
        "#]],
    );
}

#[test]
fn binaries_of_the_recording_are_kept_for_names() {
    let mut w = books(Kind::Whole);
    w.file("/opt/books", b"\x7fELF and so on").file("/proc/uptime", b"1 2").file("/opt/books", b"\x7fELF again");
    let file = w.chunks(97, true);
    let binaries = read(&file).profile.meta().binaries.clone();
    assert_eq!(binaries.len(), 1);
    assert_eq!((binaries[0].path.as_str(), binaries[0].bytes.as_slice()), ("/opt/books", &b"\x7fELF again"[..]));
    // What unpacks to much more than the file is left out.
    let mut w = Writer::new();
    w.file("/opt/books", &[b"\x7fELF", &vec![0; 40 << 20][..]].concat());
    w.allocate(None, 10, 1, 40, 0);
    let parsed = read(&w.finish());
    assert_eq!(parsed.profile.meta().binaries.len(), 0);
    let said = parsed.warnings[0].to_string();
    assert!(said.ends_with("binaries in the recording that were left out to bound memory: 1"), "{said}");
    assert_eq!(parsed.profile.meta().runs[0].allocated.objects, 1);
}

#[test]
fn damaged_events_are_counted_and_the_rest_is_shown() {
    let mut w = Writer::new();
    w.stack(1, &[LEAK, MAIN]);
    let id = |n: u64| -> Id { Some((1, n)) };
    w.allocate(id(1), 1000, 1, 10, 77).allocate(id(1), 1100, 1, 20, 1).allocate(id(2), u64::MAX / 2, 2, 30, 1);
    w.allocate(id(3), 1200, 3, u64::MAX, 1).free(id(3), 1300, 3);
    w.allocate(Some((0, 0)), 1300, 4, 8, 1).free(Some((u64::MAX, u64::MAX)), 1400, 4);
    w.frame_stack(&[5]).string(1, "x").frame(1, [2, 3, 4, 5], 1, false);
    w.header(7).header(8).allocate(id(9), 1500, 9, 9, 1);
    check(
        &w.finish(),
        expect![[r#"
            bytehound, period 0
            alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes peak_objects/count peak_space/bytes temp_objects/count temp_space/bytes lifetime/microseconds realloc_objects/count realloc_space/bytes freed_objects/count freed_space/bytes
            0 0 1 10 1 10 0 0 0 0 0 0 0 1 10 1 10 1 10 0 0 0 0 0 0 0 1 10 1 10 1 10 0 0 0 0 0 0 0 1 10 1 10 1 10 0 0 0 0 0 0 0 1 10 1 10 1 10 0 0 0 0 0 0 0 1 10 1 10 1 10 0 0 0 0 0 0 0 1 10 1 10 1 10 0 0 0 0 0 0 0 bytes=10bytes thread="thread 1" @
            1 10 0 0 0 0 0 0 400 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 bytes=10bytes lifetime="never freed" thread="thread 1" @
            0 0 1 30 1 30 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 30 1 30 1 30 0 0 0 0 0 0 0 1 30 1 30 1 30 0 0 0 0 0 0 0 1 30 1 30 1 30 0 0 0 0 0 0 0 1 30 1 30 1 30 0 0 0 0 0 0 0 1 30 1 30 1 30 0 0 0 0 0 0 0 bytes=30bytes thread="thread 1" @ 401010 401100
            1 30 0 0 0 0 0 0 300 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 bytes=30bytes lifetime="never freed" thread="thread 1" @ 401010 401100
            0 0 0 0 1 281474976710656 1 281474976710656 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 281474976710656 1 281474976710656 1 281474976710656 0 0 0 0 0 0 0 1 281474976710656 1 281474976710656 1 281474976710656 0 0 0 0 0 0 0 1 281474976710656 0 0 0 0 1 281474976710656 0 0 0 0 0 1 281474976710656 0 0 0 0 1 281474976710656 0 0 0 0 0 bytes=281474976710656bytes thread="thread 1" @ 401010 401100
            1 281474976710656 0 0 0 0 0 0 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 bytes=281474976710656bytes lifetime="100us to 1ms" thread="thread 1" @ 401010 401100
            0 0 0 0 0 0 1 8 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 1 8 1 8 1 8 0 0 0 0 0 0 0 1 8 0 0 0 0 1 8 0 0 0 0 0 bytes=8bytes thread="thread 0" @ 401010 401100
            1 8 0 0 0 0 0 0 100 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 bytes=8bytes lifetime="100us to 1ms" thread="thread 0" @ 401010 401100
            warning: bytehound, byte 868: a second process follows, probably a child; its events are not read: 1
            warning: bytehound, byte 138: events that name entries that do not exist: 3
            warning: bytehound, byte 210: ignored allocations of blocks that are in use: 1
            warning: bytehound, byte 282: times that are far outside of the recording; the time before was taken: 1
            warning: bytehound, byte 354: sizes that no machine has, clamped to 256 TiB: 1
            warning: bytehound, byte 546: blocks whose end was overwritten when they were freed: the program wrote beyond them: 1
        "#]],
    );
}

#[test]
fn what_is_left_of_damaged_recordings_is_shown() {
    let whole = books(Kind::Whole);
    let said = |file: &[u8]| -> Vec<String> { read(file).warnings.iter().map(ToString::to_string).collect() };
    let n = whole.text.len();
    // An unknown event, one that claims to be long, one that is cut.
    let mut w = whole.clone();
    w.tag(31).u64(1);
    let unknown = "event 31 is unknown (heapview knows 0 to 27): the recording is damaged, or written by a newer version; what follows after 2s is missing";
    assert_eq!(said(&w.finish()), [format!("bytehound, byte {n}: {unknown}")]);
    let mut w = whole.clone();
    w.tag(5).u64(1).u32(u32::MAX);
    assert_eq!(said(&w.finish()), [format!("bytehound, byte {n}: the recording is damaged; what follows after 2s is missing")]);
    let mut w = whole.clone();
    w.tag(25).u64(1).varint(1).u64(1).varint(1).varint(1 << 63);
    assert_eq!(said(&w.finish()), [format!("bytehound, byte {n}: the recording is damaged; what follows after 2s is missing")]);
    let mut w = whole.clone();
    w.tag(20).u64(1);
    let cut = format!("bytehound, byte {n}: the recording is truncated after 2s; what follows is missing");
    assert_eq!(said(&w.finish()).join("; "), cut);
    let mut w = whole.clone();
    w.tag(23).u64(1).bytes(b"/opt/books").u64(1 << 60);
    assert!(said(&w.finish())[0].ends_with("the recording is truncated after 2s; what follows is missing"));
    // Chunks: of another kind, with a length or an offset that cannot be, cut.
    let file = whole.finish();
    for tail in [&[3, 0, 0, 0, 0][..], &[1, 0xff, 0xff, 0xff, 0xff], &[1, 4, 0, 0, 0, 0x10, 1, 0, 0]] {
        let text = format!(
            "bytehound, byte {n}: the LZ4 data is damaged or ends too early: the recording is truncated after 2s; what follows is missing"
        );
        assert_eq!(said(&[&file, tail].concat()), [text]);
    }
    for tail in [&[1][..], &[1, 9, 0, 0, 0], &[2, 0xff, 0xff, 0xff, 0xff, 12, 0, 0]] {
        assert_eq!(said(&[&file, tail].concat()).join("; "), cut);
    }
    // Nothing but a header.
    assert_eq!(said(&Writer::new().finish()), ["bytehound: no allocation was recorded"]);
}

#[test]
fn recordings_cut_at_any_chunk_are_read_as_far_as_they_go() {
    let whole = books(Kind::Whole);
    let file = whole.chunks(120, false);
    let mut n = 0;
    let mut at = 0;
    while at < file.len() {
        let length = u32::from_le_bytes(file[at + 1..at + 5].try_into().unwrap()) as usize;
        at += 5 + length;
        if let Ok(parsed) = parse(&file[..at], &ParseOptions::default()) {
            let now = parsed.profile.meta().runs[0].allocated.objects;
            assert!(now >= n, "{now} after {n}");
            assert!(now < 13 || at > file.len() / 2);
            n = now;
        }
    }
    assert_eq!(n, 13);
}

#[test]
fn recordings_are_survived_cut_anywhere() {
    for kind in [Kind::Whole, Kind::Partial, Kind::Named] {
        let file = books(kind).chunks(1 << 19, true);
        (0..file.len()).step_by(7).for_each(|n| survives(&file[..n]));
    }
    survives_any_cut(&books(Kind::Named).finish());
}

#[test]
fn times_of_threads_are_put_in_order() {
    let mut w = Writer::new();
    w.stack(1, &[LEAK, MAIN]);
    // In the order of the file 300 bytes would be in use at once.
    w.allocate(Some((1, 1)), 100, 1, 100, 1).allocate(Some((1, 2)), 300, 2, 200, 1).free(Some((1, 1)), 200, 1);
    let parsed = read(&w.finish());
    assert_eq!(parsed.warnings, []);
    let run = &parsed.profile.meta().runs[0];
    assert_eq!((run.peak.bytes, run.peak_at), (200, 300_000));
    // Far too late.
    let mut w = Writer::new();
    for n in 0..2000 {
        w.allocate(Some((1, n + 1)), 1000 + n, n, 1, 0);
    }
    w.allocate(Some((2, 1)), 5, 1, 1, 0);
    let parsed = read(&w.finish());
    assert!(parsed.warnings[0].to_string().ends_with("times that run backward; the later time was taken: 1"), "{:?}", parsed.warnings);
    assert_eq!(parsed.profile.meta().runs[0].allocated.objects, 2001);
}

#[test]
fn deep_stacks_are_cut_and_take_bounded_memory() {
    let mut w = Writer::new();
    let deep: Vec<u64> = (1..=6000).collect();
    w.thread_stack(1, 1, u32::MAX, &deep);
    for n in 0..6000 {
        w.thread_stack(2 + n, 1, 1, &[1 << 40 | n]).allocate(Some((1, n + 1)), n, n, 8, 2 + n);
    }
    let parsed = read(&w.finish());
    assert!(matches!(parsed.warnings[0].kind, WarningKind::CutCallers { rows: 6000 }), "{:?}", parsed.warnings);
    assert_eq!(parsed.profile.meta().runs[0].allocated.objects, 6000);
}

/// What happens.
#[derive(Clone, Debug)]
enum Step {
    Allocate { size: u64, stack: u64 },
    Free(prop::sample::Index),
    Reallocate(prop::sample::Index, u64),
    Wait(u64),
}

fn step() -> impl Strategy<Value = (Step, u64)> {
    let step = prop_oneof![
        4 => (0..3000u64, 1..4u64).prop_map(|(size, stack)| Step::Allocate { size, stack }),
        3 => any::<prop::sample::Index>().prop_map(Step::Free),
        2 => (any::<prop::sample::Index>(), 0..3000u64).prop_map(|(at, size)| Step::Reallocate(at, size)),
        1 => (0..40_000u64).prop_map(Step::Wait),
    ];
    // Events are written up to so many microseconds late.
    (step, 0..20u64)
}

/// The simplest code that could be right.
#[derive(Default)]
struct Brute {
    /// Time, stack, change of bytes; in the order of the file.
    events: Vec<(u64, u64, i64)>,
    /// Number, address, size, stack, since.
    blocks: Vec<(u64, u64, u64, u64, u64)>,
    /// Stack → allocations, bytes; reallocations, bytes.
    sums: [[i64; 4]; 4],
    /// Lifetimes, microseconds; none: never freed.
    lifetimes: Vec<Option<u64>>,
}

impl Brute {
    fn begin(&mut self, number: u64, address: u64, size: u64, stack: u64, at: u64) {
        self.blocks.push((number, address, size, stack, at));
        self.events.push((at, stack, size as i64));
        self.sums[stack as usize][0] += 1;
        self.sums[stack as usize][1] += size as i64;
    }

    fn end(&mut self, block: usize, at: u64) -> (u64, u64, u64, u64) {
        let (number, address, size, stack, since) = self.blocks.remove(block);
        self.events.push((at, stack, -(size as i64)));
        self.lifetimes.push(Some(at.saturating_sub(since)));
        (number, address, size, stack)
    }
}

fn holds(steps: &[(Step, u64)], has_ids: bool) {
    let mut w = Writer::new();
    for (id, leaf) in (1..).zip([LEAK, GROW, SHORT]) {
        w.stack(id, &[leaf, MAIN]);
    }
    let mut brute = Brute::default();
    let (mut now, mut n) = (100u64, 0u64);
    for (step, late) in steps {
        let at = now - late;
        let id = |n: u64| -> Id { has_ids.then_some((3, n)) };
        match step {
            Step::Wait(micros) => now += micros,
            Step::Allocate { size, stack } => {
                n += 1;
                w.allocate(id(n), at, n << 12, *size, *stack);
                brute.begin(n, n << 12, *size, *stack, at);
            }
            Step::Free(_) | Step::Reallocate(..) if brute.blocks.is_empty() => {}
            Step::Free(index) => {
                let (number, address, ..) = brute.end(index.index(brute.blocks.len()), at);
                w.free(id(number), at, address);
            }
            Step::Reallocate(index, size) => {
                let (number, address, before, stack) = brute.end(index.index(brute.blocks.len()), at);
                n += 1;
                w.reallocate(id(number), at, address, n << 12, *size, stack);
                brute.begin(number, n << 12, *size, stack, at);
                brute.sums[stack as usize][2] += 1;
                brute.sums[stack as usize][3] += before as i64;
            }
        }
        now += 1;
    }
    w.tag(12).u64(super::writer::BEGIN + now).u64(0).u64(0);
    let parsed = read(&w.chunks(333, false));
    assert_eq!(parsed.warnings.iter().filter(|w| w.kind != WarningKind::NoEvents).count(), 0, "{:?}", parsed.warnings);
    let profile = parsed.profile;
    let run = &profile.meta().runs[0];
    // Times of one thread are those of the file; peaks are those of the clock.
    brute.events.sort_by_key(|event| event.0);
    let (mut live, mut peak) = (0, 0);
    for (_, _, change) in &brute.events {
        live += change;
        peak = peak.max(live);
    }
    assert_eq!((run.peak.bytes, run.end.bytes), (peak, live));
    assert_eq!(run.duration, now as i64 * 1000);
    brute.lifetimes.extend(brute.blocks.iter().map(|_| None));
    let limits = [0, 100, 1000, 10_000, 100_000, 1_000_000, u64::MAX];
    for (class, limit) in limits.windows(2).enumerate() {
        let n = brute.lifetimes.iter().filter(|lived| lived.is_some_and(|lived| (limit[0]..limit[1]).contains(&lived))).count();
        assert_eq!(run.lifetimes[class].blocks.objects, n as i64, "{limit:?}");
    }
    assert_eq!(run.lifetimes[8].blocks.objects, brute.blocks.len() as i64);
    let mut sums = [[0; 4]; 4];
    let mut lifetime = 0;
    for row in 0..profile.samples().len() {
        let value = |value_type: usize| profile.columns()[value_type].get(row);
        let leaf = profile.locations(profile.samples().stack[row]).next().unwrap();
        let stack = (profile.code().locations[leaf].address - 0x40_1000) / 16;
        let all = [value(0), value(1), value(9), value(10)];
        sums[stack as usize].iter_mut().zip(all).for_each(|(sum, value)| *sum += value);
        lifetime += value(8);
    }
    assert_eq!(sums, brute.sums);
    let left: u64 = brute.blocks.iter().map(|block| now - block.4).sum();
    assert_eq!(lifetime as u64, brute.lifetimes.iter().flatten().sum::<u64>() + left);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn columns_are_those_of_brute_force(steps in prop::collection::vec(step(), 0..100), has_ids in any::<bool>()) {
        holds(&steps, has_ids);
    }

    #[test]
    fn damaged_recordings_are_survived(
        kind in 0..3usize,
        edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..6),
        is_stored in any::<bool>(),
    ) {
        // Of the text, so that events are damaged and not their chunks.
        let mut w = books([Kind::Whole, Kind::Partial, Kind::Named][kind]);
        for (at, byte, what) in edits {
            let at = 120 + at.index(w.text.len() - 120);
            match what {
                0 => w.text[at] = byte,
                1 => drop(w.text.remove(at)),
                _ => w.text.insert(at, byte),
            }
        }
        survives(&w.chunks(400, is_stored));
    }
}

/// Recordings for tests of all formats.
pub(in crate::parse) fn seeds() -> [Vec<u8>; 2] {
    [books(Kind::Whole).finish(), books(Kind::Named).chunks(1 << 19, true)]
}
