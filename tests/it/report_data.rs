//! Report data: what is written and read answers every query like the session that it was written from; damaged data
//! is refused at its place; and what `-redact` hides is nowhere in it.

use std::io::Write;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use heapview::api::{explained, of_session};
use heapview::parse::{ParseOptions, open_report_data, parse, sniff};
use heapview::profile::{
    Function, Label, LabelValue, Labels, Line, Mapping, NameFacts, Profile, ProfileBuilder, RecordedNames, RecordedPackage, Recording,
    merge,
};
use heapview::query::{View, ViewKind};
use heapview::report::{DoctorModule, DoctorReport, Report};
use heapview::report_data::{About, Attachment, DecodeErrorKind, Redaction, base85, decode, encode};
use heapview::session::{ReportDataOptions, Session};
use proptest::prelude::*;
use serde_json::Value;

use crate::cli::command;
use crate::fixture::path;
use crate::properties::{rows, two_types};
use crate::questions::{MORE_QUERIES, QUERIES, profiles, read};

/// The answer to a question such as `top?sort=cum`, as JSON, or why there is none.
fn answer(session: &Session, question: &str) -> String {
    let (kind, options) = question.split_once('?').unwrap_or((question, ""));
    let pairs: Vec<(&str, String)> =
        options.split('&').filter_map(|pair| pair.split_once('=')).map(|(name, value)| (name, value.replace("%26", "&"))).collect();
    let pairs = pairs.iter().map(|(name, value)| (*name, value.as_str()));
    let is_explained = kind == "explain";
    let kind = ViewKind::from_name(if is_explained { "summary" } else { kind }).unwrap();
    let view = match View::parse(kind, pairs) {
        Ok(view) => view,
        Err(errors) => return format!("{errors:?}"),
    };
    match session.answer(&view) {
        Ok(Report::Summary(summary)) if is_explained => format!("{:?}", explained(session, &view, &summary)),
        Ok(report) => serde_json::to_string(&report).unwrap(),
        Err(error) => format!("{error:?}"),
    }
}

/// Path of the first difference of two texts of JSON, and what is there.
fn difference(a: &str, b: &str) -> String {
    fn first(path: &str, a: &Value, b: &Value) -> Option<String> {
        match (a, b) {
            (Value::Object(a), Value::Object(b)) if a.keys().eq(b.keys()) => {
                a.iter().find_map(|(key, value)| first(&format!("{path}/{key}"), value, &b[key]))
            }
            (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
                a.iter().zip(b).enumerate().find_map(|(i, (a, b))| first(&format!("{path}/{i}"), a, b))
            }
            _ if a == b => None,
            _ => Some(format!("{path}: {a:.300} became {b:.300}")),
        }
    }
    match (serde_json::from_str(a), serde_json::from_str(b)) {
        (Ok(a), Ok(b)) => first("", &a, &b).unwrap_or_else(|| "an order of fields".into()),
        _ => format!("{a:.300} became {b:.300}"),
    }
}

fn written(session: &Session) -> Vec<u8> {
    session.to_report_data(ReportDataOptions::default())
}

fn read_again(data: &[u8]) -> Session {
    let decoded = decode(data).unwrap_or_else(|error| panic!("{error}"));
    decoded.profile.validate().unwrap();
    Session::from_report_data(decoded)
}

/// Asks both; returns how many questions had a report.
fn same_answers<'q>(name: &str, profile: Profile, questions: impl IntoIterator<Item = &'q str>) -> usize {
    let session = Session::new(profile, vec!["a warning".into()]);
    let again = read_again(&written(&session));
    let meta = |session: &Session| serde_json::to_string(&of_session(session)).unwrap();
    assert_eq!(meta(&session), meta(&again), "{name}");
    let mut n = 0;
    for question in questions {
        let [now, then] = [&again, &session].map(|session| answer(session, question));
        assert!(now == then, "{name}, {question}: {}", difference(&then, &now));
        n += usize::from(now.starts_with('{'));
    }
    n
}

#[test]
fn decoded_sessions_answer_like_the_original() {
    let mut n = 0;
    for (name, profile) in profiles() {
        n += same_answers(name, profile, QUERIES.iter().chain(MORE_QUERIES).copied());
    }
    assert!(n > 1500, "{n} reports");
}

/// Files below `folder` that are profiles.
fn dumps(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => dumps(&path, found),
            false if path.extension().is_some_and(|e| ["heap", "gz", "folded", "pb"].iter().any(|known| e == *known)) => found.push(path),
            false => {}
        }
    }
}

#[test]
fn every_dump_answers_as_its_report_data() {
    let mut paths = Vec::new();
    ["testdata", "tests/oracle"].iter().for_each(|folder| dumps(&path(folder), &mut paths));
    paths.sort();
    let (mut n, mut at, mut n_dumps) = (0, 0, 0);
    for file in paths {
        let Ok(parsed) = parse(&std::fs::read(&file).unwrap(), &ParseOptions::default()) else { continue };
        n_dumps += 1;
        // Each file other questions: all of them together have all.
        let questions = QUERIES.iter().chain(MORE_QUERIES).copied().skip(at % 9).step_by(9);
        n += same_answers(&file.to_string_lossy(), parsed.profile, questions);
        at += 1;
    }
    assert!(n_dumps > 30 && n > 400, "{n} reports of {n_dumps} dumps");
}

#[test]
fn symbolized_binaries_and_several_builds_answer_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for (name, words) in [
        ("kitchen", &["bin/kitchen", "gperftools/kitchen.0001.heap"][..]),
        ("threads", &["bin/shop", "jemalloc/shop-exact.1000.3.f.heap"]),
        ("shop-v0", &["bin/shop-v0", "gperftools/shop-v0.0003.heap"]),
    ] {
        let to = folder.path().join(format!("{name}.pb.gz"));
        let words: Vec<String> = words.iter().map(|word| path(&format!("testdata/{word}")).to_string_lossy().into_owned()).collect();
        let words: Vec<&str> = ["proto"].into_iter().chain(words.iter().map(String::as_str)).collect();
        let output = command(&words).args(["-o", to.to_str().unwrap()]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let profile = parse(&std::fs::read(&to).unwrap(), &ParseOptions::default()).unwrap().profile;
        assert!(profile.code().functions.len() > 10, "{name} has names");
        same_answers(name, profile, QUERIES.iter().chain(MORE_QUERIES).copied().step_by(2));
    }
}

#[test]
fn session_data_survives_a_round_trip() {
    let profile = read("testdata/pprof/shop.0003.pb.gz");
    let session = Session::new(profile, vec!["first".into(), "second".into()]);
    let module = DoctorModule { name: "/srv/shop".into(), n_addresses: 7, ..DoctorModule::default() };
    let doctor =
        DoctorReport { verdict: "All is well.".into(), is_well: true, total: i64::MAX, module: vec![module], ..DoctorReport::default() };
    session.set_doctor(doctor.clone());
    session.set_first_view(vec![("base".into(), "0".into())]);
    let attachments = vec![Attachment { name: "sources".into(), bytes: vec![0, 255, 7] }];
    let query = vec![("focus".into(), "Slab & <x>".into())];
    let options = ReportDataOptions {
        path: "/flamegraph",
        query: query.clone(),
        source_paths: ["/src".into(), "/build".into()],
        attachments: attachments.clone(),
        made: 1_760_000_000,
        ..ReportDataOptions::default()
    };
    let data = session.to_report_data(options);
    let decoded = decode(&data).unwrap();
    assert_eq!((&*decoded.about.path, &decoded.about.query), ("/flamegraph", &query));
    assert_eq!((decoded.about.made, &decoded.about.doctor, decoded.attachments.clone()), (1_760_000_000, &Some(doctor), attachments));
    assert_eq!(decoded.about.source_paths, ["/src", "/build"]);
    let again = Session::from_report_data(decoded);
    let meta = |session: &Session| serde_json::to_string(&of_session(session)).unwrap();
    assert_eq!(meta(&session), meta(&again));
    // Once more: nothing is lost on the way.
    assert_eq!(written(&again), written(&read_again(&written(&again))));
}

#[test]
fn empty_sessions_survive_a_round_trip() {
    same_answers("nothing", Profile::empty(), ["top", "flame", "summary", "growth"]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn any_profile_answers_like_its_report_data(a in rows(), b in rows(), first in 0..20usize) {
        let profile = merge(vec![two_types(&a), two_types(&b)]).unwrap();
        same_answers("rows", profile, QUERIES.iter().chain(MORE_QUERIES).copied().skip(first).step_by(20));
    }

    #[test]
    fn damaged_data_is_read_or_refused(
        rows in rows(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..3u8), 1..5),
    ) {
        let mut data = written(&Session::new(two_types(&rows), Vec::new()));
        for (at, byte, kind) in edits {
            let at = at.index(data.len());
            match kind {
                0 => data[at] = byte,
                1 => data.insert(at, byte),
                _ => {
                    data.remove(at);
                }
            }
        }
        crate::fuzz::report_data::report_data(&data);
    }
}

#[test]
fn data_that_is_cut_anywhere_is_refused() {
    let data = written(&Session::new(read("tests/oracle/odd.folded"), Vec::new()));
    assert!(decode(&data).is_ok());
    for n in 0..data.len() {
        let error = decode(&data[..n]).unwrap_err().to_string();
        assert!(error.contains("truncated") || error.contains("damaged"), "{n}: {error}");
    }
    let message = |data: &[u8]| parse(data, &ParseOptions::default()).unwrap_err().to_string();
    let mut newer = data.clone();
    newer[10] = 9;
    assert_eq!(
        message(&newer),
        "report data, byte 10: written by a newer heapview (version 9 of the format; this one reads 1); update heapview"
    );
    let longer = [&data[..], b"xyz"].concat();
    assert_eq!(message(&longer), format!("report data, byte {}: expected the end, found 3 more bytes; the file is damaged", data.len()));
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// A report file, as far as its data is concerned.
fn report_file(data: &[u8]) -> String {
    let data = base85::encode(data);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta name=\"generator\" content=\"heapview 1.0.0\">\n</head>\n<body>\n\
         <script type=\"application/gzip\" id=\"data\">{data}</script>\n</body>\n</html>\n"
    )
}

#[test]
fn reports_open_like_dumps() {
    let profile = merge(vec![read("testdata/pprof/depot.0.pb.gz"), read("testdata/pprof/depot.1.pb.gz")]).unwrap();
    let session = Session::new(profile, vec!["something was odd".into()]);
    let data = written(&session);
    let forms = [data.clone(), gzip(&data), report_file(&gzip(&data)).into_bytes()];
    let folder = tempfile::tempdir().unwrap();
    let top = |file: &Path| {
        let output = command(&["top", file.to_str().unwrap()]).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let mut printed = Vec::new();
    for (form, name) in forms.iter().zip(["report.data", "report.gz", "report.html"]) {
        assert_eq!(sniff(form), Some("report data"));
        let parsed = parse(form, &ParseOptions::default()).unwrap();
        assert_eq!((parsed.format, parsed.profile.dumps().len()), ("report data", 2));
        assert_eq!(parsed.warnings.iter().map(ToString::to_string).collect::<Vec<_>>(), ["report data: something was odd"]);
        let decoded = open_report_data(form, &ParseOptions::default()).unwrap().unwrap();
        assert_eq!(decoded.about.warnings, ["something was odd"]);
        let file = folder.path().join(name);
        std::fs::write(&file, form).unwrap();
        printed.push(top(&file));
    }
    assert!(printed[0].contains("Showing nodes accounting for"), "{}", printed[0]);
    assert!(printed.iter().all(|text| *text == printed[0]), "{printed:#?}");
    let files = ["testdata/pprof/depot.0.pb.gz", "testdata/pprof/depot.1.pb.gz"].map(|file| path(file).to_string_lossy().into_owned());
    let output = command(&["top", &files[0], &files[1]]).output().unwrap();
    let dump_output = String::from_utf8(output.stdout).unwrap();
    let table = |text: &str| text.split_once("Showing nodes").unwrap().1.to_owned();
    assert_eq!(table(&printed[0]), table(&dump_output));
    assert!(open_report_data(b"heap profile: 1: 2 [1: 2] @ heap\n", &ParseOptions::default()).unwrap().is_none());
}

#[test]
fn damaged_report_files_are_errors_with_a_reason() {
    let data = gzip(&written(&Session::new(read("tests/oracle/odd.folded"), Vec::new())));
    let message = |file: &str| parse(file.as_bytes(), &ParseOptions::default()).unwrap_err().to_string();
    let whole = report_file(&data);
    let cut = message(&whole[..whole.len() / 2]);
    assert!(cut.starts_with("report data, byte ") && cut.contains("found no end of it") && cut.ends_with("damaged or truncated"), "{cut}");
    let other = message(&whole.replace("id=\"data\">", "id=\"data\">!"));
    assert!(other.contains("in the element `data`, found other bytes"), "{other}");
    let none = message(&whole.replace("id=\"data\"", "id=\"nothing\""));
    assert!(none.contains("found none"), "{none}");
    assert_eq!(
        message(&report_file(&gzip(b"\x10\0\0\0{\"meta\":{}}"))),
        "report data: this is a report file of an older heapview, which heapview cannot open; open it in a browser, or export it again"
    );
}

#[test]
fn ten_thousand_stacks_leave_room_for_page_and_engine() {
    let mut state = 1u64;
    let mut random = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut builder = ProfileBuilder::new(&[("inuse_objects", "count"), ("inuse_space", "bytes")]);
    let frames: Vec<_> = (0..20_000u64)
        .map(|i| {
            let name = builder.string(&format!("acme::part_{}::Function{i}<alloc::vec::Vec<u8>>::run_{}", random(97), random(1000)));
            let filename = builder.string(&format!("/srv/build/acme/src/part_{}.rs", random(300)));
            let function = builder.function(Function { name, system_name: name, filename, ..Function::default() });
            let line = random(2000) as i64;
            builder.location(None, 0x5500_0000_0000 + random(1 << 26), &[Line { function: Some(function), line, column: 0 }])
        })
        .collect();
    for _ in 0..10_000 {
        let stack: Vec<_> = (0..30).map(|_| frames[random(20_000) as usize]).collect();
        builder.sample(&stack, Labels::NONE, &[random(1000) as i64, random(1 << 20) as i64]);
    }
    let data = written(&Session::new(builder.build(), Vec::new()));
    let in_file = base85::encode(&gzip(&data)).len();
    println!("{in_file} bytes in the file, {} before compression", data.len());
    assert!(in_file < 3_000_000 - 1_550_000, "{in_file} bytes");
    assert_eq!(decode(&data).unwrap().profile.samples().len(), 10_000);
}

/// A session with identifying text wherever possible; secrets are numbered.
fn identifying_session() -> Session {
    let mut builder = ProfileBuilder::new(&[("secret01_space", "secret02"), ("inuse_space", "bytes")]);
    let mut text = |text: &str| builder.string(text);
    let file = text("/home/secret03/secret04-1.2.3/kept_program");
    let build_id = text("5ec4e705");
    let names = [text("kept_crate::kept_main"), text("kept_crate::kept_lambda{lambda at /src/secret05/kept_lambda.cc:3:1}")];
    let system = [text("_ZN8secret064mainE"), text("secret07")];
    let short = [text("main<secret08>"), text("secret09")];
    let files = [text("secret10/secret11/kept_main.rs"), text("/home/secret12/.cargo/git/checkouts/secret13-1.2.3/kept_lib.rs")];
    let labels = [
        Label { key: text("secret14"), value: LabelValue::Text(text("ann@secret15")) },
        Label { key: text("secret16"), value: LabelValue::Number(471_147, text("secret17")) },
        Label { key: text("bytes"), value: LabelValue::Number(4096, text("bytes")) },
    ];
    let unused = text("secret18::never_called");
    let mapping = builder.mapping(Mapping { file, build_id, start: 0, limit: 0x10000, ..Mapping::default() });
    let unused = builder.function_named(unused);
    builder.location(Some(mapping), 0x99, &[Line { function: Some(unused), line: 1, column: 0 }]);
    let stack: Vec<_> = (0..2)
        .map(|i| {
            let [name, system_name, short_name, filename] = [names[i], system[i], short[i], files[i]];
            let function = builder.function(Function { name, system_name, short_name, filename, start_line: 1, ..Function::default() });
            builder.location(Some(mapping), 0x10 + i as u64, &[Line { function: Some(function), line: 3, column: 0 }])
        })
        .collect();
    let labels = builder.label_set(&labels);
    builder.sample(&stack, labels, &[96, 1]);
    let meta = builder.meta();
    meta.comments.push("secret19".into());
    meta.doc_url = "https://secret20/".into();
    (meta.drop_frames, meta.keep_frames) = ("secret21".into(), "secret22".into());
    meta.default_type = "secret01_space".into();
    let dump = builder.dump();
    (dump.name, dump.series) = ("secret23/x.heap".into(), "secret24".into());
    let session = Session::new(builder.build(), vec!["secret25".into()]);
    session.set_doctor(DoctorReport { verdict: "secret26".into(), ..DoctorReport::default() });
    session.set_first_view(vec![
        ("tagfocus".into(), "secret27".into()),
        ("base".into(), "0".into()),
        ("tagroot".into(), "secret14".into()),
    ]);
    session
}

#[test]
fn redacted_text_is_nowhere_in_the_data() {
    let session = identifying_session();
    let redaction = Redaction::new(["kept_crate=>shown_crate"]).unwrap();
    let data = |redaction| {
        let query = [("focus", "secret28"), ("sample_index", "secret01_space"), ("nodecount", "7"), ("secret29", "1")];
        session.to_report_data(ReportDataOptions {
            redaction,
            query: query.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec(),
            source_paths: ["secret30".into(), "secret31".into()],
            attachments: vec![Attachment { name: "secret32".into(), bytes: b"secret33".to_vec() }],
            ..ReportDataOptions::default()
        })
    };
    let searchable = |data: &[u8]| String::from_utf8_lossy(data).to_lowercase();
    let (open, hidden) = (searchable(&data(None)), searchable(&data(Some(&redaction))));
    for n in 1..=33 {
        let secret = format!("secret{n:02}");
        // What nothing runs through is left out in any case.
        assert!(open.contains(&secret) || n == 18, "{secret} is nowhere to be hidden");
        assert!(!hidden.contains(&secret), "{secret} is not redacted");
    }
    for secret in ["secret", "ann@", "471147", "5ec4e705", "kept_crate"] {
        assert!(!hidden.contains(secret), "{secret} is not redacted");
    }
    let decoded = decode(&data(Some(&redaction))).unwrap();
    let pairs = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect::<Vec<_>>();
    assert_eq!(decoded.about.query, pairs(&[("sample_index", "kind1"), ("nodecount", "7")]));
    assert_eq!(decoded.about.first_view, pairs(&[("base", "0"), ("tagroot", "label1")]));
    assert!(decoded.about.is_redacted && decoded.attachments.is_empty());
    let meta = of_session(&Session::from_report_data(decoded));
    assert_eq!((&*meta.file, &*meta.dumps[0].name, &*meta.dumps[0].series), ("kept_program", "dump 1", "process 1"));
    assert_eq!((&*meta.default_value_type, &meta.label_keys[..]), ("kind1", &["bytes", "label1", "label2"].map(str::to_owned)[..]));
    for kept in ["shown_crate::kept_main", "kept_lambda.cc", "kept_main.rs", "kept_lib.rs", "kept_program"] {
        assert!(hidden.contains(kept), "{kept} is gone");
    }
}

/// The report without its texts and their order: numbers, and how many there are.
fn numbers(session: &Session, question: &str) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::String(text) => text.clear(),
            Value::Array(values) => {
                values.iter_mut().for_each(strip);
                // Equal rows are in the order of their names.
                values.sort_by_cached_key(ToString::to_string);
            }
            Value::Object(fields) => {
                // Of functions with equal numbers another one may stand for all.
                fields.remove("line");
                fields.values_mut().for_each(strip);
            }
            _ => {}
        }
    }
    let mut report: Value = serde_json::from_str(&answer(session, question)).unwrap_or(Value::Null);
    if let Some(report) = report.as_object_mut() {
        report.remove("header");
    }
    strip(&mut report);
    report
}

#[test]
fn redacted_names_are_attributed_as_they_were() {
    // Rules that leave nothing of the names by which packages, wrappers and containers are known.
    let redaction = Redaction::new(["[A-Za-z_]{3,}"]).unwrap();
    let questions = [
        "summary?n=0",
        "top?g=packages&nf=0",
        "top?g=packages&hk=alloc,std&nf=0&sort=cum",
        "top?g=packages&tagroot=thread&nf=0",
        "types?n=0",
        "types?tagroot=thread",
        "growth?by=types",
    ];
    let mut n = 0;
    for (name, profile) in profiles() {
        let session = Session::new(profile, Vec::new());
        let data = session.to_report_data(ReportDataOptions { redaction: Some(&redaction), ..ReportDataOptions::default() });
        let redacted = read_again(&data);
        for question in questions {
            let question = question.replace("tagroot=thread", "tagroot=phase");
            let key = redaction.apply(heapview::report_data::TextKind::LabelKey, "phase");
            let redacted_question = question.replace("phase", &key);
            let [then, now] = [numbers(&session, &question), numbers(&redacted, &redacted_question)];
            assert_eq!(then["rows"].as_array().map(Vec::len), now["rows"].as_array().map(Vec::len), "{name}, {question}");
            if question.starts_with("summary") || question.starts_with("types") {
                assert!(then == now, "{name}, {question}: {}", difference(&then.to_string(), &now.to_string()));
            }
            n += usize::from(then != Value::Null);
        }
    }
    assert!(n > 40, "{n} reports");
}

#[test]
fn redacted_reports_can_be_opened_with_other_dumps() {
    let redaction = Redaction::new(["shop"]).unwrap();
    let profile = || read("testdata/pprof/shop.0003.pb.gz");
    let session = Session::new(profile(), Vec::new());
    let redacted =
        decode(&session.to_report_data(ReportDataOptions { redaction: Some(&redaction), ..ReportDataOptions::default() })).unwrap().profile;
    let plain = decode(&written(&session)).unwrap().profile;
    let both = merge(vec![redacted, profile()]).unwrap();
    both.validate().unwrap();
    assert!(both.meta().recorded.as_ref().is_some_and(|recorded| recorded.is_redacted && !recorded.facts.is_empty()));
    // With names in place they are classified together, and equal stacks become one.
    let twice = merge(vec![plain, profile()]).unwrap();
    twice.validate().unwrap();
    assert!(twice.meta().recorded.is_none());
    assert_eq!(twice.stacks().len(), merge(vec![profile(), profile()]).unwrap().stacks().len());
}

/// Data to begin with, and some that is damaged: what the fuzzer starts from.
fn seeds() -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for (name, profile) in profiles().into_iter().filter(|(name, _)| ["odd", "exit", "builds", "plugins"].contains(name)) {
        let data = written(&Session::new(profile, Vec::new()));
        let mut damaged = data.clone();
        let middle = data.len() / 2;
        damaged[middle] ^= 0x55;
        seeds.push((name.to_owned(), data.clone()));
        seeds.push((format!("{name}-damaged"), damaged));
        seeds.push((format!("{name}-cut"), data[..middle].to_vec()));
    }
    let redaction = Redaction::new([]).unwrap();
    let redacted = identifying_session().to_report_data(ReportDataOptions { redaction: Some(&redaction), ..ReportDataOptions::default() });
    seeds.push(("redacted".into(), redacted));
    seeds
}

#[test]
fn seeds_are_of_this_version() {
    let folder = path("fuzz/seeds/report_data");
    for (name, data) in seeds() {
        let file = folder.join(&name);
        if std::env::var("UPDATE_EXPECT").is_ok_and(|v| v == "1") {
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(&file, &data).unwrap();
        }
        let seed = std::fs::read(&file).unwrap_or_else(|e| panic!("{}: {e}; UPDATE_EXPECT=1 writes it", file.display()));
        // Data as it is, not as this program writes it: older data of one version has to stay readable.
        // A flipped bit may hit a number that any value is good for.
        let is_read = decode(&seed).is_ok();
        assert!(name.ends_with("-damaged") || is_read != name.ends_with("-cut"), "{name}: {is_read}");
    }
}

/// Few bytes must not name a long text many times.
#[test]
fn long_names_of_packages_are_bounded() {
    let mut builder = ProfileBuilder::new(&[("inuse_space", "bytes")]);
    for i in 0..3000u64 {
        let name = builder.string(&format!("f{i}"));
        let function = builder.function(Function { name, ..Function::default() });
        let location = builder.location(None, i + 1, &[Line { function: Some(function), line: 0, column: 0 }]);
        builder.sample(&[location], Labels::NONE, &[1]);
    }
    let profile = builder.build();
    let data = |name_bytes: usize| {
        let package = RecordedPackage { name: "p".repeat(name_bytes), ..RecordedPackage::default() };
        let names = RecordedNames { facts: vec![NameFacts::default()], packages: vec![package], ..RecordedNames::default() };
        let recording = Recording { names, of_frame: vec![1; profile.code().frames.len()] };
        encode(&profile, &recording, &About::default(), &[], None)
    };
    assert!(decode(&data(100)).is_ok());
    let error = decode(&data(1 << 20)).unwrap_err();
    assert!(matches!(error.kind, DecodeErrorKind::TooMany { .. }), "{error}");
}
