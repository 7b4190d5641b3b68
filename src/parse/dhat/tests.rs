use expect_test::expect;

use crate::parse::error::ErrorKind;
use crate::parse::testing::{check, shown, survives, survives_any_cut};
use crate::parse::{ParseOptions, parse};
use crate::profile::{MomentKind, Profile};

/// A file of valgrind with everything that one has.
pub(in crate::parse) const VALGRIND: &[u8] = br#"{"dhatFileVersion":2
,"mode":"heap","verb":"Allocated"
,"bklt":true,"bkacc":true
,"tu":"instrs","Mtu":"Minstr"
,"tuth":500
,"cmd":"./it 3"
,"pid":117
,"te":5000
,"tg":4000
,"pps":
 [{"tb":300,"tbk":3
  ,"tl":6000
  ,"mb":0,"mbk":0
  ,"gb":200,"gbk":2
  ,"eb":100,"ebk":1
  ,"rb":20,"wb":600
  ,"acc":[-96,6,-2,12,0,20]
  ,"fs":[1,2,3]
  }
 ,{"tb":64,"tbk":4
  ,"tl":400
  ,"mb":32,"mbk":2
  ,"gb":0,"gbk":0
  ,"eb":0,"ebk":0
  ,"rb":0,"wb":0
  ,"fs":[1,4]
  }
 ]
,"ftbl":
 ["[root]"
 ,"0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so)"
 ,"0x1091DA: grow (it.c:8)"
 ,"0x1091DA: main (it.c:15)"
 ,"0x10928C: main (it.c:17)"
 ]
}
"#;

/// A file of the crate dhat.
pub(in crate::parse) const RUST: &[u8] = "{
\"dhatFileVersion\": 2,
\"mode\": \"rust-heap\",
\"verb\": \"Allocated\",
\"bklt\": true,
\"bkacc\": false,
\"tu\": \"µs\",
\"Mtu\": \"s\",
\"tuth\": 10,
\"cmd\": \"target/it --all\",
\"pid\": 9,
\"tg\": 700,
\"te\": 900,
\"pps\": [
{
\"tb\": 50,
\"tbk\": 5,
\"tl\": 100,
\"mb\": 20,
\"mbk\": 2,
\"gb\": 20,
\"gbk\": 2,
\"eb\": 0,
\"ebk\": 0,
\"fs\": [1,2]
}
],
\"ftbl\": [
\"[root]\",
\"0x55ab: alloc::alloc::alloc (src/alloc.rs:95:9)\",
\"0x55cd: it::main (it/src/main.rs:3:5)\"
]
}
"
.as_bytes();

fn profile(text: &[u8]) -> Profile {
    parse(text, &ParseOptions::default()).unwrap().profile
}

fn warnings(text: &[u8]) -> Vec<String> {
    parse(text, &ParseOptions::default()).unwrap().warnings.iter().map(ToString::to_string).collect()
}

/// `VALGRIND` with one text in place of another.
fn changed(from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(VALGRIND.to_vec()).unwrap();
    assert!(text.contains(from), "{from}");
    text.replacen(from, to, 1).into_bytes()
}

/// Sums of the value types of a dump.
fn totals(profile: &Profile, dump: usize) -> Vec<(String, i64)> {
    let n = profile.value_types().len();
    let columns = &profile.columns()[dump * n..][..n];
    profile.value_types().iter().zip(columns).map(|(of, column)| (of.kind.clone(), column.total())).collect()
}

fn total(profile: &Profile, kind: &str) -> i64 {
    totals(profile, 0).into_iter().find(|(name, _)| name == kind).unwrap().1
}

#[test]
fn files_of_valgrind_are_read() {
    check(
        VALGRIND,
        expect![[r#"
        DHAT, period 0
        alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes peak_objects/count peak_space/bytes max_objects/count max_space/bytes lifetime/instructions read_space/bytes write_space/bytes
        3 300 1 100 2 200 2 200 6000 20 600 0 0 2 200 2 200 0 0 0 0 0 3 300 1 100 1 100 0 0 6000 20 600 bytes=100bytes @ malloc grow:8[i] main:15
        4 64 0 0 0 0 2 32 400 0 0 0 0 0 0 0 0 0 0 0 0 0 4 64 0 0 0 0 0 0 400 0 0 bytes=16bytes @ malloc main:17
    "#]],
    );
    let profile = profile(VALGRIND);
    let run = &profile.meta().runs[0];
    assert_eq!((run.recorder.as_str(), run.mode.as_str(), run.command.as_str()), ("DHAT of valgrind", "heap", "./it 3"));
    assert_eq!((run.pid, run.short_lifetime, run.duration, run.peak_at), (117, 500, 5000, 4000));
    assert_eq!([run.allocated.bytes, run.freed.bytes, run.peak.bytes, run.end.bytes], [364, 264, 200, 100]);
    let moments: Vec<_> = profile.dumps().iter().filter_map(|dump| dump.moment).map(|moment| (moment.at, moment.kind)).collect();
    assert_eq!(moments, [(4000, MomentKind::Peak), (5000, MomentKind::End)]);
    let at_peak = totals(&profile, 1);
    let in_use = |totals: &[(String, i64)], kind: &str| totals.iter().find(|(name, _)| name == kind).unwrap().1;
    assert_eq!([in_use(&at_peak, "inuse_space"), in_use(&at_peak, "peak_objects"), in_use(&at_peak, "alloc_space")], [200, 2, 0]);
    let at_end = totals(&profile, 2);
    assert_eq!([in_use(&at_end, "inuse_space"), in_use(&at_end, "peak_space"), in_use(&at_end, "alloc_space")], [100, 100, 364]);
}

#[test]
fn files_of_the_crate_are_read() {
    check(
        RUST,
        expect![[r#"
        DHAT, period 0
        alloc_objects/count alloc_space/bytes inuse_objects/count inuse_space/bytes peak_objects/count peak_space/bytes max_objects/count max_space/bytes lifetime/microseconds
        5 50 0 0 2 20 2 20 100 0 0 2 20 2 20 0 0 0 5 50 0 0 0 0 0 0 100 bytes=10bytes @ alloc::alloc::alloc:95 it::main:3
    "#]],
    );
    let run = profile(RUST).meta().runs[0].clone();
    assert_eq!((run.recorder.as_str(), run.mode.as_str()), ("dhat-rs", "rust-heap"));
    assert_eq!((run.short_lifetime, run.duration, run.peak_at), (10, 900_000, 700_000));
}

#[test]
fn other_modes_count_other_things() {
    let file = |mode: &str, more: &str| {
        format!(
            r#"{{"dhatFileVersion":2,"mode":"{mode}","verb":"Copied","bklt":false,"bkacc":false,{more}"tu":"instrs","Mtu":"Minstr","cmd":"x","pid":1,"te":9,"pps":[{{"tb":30,"tbk":2,"fs":[1]}}],"ftbl":["[root]","0x1: f (a.c:1)"]}}"#
        )
    };
    for (mode, more, types) in [
        ("copy", "", "copied_objects/count copied_space/bytes"),
        ("ad-hoc", r#""bu":"unit","bsu":"gulps","bksu":"events","#, "events/count units/gulps"),
        ("rust-ad-hoc", "", "events/count units/units"),
        ("heap", "", "alloc_objects/count alloc_space/bytes"),
    ] {
        let text = shown(file(mode, more).as_bytes());
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], types, "{mode}");
        assert!(lines[2].starts_with("2 30") && lines[2].ends_with("@ f:1"), "{text}");
        assert_eq!(lines.len(), 3, "{text}");
    }
    let empty = br#"{"dhatFileVersion":2,"mode":"ad-hoc","verb":"Occurred","bklt":false,"bkacc":false,"tu":"instrs","Mtu":"Minstr","cmd":"x","pid":1,"te":9,"pps":[],"ftbl":["[root]"]}"#;
    assert_eq!(warnings(empty), ["DHAT: no allocation was recorded"]);
}

#[test]
fn repeated_locations_are_merged() {
    // Once more the first one, and its two innermost frames alone.
    let again = r#",{"tb":300,"tbk":3,"tl":1,"mb":400,"mbk":4,"gb":300,"gbk":3,"eb":0,"ebk":0,"rb":1,"wb":1,"fs":[1,2,3]}
        ,{"tb":1,"tbk":1,"tl":1,"mb":1,"mbk":1,"gb":1,"gbk":1,"eb":1,"ebk":1,"rb":0,"wb":0,"fs":[1,2]}
 ]
,"ftbl""#;
    let profile = profile(&changed(" ]\n,\"ftbl\"", again));
    assert_eq!(profile.samples().len(), 3);
    assert_eq!([total(&profile, "alloc_space"), total(&profile, "alloc_objects"), total(&profile, "peak_space")], [665, 11, 501]);
    let max = profile.value_types().iter().position(|of| of.kind == "max_space").unwrap();
    // At least as much as at the peak, when both were in use: 200 and 300.
    assert_eq!(profile.values(0, max), [500, 32, 1]);
    assert_eq!(profile.accesses().len(), 1);
}

#[test]
fn accesses_are_kept_as_runs() {
    let accesses = profile(VALGRIND).accesses().to_vec();
    assert_eq!(accesses[0].runs, [(96, 6), (2, 12), (1, 0), (1, 20)]);
    assert_eq!((accesses[0].row, accesses[0].blocks, accesses[0].accessed, accesses[0].size()), (0, 3, 620, 100));
    for wrong in ["[-4]", "[-4,-4,1]", "[1,\"x\"]", "[-99999999,1]", "[0.5]", "[99999999999]"] {
        let text = changed("[-96,6,-2,12,0,20]", wrong);
        assert!(profile(&text).accesses().is_empty(), "{wrong}");
        assert!(warnings(&text)[0].contains("`acc`) that are damaged, left out: 1 (first: program point 1)"), "{wrong}");
    }
}

#[test]
fn versions_are_named() {
    let error = |text: &[u8]| parse(text, &ParseOptions::default()).unwrap_err().to_string();
    let old = error(&changed("Version\":2", "Version\":1"));
    assert!(old.contains("version 1") && old.contains("versions from 2"), "{old}");
    let new = error(&changed("Version\":2", "Version\":3"));
    assert!(new.contains("version 3") && new.contains("up to 2"), "{new}");
    let unknown = warnings(&changed("\"dhatFileVersion\":2\n,", ""));
    assert_eq!(unknown, ["DHAT: the file has no field dhatFileVersion: usual values are assumed"]);
}

#[test]
fn missing_fields_are_named() {
    for (from, to, field) in [("\n,\"tuth\":500", "", "tuth"), (",\"verb\":\"Allocated\"", "", "verb"), (",\"tg\":4000", "", "tg")] {
        let text = changed(from, to);
        assert_eq!(warnings(&text), [format!("DHAT: the file has no field {field}: usual values are assumed")]);
        assert_eq!(total(&profile(&text), "peak_space"), 200);
        // The peak is known, also where its time is not.
        let kinds: Vec<_> =
            profile(&text).dumps().iter().filter_map(|dump| dump.moment).map(|moment| (moment.kind, moment.has_time())).collect();
        assert_eq!(kinds, [(MomentKind::Peak, field != "tg"), (MomentKind::End, true)]);
    }
    let text = changed(",\"bklt\":true,\"bkacc\":true", "");
    assert_eq!(profile(&text).value_types().len(), 11);
    let text = changed("\"gb\":200,", "");
    assert_eq!(warnings(&text), ["DHAT: program points without the field `gb`, taken for 0: 1 (first: program point 1)"]);
    let text = changed(",\"fs\":[1,4]", "");
    assert!(warnings(&text)[0].contains("without `fs`"), "{:?}", warnings(&text));
    assert_eq!(total(&profile(&text), "alloc_space"), 364);
}

#[test]
fn odd_numbers_are_survived() {
    for (number, value, warning) in [
        ("99999999999999999999", i64::MAX, "clamped"),
        ("18446744073709551615", i64::MAX, "clamped"),
        ("1e300", i64::MAX, "clamped"),
        ("-5", 0, "negative"),
        ("2.5", 0, "not whole numbers"),
        ("\"many\"", 0, "not whole numbers"),
        ("[[],{\"a\":[1]}]", 0, "not whole numbers"),
        ("{\"a\":{}}", 0, "not whole numbers"),
        ("null", 0, "not whole numbers"),
        ("1e3", 1000, ""),
    ] {
        let text = changed("\"tb\":64", &format!("\"tb\":{number}"));
        let profile = profile(&text);
        let alloc = profile.value_types().iter().position(|of| of.kind == "alloc_space").unwrap();
        assert_eq!(profile.values(0, alloc)[1], value, "{number}");
        let warnings = warnings(&text);
        assert_eq!(warnings.len(), usize::from(!warning.is_empty()), "{number}: {warnings:?}");
        assert!(warnings.iter().all(|text| text.contains(warning) && text.contains("program point 2")), "{warnings:?}");
    }
}

#[test]
fn bad_frame_numbers_are_named() {
    for number in ["0", "77", "-3", "99999999999", "\"x\""] {
        let text = changed("\"fs\":[1,4]", &format!("\"fs\":[1,{number}]"));
        let shown = shown(&text);
        assert!(shown.contains("does not have, shown as `frame N`: 1 (first: program point 2)"), "{shown}");
        assert!(shown.contains("@ malloc frame "), "{shown}");
    }
}

#[test]
fn invalid_utf8_is_replaced() {
    let mut text = VALGRIND.to_vec();
    let at = text.windows(4).position(|window| window == b"grow").unwrap();
    text[at + 1] = 0xff;
    let command = text.windows(4).position(|window| window == b"./it").unwrap();
    text[command] = 0xc3;
    let profile = profile(&text);
    assert!(shown(&text).contains("g\u{fffd}ow:8"));
    assert_eq!(profile.meta().runs[0].command, "\u{fffd}/it 3");
    // Escapes of any kind.
    let escaped = changed("./it 3", r#"a\"b\\c\u00e4\n\ud83d\ude00 \ud83d"#);
    assert!(parse(&escaped, &ParseOptions::default()).unwrap().warnings.is_empty());
}

/// The table of frames comes last: without it no stack has names.
#[test]
fn cut_files_are_refused() {
    let first = VALGRIND.windows(3).position(|window| window == b" ,{").unwrap();
    for cut in 1..VALGRIND.len() - 3 {
        let error = parse(&VALGRIND[..cut], &ParseOptions::default()).unwrap_err();
        assert!(!matches!(error.kind, ErrorKind::Unsupported { .. }) || cut < 20, "{cut}: {error}");
        assert!(cut < first || matches!(&error.kind, ErrorKind::NoFrames { reason } if reason.is_empty()), "{cut}: {error}");
    }
    let error = parse(&VALGRIND[..first], &ParseOptions::default()).unwrap_err().to_string();
    assert!(error.contains("line 20: the file ends too early: the table of frames, which comes last, is not complete"), "{error}");
}

#[test]
fn damage_is_named() {
    let error = |text: &[u8]| parse(text, &ParseOptions::default()).unwrap_err().to_string();
    let damaged = error(&changed("\"tb\":64", "\"tb\":64 64"));
    assert!(damaged.contains("line 20: the file is damaged (expected `,` or `}`): the table of frames"), "{damaged}");
    assert!(error(&changed("\"pps\":", "\"pps\"::")).contains("expected a profile in JSON, found"));
    // Behind the table everything is known.
    let end = VALGRIND.trim_ascii_end().len() - 1;
    let text = shown(&VALGRIND[..end]);
    assert!(text.contains("the file ends too early; program points that could be read: all 2\n"), "{text}");
    assert!(text.contains("malloc grow:8"), "{text}");
}

#[test]
fn deep_and_long_files_are_survived() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let nested = format!("{}1{}", open.repeat(100_000), close.repeat(100_000));
        for text in [
            changed("\"pid\":117", &format!("\"more\":{nested}")),
            changed("\"tb\":64", &format!("\"tb\":{nested}")),
            changed("\"fs\":[1,4]", &format!("\"fs\":{nested}")),
            format!("{{\"dhatFileVersion\":2,\"pps\":{nested}}}").into_bytes(),
        ] {
            survives(&text);
        }
    }
    for many in ["{},", "{\"fs\":[]},", "{\"tb\":1},"] {
        let text = changed("\"pps\":\n [", &format!("\"pps\":\n [{}", many.repeat(20_000)));
        survives(&text);
    }
    let text = changed("\"acc\":[", &format!("\"acc\":[{}", "1,".repeat(200_000)));
    assert!(profile(&text).accesses().is_empty());
    survives(&changed("\"fs\":[1,4]", &format!("\"fs\":[{}1]", "4,".repeat(300_000))));
    survives_any_cut(VALGRIND);
    survives_any_cut(RUST);
}

#[test]
fn order_of_keys_is_free() {
    let text = String::from_utf8(VALGRIND.to_vec()).unwrap();
    let (head, rest) = text.split_once("\n,\"pps\":").unwrap();
    let (points, table) = rest.split_once("\n,\"ftbl\":").unwrap();
    let table = table.trim_end().strip_suffix('}').unwrap();
    let turned = format!("{{\"ftbl\":{table},\"pps\":{points},{}}}", head.strip_prefix('{').unwrap());
    assert_eq!(shown(turned.as_bytes()), shown(VALGRIND));
}
