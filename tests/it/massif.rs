//! massif's output for `quarry`, which keeps books of its memory, and for a recording that was exported for massif.

use std::collections::BTreeMap;
use std::process::Output;

use heapview::parse::{ParseOptions, parse};
use heapview::profile::Profile;
use serde_json::Value;

use crate::fixture::{path, program};

/// By instructions, by bytes without a threshold, with stacks of threads, by pages, and an execution tree.
const OUT: &str = "massif/quarry.out";
const BYTES: &str = "massif/quarry.bytes.out";
const STACKS: &str = "massif/quarry.stacks.out";
const PAGES: &str = "massif/quarry.pages.out";
const TREE: &str = "massif/quarry.ms";
const ALL: [&str; 5] = [OUT, BYTES, STACKS, PAGES, TREE];

fn run(words: &[&str]) -> Output {
    program().current_dir(path("testdata")).args(words).output().unwrap()
}

fn text(words: &[&str]) -> String {
    let output = run(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&text(&[&["-config=none"], words].concat())).unwrap()
}

fn read(file: &str) -> Profile {
    let parsed = parse(&std::fs::read(path("testdata").join(file)).unwrap(), &ParseOptions::default()).unwrap();
    assert_eq!((parsed.warnings, parsed.format), (vec![], "massif"));
    parsed.profile.validate().unwrap();
    parsed.profile
}

/// Part of a function's name → bytes in use at the peak, and at the end.
fn truth() -> Vec<(String, [i64; 2])> {
    let table = std::fs::read_to_string(path("testdata/massif/quarry.truth.tsv")).unwrap();
    let row = |line: &str| {
        let words: Vec<&str> = line.split('\t').collect();
        (words[0].to_owned(), [words[1].parse().unwrap(), words[2].parse().unwrap()])
    };
    table.lines().map(row).collect()
}

/// Function → cumulative bytes.
fn cum(words: &[&str]) -> BTreeMap<String, i64> {
    let report = json(&[&["top", "-json", "-nodecount=1000", "-nodefraction=0"], words].concat());
    let rows = report["row"].as_array().unwrap().iter().zip(report["cum"].as_array().unwrap());
    rows.map(|(row, cum)| (row["name"].as_str().unwrap().to_owned(), cum.as_i64().unwrap())).collect()
}

/// Sum of the cumulative bytes of functions whose name contains `part`.
fn below(words: &[&str], part: &str) -> i64 {
    cum(words).iter().filter(|(name, _)| name.contains(part)).map(|(_, cum)| cum).sum()
}

#[test]
fn the_peak_has_the_books_of_the_program() {
    for (function, [at_peak, _]) in truth() {
        let part = if function == "gravel" { "gravel<" } else { &function };
        for file in [BYTES, OUT, STACKS] {
            // The pebbles are too small for the others.
            let part = if function == "gravel" && file != BYTES { "[below threshold]" } else { part };
            assert_eq!(below(&[file], part), at_peak, "{function} in {file}");
        }
    }
    // What is left at the end, as memcheck counts it; the lists of pebbles and of the wall stay.
    for (function, [_, at_end]) in truth().iter().filter(|(function, _)| function != "gravel") {
        assert_eq!(below(&[TREE, "-sample_index=inuse_space"], function), *at_end, "{function}");
    }
}

#[test]
fn values_are_named_by_what_they_count() {
    let kinds = |file: &str| read(file).value_types().iter().map(|of| of.kind.clone()).collect::<Vec<_>>().join(" ");
    assert_eq!(kinds(OUT), "inuse_space total_space");
    assert_eq!(kinds(PAGES), "mapped_space");
    assert_eq!(kinds(TREE), "inuse_space inuse_objects alloc_space alloc_objects freed_space freed_objects");
    let top = |words: &[&str]| text(&[&["-config=none", "-top"], words].concat());
    assert!(
        top(&[OUT]).contains("\nType: inuse_space (in use at the peak, 136 k instructions of 147 k instructions)\n"),
        "{}",
        top(&[OUT])
    );
    assert!(top(&[OUT]).starts_with("File: quarry\n"));
    assert!(top(&[BYTES]).contains(" KiB allocated of "), "{}", top(&[BYTES]));
    assert!(top(&[PAGES]).contains("Type: mapped_space (mapped at "), "{}", top(&[PAGES]));
    // Shares of all memory: with overhead and stacks.
    let all = top(&["-sample_index=total_space", "-nodefraction=0", STACKS]);
    assert!(all.contains("[heap overhead]") && all.contains("[stacks]"), "{all}");
    let profile = read(STACKS);
    let peak = profile.meta().runs[0].curve.iter().find(|point| point.at == profile.meta().runs[0].peak_at).unwrap();
    assert_eq!(profile.columns()[1].total(), peak.live.bytes + peak.extra + peak.stacks);
    assert_eq!(profile.columns()[0].total(), peak.live.bytes);
    let tree = read(TREE);
    let total = |kind: &str| tree.columns()[tree.value_types().iter().position(|of| of.kind == kind).unwrap()].total();
    for what in ["space", "objects"] {
        assert_eq!(total(&format!("inuse_{what}")), total(&format!("alloc_{what}")) - total(&format!("freed_{what}")));
    }
}

#[test]
fn snapshots_are_a_series_with_an_uncertainty() {
    let growth = json(&["growth", "-json", "-by=functions", OUT]);
    assert_eq!((growth["axis"].as_str(), growth["at_exit"].is_null()), (Some("Minstr"), true));
    assert_eq!(growth["uncertain"].as_i64(), Some(834));
    assert!(growth["uncertain_why"].as_str().unwrap().contains("[below threshold]"));
    let curve = growth["curve"].as_array().unwrap();
    assert_eq!(curve.len(), read(OUT).meta().runs[0].curve.len());
    let dumps = growth["dump"].as_array().unwrap();
    assert!(dumps.len() >= 7 && curve.len() > dumps.len(), "{} of {}", dumps.len(), curve.len());
    assert!(dumps.iter().all(|dump| dump["moment"]["clock"] == "instructions"));
    let printed = text(&["-config=none", "growth", OUT]);
    assert!(printed.contains("growth/million instructions") && printed.contains("Every growth is uncertain by up to 834 B"), "{printed}");
    let at = |words: &[&str]| text(&[&["-config=none", "-top", OUT], words].concat());
    assert!(at(&["-at=peak"]).contains("(in use at the peak, 136 k instructions of "));
    assert!(at(&["-at=137ki"]).contains("(in use at 136 k instructions") || at(&["-at=137ki"]).contains("(in use at the peak"));
    assert!(at(&["-from=100ki", "-to=peak"]).contains("in use, from "), "{}", at(&["-from=100ki", "-to=peak"]));
    let refused = run(&["-top", "-at=5s", OUT]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("k instructions"), "{refused:?}");
    assert_eq!(refused.status.code(), Some(2));
}

#[test]
fn every_report_answers_and_every_export_keeps_the_sums() {
    let folder = tempfile::tempdir().unwrap();
    for file in ALL {
        for report in ["top", "tree", "flame", "summary", "peek=main", "traces", "types", "sizes", "explain"] {
            let command = format!("-{report}");
            let words: &[&str] = match report {
                "flame" | "summary" | "types" | "sizes" | "explain" => &[report, file],
                _ => &[&command, file],
            };
            let output = run(&[&["-config=none"], words].concat());
            assert!(output.status.success() && !output.stdout.is_empty(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        }
        let out = folder.path().join("out.pb.gz").display().to_string();
        text(&["-config=none", "convert", file, "-o", &out]);
        let total = |file: &str| json(&["top", "-json", file])["header"]["value_total"].as_i64();
        assert_eq!(total(&out), total(file), "{file}");
        let html = folder.path().join("out.json").display().to_string();
        text(&["-config=none", "convert", file, "-o", &html]);
    }
}

#[test]
fn a_recording_and_its_export_are_compared_by_function() {
    let folder = tempfile::tempdir().unwrap();
    let export = folder.path().join("ferry.massif").display().to_string();
    text(&["heaptrack", "-p0", "-a0", "-T0", "-M", &export, "--massif-threshold=0", "heaptrack/ferry.zst"]);
    let profile = read(&export);
    assert_eq!(profile.meta().runs[0].recorder, "heaptrack, exported for massif");
    // The peak of one less the end of the other.
    let less = |name: &str| {
        let report = json(&["top", "-json", "-nodefraction=0", "-sample_index=inuse_space", "-base=heaptrack/ferry.zst", &export]);
        let place = report["row"].as_array().unwrap().iter().position(|row| row["name"] == name);
        place.map_or(0, |place| report["cum"][place].as_i64().unwrap() - report["cum_base"][place].as_i64().unwrap_or(0))
    };
    let of = |name: &str, words: &[&str]| cum(words).get(name).copied().unwrap_or(0);
    for name in ["swell", "load"] {
        let at_peak = of(name, &["-sample_index=peak_space", "heaptrack/ferry.zst"]);
        let at_end = of(name, &["-sample_index=inuse_space", "heaptrack/ferry.zst"]);
        assert_eq!(of(name, &[&export]), at_peak, "{name}");
        assert_eq!(less(name), at_peak - at_end, "{name}");
    }
}

#[test]
fn ms_print_s_output_has_whole_names_and_wrong_flags_are_refused() {
    let printed = text(&["massif", "--x=20", "--y=5", OUT]);
    assert!(printed.contains("main::{lambda(long)#1}::operator()(long) const (quarry.cpp:"), "{printed}");
    assert!(printed.contains("\n302.6^                   #\n") || printed.contains("302.6^"), "{printed}");
    assert!(printed.contains(" (peak)") && printed.contains("all below massif's threshold (1.00%)") == printed.contains("massif's"));
    let shares = |words: &[&str]| {
        let printed = text(&[&["massif"], words, &[OUT]].concat());
        let peak = printed.lines().filter(|line| line.contains("(heap allocation functions)")).map(str::to_owned).collect::<Vec<_>>();
        peak.iter().map(|line| line[..6].to_owned()).max().unwrap()
    };
    assert_eq!(shares(&["--percent-of=heap"]), "100.00");
    assert!(shares(&[]).starts_with("99."));
    // Whatever ms_print refuses.
    for flags in ["--x=3", "--y=1001", "--threshold=101", "--foo", "--version"] {
        let output = run(&["massif", flags, OUT]);
        assert_eq!(output.status.code(), Some(2), "{flags}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
    let other = run(&["massif", "heaptrack/ferry.zst"]);
    assert!(other.status.code() == Some(2) && String::from_utf8_lossy(&other.stderr).contains("expected a snapshot"), "{other:?}");
    assert!(text(&["massif", "--help"]).contains("--percent-of=total|heap"));
}

#[test]
fn snapshots_are_no_recording_of_allocations() {
    let other = run(&["heaptrack", OUT]);
    assert!(!other.status.success() && String::from_utf8_lossy(&other.stderr).contains("heapview massif"), "{other:?}");
    // Neither blocks nor suppressions are made up.
    let summary = text(&["-config=none", "summary", OUT]);
    assert!(
        summary.contains("\nIn use at the end: 92.5 KiB\n") && !summary.contains(" block") && !summary.contains("Allocations:"),
        "{summary}"
    );
}

#[test]
fn files_of_several_processes_are_no_series() {
    let folder = tempfile::tempdir().unwrap();
    for (file, number) in [(OUT, 100), (BYTES, 200)] {
        std::fs::copy(path("testdata").join(file), folder.path().join(format!("massif.out.{number}"))).unwrap();
    }
    let of = |number: u32| folder.path().join(format!("massif.out.{number}")).display().to_string();
    let growth = json(&["growth", "-json", &format!("-series={}", of(200)), &folder.path().display().to_string()]);
    assert_eq!((growth["axis"].as_str(), growth["series"].as_str()), (Some("MiB"), Some(of(200).as_str())));
    // At their peaks both have the same in use; one of them folded it.
    let less = json(&["top", "-json", "-base", &of(100), &of(200)]);
    assert_eq!(less["header"]["value_total"], less["header"]["base_total"]);
}

#[test]
fn growth_counts_a_last_snapshot_that_is_the_peak_once() {
    let folder = tempfile::tempdir().unwrap();
    let snapshot = |number: i64, bytes: i64, kind: &str| {
        format!(
            "snapshot={number}\ntime={}\nmem_heap_B={bytes}\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree={kind}\n\
             n1: {bytes} (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n n0: {bytes} 0x1: main (a.c:1)\n",
            number * 1000
        )
    };
    let file = folder.path().join("end.massif");
    let text = "desc: x\ncmd: ./a\ntime_unit: i\n".to_owned() + &snapshot(1, 100, "detailed") + &snapshot(2, 500, "peak");
    std::fs::write(&file, text).unwrap();
    let growth = json(&["growth", "-json", file.to_str().unwrap()]);
    assert_eq!(growth["header"]["warnings"], Value::Array(Vec::new()));
    assert_eq!(growth["dump"].as_array().map(Vec::len), Some(2), "{growth}");
}
