//! Recordings of `ferry`, which keeps books of all its memory: interpreted by heaptrack, and raw.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::process::Output;

use flate2::Compression;
use flate2::write::GzEncoder;
use heapview::parse::{ParseOptions, parse, parse_recording};
use heapview::profile::{MomentKind, Profile};
use heapview::report::Report;
use ruzstd::decoding::StreamingDecoder;
use serde_json::Value;

use crate::fixture::{ask, path, program};

const INTERPRETED: &[&str] = &["heaptrack/ferry.zst"];
const RAW: &[&str] = &["bin/ferry", "heaptrack/ferry.raw.zst"];

fn run(words: &[&str]) -> Output {
    let mut command = program();
    command.current_dir(path("testdata")).env("PPROF_BINARY_PATH", "bin").args(["-config=none"]).args(words);
    command.output().unwrap()
}

fn text(words: &[&str]) -> String {
    let output = run(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&text(words)).unwrap()
}

fn read(file: &str) -> Profile {
    let bytes = std::fs::read(path("testdata").join(file)).unwrap();
    let parsed = parse(&bytes, &ParseOptions::default()).unwrap();
    assert_eq!(parsed.warnings, []);
    parsed.profile.validate().unwrap();
    parsed.profile
}

/// Function → objects and bytes: allocated, at the peak, at the end, temporary.
fn truth() -> BTreeMap<String, Vec<i64>> {
    let table = std::fs::read_to_string(path("testdata/heaptrack/ferry.truth.tsv")).unwrap();
    let row = |line: &str| {
        let mut words = line.split('\t');
        (words.next().unwrap().to_owned(), words.map(|n| n.parse().unwrap()).collect())
    };
    table.lines().map(row).collect()
}

/// Function → its cumulative value.
fn cum(words: &[&str], sample_index: &str) -> BTreeMap<String, i64> {
    let index = format!("-sample_index={sample_index}");
    let top = json(&[&["top", "-json", "-nodefraction=0", "-nodecount=0", &index], words].concat());
    let [rows, cum] = ["row", "cum"].map(|column| top[column].as_array().unwrap());
    rows.iter().zip(cum).map(|(row, cum)| (row["name"].as_str().unwrap().to_owned(), cum.as_i64().unwrap())).collect()
}

const TYPES: [&str; 8] =
    ["alloc_objects", "alloc_space", "peak_objects", "peak_space", "inuse_objects", "inuse_space", "temp_objects", "temp_space"];

#[test]
fn recordings_agree_with_the_books_of_the_program() {
    for input in [INTERPRETED, RAW] {
        for (at, sample_index) in TYPES.into_iter().enumerate() {
            let found = cum(input, sample_index);
            for (function, books) in truth() {
                // What the threads free at once is temporary unless another thread comes between.
                if at >= 6 && function == "load" {
                    continue;
                }
                assert_eq!(found.get(&function).copied().unwrap_or(0), books[at], "{sample_index} of {function} in {input:?}");
            }
        }
    }
}

#[test]
fn the_first_view_is_the_peak_and_says_when_that_was() {
    for input in [INTERPRETED, RAW] {
        let profile = read(input.last().unwrap());
        let run = &profile.meta().runs[0];
        // 40 ms are between the moments; the machine may have been slow.
        assert!((80..2000).contains(&(run.peak_nanos / 1_000_000)), "{}", run.peak_nanos);
        let millis = run.peak_nanos / 1_000_000;
        let top = text(&[&["-top"], input].concat());
        let whole = run.duration_nanos / 1_000_000;
        assert!(top.contains(&format!("Type: peak_space (in use at the peak, {millis}ms of {whole}ms)\n")), "{top}");
        let end = text(&[&["-top", "-sample_index=inuse_space"], input].concat());
        assert!(end.contains(&format!("Type: inuse_space (in use at the end, after {}ms)\n", run.duration_nanos / 1_000_000)), "{end}");
        let total = json(&[&["top", "-json"], input].concat())["header"]["value_total"].clone();
        assert_eq!(total, run.peak.bytes);
        assert!(run.peak_rss > 1 << 20 && run.system_memory > 1 << 30 && run.recorder == "heaptrack 1.4.0");
    }
}

#[test]
fn the_summary_has_rates_and_what_rules_hide() {
    let summary = text(&["summary", "heaptrack/ferry.zst"]);
    for line in ["Recorded by heaptrack 1.4.0 in ", "Command: ", "Peak: ", "Peak RSS: ", "Allocations: 1427 (", "In use at the end: "] {
        assert!(summary.contains(line), "no {line:?} in {summary}");
    }
    let report = json(&["summary", "-json", "heaptrack/ferry.zst"]);
    let run = &report["run"][0];
    let end = read("heaptrack/ferry.zst").meta().runs[0].end;
    let of = |field: &str| run[field].as_i64().unwrap();
    assert_eq!(of("end_bytes") + of("suppressed_bytes"), end.bytes);
    let rules: i64 = run["suppression"].as_array().unwrap().iter().map(|rule| rule["bytes"].as_i64().unwrap()).sum();
    assert_eq!(of("suppressed_bytes"), rules);
}

#[test]
fn moments_are_a_series_with_the_peak_and_the_end() {
    let profile = read("heaptrack/ferry.zst");
    let moments: Vec<_> = profile.dumps().iter().filter_map(|dump| dump.moment).collect();
    assert!(moments.len() > 10, "{}", moments.len());
    let peak = moments.iter().position(|moment| moment.kind == MomentKind::Peak).unwrap();
    let total = |dump: usize| profile.columns()[dump * profile.value_types().len() + 3].total();
    let totals: Vec<i64> = (1..=moments.len()).map(total).collect();
    assert_eq!(totals.iter().max(), Some(&totals[peak]));
    assert_eq!(totals.last(), Some(&profile.meta().runs[0].end.bytes));
    let growth = json(&["growth", "-json", "heaptrack/ferry.zst"]);
    assert_eq!(growth["dump"].as_array().unwrap().len(), moments.len());
    assert_eq!(growth["axis"], "s");
    assert!(growth["header"].get("value_note").is_none(), "{}", growth["header"]);
    for (dump, moment) in growth["dump"].as_array().unwrap().iter().zip(&moments) {
        assert_eq!(dump["moment"]["at_nanos"], moment.at);
        assert_eq!(dump["moment"]["is_peak"], moment.kind == MomentKind::Peak);
        assert_eq!(dump["moment"]["is_end"], moment.kind == MomentKind::End);
    }
    // Each moment has its point of the curve.
    let rss: Vec<i64> = growth["dump"].as_array().unwrap().iter().map(|dump| dump["rss"].as_i64().unwrap_or(0)).collect();
    assert_eq!(rss, profile.meta().runs[0].curve.iter().map(|point| point.rss).collect::<Vec<_>>());
    assert!(rss.iter().any(|rss| *rss > 1 << 20), "{rss:?}");
    // Live at a moment, and the change between two.
    let at = |question: &str| match ask(&profile, question) {
        Report::Top(top) => (top.header.value_total, top.header.base_total, top.header.value_note),
        _ => panic!("{question}"),
    };
    let millis = |nanos: i64| nanos / 1_000_000;
    let (at_peak, whole) = (millis(moments[peak].at), millis(profile.meta().runs[0].duration_nanos));
    let note = format!("in use at the peak, {at_peak}ms of {whole}ms");
    assert_eq!(at(&format!("top dump={}", peak + 1)), (totals[peak], 0, note.clone()));
    assert_eq!(at(&format!("top dump={} sample_index=inuse_space", peak + 1)), (totals[peak], 0, note));
    let since = format!("in use, from {}ms to {at_peak}ms", millis(moments[0].at));
    assert_eq!(at(&format!("top dump={} base=1", peak + 1)), (totals[peak], totals[0], since));
}

#[test]
fn recordings_are_compared_and_exported_as_a_whole() {
    let difference =
        json(&["top", "-json", "-nodefraction=0", "-base=heaptrack/ferry.zst", "heaptrack/ferry.raw.zst", "-sample_index=alloc_space"]);
    let [value, base] = ["value_total", "base_total"].map(|field| difference["header"][field].as_i64().unwrap());
    let whole = |file: &str| read(file).meta().runs[0].allocated.bytes;
    assert_eq!([value, base], [whole("heaptrack/ferry.raw.zst"), whole("heaptrack/ferry.zst")]);
    // Addresses of the interpreted one are nowhere in the program.
    let doctor = text(&["doctor", "-base=heaptrack/ferry.zst", "bin/ferry", "heaptrack/ferry.raw.zst"]);
    assert!(!doctor.contains("bin/ferry is another build"), "{doctor}");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("ferry.pb.gz");
    text(&["convert", "heaptrack/ferry.zst", "-o", out.to_str().unwrap()]);
    for sample_index in TYPES {
        assert_eq!(cum(&[out.to_str().unwrap()], sample_index), cum(INTERPRETED, sample_index), "{sample_index}");
    }
    // Against another kind of dump: what both have.
    let other = json(&["top", "-json", "-base=heaptrack/ferry.zst", "gperftools/shop.0003.heap", "-sample_index=inuse_space"]);
    assert_eq!(other["header"]["base_total"], read("heaptrack/ferry.zst").meta().runs[0].end.bytes);
}

/// The text of a recording.
fn unpacked(file: &str) -> Vec<u8> {
    let packed = std::fs::read(path("testdata").join(file)).unwrap();
    let mut text = Vec::new();
    StreamingDecoder::new(&packed[..]).unwrap().read_to_end(&mut text).unwrap();
    text
}

#[test]
fn recordings_cut_anywhere_are_read_as_far_as_they_go() {
    for file in ["heaptrack/ferry.zst", "heaptrack/ferry.raw.zst"] {
        let text = unpacked(file);
        let whole = read(file).meta().runs[0].allocated.objects;
        let mut gz = GzEncoder::new(Vec::new(), Compression::fast());
        gz.write_all(&text).unwrap();
        let gz = gz.finish().unwrap();
        let mut most = 0;
        // In the middle of lines and at their ends, and the same compressed.
        let cuts = (40..text.len()).step_by(97).map(|n| &text[..n]).chain((200..gz.len()).step_by(61).map(|n| &gz[..n]));
        for cut in cuts {
            let parsed = parse(cut, &ParseOptions::default()).unwrap();
            parsed.profile.validate().unwrap();
            assert!(parsed.warnings.iter().any(|w| w.kind.is_cut()) || cut.ends_with(b"\n"), "{} bytes of {file}", cut.len());
            let n = parsed.profile.meta().runs[0].allocated.objects;
            assert!(n <= whole, "{n} of {whole} in {} bytes of {file}", cut.len());
            most = most.max(n);
        }
        assert!(most > whole * 9 / 10, "{most} of {whole}");
        // A block is whole or not at all.
        let packed = std::fs::read(path("testdata").join(file)).unwrap();
        for n in 0..packed.len() {
            if let Ok(parsed) = parse(&packed[..n], &ParseOptions::default()) {
                assert!(parsed.warnings.iter().any(|w| w.kind.is_cut()), "{n} bytes of {file}");
            }
        }
    }
}

#[test]
fn text_is_read_from_files_as_it_comes() {
    let mut text = b"v 10400 3\ns 2 /x\ns 1 f\ni 1 1 2\nt 1 0\na 10 1\n".to_vec();
    for n in 0..300_000u32 {
        text.extend_from_slice(if n % 2 == 0 { b"+ 0\n" } else { b"- 0\n" });
        if n % 1000 == 0 {
            text.extend_from_slice(format!("c {:x}\n", n / 100).as_bytes());
        }
    }
    let from_file = parse_recording(&mut &text[..], &ParseOptions::default()).unwrap();
    let from_memory = parse(&text, &ParseOptions::default()).unwrap();
    assert_eq!(from_file.profile.meta().runs, from_memory.profile.meta().runs);
    assert_eq!(from_file.profile.meta().runs[0].temporary.objects, 150_000);
}

#[test]
fn a_recording_and_a_dump_are_compared_with_warnings() {
    let warnings = |words: &[&str]| {
        let report = json(&[&["top", "-json"], words].concat());
        assert_eq!(report["header"]["has_base"], true, "{words:?}");
        report["header"]["warnings"].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect::<Vec<_>>().join("\n")
    };
    let (time, size) = ("the recording is compared as of its end", "a recording counts every requested byte");
    for (dump, is_sampled) in [("gperftools/shop.0003.heap", false), ("jemalloc/shop-sampled.2000.2.m2.heap", true)] {
        // Either side may be the base; both have memory in use.
        for pair in [["-base", dump, "heaptrack/ferry.zst"], ["-base", "heaptrack/ferry.zst", dump]] {
            let both = warnings(&pair);
            assert_eq!([both.contains(time), both.contains(size)], [true, is_sampled], "{pair:?}: {both}");
        }
    }
    let allocated = warnings(&["-base=gperftools/shop.0003.heap", "heaptrack/ferry.zst", "-sample_index=alloc_space"]);
    assert!(!allocated.contains(time), "{allocated}");
    let two = warnings(&["-base=heaptrack/ferry.zst", "heaptrack/ferry.raw.zst"]);
    assert!(!two.contains(time) && !two.contains(size), "{two}");
}

/// Upper limits of heaptrack's histogram, bytes; larger blocks are the last bucket.
const BUCKETS: [u64; 8] = [8, 16, 32, 64, 128, 256, 512, 1024];

#[test]
fn classes_of_sizes_add_up_to_the_histogram_of_requested_sizes() {
    let bucket = |size: u64| BUCKETS.iter().position(|most| size <= *most).unwrap_or(BUCKETS.len());
    for input in [INTERPRETED, RAW] {
        let mut expected = [[0; 2]; BUCKETS.len() + 1];
        for &(size, n) in &read(input.last().unwrap()).meta().runs[0].sizes {
            let [objects, bytes] = &mut expected[bucket(size)];
            *objects += i64::try_from(n).unwrap();
            *bytes += i64::try_from(n * size).unwrap();
        }
        let report = json(&[&["sizes", "-json", "-sample_index=alloc_objects"], input].concat());
        let mut found = [[0; 2]; BUCKETS.len() + 1];
        for class in report["class"].as_array().unwrap() {
            let of = |field: &str| class["sum"][field].as_i64().unwrap();
            let sum = &mut found[bucket(class["high"].as_u64().unwrap())];
            *sum = [sum[0] + of("objects"), sum[1] + of("bytes")];
        }
        assert_eq!(found, expected, "{input:?}");
    }
}
