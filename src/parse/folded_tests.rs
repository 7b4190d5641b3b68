//! Tests of the collapsed-stack format.

use expect_test::expect;

use crate::parse::testing::{check, comes_back, survives_any_cut};
use crate::parse::{ParseOptions, parse};

const GOOD: &str = "\
# inuse_space bytes, inuse_objects count
main;load;alloc 96 3
# a comment
main;load (src/load.rs:12);parse_[i];alloc 32 1 thread=worker size=32
a frame;operator= 7 1
";

#[test]
fn frames_types_places_labels() {
    check(
        GOOD,
        expect![[r#"
            folded, period 0
            inuse_space/bytes inuse_objects/count
            96 3 @ alloc load main
            32 1 thread="worker" size=32 @ alloc parse[i] load:12 main
            7 1 @ operator= a frame
        "#]],
    );
}

#[test]
fn types_are_guessed_from_the_first_stack() {
    check(
        "main;a 7\nmain;b 2 9\n",
        expect![[r#"
            folded, period 0
            inuse_space/bytes
            7 @ a main
            9 @ b 2 main
        "#]],
    );
    check(
        "main;a 7 1\nmain;a 7 2\n",
        expect![[r#"
            folded, period 0
            inuse_space/bytes inuse_objects/count
            7 1 @ a main
            7 2 @ a main
        "#]],
    );
}

#[test]
fn lines_without_numbers_are_refused() {
    check(
        "main;a 7\n".repeat(10) + "main;b\nmain;c 1\n",
        expect![[r#"
            error: folded, line 11: expected `frame;frame;frame` and a number for each value type, found `main;b`; remove the line if it is not part of the profile
        "#]],
    );
    check(
        "main;a 7\n".repeat(10) + "main;b 99999999999999999999\n",
        expect![[r#"
            error: folded, line 11: a value does not fit in 64 bits: `main;b 99999999999999999999`
        "#]],
    );
    check(
        "main;a 7\n".repeat(10) + "main;b",
        expect![[r#"
            folded, period 0
            inuse_space/bytes
            7 @ a main
            7 @ a main
            7 @ a main
            7 @ a main
            7 @ a main
            7 @ a main
            7 @ a main
            7 @ a main
            7 @ a main
            7 @ a main
            warning: folded, line 11: the profile is truncated in the middle of a line; the rest is missing
        "#]],
    );
}

#[test]
fn prose_is_no_profile() {
    let of = |text: &str| crate::parse::sniff(text.as_bytes());
    assert_eq!(of("This is not a heap profile.\n"), None);
    assert_eq!(of("answers 42\n"), None);
    assert_eq!(of("# one two three\nmain 1\n"), None);
    assert_eq!(of("main;a 1\nand more\n"), None);
    assert_eq!(of("main;a 1\n"), Some("folded"));
    assert_eq!(of("# inuse_space bytes\nmain 1\n"), Some("folded"));
}

#[test]
fn stacks_may_be_deeper_than_the_head() {
    let dump = "f;".repeat(100_000) + "g 7\n";
    let profile = parse(dump.as_bytes(), &ParseOptions::default()).unwrap().profile;
    assert_eq!(profile.stacks().len(), 100_002);
}

#[test]
fn unusual_stacks() {
    check(
        "a_[i];b_[i];c 1\n;;x;; 2\na;b_[i] 4\n 8\n(:3);f (:3);g (a:b:4) 16\n",
        expect![[r#"
            folded, period 0
            inuse_space/bytes
            1 @ c b[i] a
            2 @ x
            4 @ b[i] a
            8 @
            16 @ g:4 f (:3) (:3)
        "#]],
    );
}

#[test]
fn any_cut_is_survived() {
    survives_any_cut(GOOD.as_bytes());
    comes_back(&parse(GOOD.as_bytes(), &ParseOptions::default()).unwrap().profile);
}
