//! Test helpers: dumps to text, and invariants for any input.

use expect_test::Expect;

use super::{ParseOptions, Parsed, parse};
use crate::export::write_pprof;
use crate::profile::{LabelValue, Profile};

/// Compares what a dump becomes, errors and warnings included.
pub(super) fn check(dump: impl AsRef<[u8]>, want: Expect) {
    want.assert_eq(&shown(dump.as_ref()));
}

pub(super) fn shown(dump: &[u8]) -> String {
    match parse(dump, &ParseOptions { max_expanded: 1 << 20, ..ParseOptions::default() }) {
        Err(e) => format!("error: {e}\n"),
        Ok(Parsed { profile, format, warnings }) => {
            profile.validate().unwrap();
            let warnings: String = warnings.iter().map(|w| format!("warning: {w}\n")).collect();
            format!("{format}, period {}\n{}{warnings}", profile.meta().period, rows(&profile))
        }
    }
}

/// Value types, then a line for each sample: values, labels, frames (leaf first).
pub(super) fn rows(profile: &Profile) -> String {
    let types: Vec<String> = profile.value_types().iter().map(|t| format!("{}/{}", t.kind, t.unit)).collect();
    let mut text = types.join(" ") + "\n";
    for (row, (&stack, &set)) in profile.samples().stack.iter().zip(&profile.samples().labels).enumerate() {
        let values: Vec<String> = profile.columns().iter().map(|c| c.get(row).to_string()).collect();
        let labels = profile.labels().get(set).iter().map(|l| match l.value {
            LabelValue::Text(t) => format!(" {}={:?}", profile.text(l.key), profile.text(t)),
            LabelValue::Number(n, unit) => format!(" {}={n}{}", profile.text(l.key), profile.text(unit)),
        });
        text += &format!("{}{} @", values.join(" "), labels.collect::<String>());
        for frame in profile.stacks().frames(stack) {
            let frame = &profile.code().frames[frame];
            let name = match frame.function.map(|f| &profile.code().functions[f]) {
                Some(f) => profile.text(f.name).to_owned(),
                None => format!("{:x}", profile.code().locations[frame.location].address),
            };
            let line = if frame.line != 0 { format!(":{}", frame.line) } else { String::new() };
            text += &format!(" {name}{line}{}", if frame.inlined { "[i]" } else { "" });
        }
        text += "\n";
    }
    text
}

/// A dump cut at every byte, with and without the line end it may lack: nothing
/// panics, and what is read is sound.
pub(super) fn survives_any_cut(dump: &[u8]) {
    for n in 0..dump.len() {
        survives(&dump[..n]);
    }
}

/// Any bytes: no panic, what is read is sound, and it can be written and read again.
pub(super) fn survives(dump: &[u8]) {
    let options = ParseOptions { max_expanded: 1 << 20, ..ParseOptions::default() };
    super::sniff(dump);
    if let Ok(parsed) = parse(dump, &options) {
        parsed.profile.validate().unwrap();
        comes_back(&parsed.profile);
    }
}

/// Asserts that writing and reading preserves everything the format can represent.
pub(super) fn comes_back(profile: &Profile) {
    let written = |profile: &Profile| {
        let mut out = Vec::new();
        write_pprof(profile, &mut out).unwrap();
        out
    };
    let first = written(profile);
    let again = parse(&first, &ParseOptions::default()).map_err(|e| e.to_string()).unwrap().profile;
    again.validate().unwrap();
    let sums = |profile: &Profile| -> Vec<i64> {
        let of_dump = &profile.columns()[..profile.value_types().len()];
        of_dump.iter().map(|c| (0..c.len()).fold(0i64, |sum, row| sum.saturating_add(c.get(row)))).collect()
    };
    assert_eq!(sums(&again), sums(profile));
    assert_eq!(again.value_types(), profile.value_types());
    let second = written(&again);
    let third = parse(&second, &ParseOptions::default()).map_err(|e| e.to_string()).unwrap().profile;
    assert_eq!(rows(&again), rows(&third));
}

mod properties {
    use super::{survives, survives_any_cut};
    use proptest::prelude::*;

    const SEEDS: [&[u8]; 11] = [
        crate::parse::dhat::tests::VALGRIND,
        crate::parse::dhat::tests::RUST,
        crate::parse::massif::tests::QUARRY,
        crate::parse::heaptrack::tests::INTERPRETED,
        crate::parse::heaptrack::tests::RAW,
        b"heap profile: 3: 300 [4: 400] @ heap_v2/512\n 3: 300 [4: 400] @ 0x401234 0x401567\n\nMAPPED_LIBRARIES:\n400000-402000 r-xp 00000000 fe:00 1 /bin/it\n",
        b"heap_v2/512\n  t*: 3: 300 [4: 400]\n  t0: 3: 300 [4: 400] main\n@ 0x401234 0x401567\n  t*: 3: 300 [4: 400]\n  t0: 1: 300 [4: 400]\n  t1: 2: 300 [4: 400]\nMAPPED_LIBRARIES:\n400000-402000 r-xp 00000000 fe:00 1 /bin/it\n",
        b"--- symbol\nbinary=/bin/it\n0x0401233 main--run\n---\n--- heap\nheap profile: 3: 300 [4: 400] @ heap/512\n3: 300 [4: 400] @ 0x401234\n",
        "--- symbol\nbinary=/bin/it\n0x1233 a\u{2060}--operator---\u{2060}-b<0000000000001200>\n0x1566 0x1566\n---\n--- heap\nheap_v2/512\n  t*: 3: 300 [4: 400]\n  t0: 3: 300 [4: 400] main\n@ 0x1234 0x1567\n  t*: 3: 300 [4: 400]\n  t0: 3: 300 [4: 400]\n".as_bytes(),
        b"# inuse_space bytes, inuse_objects count\nmain;load (a.c:3);x_[i] 96 3 thread=w\nmain 1 1\n",
        b"\n\x04\x08\x01\x10\x02\x12\x06\n\x01\x01\x12\x01\x07\x1a\x02\x08\x01\"\n\x08\x01\x10\x01\x18\x10\"\x02\x08\x01*\x04\x08\x01\x10\x032\x002\x05space2\x05bytes2\x04main`\x05",
    ];

    /// Text seeds, and files of bytes.
    fn seeds() -> Vec<Vec<u8>> {
        SEEDS.iter().map(|seed| seed.to_vec()).chain(crate::parse::bytehound::tests::seeds()).collect()
    }

    #[test]
    fn seeds_are_survived_cut_anywhere() {
        for seed in SEEDS {
            let shown = super::shown(seed);
            assert!(!shown.contains("error"), "{shown}");
            survives_any_cut(seed);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

        #[test]
        fn any_bytes_are_survived(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            survives(&bytes);
        }

        #[test]
        fn damaged_dumps_are_survived(
            seed in 0..seeds().len(),
            edits in proptest::collection::vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>(), 0..40usize), 1..8),
        ) {
            let mut dump = seeds().swap_remove(seed);
            for (at, kind, byte, length) in edits {
                let at = at.index(dump.len().max(1)).min(dump.len());
                let end = (at + length).min(dump.len());
                match kind {
                    0 => dump.insert(at, byte),
                    1 => drop(dump.drain(at..end)),
                    2 => {
                        let copy = dump[at..end].to_vec();
                        dump.splice(at..at, copy);
                    }
                    _ => {
                        if let Some(place) = dump.get_mut(at) {
                            *place = b"0123456789af:[]@-x \n"[usize::from(byte) % 20];
                        }
                    }
                }
            }
            survives(&dump);
        }
    }
}
