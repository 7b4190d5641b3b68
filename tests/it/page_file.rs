//! The page as one file: its size, its permissions, and data that must not be in it.

use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
use heapview::export::write_pprof;
use heapview::profile::{Function, Label, LabelValue, Labels, Line, Mapping, Profile, ProfileBuilder};
use heapview::report_data::{Decoded, data_element, decode};
use heapview::session::Session;
use heapview::web::{FileOptions, write_file};

use crate::cli::command;
use crate::fixture::path;

/// The text of the only element that begins with `start`.
fn element<'a>(page: &'a str, start: &str, end: &str) -> &'a str {
    assert_eq!(page.matches(start).count(), 1, "{start}");
    page.split(start).nth(1).unwrap().split(end).next().unwrap()
}

/// All that the file holds besides the program itself: the shell, its data, and the bytes of the data.
fn unpacked(page: &str) -> (String, Decoded, Vec<u8>) {
    let data = data_element(page.as_bytes()).unwrap().unwrap();
    let mut bytes = Vec::new();
    GzDecoder::new(&data[..]).read_to_end(&mut bytes).unwrap();
    let shell = page.split("<style>").next().unwrap().to_owned() + page.split("</style>").nth(1).unwrap().split("<script").next().unwrap();
    (shell, decode(&bytes).unwrap(), bytes)
}

fn written(profile: Profile) -> String {
    let mut file = Vec::new();
    write_file(&Session::new(profile, Vec::new()), FileOptions::default(), &mut file).unwrap();
    String::from_utf8(file).unwrap()
}

fn export(folder: &Path, words: &[&str]) -> String {
    let to = folder.join("out.html");
    let output = command(words).args(["-o", to.to_str().unwrap()]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read_to_string(to).unwrap()
}

#[test]
fn ten_thousand_stacks_stay_under_three_megabytes() {
    // Frames by chance out of 20,000 functions: no two stacks share more than a frame or two, as real ones would.
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
    let page = written(builder.build());
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
    let (_, data, _) = unpacked(&page);
    assert!(data.profile.stacks().parent.len() > 290_000, "stacks are there");
}

#[test]
fn code_that_no_stack_runs_through_stays_out() {
    let mut builder = ProfileBuilder::new(&[("space", "bytes")]);
    let mut at = |name: &str, address| {
        let name = builder.string(name);
        let function = builder.function_named(name);
        builder.location(None, address, &[Line { function: Some(function), line: 1, column: 0 }])
    };
    let (_, main, _) = (at("idle_before", 1), at("main", 2), at("idle_after", 3));
    builder.sample(&[main], Labels::NONE, &[7]);
    let (_, data, bytes) = unpacked(&written(builder.build()));
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.contains("main") && !text.contains("idle"), "{text}");
    let code = data.profile.code();
    assert_eq!([code.locations.len(), code.frames.len(), code.functions.len()], [1; 3]);
}

#[test]
fn profile_text_is_escaped_and_no_resource_is_loaded() {
    let markup = "</script></title><script>alert(1)</script><!--";
    let mut builder = ProfileBuilder::new(&[(markup, markup)]);
    let name = builder.string(markup);
    let mapping = builder.mapping(Mapping { file: name, ..Mapping::default() });
    let function = builder.function(Function { name, system_name: name, filename: name, ..Function::default() });
    let main = builder.location(Some(mapping), 1, &[Line { function: Some(function), line: 1, column: 0 }]);
    let labels = builder.label_set(&[Label { key: name, value: LabelValue::Text(name) }]);
    builder.sample(&[main], labels, &[1]);
    builder.meta().comments.push(markup.into());
    let folder = tempfile::tempdir().unwrap();
    let awkward = path("testdata/pprof/awkward.pb.gz");
    for page in [written(builder.build()), export(folder.path(), &["export", awkward.to_str().unwrap()])] {
        let (head, rest) = page.split_once("<style>").unwrap();
        let body = rest.split_once("</style>").unwrap().1;
        // The program comes first, compressed, then what unpacks it.
        let (start, rest) = body.split_once("<script>").unwrap();
        let (program, elements) = rest.split_once("</script>").unwrap();
        assert_eq!([head, start, program].map(|text| text.matches("<script").count()), [0, 1, 0]);
        assert_eq!(elements.matches("<script").count(), 3);
        let policy = element(head, r#"<meta http-equiv="Content-Security-Policy" content=""#, "\"");
        assert!(policy.starts_with("default-src 'none'; script-src 'sha256-") && policy.contains("connect-src 'none'"), "{policy}");
        assert!(!policy.contains("http") && !policy.contains("unsafe-inline"), "{policy}");
        let title = element(head, "<title>", "</title>");
        assert!(!title.contains('<'), "{title}");
        let shell = head.to_owned() + body.split("<script").next().unwrap();
        for load in ["src=", "http://", "https://", "//", "url(", "@import"] {
            assert!(!shell.contains(load), "{load} in {shell}");
        }
        let style = page.split_once("<style>").unwrap().1.split_once("</style>").unwrap().0;
        assert!(!style.contains("http") && !style.contains("@import"), "the style loads something");
        for (id, kind) in [("script", "gzip"), ("engine", "zstd"), ("layout", "zstd"), ("data", "gzip")] {
            let packed = element(body, &format!(r#"<script type="application/{kind}" id="{id}">"#), "<");
            assert!(packed.bytes().all(|c| c.is_ascii_graphic() && !b"\"'&<>\\`".contains(&c)), "{id}");
        }
        assert!(elements.trim_end().ends_with("</script>\n</body>\n</html>"), "the data is the last element");
        assert!(!program.contains("<!--"));
    }
}

/// A profile with identifying text wherever possible.
fn identifying_profile() -> Profile {
    let mut builder = ProfileBuilder::new(&[("inuse_space", "bytes"), ("zebra_space", "zebras")]);
    let mut text = |text: &str| builder.string(text);
    let [file, build_id] = [text("/home/ann/zebra/target/release/shop"), text("c0ffee11deadbeef")];
    let [name, filename] = [text("zebra::run<{closure at /home/ann/zebra/src/run.rs:3:1}>"), text("/home/ann/zebra/src/run.rs")];
    let [lion, windows] = [text("lion_main"), text(r"C:\Users\ann\work\main.cc")];
    let [key, value, unit] = [text("zebra"), text("/var/lib/bighost/store.db"), text("zebras")];
    let mapping = builder.mapping(Mapping { file, build_id, start: 0, limit: 0x10000, ..Mapping::default() });
    let run = builder.function(Function { name, system_name: name, filename, ..Function::default() });
    let main = builder.function(Function { name: lion, system_name: lion, filename: windows, ..Function::default() });
    let mut at = |function, address| builder.location(Some(mapping), address, &[Line { function: Some(function), line: 3, column: 0 }]);
    let stack = [at(main, 0x10), at(run, 0x20)];
    let labels = [Label { key, value: LabelValue::Text(value) }, Label { key: lion, value: LabelValue::Number(7, unit) }];
    let labels = builder.label_set(&labels);
    builder.sample(&stack, labels, &[96, 1]);
    builder.meta().comments.push("made by ann on bighost".into());
    builder.meta().doc_url = "https://bighost/doc".into();
    builder.build()
}

#[test]
fn redacted_text_is_nowhere_in_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("ann-on-bighost.pb.gz");
    write_pprof(&identifying_profile(), &mut std::fs::File::create(&dump).unwrap()).unwrap();
    let dump = dump.to_str().unwrap();
    let all = export(folder.path(), &["export", dump]);
    let rules = ["export", "-redact", "-redact=zebra", "-redact=lion=>cat", "-focus=zebra", "-show_from=lion", "-tagshow=zebra"];
    let page = export(folder.path(), &[&rules[..], &["-source_path=/home/ann/zebra", "-hide=nothing_of_lion", dump]].concat());
    let searchable = |page: &str| {
        let (shell, _, bytes) = unpacked(page);
        (shell + &String::from_utf8_lossy(&bytes)).to_lowercase()
    };
    let (all, hidden) = (searchable(&all), searchable(&page));
    let temporary = folder.path().to_str().unwrap().to_lowercase();
    for secret in ["/home/", r"\users", "ann/", "ann-on", "bighost", "zebra", "lion", "c0ffee11", "made by", "/var/lib", "store.db"] {
        assert!(all.contains(secret), "{secret} is nowhere to be hidden");
        assert!(!hidden.contains(secret), "{secret} is not redacted");
    }
    assert!(!hidden.contains(&temporary) && !hidden.contains("ann\\"));
    // A redacted name has the same pseudonym everywhere.
    let (shell, data, bytes) = unpacked(&page);
    let text = String::from_utf8_lossy(&bytes);
    for there in ["redacted1::run", "run.rs", "main.cc", "shop", "cat_main", "label1", "label2", "value1", "unit1"] {
        assert!(text.contains(there), "{there} is not in the data");
    }
    assert_eq!(data.profile.dumps()[0].name, "dump 1");
    let type_of = |n: usize| (data.profile.value_types()[n].kind.clone(), data.profile.value_types()[n].unit.clone());
    assert_eq!(type_of(1), ("kind1".into(), "unit1".into()));
    let query = format!("{:?} {}", data.about.query, element(&shell, r#"<meta name="address" content=""#, "\""));
    // Expressions may name what is hidden by another spelling: the first view has none.
    for filter in ["focus", "hide", "show_from", "tagshow", "cat", "redacted"] {
        assert!(!query.contains(filter), "{filter}: {query}");
    }
}

#[test]
fn without_rules_only_functions_and_base_names_remain() {
    let mut builder = ProfileBuilder::new(&[("secret01_space", "secret02"), ("inuse_space", "bytes")]);
    let mut text = |text: &str| builder.string(text);
    let mapping_file = text("secret03/secret04-1.2.3/kept_program");
    let build_id = text("5ec4e705");
    let names = [text("kept_crate::kept_main"), text("kept_crate::kept_lambda{lambda at secret06/kept_lambda.cc:3:1}")];
    let system = [text("_ZN8secret074mainE"), text("secret08")];
    let short = [text("main<secret09>"), text("secret10")];
    let files = [text("secret11/secret12/kept_main.rs"), text("/home/secret13/secret14-1.2.3/kept_lib.rs")];
    let key = text("secret15");
    let labels = [
        Label { key, value: LabelValue::Text(text("alice@secret16")) },
        Label { key: text("secret17"), value: LabelValue::Number(471_147, text("secret18")) },
        Label { key: text("bytes"), value: LabelValue::Number(4096, text("bytes")) },
    ];
    let mapping = builder.mapping(Mapping { file: mapping_file, build_id, start: 0, limit: 0x10000, ..Mapping::default() });
    let stack: Vec<_> = (0..2)
        .map(|i| {
            let function = Function {
                name: names[i],
                system_name: system[i],
                short_name: short[i],
                filename: files[i],
                start_line: 1,
                ..Function::default()
            };
            let function = builder.function(function);
            builder.location(Some(mapping), 0x10 + i as u64, &[Line { function: Some(function), line: 3, column: 0 }])
        })
        .collect();
    let labels = builder.label_set(&labels);
    builder.sample(&stack, labels, &[96, 1]);
    let meta = builder.meta();
    meta.comments.push("secret19".into());
    meta.doc_url = "https://secret20/".into();
    meta.drop_frames = "secret21".into();
    meta.default_type = "secret01_space".into();
    let dump = builder.dump();
    (dump.name, dump.series) = ("secret22/secret23.heap".into(), "secret24".into());
    let session = Session::new(builder.build(), vec!["secret25".into()]);
    let unredacted = {
        let mut file = Vec::new();
        write_file(&session, FileOptions::default(), &mut file).unwrap();
        unpacked(&String::from_utf8(file).unwrap())
    };
    let redaction = heapview::report_data::Redaction::new([]).unwrap();
    let mut file = Vec::new();
    write_file(&session, FileOptions { redaction: Some(&redaction), ..FileOptions::default() }, &mut file).unwrap();
    let redacted = unpacked(&String::from_utf8(file).unwrap());
    let all = |(shell, _, bytes): &(String, Decoded, Vec<u8>)| format!("{shell}{}", String::from_utf8_lossy(bytes)).to_lowercase();
    let (open, hidden) = (all(&unredacted), all(&redacted));
    for n in (1..=25).filter(|n| *n != 5) {
        let secret = format!("secret{n:02}");
        // Text that the page never contains, and text that stays in it.
        let is_unused = [21].contains(&n);
        assert!(open.contains(&secret) || is_unused, "{secret} is nowhere to be hidden");
        assert!(!hidden.contains(&secret), "{secret} is not redacted");
    }
    assert!(!hidden.contains("secret") && !hidden.contains("alice") && !hidden.contains("471147") && !hidden.contains("5ec4e705"));
    for kept in ["kept_crate::kept_main", "kept_lambda{lambda at kept_lambda.cc:3:1}", "kept_main.rs", "kept_lib.rs", "kept_program"] {
        assert!(hidden.contains(kept), "{kept} is gone");
    }
    assert_eq!(redacted.1.profile.value_types()[0].kind, "kind1");
}

/// Source lines are in the file only where they are requested, of the project's own files only, and never beside redaction.
#[test]
fn source_lines_are_included_on_request_and_without_paths() {
    let folder = tempfile::tempdir().unwrap();
    let inputs = ["-source_path=programs", "bin/shop", "gperftools/shop.0003.heap"];
    let data = |flags: &[&str]| unpacked(&export(folder.path(), &[&["export"][..], flags, &inputs].concat())).1;
    assert!(data(&[]).attachments.is_empty());
    assert!(data(&["-with-sources", "-redact"]).attachments.is_empty());
    let with = data(&["-with-sources", "-focus=shop::"]);
    let [attachment] = &with.attachments[..] else { panic!("{} attachments", with.attachments.len()) };
    let text = String::from_utf8(attachment.bytes.clone()).unwrap();
    let here = path("testdata/programs");
    assert!(text.contains("fn ") && !text.contains(here.to_str().unwrap()), "a path of this machine is in the source text");
    assert!(!format!("{:?}", with.about).contains(here.to_str().unwrap()));
    assert_eq!(with.about.query, [("focus".into(), "shop::".into())]);
    let result = command(&[&["top", "-with-sources"][..], &inputs].concat()).output().unwrap();
    assert!(String::from_utf8_lossy(&result.stderr).contains("-with-sources needs export"));
}
