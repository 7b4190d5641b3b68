//! Recordings of `ferry`, which keeps books of all its memory: interpreted by heaptrack, and raw.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::process::Output;

use flate2::Compression;
use flate2::write::GzEncoder;
use heapview::parse::{KeepEvents, ParseOptions, parse, parse_recording};
use heapview::profile::{MomentKind, Profile};
use heapview::query::{View, ViewKind};
use heapview::report::Report;
use heapview::session::Session;
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

/// Fails with this message.
fn refuses(words: &[&str], message: &str) {
    let output = run(words);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && error.contains(message), "{message:?} of {words:?} in {error:?}");
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

/// Function → its cumulative value, less the base.
fn cum(words: &[&str], sample_index: &str) -> BTreeMap<String, i64> {
    let index = format!("-sample_index={sample_index}");
    let top = json(&[&["top", "-json", "-nodefraction=0", "-nodecount=0", &index], words].concat());
    let [rows, cum] = ["row", "cum"].map(|column| top[column].as_array().unwrap());
    let base = |place: usize| top["cum_base"].get(place).map_or(0, |base| base.as_i64().unwrap());
    let less_base = |(place, cum): (usize, &Value)| cum.as_i64().unwrap() - base(place);
    rows.iter().zip(cum.iter().enumerate().map(less_base)).map(|(row, cum)| (row["name"].as_str().unwrap().to_owned(), cum)).collect()
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
        assert!((80..2000).contains(&(run.peak_at / 1_000_000)), "{}", run.peak_at);
        let millis = run.peak_at / 1_000_000;
        let top = text(&[&["-top"], input].concat());
        let whole = run.duration / 1_000_000;
        assert!(top.contains(&format!("Type: peak_space (in use at the peak, {millis}ms of {whole}ms)\n")), "{top}");
        let end = text(&[&["-top", "-sample_index=inuse_space"], input].concat());
        assert!(end.contains(&format!("Type: inuse_space (in use at the end, after {}ms)\n", run.duration / 1_000_000)), "{end}");
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

/// Lists of the largest beside the peak: the books of each function, without the libraries' own blocks.
#[test]
fn the_summary_lists_leaks_allocations_and_temporary_blocks() {
    let books = truth();
    let summary = json(&[&["summary", "-json", "-symbolize=none"], INTERPRETED].concat());
    let lists = summary["run"][0]["blocks"]["top"].as_array().unwrap();
    let named: Vec<&str> = lists.iter().map(|list| list["value_type"].as_str().unwrap()).collect();
    assert_eq!(named, ["inuse_space", "alloc_objects", "temp_objects"]);
    for (list, place) in lists.iter().zip([4, 0, 6]) {
        let culprits = list["culprit"].as_array().unwrap();
        let sizes: Vec<i64> = culprits.iter().map(|c| c[if place == 4 { "bytes" } else { "objects" }].as_i64().unwrap()).collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b) && !sizes.contains(&0), "{list}");
        let of_books: Vec<_> = culprits.iter().filter_map(|c| Some((c, books.get(c["row"]["name"].as_str()?)?))).collect();
        assert!(of_books.len() >= 2, "{list}");
        for (culprit, book) in of_books {
            let told = [&culprit["objects"], &culprit["bytes"]].map(|n| n.as_i64().unwrap());
            // heaptrack takes some blocks of threads for temporary that are not.
            if place != 6 || culprit["row"]["name"] != "load" {
                assert_eq!(told, [book[place], book[place + 1]], "{culprit}");
            }
        }
    }
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
        assert_eq!(dump["moment"]["at"], moment.at);
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
    let (at_peak, whole) = (millis(moments[peak].at), millis(profile.meta().runs[0].duration));
    let note = format!("in use at the peak, {at_peak}ms of {whole}ms");
    assert_eq!(at(&format!("top dump={}", peak + 1)), (totals[peak], 0, note.clone()));
    assert_eq!(at(&format!("top dump={} sample_index=inuse_space", peak + 1)), (totals[peak], 0, note));
    let since = format!("in use, from {}ms to {at_peak}ms", millis(moments[0].at));
    assert_eq!(at(&format!("top dump={} base=1", peak + 1)), (totals[peak], totals[0], since));
}

#[test]
fn any_time_of_a_recording_has_its_report() {
    for input in [INTERPRETED, RAW] {
        let profile = read(input.last().unwrap());
        let (_, peak) = profile.moments_of(0).find(|(_, moment)| moment.kind == MomentKind::Peak).unwrap();
        let [peak, end] = [peak.at, profile.meta().runs[0].duration].map(|nanos| nanos / 1_000_000);
        let flag = |name: &str, millis: i64| format!("-{name}={millis}ms");
        let in_use = |flags: &[&str], sample_index: &str| cum(&[flags, input].concat(), sample_index);
        assert_eq!(in_use(&["-at=peak"], "inuse_space"), in_use(&[], "peak_space"));
        assert_eq!(in_use(&["-at=end"], "peak_space"), in_use(&[], "inuse_space"));
        // Anchors are there before the peak and stay; what makes it is there for 40 ms.
        for (millis, swell) in [(peak - 20, 0), (peak + 90, 0)] {
            let found = in_use(&[&flag("at", millis)], "inuse_space");
            assert_eq!([found["anchor"], found.get("swell").copied().unwrap_or(0)], [truth()["anchor"][3], swell], "after {millis} ms");
        }
        // From A to B and from B to the end is everything.
        for middle in [peak - 37, peak - 3, peak + 5, peak + 31] {
            for (sample_index, whole) in [("alloc_objects", "alloc_objects"), ("inuse_space", "inuse_space"), ("temp_space", "temp_space")]
            {
                let early = in_use(&[&flag("to", middle)], sample_index);
                let late = in_use(&[&flag("from", middle), "-to=end"], sample_index);
                let mut sum = early.clone();
                late.iter().for_each(|(name, value)| *sum.entry(name.clone()).or_default() += value);
                sum.retain(|_, value| *value != 0);
                let mut all = in_use(&[], whole);
                all.retain(|_, value| *value != 0);
                assert_eq!(sum, all, "{sample_index} before and after {middle} ms");
            }
        }
        for (flags, message) in [
            (vec![flag("at", end + 1)], format!("at=\"{}ms\" is not in the recording, which takes {end}ms", end + 1)),
            (vec![flag("from", 50), flag("to", 50)], "from=\"50ms\" is not before to=50ms".to_owned()),
            (vec![flag("from", 50), flag("at", 50)], "at=\"50ms\" is not possible together with from and to".to_owned()),
            (vec!["-at=soon".to_owned()], "is not a time since the recording began".to_owned()),
        ] {
            let words: Vec<&str> = ["top"].into_iter().chain(flags.iter().map(String::as_str)).chain(input.iter().copied()).collect();
            refuses(&words, &message);
        }
    }
    refuses(&["top", "-at=1s", "gperftools/shop.0003.heap"], "gperftools/shop.0003.heap has no times");
}

/// Changes of allocations, bytes in use and temporary allocations by events whose last stamp is within these, milliseconds: the rule of
/// heaptrack's time filter.
fn by_stamps(text: &str, from: i64, to: i64) -> [i64; 3] {
    let hex = |word: &str| i64::from_str_radix(word, 16).unwrap();
    let (mut sizes, mut stamp, mut last, mut sums) = (Vec::new(), 0, None, [0; 3]);
    for line in text.lines() {
        let mut words = line.split(' ');
        match words.next().unwrap() {
            "a" => sizes.push(hex(words.next().unwrap())),
            "c" => stamp = hex(words.next().unwrap()),
            kind @ ("+" | "-") => {
                let number = hex(words.next().unwrap());
                let size = sizes[usize::try_from(number).unwrap()];
                let is_counted = (from..=to).contains(&stamp);
                let change = match kind {
                    "+" => [1, size, 0],
                    _ => [0, -size, i64::from(last == Some(number))],
                };
                last = (kind == "+").then_some(number);
                sums.iter_mut().zip(change).filter(|_| is_counted).for_each(|(sum, change)| *sum += change);
            }
            _ => {}
        }
    }
    sums
}

#[test]
fn ranges_have_the_events_of_heaptracks_time_filter() {
    let text = String::from_utf8(unpacked(INTERPRETED[0])).unwrap();
    let stamps: Vec<i64> = text.lines().filter_map(|line| line.strip_prefix("c ")).map(|n| i64::from_str_radix(n, 16).unwrap()).collect();
    let whole = by_stamps(&text, 0, i64::MAX);
    let run = read(INTERPRETED[0]).meta().runs[0].clone();
    assert_eq!(whole, [run.allocated.objects, run.end.bytes, run.temporary.objects]);
    for (from, to) in [(5, 60), (50, 120), (45, 150), (100, 200)] {
        // Stamps themselves belong to the range that begins with them.
        let [from, to] = [from, to].map(|millis| if stamps.contains(&millis) { millis - 1 } else { millis });
        let total = |sample_index: &str| {
            let header = &json(&[
                "top",
                "-json",
                &format!("-from={from}ms"),
                &format!("-to={to}ms"),
                &format!("-sample_index={sample_index}"),
                INTERPRETED[0],
            ])["header"];
            header["value_total"].as_i64().unwrap() - header["base_total"].as_i64().unwrap_or(0)
        };
        assert_eq!(["alloc_objects", "inuse_space", "temp_objects"].map(total), by_stamps(&text, from, to), "{from} to {to} ms");
    }
}

#[test]
fn every_report_and_format_has_times() {
    for report in ["top", "tree", "flame", "traces", "summary", "sizes", "types", "growth", "explain", "collapsed", "peek=anchor"] {
        let text = text(&[&*format!("-{report}").replace("-explain", "explain"), "-from=10ms", "-to=peak", "heaptrack/ferry.zst"]);
        assert!(text.contains(if report == "peek=anchor" { "anchor" } else { "swell" }), "{report}: {text}");
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("at.pb.gz");
    text(&["convert", "-at=peak", "heaptrack/ferry.zst", "-o", out.to_str().unwrap()]);
    let peak = cum(&[out.to_str().unwrap()], "inuse_space");
    assert_eq!(peak["swell"], truth()["swell"][3]);
    // The session of a page answers the same, with other views of the same time from its cache.
    let bytes = std::fs::read(path("testdata/heaptrack/ferry.zst")).unwrap();
    let options = ParseOptions { events: Some(KeepEvents { file: None }), ..ParseOptions::default() };
    let session = Session::new(parse(&bytes, &options).unwrap().profile, Vec::new());
    let stamp = session.snapshot().profile.meta().runs[0].peak_at / 1_000_000 + 3;
    for sample_index in ["inuse_space", "alloc_objects"] {
        let of_session = |question: &str| {
            let pairs: Vec<_> = question.split('&').map(|pair| pair.split_once('=').unwrap()).collect();
            session.answer(&View::parse(ViewKind::Top, pairs).unwrap()).unwrap().header().value_total
        };
        let by_page = of_session(&format!("at={stamp}ms&sample_index={sample_index}"));
        let top = json(&["top", "-json", &format!("-at={stamp}ms"), &format!("-sample_index={sample_index}"), "heaptrack/ferry.zst"]);
        assert_eq!(top["header"]["value_total"], by_page);
        assert!(by_page > 0);
    }
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
    let read = |bytes: &[u8]| parse_recording(&mut &*bytes, bytes.len() as u64, &ParseOptions::default()).unwrap();
    let from_file = read(&text);
    let from_memory = parse(&text, &ParseOptions::default()).unwrap();
    assert_eq!(from_file.profile.meta().runs, from_memory.profile.meta().runs);
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&text).unwrap();
    let packed = gzip.finish().unwrap();
    let (from_packed, cut) = (read(&packed), read(&packed[..packed.len() / 2]));
    assert_eq!((&from_packed.profile.meta().runs, from_packed.warnings.len()), (&from_memory.profile.meta().runs, 0));
    assert!(cut.warnings.iter().any(|warning| warning.kind.is_cut()) && cut.profile.meta().runs[0].temporary.objects > 10_000);
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
    // What only recordings have.
    let refused = run(&["top", "-sample_index=peak_space", "-base=gperftools/shop.0003.heap", "heaptrack/ferry.zst"]);
    let error = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(error.contains("has no value type \"peak_space\"") && error.contains("use -at=peak with inuse_space"), "{error}");
    let at_peak = text(&["top", "-sample_index=inuse_space", "-at=peak", "-base=gperftools/shop.0003.heap", "heaptrack/ferry.zst"]);
    assert!(at_peak.contains(" swell\n"), "{at_peak}");
    // Recorders among themselves.
    let tracy = warnings(&["-base=tracy/ledger.tracy", "heaptrack/ferry.zst", "-sample_index=temp_objects"]);
    for what in ["Tracy has only the allocations that the program reports", "known by size and stack only"] {
        assert!(tracy.contains(what), "{tracy}");
    }
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

/// What `heapview heaptrack` prints.
fn heaptrack(words: &[&str]) -> String {
    let output = program().current_dir(path("testdata")).arg("heaptrack").args(words).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn code_without_names_is_one_group_of_its_module_and_keeps_its_lines() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("unnamed").display().to_string();
    let stacks = "t 1 0\nt 2 1\nt 3 1\nt 4 1\n";
    let addresses = "i 401245 1 2\ni 7001 3\ni 7002 3\ni 7003 3 0 4 12\n";
    let text = format!(
        "v 10400 3\nX ./it\ns 7 /bin/it\ns 4 main\ns 8 /lib/l.c\ns 5 a/b.c\n{addresses}{stacks}a 8 2\na 10 3\na 20 4\n+ 0\n+ 1\n+ 2\n+ 2"
    );
    std::fs::write(&path, text).unwrap();
    let printed = heaptrack(&["-p0", "-T0", &path]);
    // The line that is cut is an event.
    for part in [
        "2 calls to allocation functions with 24B peak consumption from\n??\n  in /lib/l.c\n",
        "2 calls to allocation functions with 64B peak consumption from\n0x7003\n  at a/b.c:18\n  in /lib/l.c\n",
    ] {
        assert!(printed.contains(part), "no {part:?} in {printed}");
    }
    let lines = cum(&["-lines", &path], "alloc_space");
    assert_eq!(lines.get("a/b.c:18"), Some(&64), "{lines:?}");
    // By function it is the module.
    assert_eq!(cum(&[&path], "alloc_space").get("[l.c]"), Some(&88));
}

#[test]
fn sections_of_heaptrack_print_have_the_books_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let [stacks, sizes, massif, rules] = ["stacks", "sizes", "massif", "rules"].map(|name| folder.path().join(name).display().to_string());
    std::fs::write(&rules, "leak:load\n").unwrap();
    let printed = heaptrack(&["-l", "-n3", "-F", &stacks, "--flamegraph-cost-type=peak", "-H", &sizes, "-M", &massif, INTERPRETED[0]]);
    for line in [
        "900 calls to allocation functions with 149.40K peak consumption from\nload\n",
        "500 calls to allocation functions with 0B peak consumption from\nspray\n",
        "3.00M peak memory consumed over 1 calls from\nswell\n",
        "149.40K leaked over 900 calls from\nload\n",
        "500 temporary allocations of 500 allocations in total (100.00%) from\nspray\n",
        "\ncalls to allocation functions: 1427 (",
        "\npeak heap memory consumption: 3.29M\n",
        "\ntotal memory leaked: 157.79K\n",
    ] {
        assert!(printed.contains(line), "no {line:?} in {printed}");
    }
    let run = read("heaptrack/ferry.zst").meta().runs[0].clone();
    let stacks = std::fs::read_to_string(stacks).unwrap();
    let of_line = |line: &str| line.rsplit_once(' ').unwrap().1.parse::<i64>().unwrap();
    assert_eq!(stacks.lines().map(of_line).sum::<i64>(), run.peak.bytes);
    assert!(stacks.contains("main (ferry.c);swell (ferry.c) 3000000\n"), "{stacks}");
    let sizes = std::fs::read_to_string(sizes).unwrap();
    assert!(sizes.starts_with("48\t500\n"), "{sizes}");
    let massif = std::fs::read_to_string(massif).unwrap();
    assert!(massif.contains(&format!("mem_heap_B={}\n", run.peak.bytes)) && massif.contains("heap_tree=peak\n"), "{massif}");
    // Rules hide what is in use at the end, nothing else; a recording less itself is nothing.
    let less = heaptrack(&["-p0", "-a0", "-T0", "--suppressions", &rules, INTERPRETED[0]]);
    assert!(less.contains("suppressed leaks: 149.40K\n") && less.contains("consumption: 3.29M\n"), "{less}");
    let summary = text(&["summary", &format!("-suppressions={rules}"), INTERPRETED[0]]);
    assert!(summary.contains("suppressed by load: 145.9 KiB"), "{summary}");
    // A filter by function chooses groups, not totals.
    let load = heaptrack(&["--filter-bt-function", "load", INTERPRETED[0]]);
    assert!(
        load.contains("900 calls to allocation functions with 149.40K peak consumption from\nload\n") && !load.contains("\nspray\n"),
        "{load}"
    );
    assert!(load.contains("\ncalls to allocation functions: 1427 (") && load.contains("\ntotal memory leaked: 157.79K\n"), "{load}");
    let nothing = heaptrack(&["-d", INTERPRETED[0], INTERPRETED[0]]);
    assert!(nothing.contains("calls to allocation functions: 0 (0/s)\n") && !nothing.contains(" from\n"), "{nothing}");
}
