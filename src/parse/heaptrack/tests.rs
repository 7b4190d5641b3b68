use std::io::Write;

use expect_test::expect;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::parse::error::WarningKind;
use crate::parse::testing::{check, shown, survives, survives_any_cut};
use crate::parse::{ParseOptions, parse};
use crate::profile::Profile;

/// A recording with everything that an interpreted file has.
pub(in crate::parse) const INTERPRETED: &[u8] = b"\
v 10400 3
X ./it 300
I 1000 10
S a leak:known
s 7 /bin/it
s 8 lib x.so
s 4 main
s 6 main.c
s 4 grow
s 5 inner
i 401235 1 3 4 c
t 1 0
i 401300 1 6 4 3 5 4 7
t 2 1
i 7f0000001000 2
t 3 1
a 64 2
+ 0
c a
a 20 3
+ 1
R 3
- 1
+ 0
c 14
- 0
c 1e

# strings: 6
# ips: 3
";

/// A raw recording.
pub(in crate::parse) const RAW: &[u8] = b"\
v 10400 3
x 7 /bin/it
X ./it
I 1000 10
m 1 -
m 1 x 400000 0 800 1000 400
m 8 /l/so.so 7f0000000000 0 1000 3000 10
t 401234 0
t 7f0000003008 1
+ 64 1 1000
+ 20 2 2000
c a
- 2000
- 3000
+ 20 2 2000
m 1 -
m 1 x 400000 0 800 1000 400
m 9 /l/new.so 7f0000000000 0 1000 3000 10
t 7f0000003008 1
+ 8 3 4000
c 14
";

fn profile(text: &[u8]) -> Profile {
    parse(text, &ParseOptions::default()).unwrap().profile
}

#[test]
fn interpreted_files_have_names_inlined_ones_too() {
    check(
        INTERPRETED,
        expect![[r#"
            heaptrack, period 0
            alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes peak_objects/count peak_space/bytes temp_objects/count temp_space/bytes
            2 200 1 100 2 200 1 100 1 100 1 100 1 100 0 0 2 200 2 200 2 200 0 0 2 200 2 200 2 200 0 0 2 200 1 100 1 100 1 100 bytes=100bytes @ inner:3[i] grow:7 main:12
            1 32 0 0 0 0 1 32 0 0 0 0 0 0 0 0 1 32 0 0 0 0 1 32 1 32 0 0 0 0 1 32 1 32 0 0 0 0 1 32 bytes=32bytes @ 7f0000001000 main:12
        "#]],
    );
    let run = profile(INTERPRETED).meta().runs[0].clone();
    assert_eq!((run.recorder.as_str(), run.command.as_str()), ("heaptrack 1.4.0", "./it 300"));
    assert_eq!((run.duration, run.peak_at, run.peak_rss, run.system_memory), (30_000_000, 10_000_000, 0x3000, 0x10000));
    assert_eq!((run.suppressions, run.sizes), (vec!["leak:known".to_owned()], vec![(32, 1), (100, 2)]));
}

#[test]
fn raw_files_have_addresses_in_modules() {
    check(
        RAW,
        expect![[r#"
            heaptrack, period 0
            alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes peak_objects/count peak_space/bytes temp_objects/count temp_space/bytes
            1 100 1 100 1 100 0 0 1 100 1 100 1 100 0 0 1 100 1 100 1 100 0 0 1 100 1 100 1 100 0 0 bytes=100bytes @ 401234
            2 64 1 32 1 32 1 32 1 32 1 32 1 32 0 0 2 64 1 32 1 32 1 32 2 64 1 32 1 32 1 32 bytes=32bytes @ 7f0000003008 401234
            1 8 1 8 1 8 0 0 0 0 0 0 0 0 0 0 1 8 1 8 1 8 0 0 1 8 1 8 1 8 0 0 bytes=8bytes @ 7f0000003008 401234
        "#]],
    );
    let profile = profile(RAW);
    let mappings: Vec<_> = profile.code().mappings.iter().map(|m| (profile.text(m.file), m.start, m.limit, m.bias)).collect();
    assert_eq!(
        mappings,
        [
            ("/bin/it", 0x40_0000, 0x40_1400, Some(0x40_0000)),
            ("/l/so.so", 0x7f00_0000_0000, 0x7f00_0000_3010, Some(0x7f00_0000_0000)),
            ("/l/new.so", 0x7f00_0000_0000, 0x7f00_0000_3010, Some(0x7f00_0000_0000)),
        ]
    );
    let of_row = |row: usize| profile.locations(profile.samples().stack[row]).next().unwrap();
    assert_eq!([1, 2].map(|row| profile.mapping_of(of_row(row)).unwrap().0.0), [1, 2], "the map of the time counts");
}

#[test]
fn older_versions_have_other_lines() {
    // Pointers in place of numbered allocations, and return addresses.
    let zero = "v 100\nX ./it\ns /bin/it\ns main\ni 401235 1 2\nt 1 0\n+ 10 1 aa\n+ 10 1 bb\n- aa\nc 5\n";
    let one = "v 10200\nX ./it\ns /bin/it\ns main\ni 401235 1 2\nt 1 0\na 10 1\n+ 0\n+ 0\n- 0\nc 5\n";
    let two = one.replace("v 10200", "v 10100 2");
    for text in [zero, one, &two] {
        let profile = profile(text.as_bytes());
        assert_eq!([1, 3, 5].map(|at| profile.columns()[at].total()), [32, 16, 32], "{text}");
        assert_eq!(profile.code().locations.iter().next().unwrap().address, 0x401234);
    }
    let raw = "v 10100 2\nx /bin/my it\nX it\nm -\nm x 0 400000 1000\nt 401235 0\n+ 10 1 aa\n";
    let profile = profile(raw.as_bytes());
    let mapping = profile.code().mappings.iter().next().unwrap();
    assert_eq!((profile.text(mapping.file), mapping.start, mapping.bias), ("/bin/my it", 0x40_0000, Some(0x40_0000)));
    assert_eq!(profile.code().locations.iter().next().unwrap().address, 0x401234);
    assert_eq!(
        shown(b"v 10600 4\nX ./it\n"),
        "error: heaptrack, line 1: the file has version 4, written by heaptrack 1.6.0; heapview reads versions up to 3\n"
    );
}

#[test]
fn containers_are_unpacked_piece_by_piece() {
    let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
    gz.write_all(INTERPRETED).unwrap();
    let gz = gz.finish().unwrap();
    assert_eq!(shown(&gz), shown(INTERPRETED));
    let with_mark = [b"\xef\xbb\xbf", INTERPRETED].concat();
    assert_eq!(shown(&with_mark), shown(INTERPRETED));
    assert_eq!(shown(&String::from_utf8_lossy(INTERPRETED).replace('\n', "\r\n").into_bytes()), shown(INTERPRETED));
    let cut = shown(&gz[..gz.len() - 12]);
    let warning = "warning: heaptrack: the gzip data is damaged or ends too early: the recording is truncated after ";
    assert!(cut.contains(warning), "{cut}");
    let mut odd = gz;
    odd.extend_from_slice(b"xyz");
    assert!(shown(&odd).ends_with("warning: heaptrack: ignored 3 bytes after the compressed data\n"), "{}", shown(&odd));
}

#[test]
fn damaged_lines_are_counted_and_the_rest_is_shown() {
    let damaged = b"\
v 10400 3
X ./it
s 7 /bin/it
s 4 main
?? ??
i 401235 1 2
i zz 1 2
i 401236 1 63
t 1 0
t 9 0
t 1 8
a 10 1
a 10 77
a fffffffffffffff0 1
+ 0
+ 1
+ 9
- 0
- 0
c a
c 9
+ 0
c
- 5 5
+ 0";
    expect![[r#"
        heaptrack, period 0
        alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes peak_objects/count peak_space/bytes temp_objects/count temp_space/bytes
        3 48 2 32 2 32 1 16 1 16 0 0 0 0 1 16 3 48 2 32 2 32 1 16 3 48 2 32 2 32 1 16 bytes=16bytes @ main
        warning: heaptrack: the recording is truncated after 10ms; what follows is missing
        warning: heaptrack, line 5: skipped lines that are not part of the format: 1
        warning: heaptrack, line 7: lines with missing or invalid numbers: 2
        warning: heaptrack, line 8: lines that name entries that do not exist: 7
        warning: heaptrack, line 19: ignored frees of blocks that are not in use: 1
        warning: heaptrack, line 21: time stamps that run backward; the earlier time was kept: 1
        warning: heaptrack, line 14: sizes that no machine has, clamped to 256 TiB: 1
    "#]]
    .assert_eq(&shown(damaged));
}

#[test]
fn raw_files_tell_blocks_apart() {
    let text = "v 10400 3\nx 2 /x\nm 1 x 0 0 1000\nt 10 0\n+ 10 1 aa\n+ 20 1 aa\n- bb\nx 2 /y\n+ 10 1 cc\n";
    let shown = shown(text.as_bytes());
    assert!(shown.contains("line 6: allocations at an address in use, whose block was taken to be freed before: 1"), "{shown}");
    assert!(shown.contains("line 8: a second process follows, probably a child; its events are not read: 1"), "{shown}");
    let run = profile(text.as_bytes()).meta().runs[0].clone();
    assert_eq!((run.allocated.objects, run.freed.objects, run.end.bytes, run.is_temporary_exact), (2, 1, 32, true));
}

#[test]
fn attached_recordings_begin_there() {
    let text = String::from_utf8_lossy(INTERPRETED).replace("R 3\n", "A\n");
    let run = profile(text.as_bytes()).meta().runs[0].clone();
    assert!(run.is_attached);
    assert_eq!((run.allocated.objects, run.end.bytes), (1, 0));
}

#[test]
fn texts_may_contain_line_ends() {
    let text = String::from_utf8_lossy(INTERPRETED).replace("s 4 main\n", "s 9 main\n+ 0\n\n");
    let profile = profile(text.as_bytes());
    assert!(profile.code().functions.iter().any(|f| profile.text(f.name) == "main\n+ 0\n"));
    assert_eq!(profile.columns()[0].total(), 3);
}

#[test]
fn deep_stacks_are_cut_and_take_bounded_memory() {
    let mut text = b"v 10400 3\ns 2 /x\ns 1 f\ni 1 1 2\n".to_vec();
    for at in 0..6000 {
        write!(text, "t 1 {at:x}\na 8 {:x}\n+ {at:x}\n", at + 1).unwrap();
    }
    let parsed = parse(&text, &ParseOptions::default()).unwrap();
    let warnings: Vec<String> = parsed.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["heaptrack: the stacks have too many frames to show: 5488 of them are cut off on the caller side"]);
    assert_eq!(parsed.profile.columns()[0].total(), 6000);
}

#[test]
fn recordings_are_known_by_content() {
    let name = |text: &[u8]| crate::parse::sniff(text);
    for text in [INTERPRETED, RAW, b"v 10400 3\n", b"\n# x\nv 1 0\nX a\n"] {
        assert_eq!(name(text), Some("heaptrack"), "{}", String::from_utf8_lossy(text));
    }
    for text in [&b"v 10400 3"[..], b"v 10400 3 4\n", b"v x\n", b"v 1 2\nverbose: yes\n", b"version 3\n"] {
        assert_ne!(name(text), Some("heaptrack"), "{}", String::from_utf8_lossy(text));
    }
    assert_eq!(shown(b"v 10400 3\n").lines().last(), Some("warning: heaptrack: no allocation was recorded"));
}

#[test]
fn bombs_are_read_up_to_a_limit() {
    let mut gz = GzEncoder::new(Vec::new(), Compression::best());
    gz.write_all(b"v 10400 3\ns 2 /x\ns 1 f\ni 1 1 2\nt 1 0\na 10 1\n").unwrap();
    gz.write_all(&b"+ 0\n".repeat(1 << 20)).unwrap();
    let options = ParseOptions { max_expanded: 1 << 20, ..ParseOptions::default() };
    let parsed = parse(&gz.finish().unwrap(), &options).unwrap();
    assert!(matches!(parsed.warnings[0].kind, WarningKind::TooLong { .. }), "{:?}", parsed.warnings);
    let n = parsed.profile.meta().runs[0].allocated.objects;
    assert!((1 << 18..1 << 20).contains(&n), "{n}");
}

#[test]
fn recordings_are_survived_cut_anywhere() {
    for text in [INTERPRETED, RAW] {
        survives_any_cut(text);
        survives(text);
    }
}

#[test]
fn lines_without_an_end_are_dropped() {
    let known = "v 10400 3\nX ./it\ns 4 main\n";
    let rest = "s 4 grow\ni 1 0 1 0\ni 2 0 3 0\nt 1 0\nt 2 1\na 10 2\n+ 0\n";
    let long = "x".repeat(5 << 20);
    // The texts behind it keep their numbers.
    let parsed = parse(format!("{known}s {long}\n{rest}").as_bytes(), &ParseOptions::default()).unwrap();
    let warnings: Vec<String> = parsed.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(warnings, ["heaptrack, line 4: lines with missing or invalid numbers: 1"]);
    let names = parsed.profile.code().functions.iter().map(|function| parsed.profile.text(function.name));
    assert_eq!(names.filter(|name| !name.is_empty()).collect::<Vec<_>>(), ["main", "grow"]);
    assert_eq!(parsed.profile.columns()[1].total(), 16);
    for end in ["", "\n"] {
        let parsed = parse(format!("{known}X {long}{end}").as_bytes(), &ParseOptions::default()).unwrap();
        assert_eq!((parsed.warnings.len(), parsed.profile.meta().runs[0].command.as_str()), (1, "./it"), "{:?}", parsed.warnings);
    }
}

#[test]
fn events_that_cannot_be_take_no_longer_than_others() {
    let text = |event: &str, n: usize| format!("v 10400 3\ns 4 main\ni 1 0 1 0\nt 1 0\na 10 1\n{}", event.repeat(n));
    let time = |text: &str| {
        let start = std::time::Instant::now();
        let parsed = parse(text.as_bytes(), &ParseOptions::default()).unwrap();
        (parsed.warnings.len(), start.elapsed())
    };
    let n = 300_000;
    let (sound, odd, mixed) = (time(&text("+ 0\n- 0\n", n / 2)), time(&text("- 0\n", n)), time(&text("+ 0\n- 0\n- 0\n", n / 3)));
    assert_eq!([sound.0, odd.0, mixed.0], [0, 1, 1]);
    // Each of them was a run of 512 before.
    let most = sound.1 * 20 + std::time::Duration::from_secs(1);
    assert!(odd.1 < most && mixed.1 < most, "{sound:?} {odd:?} {mixed:?}");
}
