//! Dumps of two builds, each with its own binary.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cli::command;
use crate::fixture::path;

/// Two builds of the program and a dump of each, as one who deploys has them: both ran from the same path, so that
/// nothing in the dumps tells them apart.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (build, binary, dump) in [("old", "shop", "shop.0001.heap"), ("new", "shop-v0", "shop-v0.0003.heap")] {
        fs::create_dir(folder.path().join(build)).unwrap();
        fs::copy(path("testdata/bin").join(binary), folder.path().join(build).join("server")).unwrap();
        let text = fs::read_to_string(path("testdata/gperftools").join(dump)).unwrap();
        let ran = format!("/tmp/heapview-testdata/bin/{binary}\n");
        assert!(text.contains(&ran));
        fs::write(folder.path().join(format!("{build}.heap")), text.replace(&ran, "/srv/server\n")).unwrap();
    }
    folder
}

/// What is printed, and what is said.
fn heapview(folder: &Path, words: &str) -> (String, String) {
    let output = command(&words.split(' ').collect::<Vec<_>>()).current_dir(folder).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{words}: {stderr}");
    (String::from_utf8(output.stdout).unwrap(), stderr)
}

fn error(folder: &Path, words: &str) -> String {
    let output = command(&words.split(' ').collect::<Vec<_>>()).current_dir(folder).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{words}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Name, and flat and cumulative value less the base's, of all rows.
fn rows(folder: &Path, words: &str) -> Vec<(String, i64, i64)> {
    let (stdout, _) = heapview(folder, &format!("top -json -nodecount=100000 -nodefraction=0 {words}"));
    let value: Value = serde_json::from_str(&stdout).unwrap();
    let column = |name: &str| value[name].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect::<Vec<_>>();
    let numbers = |name: &str| {
        let base = column(&format!("{name}_base")).into_iter().chain(std::iter::repeat(0));
        column(name).into_iter().zip(base).map(|(value, base)| value - base).collect::<Vec<_>>()
    };
    let names = value["row"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap().to_owned());
    let values = numbers("flat").into_iter().zip(numbers("cum"));
    let mut rows: Vec<_> = names.zip(values).map(|(name, (flat, cum))| (name, flat, cum)).collect();
    rows.sort();
    rows
}

#[test]
fn names_come_from_the_binary_before_the_dump() {
    let folder = folder();
    let here = folder.path();
    let both = "old/server old.heap new/server new.heap";
    let (table, said) = heapview(here, &format!("diff {both}"));
    let matched = said.lines().filter(|line| line.starts_with("matched builds: ")).count();
    let warned = said.lines().any(|line| line.contains("server") && !line.starts_with("matched builds: "));
    assert!(!said.contains("wrong") && !warned && matched == 1, "{said}");
    assert!(table.contains("RawVecInner"), "{table}");
    // Every name that both builds have has the difference of what either dump has with its binary alone; functions
    // that are called otherwise in one of them are matched.
    let [old, new] = ["old/server old.heap", "new/server new.heap"].map(|words| rows(here, words));
    let sum = |rows: &[(String, i64, i64)], name: &str| {
        rows.iter().filter(|row| row.0 == name).fold((0, 0), |(flat, cum), row| (flat + row.1, cum + row.2))
    };
    let difference = rows(here, &format!("-diff {both}"));
    let mut n_in_both = 0;
    // Functions with one last part may be one function by several names, which are matched: these are added up.
    let is_alone = |name: &str| {
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let names = old.iter().chain(&new).filter(|row| last(&row.0) == last(name));
        names.map(|row| &row.0).collect::<std::collections::BTreeSet<_>>().len() == 1
    };
    for (name, ..) in old.iter().filter(|(name, ..)| new.iter().any(|row| row.0 == *name) && is_alone(name)) {
        let ((flat, cum), (flat_before, cum_before)) = (sum(&new, name), sum(&old, name));
        n_in_both += usize::from(cum != 0 && cum_before != 0);
        assert_eq!(sum(&difference, name), (flat - flat_before, cum - cum_before), "{name}");
    }
    assert!(n_in_both > 30, "{n_in_both}");
    // With the wrong binary it is told.
    let (_, said) = heapview(here, "diff new/server old.heap old/server new.heap");
    assert!(said.contains("old/server is another build") && said.contains("new/server is another build"), "{said}");
}

#[test]
fn what_is_subtracted_goes_with_the_binary_that_is_left() {
    let folder = folder();
    let here = folder.path();
    let difference = rows(here, "-diff old/server old.heap new/server new.heap");
    for words in ["-base=old.heap old/server new/server new.heap", "-base=old.heap new/server new.heap old/server"] {
        assert_eq!(rows(here, words), difference, "{words}");
    }
    // Where none is left it goes with the first.
    let (table, said) = heapview(here, "top -base=old.heap old/server old.heap new/server new.heap");
    assert!(table.contains("try_allocate_in") && !said.contains("wrong"), "{said}");
}

#[test]
fn the_same_build_twice_does_not_differ() {
    let folder = folder();
    let here = folder.path();
    fs::create_dir(here.join("copy")).unwrap();
    fs::copy(here.join("new/server"), here.join("copy/server")).unwrap();
    for granularity in ["functions", "lines", "addresses", "libraries", "packages", "modules"] {
        let rows = rows(here, &format!("-{granularity} -diff new/server new.heap copy/server new.heap"));
        let different: Vec<_> = rows.iter().filter(|(_, flat, cum)| (*flat, *cum) != (0, 0)).collect();
        assert!(different.is_empty(), "{granularity}: {different:?}");
    }
}

#[test]
fn the_doctor_looks_at_both() {
    let folder = folder();
    let output =
        command(&["doctor", "-json", "old/server", "old.heap", "new/server", "new.heap"]).current_dir(folder.path()).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let modules = report["module"].as_array().unwrap();
    for build in ["old/server", "new/server"] {
        let module = modules.iter().find(|module| module["name"] == build).unwrap_or_else(|| panic!("{build}: {report}"));
        assert_eq!((&module["file"], &module["problem"]), (&Value::from(build), &Value::from("")), "{module}");
    }
}

#[test]
fn a_binary_without_a_profile_is_an_error() {
    let folder = folder();
    let here = folder.path();
    for (words, lonely) in [
        ("diff old/server new/server old.heap new.heap", "no profile follows old/server;"),
        ("diff old/server old.heap new.heap new/server", "no profile follows new/server;"),
        ("top old/server new/server", "no profile follows old/server;"),
        ("top -base=old.heap old/server old/server new/server new.heap", "no profile follows old/server;"),
    ] {
        let said = error(here, words);
        assert!(said.contains(lonely) && said.contains("heapview diff <binary> <before> <binary> <after>"), "{words}: {said}");
    }
    assert!(error(here, "-watch -http=: old/server old.heap new/server new.heap").contains("-watch supports one binary"));
    // Nor may it be of a program that is called otherwise without a word of it.
    fs::rename(here.join("new/server"), here.join("new/client")).unwrap();
    let (_, said) = heapview(here, "diff old/server old.heap new/client new.heap");
    assert!(said.contains("new.heap: the profile belongs to server; its names are taken from client, as requested"), "{said}");
}

/// Rows of a comparison by name; no two have one label.
fn compared(folder: &Path, words: &str) -> std::collections::BTreeMap<String, (i64, i64)> {
    let rows = rows(folder, words);
    let n = rows.len();
    let by_name: std::collections::BTreeMap<_, _> = rows.into_iter().map(|(name, flat, cum)| (name, (flat, cum))).collect();
    assert_eq!(by_name.len(), n, "two rows have one label");
    by_name
}

#[test]
fn functions_that_are_mangled_otherwise_are_one_row() {
    let folder = folder();
    let here = folder.path();
    let (_, said) = heapview(here, "diff old/server old.heap new/server new.heap");
    assert!(said.contains("matched builds: ") && said.contains(" by normal form"), "{said}");
    let difference = compared(here, "-diff old/server old.heap new/server new.heap");
    // What one build calls `shop::Till::serve` and the other `<shop::Till>::serve`.
    for (one, other) in [
        ("<shop::Till>::serve", "shop::Till::serve"),
        ("<alloc::vec::Vec<>>::push", "alloc::vec::Vec<T,A>::push"),
        ("<alloc::raw_vec::RawVec<>>::grow_one", "alloc::raw_vec::RawVec<T,A>::grow_one"),
        ("<shop::book::OrderBook>::open", "shop::book::OrderBook::open"),
    ] {
        let both = [one, other].map(|name| difference.contains_key(name));
        assert_ne!(both, [true, true], "{one} and {other} are two rows");
    }
    // The sum of what differs is what the totals differ by, however rows are matched.
    let total = |rows: &[(String, i64, i64)]| rows.iter().map(|row| row.1).sum::<i64>();
    let [old, new] = ["old/server old.heap", "new/server new.heap"].map(|words| total(&rows(here, words)));
    assert_eq!(difference.values().map(|(flat, _)| flat).sum::<i64>(), new - old);
    // One build alone is told nothing of, and stays as it is.
    let (_, said) = heapview(here, "top new/server new.heap");
    assert!(!said.contains("matched"), "{said}");
    assert!(rows(here, "new/server new.heap").iter().any(|row| row.0 == "<shop::Till>::serve"));
}
