//! Tests of the protobuf format.

use expect_test::expect;
use prost::Message;

use crate::parse::testing::{check, comes_back, shown, survives_any_cut};
use crate::parse::{ErrorKind, ParseOptions, WarningKind, parse};
use crate::proto::{Function, Label, Line, Location, Mapping, Profile, Sample, ValueType};

/// `main` calls `leaf`, into which `inlined` was inlined; one sample has labels.
fn good() -> Profile {
    let texts = [
        "",
        "inuse_objects",
        "count",
        "inuse_space",
        "bytes",
        "main",
        "leaf",
        "inlined",
        "a.c",
        "/bin/it",
        "ABCD",
        "thread",
        "t1",
        "malloc",
        "space",
    ];
    let function = |id, name| Function { id, name, system_name: name, filename: 8, start_line: 1 };
    let line = |function_id, line| Line { function_id, line, column: 0 };
    let location = |id, address, line| Location { id, mapping_id: 1, address, line, is_folded: false };
    let labels = vec![
        Label { key: 11, str: 12, ..Default::default() },
        Label { key: 4, num: 8, num_unit: 4, ..Default::default() },
        Label { key: 4, ..Default::default() },
    ];
    Profile {
        sample_type: vec![ValueType { r#type: 1, unit: 2 }, ValueType { r#type: 3, unit: 4 }],
        sample: vec![
            Sample { location_id: vec![2, 1], value: vec![3, 300], label: vec![] },
            Sample { location_id: vec![1], value: vec![-1, -8], label: labels },
            Sample { location_id: vec![], value: vec![1, 1], label: vec![] },
        ],
        mapping: vec![Mapping {
            id: 1,
            memory_start: 0x1000,
            memory_limit: 0x2000,
            filename: 9,
            build_id: 10,
            has_functions: true,
            ..Default::default()
        }],
        location: vec![location(1, 0x1010, vec![line(1, 5)]), location(2, 0x1020, vec![line(3, 9), line(2, 7)])],
        function: vec![function(1, 5), function(2, 6), function(3, 7)],
        string_table: texts.map(|t| t.as_bytes().to_vec()).into(),
        drop_frames: 13,
        time_nanos: 17,
        duration_nanos: 1,
        period_type: Some(ValueType { r#type: 14, unit: 4 }),
        period: 512,
        comment: vec![8, 9],
        default_sample_type: 1,
        ..Default::default()
    }
}

fn error(change: impl FnOnce(&mut Profile)) -> ErrorKind {
    let mut profile = good();
    change(&mut profile);
    parse(&profile.encode_to_vec(), &ParseOptions::default()).unwrap_err().kind
}

#[test]
fn everything_is_read() {
    let bytes = good().encode_to_vec();
    check(
        &bytes,
        expect![[r#"
            pprof, period 512
            inuse_objects/count inuse_space/bytes
            3 300 @ inlined:9[i] leaf:7 main:5
            -1 -8 thread="t1" bytes=8bytes @ main:5
            1 1 @
        "#]],
    );
    let profile = parse(&bytes, &ParseOptions::default()).unwrap().profile;
    let meta = profile.meta();
    assert_eq!(
        (&*meta.drop_frames, &*meta.default_type, &*meta.comments),
        ("malloc", "inuse_objects", &["a.c".to_owned(), "/bin/it".to_owned()][..])
    );
    assert_eq!((profile.dumps()[0].time_nanos, profile.dumps()[0].duration_nanos), (17, 1));
    let mapping = profile.code().mappings.iter().next().unwrap();
    assert_eq!((profile.text(mapping.build_id), mapping.has_functions, mapping.bias), ("abcd", true, None));
    comes_back(&profile);
}

#[test]
fn order_and_packing_do_not_matter() {
    let profile = good();
    let bytes = profile.encode_to_vec();
    // The texts first, as few writers do.
    let texts = Profile { string_table: profile.string_table.clone(), ..Default::default() };
    let others = Profile { string_table: Vec::new(), ..profile };
    assert_eq!(shown(&[texts.encode_to_vec(), others.encode_to_vec()].concat()), shown(&bytes));
    // One number at a time, then an unknown field.
    let unpacked = [&bytes[..], &[0x12, 8, 0x08, 2, 0x08, 1, 0x10, 3, 0x10, 9], &[0x82, 0x06, 1, 0]].concat();
    assert!(shown(&unpacked).contains("3 9 @ inlined"), "{}", shown(&unpacked));
}

#[test]
fn names_that_are_not_utf8_are_read() {
    let mut profile = good();
    profile.string_table[5] = b"ma\xffin".to_vec();
    assert!(shown(&profile.encode_to_vec()).contains("ma\u{fffd}in"));
}

#[test]
fn unknown_mappings_are_accepted() {
    let mut profile = good();
    profile.location[0].mapping_id = 77;
    assert!(parse(&profile.encode_to_vec(), &ParseOptions::default()).is_ok());
}

#[test]
fn references_must_hold() {
    let id = |table, id, found| ErrorKind::Id { table, id, found };
    assert_eq!(error(|p| p.function[1].id = 1), id("function", 1, "two"));
    assert_eq!(error(|p| p.function[1].id = 0), id("function", 0, "a reserved id"));
    assert_eq!(error(|p| p.function[1].id = 1 << 60), id("function", 2, "none"));
    assert_eq!(error(|p| p.location[0].line[0].function_id = 0), id("function", 0, "none"));
    assert_eq!(error(|p| p.location[1].id = 1), id("location", 1, "two"));
    assert_eq!(error(|p| p.sample[0].location_id[0] = 99), id("location", 99, "none"));
    assert_eq!(error(|p| p.sample[0].location_id[0] = 0), id("location", 0, "none"));
    assert_eq!(error(|p| p.mapping.push(p.mapping[0])), id("mapping", 1, "two"));
}

#[test]
fn texts_must_hold() {
    let index = |field, index| ErrorKind::TextIndex { field, index, len: 15 };
    assert_eq!(error(|p| p.function[0].name = -1), index("a function's name", -1));
    assert_eq!(error(|p| p.sample_type[0].unit = 15), index("a value type's unit", 15));
    assert_eq!(error(|p| p.sample[1].label[0].key = 99), index("a label's key", 99));
    assert_eq!(error(|p| p.string_table[0] = b"x".to_vec()), ErrorKind::TextTable { found: "another text in its place" });
    assert_eq!(error(|p| p.string_table.clear()), ErrorKind::TextTable { found: "no string table" });
}

#[test]
fn values_must_match_their_types() {
    assert_eq!(error(|p| p.sample[0].value.push(1)), ErrorKind::Values { expected: 2, found: 3 });
    assert_eq!(error(|p| p.sample[0].value.clear()), ErrorKind::Values { expected: 2, found: 0 });
    assert_eq!(error(|p| p.sample_type.clear()), ErrorKind::NoValueTypes);
}

#[test]
fn the_wire_must_hold() {
    let after = |bytes: &[u8]| {
        let result = parse(&[&good().encode_to_vec()[..], bytes].concat(), &ParseOptions::default());
        result.map(|_| ()).map_err(|e| e.to_string())
    };
    assert_eq!(after(&[]), Ok(()));
    let error = after(&[0x13]).unwrap_err();
    expect!["pprof, byte 295: expected a profile, found invalid bytes (a group); the file is damaged or truncated"].assert_eq(&error);
    let error = after(&[0x12, 0x7f, 0]).unwrap_err();
    expect!["pprof, byte 295: expected a profile, found invalid bytes (127 bytes announced, 1 left); the file is damaged or truncated"]
        .assert_eq(&error);
    let error = after(&[0x10, 5]).unwrap_err();
    expect!["pprof, byte 295: expected a profile, found invalid bytes (field 2 has the wrong wire type); the file is damaged or truncated"]
        .assert_eq(&error);
    let error = after(&[[0x48].as_slice(), &[0xff; 11]].concat()).unwrap_err();
    assert!(error.contains("varint"), "{error}");
    assert!(after(&good().encode_to_vec()).unwrap_err().contains("one after the other"));
}

#[test]
fn any_cut_is_survived() {
    survives_any_cut(&good().encode_to_vec());
}

/// Issue 13: a kilobyte expanded to six gigabytes of comments.
#[test]
fn comments_are_bounded_in_number_and_in_sum() {
    let read = |change: &dyn Fn(&mut Profile)| {
        let mut profile = good();
        change(&mut profile);
        let parsed = parse(&profile.encode_to_vec(), &ParseOptions::default()).unwrap();
        (parsed.profile.meta().comments.len(), parsed.warnings.into_iter().map(|warning| warning.kind).collect::<Vec<_>>())
    };
    let short = read(&|profile| profile.comment = vec![8; 25_000]);
    assert_eq!(short, (10_000, vec![WarningKind::TooManyComments { shown: 10_000, found: 25_000 }]));
    let long = read(&|profile| {
        profile.string_table[8] = vec![b'c'; 300_000];
        profile.comment = vec![8; 9];
    });
    assert_eq!(long, (3, vec![WarningKind::TooManyComments { shown: 3, found: 9 }]));
    let one = read(&|profile| profile.string_table[8] = vec![b'c'; 2 << 20]);
    assert_eq!(one, (0, vec![WarningKind::TooManyComments { shown: 0, found: 2 }]));
    assert_eq!(error(|profile| profile.comment = vec![8, 99]), ErrorKind::TextIndex { field: "a comment", index: 99, len: 15 });
}

#[test]
fn more_value_types_than_any_writer_has_are_refused() {
    let with = |n: usize| {
        move |profile: &mut Profile| {
            profile.sample_type = vec![ValueType { r#type: 1, unit: 2 }; n];
            profile.sample.truncate(1);
            profile.sample[0].value = vec![1; n];
        }
    };
    assert_eq!(error(with(1001)), ErrorKind::TooManyValueTypes { found: 1001, most: 1000 });
    let mut profile = good();
    with(1000)(&mut profile);
    assert_eq!(parse(&profile.encode_to_vec(), &ParseOptions::default()).unwrap().profile.value_types().len(), 1000);
}

/// Issue 13: a location with many inlined frames made a tree of gigabytes of a few kilobytes.
#[test]
fn inlined_frames_do_not_multiply_without_bound() {
    let mut profile = good();
    let line = profile.location[0].line[0];
    profile.location = (1..=3000).map(|id| Location { id, address: id, ..Location::default() }).collect();
    profile.location.push(Location { id: 3001, address: 3001, line: vec![line; 1000], ..Location::default() });
    profile.sample = (1..=3000).map(|id| Sample { location_id: vec![3001, id], value: vec![1, 1], label: vec![] }).collect();
    let bytes = profile.encode_to_vec();
    let profile = parse(&bytes, &ParseOptions::default()).unwrap().profile;
    assert!(profile.stacks().len() <= (1 << 19) + bytes.len() / 3, "{} nodes of {} bytes", profile.stacks().len(), bytes.len());
    assert!(profile.n_cut() > 0);
    profile.validate().unwrap();
}
