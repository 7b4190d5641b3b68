//! Recordings of DHAT and of the crate dhat, of programs with books (`testdata/dhat`), on the command line.

use std::process::Output;

use serde_json::Value;

use crate::fixture::{path, program};

const WEIR: &str = "testdata/dhat/weir.heap.json";
const SLUICE: &str = "testdata/dhat/sluice.heap.json";

fn run(words: &[&str]) -> Output {
    program().current_dir(path("")).arg("-config=none").args(words).output().unwrap()
}

fn text(words: &[&str]) -> String {
    let output = run(words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&text(words)).unwrap()
}

/// Cumulative value of the only row whose name ends so; 0 if there is none.
fn cum(file: &str, value_type: &str, name: &str, more: &[&str]) -> i64 {
    let index = format!("-sample_index={value_type}");
    let top = json(&[&["top", "-json", "-nodefraction=0", "-nodecount=0", &index, file][..], more].concat());
    let [rows, cum] = ["row", "cum"].map(|column| top[column].as_array().unwrap());
    let is_named = |row: &Value| row["name"].as_str().unwrap().split("::").last() == Some(name);
    rows.iter().zip(cum).filter(|(row, _)| is_named(row)).map(|(_, cum)| cum.as_i64().unwrap()).sum()
}

/// Names and numbers of a truth file.
fn truth(file: &str) -> Vec<(String, Vec<i64>)> {
    let text = std::fs::read_to_string(path(file)).unwrap();
    let line = |line: &str| {
        let (name, numbers) = line.split_once('\t').unwrap();
        (name.to_owned(), numbers.split('\t').map(|number| number.parse().unwrap()).collect())
    };
    text.lines().map(line).collect()
}

#[test]
fn numbers_are_the_programs_own() {
    let mut n = 0;
    for (name, books) in truth("testdata/dhat/weir.truth.tsv") {
        let types: &[&str] = match name.as_str() {
            "spill" | "open_gate" => continue,
            _ => &["alloc_objects", "alloc_space", "inuse_space", "read_space", "write_space"],
        };
        for (value_type, want) in types.iter().zip(books) {
            assert_eq!(cum(WEIR, value_type, &name, &[]), want, "{name} {value_type}");
            n += 1;
        }
    }
    assert_eq!(n, 20);
    for (name, books) in truth("testdata/dhat/sluice.truth.tsv") {
        let types = ["alloc_objects", "alloc_space", "peak_objects", "peak_space", "inuse_objects", "inuse_space"];
        for (value_type, want) in types.iter().zip(books) {
            assert_eq!(cum(SLUICE, value_type, &name, &[]), want, "{name} {value_type}");
        }
    }
}

#[test]
fn copies_and_events_are_counted() {
    let books = truth("testdata/dhat/weir.truth.tsv");
    let of = |name: &str| books.iter().find(|(of, _)| of == name).unwrap().1.clone();
    let copies = ["copied_objects", "copied_space"].map(|kind| cum("testdata/dhat/weir.copy.json", kind, "spill", &[]));
    assert_eq!(copies.to_vec(), of("spill"));
    let events = ["events", "units"].map(|kind| cum("testdata/dhat/weir.ad-hoc.json", kind, "open_gate", &[]));
    assert_eq!(events.to_vec(), of("open_gate"));
    let events = ["events", "units"].map(|kind| cum("testdata/dhat/sluice.ad-hoc.json", kind, "ad_hoc_event", &[]));
    assert_eq!(events, [4, 10]);
    let summary = text(&["summary", "testdata/dhat/weir.copy.json"]);
    assert!(summary.contains("Recorded by DHAT of valgrind (mode copy) in ") && !summary.contains("In use at the end"), "{summary}");
}

#[test]
fn the_summary_has_the_run() {
    let summary = text(&["summary", WEIR]);
    for line in [
        "Type: peak_space (in use at the peak, ",
        "Command: ./weir (process 1000)",
        "Allocations: ",
        "In use at the end: 5.47 KiB in 100 blocks",
    ] {
        assert!(summary.contains(line), "{line}: {summary}");
    }
    assert!(!summary.contains("temporary"), "{summary}");
    let peak = text(&["top", "-at=peak", "-sample_index=inuse_space", WEIR]);
    assert!(peak.contains("Type: inuse_space (in use at the peak, "), "{peak}");
    let change = json(&["top", "-json", "-nodefraction=0", "-from=peak", "-to=end", "-sample_index=inuse_space", SLUICE]);
    assert_eq!(change["header"]["value_total"].as_i64().unwrap() - change["header"]["base_total"].as_i64().unwrap(), 1280 - 4164);
}

#[test]
fn presets_select_stacks_by_their_blocks() {
    let held = |conditions: &str| -> Vec<String> {
        let top =
            json(&["top", "-json", "-culprit", "-nodefraction=0", "-sample_index=alloc_objects", &format!("-where={conditions}"), WEIR]);
        let flat = top["flat"].as_array().unwrap().iter();
        let rows = top["row"].as_array().unwrap().iter().zip(flat).filter(|(_, flat)| flat.as_i64() != Some(0));
        let mut names: Vec<String> = rows.map(|(row, _)| row["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(held("size<=16"), ["foam"]);
    assert_eq!(held("lifetime<=500"), ["foam", "pool", "silt"]);
    assert_eq!(held("reads=0"), ["foam", "silt", "wheel"]);
    assert_eq!(held("writes=0"), ["foam"]);
    assert_eq!(held("reads>0,writes>0,reads/byte<=0.43|writes/byte<=0.4"), ["gauges", "pool"]);
    assert_eq!(held("reads/byte>=1000|writes/byte>=1000"), ["wheel"]);
    assert_eq!(held("bytes>=1kB,objects<500"), ["gauges"]);
    // In all views, and in links.
    assert!(text(&["flame", "-where=size<=16", "-sample_index=alloc_space", WEIR]).contains("foam"));
    assert!(!text(&["tree", "-where=size>16", "-sample_index=alloc_space", "-nodefraction=0", WEIR]).contains("foam"));
    let wrong = |conditions: &str, file: &str| {
        let output = run(&["top", &format!("-where={conditions}"), file]);
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let missing = wrong("reads=0", SLUICE);
    assert!(missing.contains("the profile has no reads; it has size, lifetime, byte, object, alloc_objects"), "{missing}");
    assert!(wrong("size", WEIR).contains("is not a condition such as size<=16"));
    assert!(wrong("size<=1s", WEIR).contains("counts in bytes"));
    // Of profiles without lifetimes, too.
    assert!(text(&["top", "-where=size>=1kB", "testdata/pprof/depot.1.pb.gz"]).contains("where=size>=1kB"));
}

#[test]
fn accesses_are_drawn_and_checked() {
    let report = text(&["accesses", WEIR]);
    for line in [
        "gauges: 100 blocks of 56 B",
        "  |████████········································████████|",
        "   0-7   400 (4.00 for each block)",
        "   8-47  never",
        "  never accessed: 40 of 56 B of each block, 3.91 KiB in all",
        "wheel: 2 blocks of 32 B",
        "  counts wrapped around: DHAT writes 16 bits of them, 65536 accesses are missing (a multiple of 65,536)",
        "foam: 500 blocks of 8 B",
    ] {
        assert!(report.lines().any(|of| of == line), "{line}:\n{report}");
    }
    let sites = json(&["accesses", "-json", "-focus=silt", WEIR]);
    assert_eq!(sites["site"].as_array().unwrap().len(), 1);
    assert_eq!((sites["site"][0]["counts"].as_str(), sites["site"][0]["untouched"].as_i64()), (Some("exact"), Some(0)));
    // A report file has them, too.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("weir.html");
    let output = run(&["export", WEIR, "-o", file.to_str().unwrap()]);
    if output.status.success() {
        let again = text(&["accesses", file.to_str().unwrap()]);
        assert!(again.contains("gauges: 100 blocks of 56 B"), "{again}");
    }
    assert!(text(&["accesses", SLUICE]).contains("No accesses by byte"));
}

#[test]
fn means_are_columns_of_top() {
    let top = text(&["top", "-ratios", "-culprit", "-nodefraction=0", "-sample_index=alloc_space", WEIR]);
    let row = |name: &str| -> Vec<String> {
        let line = top.lines().find(|line| line.ends_with(name)).unwrap_or_else(|| panic!("{name}: {top}"));
        line.split_whitespace().skip(5).take(4).map(str::to_owned).collect()
    };
    assert!(top.contains("size   lifetime    reads/B   writes/B"), "{top}");
    let gauges = row("gauges");
    assert_eq!((gauges[0].as_str(), gauges[2].as_str(), gauges[3].as_str()), ("56B", "0.43", "0.43"));
    assert_eq!((row("wheel")[3].as_str(), row("silt")[2].as_str()), ("1250", "0"));
    let by_writes = json(&["top", "-json", "-culprit", "-order=writes", "-nodefraction=0", "-sample_index=alloc_space", WEIR]);
    assert_eq!(by_writes["row"][0]["name"], "wheel");
    let csv = text(&["top", "-csv", "-ratios", "-culprit", "-nodefraction=0", WEIR]);
    assert!(csv.lines().next().unwrap().ends_with("size,lifetime,reads/B,writes/B"), "{csv}");
}

#[test]
fn budgets_have_the_names_of_the_crate() {
    let check = |budget: &str, file: &str| run(&["check", &format!("-budget={budget}"), file]);
    for (budget, holds) in [
        ("max_bytes:5kB", true),
        ("max_bytes:4kB", false),
        ("total_blocks:241", true),
        ("total_blocks:240", false),
        ("curr_blocks:11", true),
        ("curr_bytes:1kB", false),
    ] {
        let output = check(budget, SLUICE);
        assert_eq!(output.status.code(), Some(i32::from(!holds)), "{budget}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let units = check("total_units:9", "testdata/dhat/sluice.ad-hoc.json");
    assert_eq!(units.status.code(), Some(1), "{}", String::from_utf8_lossy(&units.stderr));
    // Other profiles have totals, too.
    assert_eq!(check("curr_bytes:1GB", "testdata/pprof/depot.1.pb.gz").status.code(), Some(0));
    let missing = check("max_bytes:1GB", "testdata/pprof/depot.1.pb.gz");
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no value type \"peak_space\""));
}

#[test]
fn recordings_are_compared_by_function() {
    let same = text(&["top", "-nodefraction=0", &format!("-base={WEIR}"), WEIR]);
    assert!(same.contains("0 total") || same.contains("0% of 0"), "{same}");
    let other = run(&["top", "-nodefraction=0", "-base=testdata/heaptrack/ferry.zst", WEIR]);
    let (report, warnings) = (String::from_utf8_lossy(&other.stdout), String::from_utf8_lossy(&other.stderr));
    assert!(report.contains("gauges") && report.contains("swell"), "{report}");
    assert!(warnings.contains("innermost 12 (--num-callers) frames") && warnings.contains("heaptrack moves a block"), "{warnings}");
    // Lifetimes in instructions and in microseconds do not compare.
    let rust = run(&["top", "-sample_index=lifetime", &format!("-base={SLUICE}"), WEIR]);
    assert!(String::from_utf8_lossy(&rust.stderr).contains("no value type \"lifetime\""));
    let rust = text(&["top", "-nodefraction=0", &format!("-base={SLUICE}"), WEIR]);
    assert!(rust.contains("sluice::boats") && rust.contains("gauges"), "{rust}");
}

#[test]
fn converted_files_have_all_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("weir.pb.gz");
    text(&["convert", WEIR, "-o", file.to_str().unwrap()]);
    for value_type in ["alloc_space", "peak_space", "lifetime", "write_space"] {
        assert_eq!(cum(file.to_str().unwrap(), value_type, "gauges", &[]), cum(WEIR, value_type, "gauges", &[]), "{value_type}");
    }
}

#[test]
fn damaged_files_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cut.json");
    let whole = std::fs::read_to_string(path(WEIR)).unwrap();
    let shown = |text: &str| {
        std::fs::write(&file, text).unwrap();
        run(&["top", "-nodefraction=0", file.to_str().unwrap()])
    };
    let cut = shown(&whole[..whole.find("\"ftbl\"").unwrap()]);
    let error = String::from_utf8_lossy(&cut.stderr);
    assert!(cut.status.code() == Some(2) && error.contains("the table of frames, which comes last, is not complete"), "{error}");
    let old = shown(&whole.replace("Version\":2", "Version\":1"));
    let error = String::from_utf8_lossy(&old.stderr);
    assert!(!old.status.success() && error.contains("version 1") && error.contains("versions from 2"), "{error}");
}

#[test]
fn a_peak_without_a_time_is_shown_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let whole = std::fs::read_to_string(path(WEIR)).unwrap();
    let tg = whole.find(",\"tg\":").unwrap();
    let end = tg + 1 + whole[tg + 1..].find([',', '\n']).unwrap();
    let (without, no_peak) = (folder.path().join("without.json"), folder.path().join("no-peak.json"));
    let text_without = whole[..tg].to_owned() + &whole[end..];
    std::fs::write(&without, &text_without).unwrap();
    // Program points that were in use at no peak.
    let zero = |text: &str| regex::Regex::new("\"(gb|gbk)\": ?[0-9]+").unwrap().replace_all(text, "\"$1\":0").into_owned();
    std::fs::write(&no_peak, zero(&text_without)).unwrap();
    let (without, no_peak) = (without.to_str().unwrap(), no_peak.to_str().unwrap());
    let top = |file: &str| text(&["-top", "-at=peak", "-sample_index=inuse_space", file]);
    assert!(top(without).contains("Type: inuse_space (in use at the peak)\n"), "{}", top(without));
    assert_eq!(json(&["top", "-json", "-at=peak", "-sample_index=inuse_space", without])["header"]["total"], {
        json(&["top", "-json", "-at=peak", "-sample_index=inuse_space", WEIR])["header"]["total"].clone()
    });
    assert!(text(&["-top", without]).contains("Type: peak_space (in use at the peak)\n"));
    assert!(text(&["-summary", without]).contains(" in use\n"), "{}", text(&["-summary", without]));
    let output = run(&["-top", "-at=peak", "-sample_index=inuse_space", no_peak]);
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains("(in use at the end, after ") && stderr.contains("does not have what was in use at the peak; showing the end"));
}

#[test]
fn rss_is_explained_from_the_bytes_in_use_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let status = folder.path().join("status");
    std::fs::write(&status, "Name:\tweir\nPid:\t1\nVmRSS:\t 900000 kB\nRssAnon:\t 800000 kB\nRssFile:\t 100000 kB\n").unwrap();
    let status = status.to_str().unwrap();
    let rss = json(&["rss", "-json", WEIR, status]);
    assert_eq!((&rss["header"]["value_type"], &rss["memory"]["value_type"]), (&"inuse_space".into(), &"inuse_space".into()));
    assert!(rss["memory"]["value_note"].as_str().unwrap().starts_with("in use at the end"), "{rss}");
    assert_eq!(rss["header"]["total"], rss["memory"]["waterfall"]["bar"][0]["bytes"]);
    // The process is the recording's own, whatever the file's name is.
    assert!(rss["memory"]["warnings"].to_string().contains("status belongs to process 1, but the profile"), "{rss}");
    let summary = text(&["-summary", WEIR, status]);
    assert!(summary.contains("Type: peak_space") && summary.contains("Resident memory from inuse_space, in use at the end, after "));
}

#[test]
fn peak_and_end_of_two_recorders_are_named() {
    let output = run(&["-top", "-base=testdata/massif/quarry.out", WEIR, "-sample_index=inuse_space"]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("inuse_space is what was in use at the end of the recording, and at the peak of the base"), "{stderr}");
}
