//! Answers of the engine are those of the core built for this machine: here files are opened and questions asked as
//! `engine/src/lib.rs` does it; `tests/engine/compare.mjs` asks the engine the same. Names from attached binaries are those that the
//! program finds in the same files.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use heapview::api::{self, NamedFile, Reply};
use heapview::attached::NamedSession;
use heapview::query::{FIELDS, Kind, ViewKind};
use heapview::symbolize::AttachedFile;
use serde_json::json;

use crate::fixture::{path, program};
use crate::matrix::{attachable, attachable_ways};

/// Forms of reports, by the ending of their addresses.
const ENDINGS: [&str; 8] = ["", ".txt", ".csv", ".json", ".dot", ".folded", ".svg", ".md"];

/// Files of `testdata` that are opened alone, with every question.
const ALONE: [&str; 11] = [
    "gperftools/kitchen-sampled.heap",
    "gperftools/mill.0001.heap",
    "gperftools/shop-v0.0003.heap",
    "gperftools/shop.0003.heap",
    "jemalloc/kitchen.3000.0.m0.heap",
    "jemalloc/shop-exact.1000.3.f.heap",
    "jemalloc/shop-sampled.2000.2.m2.heap",
    "pprof/depot.0.pb.gz",
    "pprof/depot.1.pb.gz",
    "pprof/shop.0003.pb.gz",
    "matrix/stored/mini/granary.heap",
];

/// Those opened together.
const TOGETHER: [&[&str]; 3] = [
    &["gperftools/shop.0001.heap", "gperftools/shop.0002.heap", "gperftools/shop.0003.heap"],
    &["pprof/depot.0.pb.gz", "pprof/depot.1.pb.gz"],
    &["gperftools/shop.0003.heap", "pprof/depot.1.pb.gz", "bin/shop"],
];

/// Dumps and the files of `testdata/bin` that are attached.
const WITH_BINARIES: [(&str, &[&str]); 6] = [
    ("gperftools/kitchen-sampled.heap", &["kitchen", "libpantry.so"]),
    ("gperftools/mill.0001.heap", &["mill"]),
    ("gperftools/shop-v0.0003.heap", &["shop-v0"]),
    ("gperftools/shop.0003.heap", &["libpantry.so", "shop"]),
    ("jemalloc/shop-exact.1000.3.f.heap", &["shop"]),
    ("jemalloc/kitchen.3000.0.m0.heap", &["kitchen", "libpantry.so"]),
];

/// Names as compilers of C++, Rust and Go write them.
const NAMED: &str = "# inuse_space bytes\n\
    main;std::vector<int, std::allocator<int> >::push_back(int const&);operator new(unsigned long) 4096\n\
    main;std::map<std::string, std::vector<int> >::operator[](std::string const&);operator new(unsigned long) 1234567\n\
    main;shop::serve;<alloc::vec::Vec<T> as core::iter::FromIterator<u8>>::from_iter;__rust_alloc 81920\n\
    main;shop::serve::{{closure}};hashbrown::raw::RawTable<(u32, String)>::reserve_rehash;__rust_alloc 777\n\
    main;_ZN4shop5serve17h0123456789abcdefE;_RNvCs1234_7mycrate3foo 99\n\
    main.main;net/http.(*conn).serve;bytes.(*Buffer).grow;runtime.mallocgc 65536\n\
    main;größe;\u{1f4a9};a\\b\"c<d>&e 5\n\
    main;a;b;a;b;a;b 12\n\
    main;a;b 1\n";

/// Questions with every option at several values, in every form, and some that ask nonsense.
fn questions() -> Vec<String> {
    let mut all: Vec<String> = ["meta", "fields", "nothing", "top/x", ""].map(|name| format!("/api/v1/{name}")).to_vec();
    all.extend(["", "?f=main", "?base=0", "?si=0&tagroot=thread&f=(("].map(|query| format!("/download{query}")));
    for kind in ViewKind::ALL {
        let name = kind.name();
        all.extend(ENDINGS.map(|ending| format!("/api/v1/{name}{ending}?download&f=.")));
        for field in FIELDS {
            let values: &[&str] = match field.kind {
                Kind::Bool => &["t", "f", "x"],
                Kind::Choice(words) => words,
                Kind::Regex => &["walk|serve|push|main", "nowhere", "((", "^[^;]*[[:upper:]]"],
                Kind::Int => &["0", "3", "-1", "99999999999999999999"],
                Kind::Float => &["0", "0.25", "-3", "1e308"],
                Kind::Text => &["0", "1", "0,1", "thread", "bytes", "main", "auto", "x=y"],
            };
            all.extend(
                values.iter().map(|value| format!("/api/v1/{name}?{}={}", field.name, value.replace('%', "%25").replace('&', "%26"))),
            );
        }
    }
    all.push("/api/v1/explain".into());
    all
}

/// What is asked of files that are damaged.
const FEW: [&str; 9] = [
    "/api/v1/meta",
    "/api/v1/summary",
    "/api/v1/explain",
    "/api/v1/top?g=lines&counts=t",
    "/api/v1/tree.txt",
    "/api/v1/flame?inverted=t",
    "/api/v1/graph.dot",
    "/api/v1/traces.folded",
    "/api/v1/types",
];

/// Writes cases and the replies that are expected.
struct Cases<'a> {
    folder: &'a Path,
    list: Vec<serde_json::Value>,
    n_replies: usize,
    statuses: BTreeMap<u16, usize>,
}

impl Cases<'_> {
    /// Opens `files` and asks `questions`.
    fn add(&mut self, label: &str, files: &[(String, PathBuf)], questions: &[String]) {
        self.add_attached(label, files, &[], questions);
    }

    /// The same after names were looked up in the `attached` files.
    fn add_attached(&mut self, label: &str, files: &[(String, PathBuf)], attached: &[(String, PathBuf)], questions: &[String]) {
        let name = format!("{}.replies", self.list.len());
        // Of hundreds of megabytes that much is left a tenth: the disks of test machines are small.
        let mut out = GzEncoder::new(BufWriter::new(File::create(self.folder.join(&name)).unwrap()), Compression::fast());
        let named = files.iter().map(|(name, path)| NamedFile { name: name.clone(), bytes: fs::read(path).unwrap() });
        let mut opened = match NamedSession::open(named.collect(), Vec::new(), &()) {
            Ok((opened, refused)) => {
                self.write(&mut out, &api::opened_reply(&refused));
                opened
            }
            Err(unopened) => {
                self.write(&mut out, &unopened.into());
                return self.close(label, files, &[], &[], name);
            }
        };
        let binaries: Vec<Arc<AttachedFile>> = attached.iter().map(|(name, path)| binary(name, path)).collect();
        binaries.iter().for_each(|file| self.write(&mut out, &Reply::json(200, &opened.describe(file))));
        if !binaries.is_empty() {
            self.write(&mut out, &Reply::json(200, &opened.symbolize(&binaries, &())));
        }
        for question in questions {
            self.write(&mut out, &api::answer(&opened.session, &opened.carried, question));
        }
        self.close(label, files, attached, questions, name);
    }

    fn write(&mut self, out: &mut impl Write, reply: &Reply) {
        let Reply { status, content_type, file_name, body } = reply;
        let file_name = file_name.as_deref().unwrap_or_default();
        // The order of `compare.mjs`.
        let head = format!(
            "{{\"status\":{status},\"contentType\":{},\"fileName\":{},\"length\":{}}}\n",
            json!(content_type),
            json!(file_name),
            body.len()
        );
        out.write_all(head.as_bytes()).unwrap();
        out.write_all(body).unwrap();
        self.n_replies += 1;
        *self.statuses.entry(*status).or_default() += 1;
    }

    fn close(&mut self, label: &str, files: &[(String, PathBuf)], attached: &[(String, PathBuf)], questions: &[String], replies: String) {
        let list = |files: &[(String, PathBuf)]| files.iter().map(|(name, path)| json!({ "name": name, "path": path })).collect::<Vec<_>>();
        self.list
            .push(json!({ "label": label, "files": list(files), "attached": list(attached), "questions": questions, "replies": replies }));
    }
}

/// The file at `path` as an attached one of this name.
fn binary(name: &str, path: &Path) -> Arc<AttachedFile> {
    Arc::new(AttachedFile::new(name.into(), Arc::new(fs::read(path).unwrap())).unwrap())
}

fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { files_below(&path, found) } else { found.push(path) }
    }
}

/// Hostile dumps: those of `fuzz/hostile_seeds.py`, what fuzzing found, and good ones cut short and with bytes changed.
fn hostile(folder: &Path) -> Vec<PathBuf> {
    let made = Command::new("python3").arg(path("fuzz/hostile_seeds.py")).arg(folder.join("ideas")).status();
    assert!(made.is_ok_and(|status| status.success()), "fuzz/hostile_seeds.py failed");
    let mut found = Vec::new();
    [folder.join("ideas/parse"), path("fuzz/seeds/parse"), path("fuzz/corpus/parse")].iter().for_each(|of| files_below(of, &mut found));
    let damaged = folder.join("damaged");
    fs::create_dir_all(&damaged).unwrap();
    for name in ALONE {
        let bytes = fs::read(path("testdata").join(name)).unwrap();
        for part in 1..8 {
            let mut changed = bytes.clone();
            let at = bytes.len() * part / 8;
            if part % 2 == 0 {
                changed.truncate(at)
            } else {
                changed[at] ^= [0x01, 0x80, 0xff][part % 3]
            }
            let to = damaged.join(format!("{part}-{}", name.replace('/', "-")));
            fs::write(&to, changed).unwrap();
            found.push(to);
        }
    }
    found.retain(|path| path.metadata().is_ok_and(|meta| meta.len() < 100 << 10));
    found.sort();
    found
}

fn named(path: PathBuf) -> (String, PathBuf) {
    (path.file_name().unwrap().to_string_lossy().into_owned(), path)
}

/// Writes the cases to the folder `HEAPVIEW_ENGINE_CASES`; run by `tests/engine/run.sh`, which has the engine.
#[test]
#[ignore = "for tests/engine/run.sh"]
fn cases_are_written() {
    let folder = PathBuf::from(std::env::var_os("HEAPVIEW_ENGINE_CASES").unwrap());
    fs::create_dir_all(&folder).unwrap();
    let mut cases = Cases { folder: &folder, list: Vec::new(), n_replies: 0, statuses: BTreeMap::new() };
    let all = questions();
    let data = path("testdata");
    fs::write(folder.join("named.folded"), NAMED).unwrap();
    cases.add("named.folded", &[named(folder.join("named.folded"))], &all);
    for (i, name) in ALONE.into_iter().enumerate() {
        // Of most profiles every third question: the rest differ in their numbers only.
        let step = if i < 3 { 1 } else { 3 };
        let asked: Vec<String> = all.iter().skip(i % step).step_by(step).cloned().collect();
        cases.add(name, &[named(data.join(name))], &asked);
    }
    let mut tides = Vec::new();
    files_below(&data.join("gperftools"), &mut tides);
    tides.retain(|path| path.to_string_lossy().contains("tides"));
    // In the order of the folder: they are sorted by their numbers.
    cases.add("tides", &tides.into_iter().map(named).collect::<Vec<_>>(), &all);
    for files in TOGETHER {
        let files: Vec<_> = files.iter().map(|name| named(data.join(name))).collect();
        cases.add(&files[0].0.clone(), &files, &all.iter().step_by(2).cloned().collect::<Vec<_>>());
    }
    cases.add("no file", &[], &[]);
    for (dump, binaries) in WITH_BINARIES {
        let attached: Vec<_> = binaries.iter().map(|name| named(data.join("bin").join(name))).collect();
        cases.add_attached(dump, &[named(data.join(dump))], &attached, &all.iter().step_by(2).cloned().collect::<Vec<_>>());
    }
    let traces: Vec<String> = ["traces", "top?g=lines", "flame", "meta"].map(|name| format!("/api/v1/{name}")).to_vec();
    for (way, folder) in attachable_ways() {
        let attached: Vec<_> = attachable(&folder).into_iter().map(named).collect();
        cases.add_attached(way, &[named(folder.join("granary.heap"))], &attached, &traces);
    }
    let few = FEW.map(str::to_owned);
    // Its names are so long that every answer is megabytes.
    cases.add("awkward", &[named(data.join("pprof/awkward.pb.gz"))], &few);
    for path in hostile(&folder) {
        cases.add(&path.display().to_string(), &[named(path.clone())], &few);
    }
    fs::write(folder.join("cases.json"), serde_json::to_vec(&cases.list).unwrap()).unwrap();
    println!("{} answers of {} openings, by status: {:?}", cases.n_replies, cases.list.len(), cases.statuses);
    let with = |status: u16| cases.statuses.get(&status).copied().unwrap_or(0);
    assert!(with(200) > 2000 && with(400) > 200 && with(404) > 50 && with(422) > 10, "{:?}", cases.statuses);
}

#[test]
fn names_of_attached_binaries_are_those_that_the_program_finds() {
    for (dump, binaries) in WITH_BINARIES {
        // Libraries of the system may be where they were when the dump was taken.
        let text = fs::read_to_string(path("testdata").join(dump)).unwrap().replace("/tmp/heapview-testdata", "/nowhere");
        let folder = tempfile::tempdir().unwrap();
        let dump = folder.path().join("a.heap");
        fs::write(&dump, &text).unwrap();
        let file = NamedFile { name: "a.heap".into(), bytes: text.into_bytes() };
        let (mut opened, _) = NamedSession::open(vec![file], Vec::new(), &()).ok().unwrap();
        let attached: Vec<_> = binaries.iter().map(|name| binary(name, &path("testdata/bin").join(name))).collect();
        opened.symbolize(&attached, &());
        for report in ["top", "traces", "tree"] {
            let mut command = program();
            command.env("PPROF_BINARY_PATH", path("testdata/bin")).args([&format!("-{report}"), "-json", "-lines", "-nodecount=1000"]);
            let theirs = String::from_utf8(command.arg(&dump).output().unwrap().stdout).unwrap();
            let ours = api::answer(&opened.session, &opened.carried, &format!("/api/v1/{report}.json?g=lines&n=1000"));
            let ours = String::from_utf8(ours.body).unwrap();
            assert!([".rs:", ".cpp:", ".c:"].iter().any(|ending| ours.contains(ending)), "{binaries:?} {report} has no lines");
            let differs = ours.bytes().zip(theirs.bytes()).position(|(ours, theirs)| ours != theirs);
            assert!(ours == theirs, "{binaries:?} {report} differs from what the program says at byte {differs:?}");
        }
    }
}
