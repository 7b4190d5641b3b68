//! Output compared with pprof's, line for line (`jeprof.rs` compares with jeprof's).
//!
//! `testdata/oracle/commands.tsv` lists the command of each golden; each is run with heapview. Only the `(inline)` marks of names
//! are ignored: pprof decides them after small edges are dropped, heapview before.

use std::collections::BTreeMap;

use crate::fixture::{self, path};

/// Goldens that differ on purpose, and why.
const INTENDED: [(&str, &str); 1] =
    [("shop.0003.top-files.txt", "pprof prints a row for each file and function start line; heapview one for each file")];

struct Case {
    golden: String,
    tool: String,
    arguments: Vec<String>,
    files: Vec<String>,
}

fn cases() -> Vec<Case> {
    let table = std::fs::read_to_string(path("testdata/oracle/commands.tsv")).unwrap();
    let rows = table.lines().skip(1).filter(|l| !l.is_empty());
    rows.map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        let words = |i: usize| columns.get(i).unwrap_or(&"").split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        Case { golden: columns[0].into(), tool: columns[1].into(), arguments: words(2), files: [words(3), words(4)].concat() }
    })
    .collect()
}

/// Runs heapview in `testdata/` as the goldens were made.
fn run(arguments: &[String]) -> String {
    let output =
        fixture::program().args(arguments).current_dir(path("testdata")).env("PPROF_BINARY_PATH", "bin").env("TZ", "UTC").output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A value of the goldens: whole numbers of bytes or objects.
fn number(text: &str) -> Option<i64> {
    text.trim_end_matches('B').parse().ok()
}

/// Lines without inline marks, without the number of dropped edges (pprof forgets those that
/// it drops before it chooses nodes), and without underscores that begin a part of a name
/// (pprof loses one in legacy Rust names).
fn lines(text: &str) -> Vec<String> {
    let without_dropped = |line: &str| match (line.find("\\lDropped "), line.find("(freq <= ")) {
        (Some(_), Some(freq)) => {
            let start = line[..freq].rfind("\\lDropped ").unwrap();
            let end = freq + line[freq..].find(')').unwrap() + 1;
            format!("{}{}", &line[..start], &line[end..])
        }
        _ => line.to_owned(),
    };
    let mut text = text.to_owned();
    while text.contains("::_") || text.contains("\\n_") {
        text = text.replace("::_", "::").replace("\\n_", "\\n");
    }
    let plain = text.replace(" (partial-inline)", "").replace(" (inline)", "").replace("\\n (inline)", "");
    plain.lines().map(|l| without_dropped(l.trim_end())).collect()
}

fn compare_text(golden: &str, ours: &str) -> Result<(), String> {
    let (want, got) = (lines(golden), lines(ours));
    match want.iter().zip(&got).enumerate().find(|(_, (w, g))| w != g) {
        Some((i, (want, got))) => Err(format!("line {}:\n     want {want}\n     got  {got}", i + 1)),
        None if want.len() != got.len() => Err(format!("want {} lines, got {}", want.len(), got.len())),
        None => Ok(()),
    }
}

/// Samples of `-raw`: values, labels and addresses.
fn raw_samples(text: &str) -> Vec<String> {
    let part = |from: &str, to: &str| -> Vec<&str> {
        text.lines().skip_while(|l| l.trim_end() != from).skip(1).take_while(|l| l.trim_end() != to).collect()
    };
    let mut address: BTreeMap<&str, &str> = BTreeMap::new();
    for line in part("Locations", "Mappings") {
        if let Some((id, rest)) = line.split_once(": 0x") {
            address.insert(id.trim(), rest.split(' ').next().unwrap());
        }
    }
    let mut samples: Vec<String> = Vec::new();
    for line in part("Samples:", "Locations").into_iter().skip(1) {
        match line.split_once(": ") {
            Some((values, ids)) if line.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
                let ids: Vec<&str> = ids.split_whitespace().map(|id| address[id]).collect();
                samples.push(format!("{} @ {}", values.split_whitespace().collect::<Vec<_>>().join(" "), ids.join(" ")));
            }
            _ => samples.last_mut().unwrap().push_str(line.trim()),
        }
    }
    samples.sort();
    samples
}

fn compare_raw(golden: &str, ours: &str) -> Result<(), String> {
    let (want, got) = (raw_samples(golden), raw_samples(ours));
    match want.iter().zip(&got).find(|(w, g)| w != g) {
        Some((want, got)) => Err(format!("want {want:?}\n     got {got:?}")),
        None if want.len() != got.len() => Err(format!("want {} samples, got {}", want.len(), got.len())),
        None => Ok(()),
    }
}

#[test]
fn pprof_prints_the_same_numbers() {
    let mut wrong = Vec::new();
    let mut compared = 0;
    for case in cases().iter().filter(|c| c.tool == "pprof") {
        let first = case.arguments[0].split('=').next().unwrap();
        if INTENDED.iter().any(|(golden, _)| *golden == case.golden) {
            continue;
        }
        let golden = std::fs::read_to_string(path("testdata/oracle").join(&case.golden)).unwrap();
        let ours = run(&[&case.arguments[..], &case.files].concat());
        let result = if first == "-raw" { compare_raw(&golden, &ours) } else { compare_text(&golden, &ours) };
        compared += 1;
        if let Err(difference) = result {
            wrong.push(format!("{}: {difference}\n     $ heapview {} {}", case.golden, case.arguments.join(" "), case.files.join(" ")));
        }
    }
    assert!(compared > 40, "only {compared} goldens were compared");
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_programs_own_books_agree() {
    let books = std::fs::read_to_string(path("testdata/gperftools/shop.truth.tsv")).unwrap();
    let mut checked = 0;
    for line in books.lines().filter(|l| !l.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let Some(bytes) = columns.iter().rev().find_map(|c| c.parse::<i64>().ok()) else { continue };
        let dump = format!("gperftools/{}", columns[0]);
        let arguments =
            ["-top", "-cum", "-unit=B", "-nodefraction=0", "-sample_index=inuse_space", "-show=audit::remember", "bin/shop", &dump];
        let table = run(&arguments.map(str::to_owned));
        let row = table.lines().last().unwrap();
        assert_eq!(row.split_whitespace().nth(3).and_then(number), Some(bytes), "{line}\n{table}");
        checked += 1;
    }
    assert!(checked >= 3, "the books say nothing: {books}");
}
