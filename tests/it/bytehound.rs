//! Recordings of bytehound, written here with books, of the program `ferry`, whose binary is in them.

use std::collections::BTreeMap;
use std::process::Output;

use heapview::api::NamedFile;
use heapview::attached::NamedSession;
use heapview::parse::{ParseOptions, parse};
use heapview::profile::Profile;
use object::{Object, ObjectSymbol};
use serde_json::Value;

use crate::fixture::{path, program};

#[allow(dead_code, reason = "written for the tests of the parser")]
#[path = "../../src/parse/bytehound/writer.rs"]
mod writer;

use writer::{Id, Writer};

/// Where the program is loaded.
const BASE: u64 = 0x5555_5555_4000;

/// The recording: `load` gets 50 blocks of 1000 bytes, which are freed when the program ends after 10 seconds; `rope` grows a block
/// from 64 to 65536 bytes; `spray` frees 500 blocks of 48 bytes at once; `anchor` keeps 10 of 333 bytes; `swell` has 3000000 bytes
/// for a second, which is the peak.
fn recording() -> Writer {
    let bytes = std::fs::read(path("testdata/bin/ferry")).unwrap();
    let object = object::File::parse(&*bytes).unwrap();
    let call = |name: &str| {
        let symbol = object.symbols().find(|symbol| symbol.name() == Ok(name)).unwrap();
        BASE + symbol.address() + 21
    };
    let mut w = Writer::new();
    let map =
        |start: u64, limit: u64, rights: &str| format!("{:x}-{:x} {rights} {start:08x} fe:00 7 /srv/ferry\n", BASE + start, BASE + limit);
    let maps = [map(0, 0x1000, "r--p"), map(0x1000, 0x2000, "r-xp"), map(0x2000, 0x3000, "r--p")].concat();
    let recorder = "7f1200000000-7f1200100000 r-xp 00000000 fe:00 8 /usr/lib/libbytehound.so\n";
    w.file("/proc/self/maps", (maps + recorder).as_bytes()).file("/srv/ferry", &bytes);
    for (id, name) in (1..).zip(["load", "rope", "spray", "anchor", "swell"]) {
        w.stack(id, &[0x7f12_0000_0101, 0x7f12_0000_0201, call(name), call("main")]);
    }
    let id = |n: u64| -> Id { Some((1, n)) };
    let second = 1_000_000;
    for n in 0..50 {
        w.allocate(id(n + 1), 1000 * n, n << 12, 1000, 1);
    }
    w.allocate(id(100), second, 1 << 30, 64, 2);
    for n in 1..=10 {
        w.reallocate(id(100), second + n, n << 30, (n + 1) << 30, 64 << n, 2);
    }
    w.free(id(100), second + 20_000, 11 << 30);
    for n in 0..500 {
        w.allocate(id(200 + n), 2 * second + 2 * n, 1 << 40, 48, 3).free(id(200 + n), 2 * second + 2 * n + 1, 1 << 40);
    }
    for n in 0..10 {
        w.allocate(id(900 + n), 3 * second + n, (n + 1) << 41, 333, 4);
    }
    w.allocate(id(950), 4 * second, 1 << 45, 3_000_000, 5).free_by(id(950), 5 * second, 1 << 45, 4);
    for n in 0..50 {
        w.free(id(n + 1), 10 * second - 1000 + n, n << 12);
    }
    w.region(9 * second, 1, "[anon:glibc]", 5120).region(9 * second, 2, "[anon:bytehound]", 70_000);
    w.tag(12).u64(writer::BEGIN + 10 * second).u64(0).u64(0);
    w
}

/// Function → its cumulative value, for the types of all recordings: allocated, at the peak, at the end, temporary.
const BOOKS: [(&str, [i64; 8]); 5] = [
    ("load", [50, 50_000, 50, 50_000, 0, 0, 0, 0]),
    ("rope", [11, 131_008, 0, 0, 0, 0, 11, 131_008]),
    ("spray", [500, 24_000, 0, 0, 0, 0, 500, 24_000]),
    ("anchor", [10, 3330, 10, 3330, 10, 3330, 0, 0]),
    ("swell", [1, 3_000_000, 1, 3_000_000, 0, 0, 1, 3_000_000]),
];

const TYPES: [&str; 8] =
    ["alloc_objects", "alloc_space", "peak_objects", "peak_space", "inuse_objects", "inuse_space", "temp_objects", "temp_space"];

/// A folder with the recording as a file, and no binary to be found.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("ferry.dat"), recording().finish()).unwrap();
        Folder(folder)
    }

    fn run(&self, words: &[&str]) -> Output {
        let mut command = program();
        command.current_dir(self.0.path()).env("PPROF_BINARY_PATH", "nowhere").args(["-config=none"]).args(words);
        command.output().unwrap()
    }

    fn text(&self, words: &[&str]) -> String {
        let output = self.run(words);
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn json(&self, words: &[&str]) -> Value {
        serde_json::from_str(&self.text(words)).unwrap()
    }

    fn cum(&self, file: &str, sample_index: &str) -> BTreeMap<String, i64> {
        let index = format!("-sample_index={sample_index}");
        let top = self.json(&["top", "-json", "-nodefraction=0", "-nodecount=0", &index, file]);
        let [rows, cum] = ["row", "cum"].map(|column| top[column].as_array().unwrap());
        rows.iter().zip(cum).map(|(row, cum)| (row["name"].as_str().unwrap().to_owned(), cum.as_i64().unwrap())).collect()
    }
}

#[test]
fn names_come_from_the_binary_in_the_recording() {
    let folder = Folder::new();
    for (at, sample_index) in TYPES.into_iter().enumerate() {
        let found = folder.cum("ferry.dat", sample_index);
        for (function, books) in BOOKS {
            assert_eq!(found.get(function).copied().unwrap_or(0), books[at], "{sample_index} of {function}: {found:?}");
        }
    }
    let copied = folder.cum("ferry.dat", "realloc_space");
    assert_eq!(copied.get("rope"), Some(&(64 * 1023)), "{copied:?}");
    // Who frees.
    let freed = folder.cum("ferry.dat", "freed_space");
    let freed: Vec<(&str, i64)> = freed.iter().filter(|(_, value)| **value != 0).map(|(name, value)| (&**name, *value)).collect();
    assert_eq!(freed, [("anchor", 3_000_000), ("main", 3_000_000)]);
    // By thread, too.
    let by_thread = folder.text(&["tags", "-sample_index=alloc_objects", "ferry.dat"]);
    assert!(by_thread.contains("thread 1"), "{by_thread}");
    // Who allocates, not the recorder or the allocator.
    let top = folder.text(&["-top", "-sample_index=alloc_space", "ferry.dat"]);
    assert!(!top.contains("bytehound.so") && top.contains("swell"), "{top}");
    assert!(folder.text(&["-top", "-lines", "ferry.dat"]).contains("ferry.c:"));
    assert!(folder.run(&["-top", "ferry.dat"]).stderr.is_empty());
}

#[test]
fn the_summary_says_how_blocks_live_and_end() {
    let folder = Folder::new();
    let summary = folder.text(&["summary", "ferry.dat"]);
    for line in [
        "Recorded by bytehound in 10s",
        "Command: ./books -n 3",
        "Peak: 2.91 MiB in use after 4s",
        "Peak RSS: 5.00 MiB, without the recorder's own memory",
        "In use at the end: 3.25 KiB in 10 blocks",
        "Freed only at the end: 48.8 KiB in 50 blocks, in use after ",
        "  load: 48.8 KiB in 50 blocks",
        "Reallocations: 10 of 1 block, 10 of them to another address with 63.9 KiB copied; at most 10 reallocations of one block",
        "  rope: 63.9 KiB in 10 reallocations",
        "     under 100us: 510 blocks (89.2%), ",
        "       1s to 10s: 51 blocks (8.9%), 2.91 MiB",
        "     never freed: 10 blocks (1.7%), 3.25 KiB",
    ] {
        assert!(summary.contains(line), "no {line:?} in {summary}");
    }
    let tags = folder.text(&["-tags", "-sample_index=alloc_objects", "ferry.dat"]);
    assert!(tags.contains("never freed") && tags.contains("510 (89.16%): under 100us"), "{tags}");
    let leaked = folder.cum_focused("-tagfocus=lifetime=never freed");
    assert_eq!(leaked, [("anchor".to_owned(), 3330), ("main".to_owned(), 3330)]);
    // Recordings of heaptrack say what they know.
    let other = program().args(["-config=none", "summary"]).arg(path("testdata/heaptrack/ferry.zst")).output().unwrap();
    let other = String::from_utf8(other.stdout).unwrap();
    assert!(!other.contains("Lifetimes:") && !other.contains("Reallocations:"), "{other}");
}

impl Folder {
    fn cum_focused(&self, flag: &str) -> Vec<(String, i64)> {
        let top = self.json(&["top", "-json", "-nodefraction=0", "-sample_index=alloc_space", flag, "ferry.dat"]);
        let [rows, cum] = ["row", "cum"].map(|column| top[column].as_array().unwrap());
        let mut all: Vec<(String, i64)> =
            rows.iter().zip(cum).map(|(row, cum)| (row["name"].as_str().unwrap().to_owned(), cum.as_i64().unwrap())).collect();
        all.sort();
        all
    }
}

#[test]
fn everything_that_works_on_recordings_works() {
    let folder = Folder::new();
    let top = folder.text(&["-top", "ferry.dat"]);
    assert!(top.contains("Type: peak_space (in use at the peak, 4s of 10s)\n"), "{top}");
    let growth = folder.json(&["growth", "-json", "ferry.dat"]);
    assert!(growth["dump"].as_array().unwrap().len() > 100 && growth["axis"] == "s");
    for report in ["tree", "flame", "explain"] {
        assert!(!folder.text(&[report, "ferry.dat"]).is_empty(), "{report}");
    }
    folder.text(&["convert", "ferry.dat", "-o", "ferry.pb.gz"]);
    for sample_index in TYPES {
        assert_eq!(folder.cum("ferry.pb.gz", sample_index), folder.cum("ferry.dat", sample_index), "{sample_index}");
    }
    // The difference to a recording of heaptrack, by the names of functions.
    let other = path("testdata/heaptrack/ferry.zst");
    let base = format!("-base={}", other.display());
    let difference = folder.json(&["top", "-json", "-nodefraction=0", "-sample_index=alloc_space", &base, "ferry.dat"]);
    let rows = difference["row"].as_array().unwrap();
    let load = rows.iter().position(|row| row["name"] == "load").unwrap();
    assert_eq!((&difference["cum"][load], &difference["cum_base"][load]), (&50_000.into(), &224_550.into()), "{difference}");
}

fn read(file: &[u8]) -> Profile {
    parse(file, &ParseOptions::default()).unwrap().profile
}

#[test]
fn pages_without_a_server_have_the_names_too() {
    let bytes = recording().chunks(1 << 19, true);
    let profile = read(&bytes);
    assert_eq!(profile.meta().binaries.len(), 1);
    // Mappings have the build id of the binary.
    assert_eq!(profile.text(profile.code().mappings.iter().next().unwrap().build_id).len(), 40);
    let file = NamedFile { name: "ferry.dat".into(), bytes };
    let (opened, refused) = NamedSession::open(vec![file], Vec::new(), &()).ok().unwrap();
    assert!(refused.is_empty());
    let profile = opened.session.snapshot().profile;
    let names: Vec<&str> = profile.code().functions.iter().map(|function| profile.text(function.name)).collect();
    assert!(names.contains(&"swell") && names.contains(&"main"), "{names:?}");
}
