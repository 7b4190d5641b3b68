//! Traces of Tracy on the command line. `testdata/tracy/ledger.tracy` is what the writer of the unit tests makes; its books are there.

use std::path::Path;

use serde_json::Value;

use crate::fixture::{path, program};

#[expect(dead_code, reason = "unit tests use more of it")]
#[path = "../../src/parse/tracy/writer.rs"]
mod writer;

const LEDGER: &str = "testdata/tracy/ledger.tracy";

fn text(words: &[&str]) -> String {
    let output = program().current_dir(path("")).arg("-config=none").args(words).output().unwrap();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json(words: &[&str]) -> Value {
    serde_json::from_str(&text(words)).unwrap()
}

/// Name → cumulative value.
fn cum(words: &[&str]) -> Vec<(String, i64)> {
    let top = json(&[&["top", "-json", "-nodefraction=0", "-nodecount=0"], words].concat());
    let [rows, cum] = ["row", "cum"].map(|column| top[column].as_array().unwrap());
    let pairs = rows.iter().zip(cum).map(|(row, cum)| (row["name"].as_str().unwrap().to_owned(), cum.as_i64().unwrap()));
    let mut pairs: Vec<_> = pairs.filter(|(_, cum)| *cum != 0).collect();
    pairs.sort();
    pairs
}

fn pairs<const N: usize>(pairs: [(&str, i64); N]) -> Vec<(String, i64)> {
    pairs.map(|(name, value)| (name.to_owned(), value)).to_vec()
}

#[test]
fn the_file_is_the_writers() {
    let trace = writer::Trace { n_messages: 3, ..writer::ledger([0, 14, 0]) };
    let file = trace.file(writer::Packing::Zstd, 4);
    let kept = path(LEDGER);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::create_dir_all(kept.parent().unwrap_or(Path::new("."))).unwrap();
        std::fs::write(&kept, &file).unwrap();
    }
    assert!(std::fs::read(&kept).unwrap() == file, "make {LEDGER} anew with UPDATE_EXPECT=1");
}

#[test]
fn the_summary_has_the_peak_pools_and_zones() {
    let summary = text(&["summary", LEDGER]);
    for line in [
        "Type: peak_space (in use at the peak, 4s of 8s)",
        "Recorded by Tracy 0.14.0 in 8s",
        "Command: ledger",
        "Peak: 17.9 KiB in use after 4s",
        "Allocations: 105 (13 per second), 100 of them temporary (95.2%)",
        "In use at the end: 8.98 KiB in 3 blocks",
        "  pool gpu: 3 allocations, 12.0 KiB; 12.0 KiB in use at the peak, 8.00 KiB at the end",
        "  pool default: 102 allocations, 6.84 KiB; 5.86 KiB in use at the peak, 1000 B at the end",
        "  zone draw: 3 allocations, 12.0 KiB; 12.0 KiB in use at the peak, 8.00 KiB at the end",
        "  zone load: 1 allocation, 1000 B; 1000 B in use at the peak, 1000 B at the end",
        "  zone setup: 100 allocations, 1000 B; 0 B in use at the peak, 0 B at the end",
    ] {
        assert!(summary.lines().any(|found| found == line), "no {line:?} in {summary}");
    }
}

#[test]
fn names_are_those_that_other_formats_have() {
    let top = cum(&[LEDGER]);
    assert_eq!(
        top,
        pairs([
            ("<unknown>", 5000),
            ("[pool gpu]", 12_288),
            ("[zone draw]", 12_288),
            ("it::<impl it::A>::load", 5000),
            ("it::leak", 1000),
            ("main", 1000),
            ("script", 5000),
        ])
    );
    assert!(cum(&[LEDGER, "-sample_index=alloc_space"]).contains(&("it::short".to_owned(), 1000)));
}

#[test]
fn labels_filter_and_group() {
    assert_eq!(cum(&[LEDGER, "-tagfocus=pool=gpu"]), pairs([("[pool gpu]", 12_288), ("[zone draw]", 12_288)]));
    assert_eq!(cum(&[LEDGER, "-tagfocus=zone=load"]), pairs([("it::leak", 1000), ("main", 1000)]));
    let by_zone = cum(&[LEDGER, "-tagroot=zone", "-sample_index=alloc_objects"]);
    for of in [("draw", 3), ("load", 1), ("setup", 100)] {
        assert!(by_zone.contains(&(of.0.to_owned(), of.1)), "{of:?} in {by_zone:?}");
    }
    let by_pool = cum(&[LEDGER, "-tagroot=pool", "-sample_index=inuse_space"]);
    assert!(by_pool.contains(&("gpu".to_owned(), 8192)) && by_pool.contains(&("default".to_owned(), 1000)), "{by_pool:?}");
}

#[test]
fn moments_are_a_series_and_all_is_exported() {
    let growth = json(&["growth", "-json", LEDGER]);
    let moments = growth["dump"].as_array().unwrap().len();
    assert!(moments > 100, "{moments}");
    assert_eq!(growth["axis"], "s");
    for view in ["tree", "flame"] {
        assert_eq!(json(&[view, "-json", LEDGER])["header"]["value_total"], 18_288, "{view}");
    }
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("ledger.pb.gz");
    let out = out.to_str().unwrap();
    text(&["convert", LEDGER, "-o", out]);
    for sample_index in ["peak_space", "alloc_objects", "inuse_space"] {
        let index = format!("-sample_index={sample_index}");
        assert_eq!(cum(&[out, &index]), cum(&[LEDGER, &index]));
        assert_eq!(cum(&[out, &index, "-tagroot=zone"]), cum(&[LEDGER, &index, "-tagroot=zone"]));
    }
    // The trace itself, compressed once more.
    let bytes = std::fs::read(path(LEDGER)).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gz, &bytes).unwrap();
    let packed = folder.path().join("ledger.gz");
    std::fs::write(&packed, gz.finish().unwrap()).unwrap();
    assert_eq!(cum(&[packed.to_str().unwrap()]), cum(&[LEDGER]));
}
