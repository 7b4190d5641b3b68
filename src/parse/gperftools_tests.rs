//! Tests of the gperftools format.

use expect_test::expect;

use crate::parse::testing::{check, comes_back, shown, survives_any_cut};
use crate::parse::{ParseOptions, parse};

const GOOD: &str = "\
heap profile:      6:      900 [    10:     1500] @ heapprofile
     3:      600 [     5:     1000] @ 0x401234 0x401567
     3:      300 [     5:      500] @ 0x401300 0x401567

MAPPED_LIBRARIES:
00400000-00402000 r-xp 00000000 fe:00 4711   /bin/it
";

#[test]
fn counts_of_allocations_come_first() {
    check(
        GOOD,
        expect![[r#"
            gperftools, period 1
            alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes
            5 1000 3 600 bytes=200 @ 401233 401566
            5 500 3 300 bytes=100 @ 4012ff 401566
        "#]],
    );
}

#[test]
fn without_allocations_there_are_two_types() {
    check(
        "heap profile: 1: 8 [0: 0] @ growth\n1: 8 [1: 8] @ 0x401234\n",
        expect![[r#"
            gperftools, period 1
            objects/count space/bytes
            1 8 bytes=8 @ 401233
        "#]],
    );
}

#[test]
fn every_row_is_scaled_by_itself() {
    check(
        "\
heap profile: 4: 408 [4: 408] @ heap/1024
3: 300 [3: 300] @ 0x10
1: 108 [1: 108] @ 0x10
",
        expect![[r#"
            gperftools, period 512
            objects/count space/bytes
            16 1690 bytes=100 @ f
            5 567 bytes=108 @ f
        "#]],
    );
}

#[test]
fn the_worked_row_of_go() {
    check(
        "heap profile: 1840: 9891840 [1840: 9891840] @ heap/8192\n1840: 9891840 [1840: 9891840] @ 0x10\n",
        expect![[r#"
            gperftools, period 4096
            objects/count space/bytes
            2517 13534638 bytes=5376 @ f
        "#]],
    );
}

#[test]
fn headers_without_a_type_are_guessed() {
    check(
        "heap profile: 3: 300 [3: 300]\n3: 300 [3: 300] @ 0x10\n",
        expect![[r#"
            gperftools, period 131072
            objects/count space/bytes
            3932 393216 bytes=100 @ f
            warning: gperftools, line 1: the header does not say how the heap was sampled; assumed one sample every 128 KiB
        "#]],
    );
    check(
        "heap profile: 3: 300 [4: 400]\n3: 300 [4: 400] @ 0x10\n",
        expect![[r#"
            gperftools, period 1
            alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes
            4 400 3 300 bytes=100 @ f
            warning: gperftools, line 1: the header does not say how the heap was sampled; assumed no sampling
        "#]],
    );
}

#[test]
fn other_types_are_refused() {
    check(
        "heap profile: 3: 300 [3: 300] @ cpu\n",
        expect![[r#"
            error: gperftools, line 1: expected a heap profile (heapprofile, heap, heap_v2, growth, fragmentation), found `cpu`
        "#]],
    );
    check(
        "heap profile: x\n",
        expect![[r#"
            error: gperftools, line 1: expected `heap profile: objects: bytes [objects: bytes] @ type/period`, found `heap profile: x`; remove the line if it is not part of the profile
        "#]],
    );
}

#[test]
fn comments_and_blanks_and_marks_do_not_matter() {
    let plain = shown(GOOD.as_bytes());
    assert_eq!(shown(GOOD.replace('\n', "\r\n").as_bytes()), plain);
    assert_eq!(shown(format!("\u{feff}\n%warn\n# hello\n{}", GOOD.replace("MAPPED", "# 0x1 main\n\nMAPPED")).as_bytes()), plain);
    assert_eq!(shown(GOOD.trim_end().as_bytes()), plain);
    assert_eq!(shown(GOOD.replace("MAPPED_LIBRARIES:", "--- Memory map: ---").as_bytes()), plain);
}

#[test]
fn lines_that_are_no_rows_are_refused() {
    check(
        GOOD.replacen("\n ", "\nhello, world\n ", 1),
        expect![[r#"
            error: gperftools, line 2: expected `objects: bytes [objects: bytes] @ addresses`, found `hello, world`; remove the line if it is not part of the profile
        "#]],
    );
}

#[test]
fn hostile_numbers_are_refused() {
    let row = |row: &str| shown(format!("heap profile: 1: 8 [1: 8] @ heapprofile\n{row}\n").as_bytes());
    expect![[r#"
        error: gperftools, line 2: an address does not fit in 64 bits: `1: 8 [1: 8] @ 0x1ffffffffffffffff`
    "#]]
    .assert_eq(&row("1: 8 [1: 8] @ 0x1ffffffffffffffff"));
    expect![[r#"
        error: gperftools, line 2: a count does not fit in 64 bits: `1: 99999999999999999999 [1: 1] @ 0x1`
    "#]]
    .assert_eq(&row("1: 99999999999999999999 [1: 1] @ 0x1"));
    expect![[r#"
        error: gperftools, line 2: expected 0 bytes for 0 objects, found 64 bytes (in use)
    "#]]
    .assert_eq(&row("0: 64 [1: 64] @ 0x1"));
    expect![[r#"
        gperftools, period 1
        objects/count space/bytes
        -3 -300 bytes=100 @ 0 0
    "#]]
    .assert_eq(&row("-3: -300 [5: 500] @ 0x1 0x0"));
    expect![[r#"
        gperftools, period 1
        objects/count space/bytes
        -1 -9223372036854775808 bytes=9223372036854775807 @
    "#]]
    .assert_eq(&row("-1: -9223372036854775808 [0: 0] @"));
}

#[test]
fn equal_stacks_stay_apart() {
    check(
        "heap profile: 2: 16 [2: 16] @ heapprofile\n1: 8 [1: 8] @ 0x10 0x20\n1: 8 [1: 8] @ 0x10 0x20\n",
        expect![[r#"
            gperftools, period 1
            objects/count space/bytes
            1 8 bytes=8 @ f 1f
            1 8 bytes=8 @ f 1f
        "#]],
    );
}

#[test]
fn a_second_dump_is_not_added() {
    check(
        format!("{0}{0}", "heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x10\n"),
        expect![[r#"
            gperftools, period 1
            objects/count space/bytes
            1 8 bytes=8 @ f
            warning: gperftools, line 3: a second dump follows; only the first one is shown, split the file to see the other
        "#]],
    );
}

#[test]
fn a_cut_address_is_no_address() {
    let dump = "heap profile: 2: 16 [2: 16] @ heapprofile\n1: 8 [1: 8] @ 0x401234 0x401567\n1: 8 [1: 8] @ 0x401300 0x4015";
    check(
        dump,
        expect![[r#"
            gperftools, period 1
            objects/count space/bytes
            1 8 bytes=8 @ 401233 401566
            1 8 bytes=8 @ 4012ff
            warning: gperftools, line 3: the profile is truncated in a stack; the last row may lack callers, and the rest is missing
        "#]],
    );
    check(
        &dump[..dump.len() - 9],
        expect![[r#"
            gperftools, period 1
            objects/count space/bytes
            1 8 bytes=8 @ 401233 401566
            1 8 bytes=8 @
            warning: gperftools, line 3: the profile is truncated in a stack; the last row may lack callers, and the rest is missing
        "#]],
    );
    // The file may have lost its last line end only.
    check(
        format!("{dump}67"),
        expect![[r#"
            gperftools, period 1
            objects/count space/bytes
            1 8 bytes=8 @ 401233 401566
            1 8 bytes=8 @ 4012ff 401566
        "#]],
    );
}

#[test]
fn missing_rows_are_reported() {
    check(
        GOOD.lines().take(2).map(|l| format!("{l}\n")).collect::<String>(),
        expect![[r#"
            gperftools, period 1
            alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes
            5 1000 3 600 bytes=200 @ 401233 401566
            warning: gperftools, line 1: the rows hold 600 of the header's 900 bytes and no memory map follows; the profile is truncated
        "#]],
    );
}

#[test]
fn bytes_lost_by_gperftools_are_shown() {
    let rows = "     3:      600 [     5:     1000] @ 0x401234 0x401567\n".repeat(1_000_000 / 55 + 10);
    let n = rows.lines().count() as i64;
    let header = format!("heap profile: {}: {} [{}: {}] @ heapprofile\n", 3 * n + 7, 600 * n + 70, 5 * n, 1000 * n);
    let dump = format!("{header}{rows}1: 1 [0: 0] @ 0x401234\nMAPPED_LIBRARIES:\n");
    let shown = shown(dump.as_bytes());
    let expected = "0 0 6 69 @ [rows lost by gperftools' buffer limit]\n\
                    warning: gperftools, line 1: gperftools stopped writing at its 1 MiB limit: 6 objects of 69 bytes have no stack; gperftools 2.16 has no limit\n";
    assert!(shown.ends_with(expected), "{shown}");
}

#[test]
fn cut_gzip_of_text_opens() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(GOOD.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    check(
        &packed[..packed.len() - 120],
        expect![[r#"
            gperftools, period 1
            alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes
            5 1000 3 600 bytes=200 @ 401233 401566
            warning: gperftools: the gzip data ends too early; the profile is truncated
            warning: gperftools, line 3: the profile is truncated in the middle of a line; the rest is missing
        "#]],
    );
}

#[test]
fn mappings_hold_their_addresses() {
    let profile = parse(GOOD.as_bytes(), &ParseOptions::default()).unwrap().profile;
    let code = profile.code();
    assert_eq!(code.mappings.len(), 1);
    let mapping = code.mappings.iter().next().unwrap();
    assert_eq!((mapping.start, mapping.limit, mapping.bias), (0x40_0000, 0x40_2000, Some(0x40_0000)));
    assert_eq!(profile.text(mapping.file), "/bin/it");
    assert!(code.locations.iter().all(|l| l.mapping.is_some()));
}

#[test]
fn symbol_sections_before_the_profile_are_used() {
    check(
        "\
--- symbol
binary=/bin/it
0x0000000000401234 leaf<0000000000401200>
0x0000000000401566 main--run--step
---
--- profile
heap profile: 1: 8 [1: 8] @ heapprofile
1: 8 [1: 8] @ 0x401234 0x401567 0x401777
",
        expect![[r#"
            gperftools, period 1
            objects/count space/bytes
            1 8 bytes=8 @ leaf step[i] run[i] main 401776
        "#]],
    );
    check(
        "--- symbol\n0x1 x\n---\n--- heap\n",
        expect![[r#"
            error: symbolized profile, line 5: expected a profile after the symbols, found nothing (jeprof --raw writes none for local files); give the original dump instead
        "#]],
    );
}

#[test]
fn any_cut_is_survived() {
    survives_any_cut(GOOD.as_bytes());
    comes_back(&parse(GOOD.as_bytes(), &ParseOptions::default()).unwrap().profile);
}
