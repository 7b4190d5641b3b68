//! What pprof and jeprof printed of the same dumps, number for number.
//!
//! `testdata/oracle/commands.tsv` says which command made which golden; each is run with
//! heapview. Names are compared by their last component, since the tools demangle
//! differently (the pprof at hand cannot demangle Rust at all) and print a row for each
//! instance of a generic function where heapview prints one for all.

use std::collections::BTreeMap;
use std::process::Command;

use crate::fixture::path;

/// Commands of reports that come later.
const LATER: [&str; 2] = ["-list", "-callgrind"];

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
    let output = Command::new(env!("CARGO_BIN_EXE_heapview"))
        .args(arguments)
        .current_dir(path("testdata"))
        .env("PPROF_BINARY_PATH", "bin")
        .env("TZ", "UTC")
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The last component of a function's name, without arguments, generics and hash.
fn last_component(name: &str) -> String {
    let name = name.trim().trim_end_matches(" (inline)").trim_end_matches(" (partial-inline)");
    let name = heapview::symbolize::full_name(name);
    let hash = |s: &str| s.len() == 17 && s.starts_with('h') && s[1..].bytes().all(|b| b.is_ascii_hexdigit());
    let mut flat = String::new();
    let mut depth = 0i32;
    let mut before = ' ';
    for c in name.chars() {
        match c {
            '<' | '(' | '{' | '[' => depth += 1,
            '>' if before == '-' || before == '=' => {}
            '>' | ')' | '}' | ']' => depth -= 1,
            c if depth == 0 => flat.push(c),
            _ => {}
        }
        before = c;
    }
    let parts = flat.split("::").map(str::trim).filter(|p| !p.is_empty() && !hash(p));
    let last = parts.last().unwrap_or("");
    last.rsplit([' ', '.', '$']).next().unwrap_or(last).trim_start_matches('_').to_owned()
}

/// Rows of a table by name: sum of flat, and all cums.
type Rows = BTreeMap<String, (i64, Vec<i64>)>;

/// A value of the goldens: whole numbers of bytes or objects.
fn number(text: &str) -> Option<i64> {
    text.trim_end_matches('B').parse().ok()
}

fn top_rows(text: &str) -> Rows {
    let mut rows = Rows::new();
    let body = text.lines().skip_while(|l| !l.trim_start().starts_with("flat ")).skip(1);
    for line in body {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [flat, _, _, cum, _, name @ ..] = &words[..] else { panic!("not a row: {line:?}") };
        let row = rows.entry(last_component(&name.join(" "))).or_default();
        row.0 += number(flat).unwrap_or_else(|| panic!("{line:?}"));
        row.1.push(number(cum).unwrap_or_else(|| panic!("{line:?}")));
    }
    rows
}

/// What `Showing nodes accounting for` and its like say.
fn totals(text: &str) -> Vec<String> {
    text.lines().filter(|l| l.starts_with("Showing nodes accounting for") || l.starts_with("Type: ")).map(str::to_owned).collect()
}

fn compare_top(golden: &str, ours: &str) -> Result<(), String> {
    if totals(golden) != totals(ours) {
        return Err(format!("want {:?}, got {:?}", totals(golden), totals(ours)));
    }
    let (want, got) = (top_rows(golden), top_rows(ours));
    for (name, (flat, cums)) in &want {
        let Some((our_flat, our_cums)) = got.get(name) else { return Err(format!("missing {name:?}: flat {flat}, cum {cums:?}")) };
        if flat != our_flat {
            return Err(format!("{name:?}: want flat {flat}, got {our_flat}"));
        }
        // Instances that heapview prints as one may call each other.
        let (most, all) = (cums.iter().max().unwrap(), cums.iter().sum::<i64>());
        let ours: i64 = our_cums.iter().sum();
        let fits = if cums.len() == our_cums.len() { all == ours } else { (*most..=all.max(*most)).contains(our_cums.iter().max().unwrap()) || ours == all };
        if !fits {
            return Err(format!("{name:?}: want cum {cums:?}, got {our_cums:?}"));
        }
    }
    match got.keys().find(|name| !want.contains_key(*name)) {
        Some(extra) => Err(format!("unexpected {extra:?}: {:?}", got[extra])),
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
            Some((values, ids)) if !values.contains("bytes") && line.starts_with(' ') && !line.starts_with("           ") || line.contains(": ") && line.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '-') => {
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
        if LATER.contains(&first) || INTENDED.iter().any(|(golden, _)| *golden == case.golden) {
            continue;
        }
        let golden = std::fs::read_to_string(path("testdata/oracle").join(&case.golden)).unwrap();
        let ours = run(&[&case.arguments[..], &case.files].concat());
        let in_bytes = case.arguments.iter().any(|a| a == "-unit=B" || a.contains("objects"));
        let result = match first {
            "-top" if in_bytes => compare_top(&golden, &ours),
            "-raw" => compare_raw(&golden, &ours),
            // Other layouts hold the same sums: their heads must agree.
            _ => (totals(&golden) == totals(&ours)).then_some(()).ok_or_else(|| format!("want {:?}, got {:?}", totals(&golden), totals(&ours))),
        };
        compared += 1;
        if let Err(difference) = result {
            wrong.push(format!("{}: {difference}\n     $ heapview {} {}", case.golden, case.arguments.join(" "), case.files.join(" ")));
        }
    }
    assert!(compared > 40, "only {compared} goldens were compared");
    assert!(wrong.is_empty(), "{} of {compared} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn jeprof_prints_the_same_totals() {
    let mut compared = 0;
    for case in cases().iter().filter(|c| c.tool == "jeprof") {
        // The flags that choose numbers and have a twin in pprof's words.
        let known = ["--text", "--show_bytes", "--cum", "--inuse_objects", "--alloc_space", "--lines"];
        if !case.arguments.iter().all(|a| known.contains(&a.as_str())) {
            continue;
        }
        let golden = std::fs::read_to_string(path("testdata/oracle").join(&case.golden)).unwrap();
        let total: f64 = golden.lines().next().unwrap().split_whitespace().nth(1).unwrap().parse().unwrap();
        let mut arguments: Vec<String> = case.arguments.iter().filter(|a| *a != "--show_bytes").cloned().collect();
        arguments.push("-unit=B".into());
        let ours = run(&[&arguments[..], &case.files].concat());
        let line = ours.lines().find(|l| l.starts_with("Showing nodes accounting for")).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let got = number(words[words.len() - 2]).unwrap() as f64;
        // Each stack is rounded once.
        assert!((got - total).abs() <= 150.0, "{}: jeprof says {total}, heapview {got}", case.golden);
        compared += 1;
    }
    assert!(compared >= 10, "only {compared} goldens were compared");
}

#[test]
fn the_programs_own_books_agree() {
    let books = std::fs::read_to_string(path("testdata/gperftools/shop.truth.tsv")).unwrap();
    let mut checked = 0;
    for line in books.lines().filter(|l| !l.starts_with('#')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let Some(bytes) = columns.iter().rev().find_map(|c| c.parse::<i64>().ok()) else { continue };
        let dump = format!("gperftools/{}", columns[0]);
        let arguments = ["-top", "-cum", "-unit=B", "-nodefraction=0", "-sample_index=inuse_space", "-show=audit::remember", "bin/shop", &dump];
        let table = run(&arguments.map(str::to_owned));
        assert_eq!(top_rows(&table)["remember"].1, [bytes], "{line}\n{table}");
        checked += 1;
    }
    assert!(checked >= 3, "the books say nothing: {books}");
}
