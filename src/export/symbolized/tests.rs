//! Round trips: write, read, write again.

use expect_test::{Expect, expect};

use super::Symbolized;
use crate::base::id::MappingId;
use crate::parse::{ParseOptions, heap_text, parse};
use crate::profile::{Labels, Line, Mapping, Profile, ProfileBuilder};

fn read(text: &[u8]) -> Profile {
    parse(text, &ParseOptions::default()).map_err(|e| format!("{e}\n{}", String::from_utf8_lossy(text))).unwrap().profile
}

fn written(profile: &Profile) -> String {
    let mut out = Vec::new();
    Symbolized::new(profile).unwrap().write(&mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// Values, labels but for the mean size, and names leaf first of each row.
fn rows(profile: &Profile) -> Vec<String> {
    let row = |(row, &stack): (usize, &crate::base::id::StackId)| {
        let values: Vec<i64> = profile.columns().iter().map(|c| c.get(row)).collect();
        let name = |f| profile.function_of(f).map_or("?".into(), |(_, f)| profile.text(f.name).to_owned());
        let frames: Vec<String> = profile.stacks().frames(stack).map(name).collect();
        format!("{values:?} {frames:?}")
    };
    profile.samples().stack.iter().enumerate().map(row).collect()
}

fn check(text: &[u8], want: Expect) {
    let profile = read(text);
    let first = written(&profile);
    want.assert_eq(&first);
    let again = read(first.as_bytes());
    again.validate().unwrap();
    assert_eq!(rows(&again), rows(&profile));
    assert_eq!(written(&again), first);
}

#[test]
fn gperftools_text_comes_back() {
    check(
        b"--- symbol\nbinary=/bin/it\n0x401233 main--run<0000000000401200>\n0x401566 start\n---\n--- heap\n\
          heap profile: 3: 300 [4: 400] @ heapprofile\n3: 300 [4: 400] @ 0x401234 0x401567 0x402000\n\
          MAPPED_LIBRARIES:\n401000-403000 r-xp 00001000 00:00 0 /bin/it\n",
        expect![[r#"
            --- symbol
            binary=/bin/it
            0x0000000000401233 main--run
            0x0000000000401234 main--run
            0x0000000000401566 start
            0x0000000000401fff 0x0000000000401fff
            ---
            --- heap
            heap profile:      3:      300 [     4:      400] @ heapprofile
                 3:      300 [     4:      400] @ 0x401234 0x401567 0x402000

            MAPPED_LIBRARIES:
            00400000-00403000 r-xp 00000000 00:00 0 /bin/it
        "#]],
    );
}

#[test]
fn threads_keep_their_names() {
    check(
        b"heap_v2/1\n  t*: 6: 700 [0: 0]\n  t0: 3: 300 [0: 0]\n  t2: 3: 400 [0: 0] stock taker\n@ 0x1234 0x1567\n  t*: 6: 700 [0: 0]\n  t0: 3: 300 [0: 0]\n  t2: 3: 400 [0: 0]\n",
        expect![[r#"
            --- symbol
            0x0000000000001233 0x0000000000001233
            0x0000000000001234 0x0000000000001234
            0x0000000000001566 0x0000000000001566
            ---
            --- heap
            heap_v2/1
              t*: 6: 700 [0: 0]
              t0: 3: 300 [0: 0]
              t1: 3: 400 [0: 0] stock taker
            @ 0x1234 0x1567
              t*: 6: 700 [0: 0]
              t0: 3: 300 [0: 0]
              t1: 3: 400 [0: 0]

            MAPPED_LIBRARIES:
        "#]],
    );
}

#[test]
fn missing_addresses_are_generated() {
    let text = "# inuse_space bytes, inuse_objects count\nmain;load (a.c:3);x_[i] 96 3\nmain;load 0 0\n";
    let profile = read(text.as_bytes());
    let first = written(&profile);
    let again = read(first.as_bytes());
    assert_eq!(written(&again), first);
    let names = |rows: Vec<String>| rows.iter().map(|r| r[r.find('"').unwrap()..].to_owned()).collect::<Vec<_>>();
    assert_eq!(names(rows(&again)), names(rows(&profile)));
}

#[test]
fn other_value_types_are_refused() {
    let profile = read(b"# inuse_space bytes\nmain;load 96\n");
    let error = Symbolized::new(&profile).err().unwrap();
    assert_eq!(error.to_string(), "heap text needs objects and bytes in use; the profile has inuse_space");
}

#[test]
fn a_text_stays_as_it_was() {
    let dump = b"heap profile: 3: 300 [4: 400] @ heap_v2/512\n 3: 300 [4: 400] @ 0x401234 0x401567\n\nMAPPED_LIBRARIES:\n401000-402000 r-xp 00000000 fe:00 1 /bin/it\n";
    let write = |dump: &[u8]| {
        let text = heap_text(dump, &ParseOptions::default()).unwrap();
        let mut out = Vec::new();
        Symbolized::of_text(&read(dump), &text, "/bin/it").write(&mut out).unwrap();
        out
    };
    let first = write(dump);
    assert!(first.ends_with(dump));
    assert_eq!(write(&first), first);
    assert_eq!(rows(&read(&first)), rows(&read(dump)));
}

/// A profile of one stack with these location names, innermost first.
fn named(locations: &[Vec<String>]) -> Profile {
    let mut b = ProfileBuilder::new(&[("inuse_objects", "count"), ("inuse_space", "bytes")]);
    let file = b.string("/bin/it");
    let mapping = b.mapping(Mapping { start: 0x1000, limit: 0x9000, file, ..Mapping::default() });
    assert_eq!(mapping, MappingId(0));
    let stack: Vec<_> = locations
        .iter()
        .enumerate()
        .map(|(i, names)| {
            let lines: Vec<Line> = names
                .iter()
                .map(|name| {
                    let name = b.string(name);
                    Line { function: Some(b.function_named(name)), line: 0, column: 0 }
                })
                .collect();
            b.location(Some(mapping), 0x2000 + i as u64, &lines)
        })
        .collect();
    b.sample(&stack, Labels::NONE, &[1, 100]);
    b.build()
}

#[test]
fn names_that_could_be_misread_come_back() {
    let hard = [
        "operator--",
        "a--b",
        "-",
        "--",
        "---",
        "a-",
        "-a",
        "0x401234",
        "make<0040122012>",
        " a ",
        "A::operator",
        "\u{2060}",
        "-\u{2060}-",
        "a-\u{2060}",
        "<T as U>::f",
        "operator->",
        "x<deadbeef>\u{2060}",
        "\u{2060}-",
        "\u{2060}0x1\u{2060}",
    ];
    for a in hard {
        for b in hard {
            let profile = named(&[vec![a.into(), b.into()], vec!["main".into(), a.into()]]);
            let text = written(&profile);
            assert_eq!(rows(&read(text.as_bytes())), rows(&profile), "{text}");
        }
    }
}

mod properties {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1000) })]

        #[test]
        fn any_names_come_back(locations in proptest::collection::vec(proptest::collection::vec("[-\u{2060} a0x<>1f:]{1,12}|operator-*|0x[0-9]{1,4}|[a-c]<[0-9]{8,9}>", 1..4), 1..5)) {
            let profile = named(&locations);
            let text = written(&profile);
            let again = read(text.as_bytes());
            prop_assert_eq!(rows(&again), rows(&profile));
            prop_assert_eq!(written(&again), text);
        }

        #[test]
        fn any_heap_text_comes_back(
            rows_of in proptest::collection::vec((0i64..99, 0i64..9999, 0i64..99, 0i64..9999, proptest::collection::vec(0u64..0x60, 0..6)), 0..12),
            kind in 0..3usize,
        ) {
            let kind = ["heapprofile", "heap_v2/512", "growth"][kind];
            let mut text = format!("heap profile: 1: 1 [9: 9] @ {kind}\n");
            for (n, b, all_n, all_b, stack) in rows_of {
                let addresses: Vec<String> = stack.iter().map(|a| format!("{:#x}", a * 0x100)).collect();
                text += &format!("{}: {b} [{}: {all_b}] @ {}\n", n + 1, all_n + 1, addresses.join(" "));
            }
            text += "MAPPED_LIBRARIES:\n1000-2000 r--p 00000000 00:00 0 /bin/it\n2000-3000 r-xp 00001000 00:00 0 /bin/it\n4000-5000 r-xp 0 00:00 0 /lib/a b.so\n";
            let profile = read(text.as_bytes());
            let first = written(&profile);
            let again = read(first.as_bytes());
            again.validate().unwrap();
            prop_assert_eq!(written(&again), first);
        }
    }
}
