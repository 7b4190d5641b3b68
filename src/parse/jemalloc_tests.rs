//! Tests of the jemalloc format.

use expect_test::expect;

use crate::parse::testing::{check, comes_back, shown, survives_any_cut};
use crate::parse::{ParseOptions, parse};

const GOOD: &str = "\
heap_v2/1
  t*: 6: 900 [0: 0]
  t0: 3: 600 [0: 0] main
  t1: 3: 300 [0: 0] t9: 1: 2 [3: 4]
  t2: 0: 0 [0: 0]
@ 0x401234 0x401567
  t*: 5: 700 [0: 0]
  t0: 3: 600 [0: 0]
  t1: 2: 100 [0: 0]
@ 0x401300
  t*: 1: 200 [0: 0]
  t2: 1: 200 [0: 0]

MAPPED_LIBRARIES:
00400000-00402000 r-xp 00000000 fe:00 4711   /bin/it
";

#[test]
fn threads_are_labels() {
    check(
        GOOD,
        expect![[r#"
            jemalloc, period 1
            inuse_objects/count inuse_space/bytes
            3 600 bytes=200 thread="main" @ 401233 401566
            2 100 bytes=50 thread="t9: 1: 2 [3: 4]" @ 401233 401566
            1 200 bytes=200 thread="t2" @ 4012ff
        "#]],
    );
}

#[test]
fn any_allocation_makes_columns_of_them() {
    check(
        "heap_v2/1\n  t*: 0: 0 [0: 0]\n@ 0x10\n  t*: 1: 8 [2: 24]\n@ 0x20\n  t*: 0: 0 [3: 48]\n",
        expect![[r#"
            jemalloc, period 1
            alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes
            2 24 1 8 bytes=8 @ f
            3 48 0 0 bytes=16 @ 1f
        "#]],
    );
}

#[test]
fn the_worked_block_of_jeprof() {
    check(
        "heap_v2/4096\n@ 0x10\n  t*: 2041: 32157375 [0: 0]\n  t0: 2041: 32157375 [0: 0]\n@ 0x20\n  t*: 460: 471040 [0: 0]\n",
        expect![[r#"
            jemalloc, period 4096
            inuse_objects/count inuse_space/bytes
            2086 32858983 bytes=15755 thread="t0" @ f
            2080 2129483 bytes=1024 @ 1f
        "#]],
    );
}

#[test]
fn threads_add_up_to_the_scaled_sum() {
    // On their own: 1 object and 20972, 1.2 MB and 1.0 MB. Their sum: 6 objects of 2.1 MB.
    let dump = "heap_v2/524288\n@ 0x10\n  t*: 3: 1000100 [0: 0]\n  t1: 1: 1000000 [0: 0]\n  t2: 2: 100 [0: 0]\n";
    let profile = parse(dump.as_bytes(), &ParseOptions::default()).unwrap().profile;
    let sum = |column: usize| (0..profile.samples().len()).map(|row| profile.columns()[column].get(row)).sum::<i64>();
    assert!((0..profile.samples().len()).all(|row| profile.columns()[0].get(row) >= 0));
    assert_eq!((sum(0), sum(1)), (6, 2_125_553));
}

#[test]
fn blocks_without_a_sum_are_added_up() {
    check(
        "heap_v2/1\n@ 0x10\n  t1: 1: 8 [0: 0]\n  t2: 1: 16 [0: 0]\n@ 0x20\n@ 0x30\n  t*: 1: 8 [0: 0]\n",
        expect![[r#"
            jemalloc, period 1
            inuse_objects/count inuse_space/bytes
            1 8 bytes=8 thread="t1" @ f
            1 16 bytes=16 thread="t2" @ f
            1 8 bytes=8 @ 2f
            warning: jemalloc, line 5: skipped stacks without numbers: 1
        "#]],
    );
}

#[test]
fn odd_lines_are_skipped_and_counted() {
    check(
        "\n\nheap_v2/1\nhello\n@ 0x10 0x1ffffffffffffffff zzz\nfoo: 1\n  t*: 1: 99999999999999999999 [0: 0]\n@\n  t*: 0: 5 [0: 0]\nheap_v2/1\n",
        expect![[r#"
            error: not a profile: expected gperftools or Go heap text, jemalloc heap_v2 text, symbolized profiles, heaptrack recordings, massif's output, bytehound recordings, Tracy traces, DHAT's JSON of valgrind and the crate dhat, pprof protobuf, collapsed stacks, found `heap_v2/1`
        "#]],
    );
}

#[test]
fn the_first_line_must_give_a_period() {
    check(
        "heap_v2/\n",
        expect![[r#"
            error: jemalloc, line 1: expected `heap_v2/` and the sampling period, found `heap_v2/`; remove the line if it is not part of the profile
        "#]],
    );
    check(
        "heap_v2/99999999999999999999\n",
        expect![[r#"
            error: jemalloc, line 1: the sampling period does not fit in 64 bits: `heap_v2/99999999999999999999`
        "#]],
    );
    check(
        "heap_v3/524288\n",
        expect![[r#"
            error: this is a jemalloc dump of an unknown version, which heapview cannot open; heapview reads heap_v2 with a sampling period, as in `heap_v2/524288`
        "#]],
    );
}

#[test]
fn line_ends_and_marks_do_not_matter() {
    let plain = shown(GOOD.as_bytes());
    assert_eq!(shown(GOOD.replace('\n', "\r\n").as_bytes()), plain);
    assert_eq!(shown(format!("\u{feff}\n{GOOD}").as_bytes()), plain);
    assert_eq!(shown(GOOD.trim_end().as_bytes()), plain);
}

#[test]
fn a_cut_dump_opens() {
    check(
        &GOOD[..GOOD.find("@ 0x401300").unwrap() + 6],
        expect![[r#"
            jemalloc, period 1
            inuse_objects/count inuse_space/bytes
            3 600 bytes=200 thread="main" @ 401233 401566
            2 100 bytes=50 thread="t9: 1: 2 [3: 4]" @ 401233 401566
            warning: jemalloc, line 10: the profile is truncated in the middle of a line; the rest is missing
        "#]],
    );
}

#[test]
fn any_cut_is_survived() {
    survives_any_cut(GOOD.as_bytes());
    comes_back(&parse(GOOD.as_bytes(), &ParseOptions::default()).unwrap().profile);
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config { failure_persistence: None, ..Default::default() })]

    /// Issue 13: where many threads hold little each, one share became negative, and the total, a sum of
    /// absolute values, too high.
    #[test]
    fn totals_are_the_sums_of_stacks_for_any_threads(
        lg_period in 0u32..24,
        blocks in proptest::collection::vec(proptest::collection::vec((1i64..6, 1i64..9000), 1..40), 1..5),
    ) {
        let mut dump = format!("heap_v2/{}\n", 1i64 << lg_period);
        let mut want = (0, 0);
        for (i, threads) in blocks.iter().enumerate() {
            let objects: i64 = threads.iter().map(|t| t.0).sum();
            let bytes: i64 = threads.iter().map(|t| t.0 * t.1).sum();
            let scaled = crate::parse::unsample::Sampling::Rounded(1 << lg_period).undo(objects, bytes, 1);
            want = (want.0 + scaled.0, want.1 + scaled.1);
            dump += &format!("@ 0x{}0\n  t*: {objects}: {bytes} [0: 0]\n", i + 1);
            for (id, (objects, size)) in threads.iter().enumerate() {
                dump += &format!("  t{id}: {objects}: {} [0: 0]\n", objects * size);
            }
        }
        let profile = parse(dump.as_bytes(), &ParseOptions::default()).unwrap().profile;
        let absolute = |column: usize| (0..profile.samples().len()).map(|row| profile.columns()[column].get(row).abs()).sum::<i64>();
        proptest::prop_assert_eq!((absolute(0), absolute(1)), want);
        for column in profile.columns() {
            proptest::prop_assert!(column.iter().all(|value| value >= 0));
        }
    }
}
