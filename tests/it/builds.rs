//! Dumps of two builds, each with its own binary.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cli::command;
use crate::fixture::path;

/// Two builds of the program with a dump of each, as after a deployment: both ran from the same path, so the dumps alone do not
/// distinguish them.
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

/// Standard output and standard error.
fn heapview(folder: &Path, args: &str) -> (String, String) {
    let output = command(&args.split(' ').collect::<Vec<_>>()).current_dir(folder).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{args}: {stderr}");
    (String::from_utf8(output.stdout).unwrap(), stderr)
}

fn error(folder: &Path, args: &str) -> String {
    let output = command(&args.split(' ').collect::<Vec<_>>()).current_dir(folder).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{args}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Name, and flat and cumulative value less the base's, of all rows.
fn rows(folder: &Path, args: &str) -> Vec<(String, i64, i64)> {
    let (stdout, _) = heapview(folder, &format!("top -json -nodecount=100000 -nodefraction=0 {args}"));
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

/// Flat and cumulative values of the functions that share a plain name.
#[derive(Default)]
struct Sums {
    expected: (i64, i64),
    found: (i64, i64),
    is_in: [bool; 2],
}

/// A name without what builds write differently: arguments, the type of a trait's function, numbers of closures.
fn plain(name: &str) -> String {
    let name = name.replace("alloc::slice::<impl [T]>", "[u8]").replace("call_once{{", "call_once::{{");
    let (mut depth, mut end) = (0, 0);
    for (at, c) in name.char_indices().take_while(|_| name.starts_with('<')) {
        depth += i32::from(c == '<') - i32::from(c == '>');
        if depth == 0 {
            end = at;
            break;
        }
    }
    let owner = name[..end].trim_start_matches('<').rsplit(" as ").next().unwrap_or_default();
    let mut out = String::new();
    for c in format!("{owner}{}", name[end..].trim_start_matches('>')).chars() {
        match c {
            '<' => depth += 1,
            '>' => depth -= 1,
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    let part = |part: &str| if part.starts_with('{') { "{}".to_owned() } else { part.to_owned() };
    out.split("::").filter(|part| !part.is_empty()).map(part).collect::<Vec<_>>().join("::")
}

#[test]
fn names_come_from_the_binary_before_the_dump() {
    let folder = folder();
    let here = folder.path();
    let both = "old/server old.heap new/server new.heap";
    let (table, stderr) = heapview(here, &format!("diff {both}"));
    assert!(!stderr.contains("wrong") && !stderr.contains("server"), "{stderr}");
    assert!(table.contains("RawVecInner"), "{table}");
    // Whatever a function is called in either build: its rows of the difference have what the dumps differ by.
    let [old, new] = ["old/server old.heap", "new/server new.heap"].map(|args| rows(here, args));
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    for (rows, sign, build) in [(&old, -1, 0), (&new, 1, 1)] {
        for (name, flat, cum) in rows {
            let sums = sums.entry(plain(name)).or_default();
            sums.expected = (sums.expected.0 + sign * flat, sums.expected.1 + sign * cum);
            sums.is_in[build] = true;
        }
    }
    for (name, flat, cum) in rows(here, &format!("-diff {both}")) {
        let found = &mut sums.entry(plain(&name)).or_default().found;
        *found = (found.0 + flat, found.1 + cum);
    }
    for (name, Sums { expected, found, .. }) in &sums {
        assert_eq!(found, expected, "{name}");
    }
    let n_in_both = sums.values().filter(|sums| sums.is_in == [true; 2]).count();
    // Without the C library's names, which few machines have here.
    assert!(sums.len() > 130 && n_in_both * 100 > sums.len() * 95, "{n_in_both} of {}", sums.len());
    // A wrong binary is reported.
    let (_, stderr) = heapview(here, "diff new/server old.heap old/server new.heap");
    assert!(stderr.contains("old/server is another build") && stderr.contains("new/server is another build"), "{stderr}");
}

#[test]
fn bases_are_symbolized_with_their_own_binary() {
    let folder = folder();
    let here = folder.path();
    let difference = rows(here, "-diff old/server old.heap new/server new.heap");
    for args in ["-base=old.heap old/server new/server new.heap", "-base=old.heap new/server new.heap old/server"] {
        assert_eq!(rows(here, args), difference, "{args}");
    }
    // Without another binary it belongs to the first.
    let (table, stderr) = heapview(here, "top -base=old.heap old/server old.heap new/server new.heap");
    assert!(table.contains("try_allocate_in") && !stderr.contains("wrong"), "{stderr}");
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
    for (args, lonely) in [
        ("diff old/server new/server old.heap new.heap", "no profile follows old/server;"),
        ("diff old/server old.heap new.heap new/server", "no profile follows new/server;"),
        ("top old/server new/server", "no profile follows old/server;"),
        ("top -base=old.heap old/server old/server new/server new.heap", "no profile follows old/server;"),
    ] {
        let stderr = error(here, args);
        assert!(stderr.contains(lonely) && stderr.contains("heapview diff <binary> <before> <binary> <after>"), "{args}: {stderr}");
    }
    assert!(error(here, "-watch -http=: old/server old.heap new/server new.heap").contains("-watch supports one binary"));
    // Nor may it be of a program that is called otherwise without a word of it.
    fs::rename(here.join("new/server"), here.join("new/client")).unwrap();
    let (_, stderr) = heapview(here, "diff old/server old.heap new/client new.heap");
    assert!(stderr.contains("new.heap: the profile belongs to server; its names are taken from client, as requested"), "{stderr}");
}

/// Rows of a comparison by name; no two have one label.
fn compared(folder: &Path, args: &str) -> BTreeMap<String, (i64, i64)> {
    let rows = rows(folder, args);
    let n = rows.len();
    let by_name: BTreeMap<_, _> = rows.into_iter().map(|(name, flat, cum)| (name, (flat, cum))).collect();
    assert_eq!(by_name.len(), n, "two rows have one label");
    by_name
}

#[test]
fn differently_mangled_functions_are_one_row() {
    let folder = folder();
    let here = folder.path();
    let (table, _) = heapview(here, "diff old/server old.heap new/server new.heap");
    assert_eq!(table.lines().filter(|line| line.starts_with("Functions in both builds: ")).count(), 1, "{table}");
    let (answer, _) = heapview(here, "top -json -diff old/server old.heap new/server new.heap");
    let builds = &serde_json::from_str::<Value>(&answer).unwrap()["header"]["builds"];
    let [old, new] = [0, 1].map(|build| &builds["build"][build]);
    let matched = [old, new].map(|build| build["n_matched"].as_u64().unwrap());
    let n = ["n_by_name", "n_by_form", "n_by_last_part"].map(|by| builds[by].as_u64().unwrap());
    assert!(matched[0] == matched[1] && matched[0] == n.iter().sum::<u64>() && n[1] > 60, "{builds}");
    let difference = compared(here, "-diff old/server old.heap new/server new.heap");
    // One build's name is `shop::Till::serve`, the other's `<shop::Till>::serve`.
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
    let [old, new] = ["old/server old.heap", "new/server new.heap"].map(|args| total(&rows(here, args)));
    assert_eq!(difference.values().map(|(flat, _)| flat).sum::<i64>(), new - old);
    // A single build is unchanged, without a message.
    let (table, _) = heapview(here, "top new/server new.heap");
    assert!(!table.contains("Matched"), "{table}");
    assert!(rows(here, "new/server new.heap").iter().any(|row| row.0 == "<shop::Till>::serve"));
}

/// Bytes of boxes that one build alone has, where another box of their caller is the other build's alone: what a flame
/// graph of a difference shows twice. With the bytes of the whole.
fn split(folder: &Path, args: &str) -> (i64, i64) {
    let (stdout, _) = heapview(folder, &format!("flame -json -nodefraction=0 -diff {args}"));
    let flame: Value = serde_json::from_str(&stdout).unwrap();
    let column = |name: &str| flame[name].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect::<Vec<_>>();
    let (depth, cum, base) = (column("depth"), column("cum"), column("cum_base"));
    let mut callers: Vec<usize> = Vec::new();
    let mut halves: BTreeMap<usize, [i64; 2]> = BTreeMap::new();
    for i in 0..depth.len() {
        callers.truncate(depth[i] as usize);
        if let Some(caller) = callers.last() {
            let halves = halves.entry(*caller).or_default();
            halves[0] += if base[i] == 0 { cum[i] } else { 0 };
            halves[1] += if cum[i] == 0 { base[i] } else { 0 };
        }
        callers.push(i);
    }
    (halves.values().map(|halves| halves[0].min(halves[1])).sum(), cum.iter().copied().max().unwrap_or(0))
}

#[test]
fn a_flame_graph_of_two_builds_is_one() {
    let folder = folder();
    let (split, all) = split(folder.path(), "old/server old.heap new/server new.heap");
    // `usize` and `u64` are formatted by one function, which either build calls by another name.
    assert!(all > 9_000_000 && split * 100 < all, "{split} of {all}");
}

#[test]
fn builds_without_given_binaries_are_matched() {
    let folder = folder();
    let here = folder.path();
    for build in ["old", "new"] {
        let dump = here.join(format!("{build}.heap"));
        let text = fs::read_to_string(&dump).unwrap().replace("/srv/server\n", &format!("/srv/server-{build}\n"));
        fs::write(&dump, text).unwrap();
        fs::rename(here.join(build).join("server"), here.join(format!("server-{build}"))).unwrap();
    }
    let output = command(&["diff", "old.heap", "new.heap"]).env("PPROF_BINARY_PATH", here).current_dir(here).output().unwrap();
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains(" in server-old, ") && table.contains(" in server-new ("), "{table}");
}

#[test]
fn profiles_without_mappings_are_matched_by_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let old = "main;a::Till::serve;alloc::vec::Vec<T>::push;alloc::raw_vec::RawVec<T>::grow_one 900\nmain;a::Till::open::{{closure}} 400\n";
    let new = "main;<a::Till>::serve;<alloc::vec::Vec<>>::push;<alloc::raw_vec::RawVec<>>::grow_one 1500\nmain;<a::Till>::open::{closure#0} 300\n";
    fs::write(here.join("old.folded"), old).unwrap();
    fs::write(here.join("new.folded"), new).unwrap();
    let rows = compared(here, "-diff old.folded new.folded");
    assert_eq!(rows.get("<alloc::raw_vec::RawVec<>>::grow_one"), Some(&(600, 600)), "{rows:?}");
    assert_eq!(rows.get("<a::Till>::open::{closure#0}"), Some(&(-100, -100)), "{rows:?}");
    // Later dumps of one build have further functions, and are no other build.
    fs::write(here.join("later.folded"), format!("{new}main;<a::Till<>>::serve;<a::Book>::read 50\n")).unwrap();
    let (table, _) = heapview(here, "diff new.folded later.folded");
    assert!(!table.contains("Matched"), "{table}");
}

#[test]
fn builds_without_names_are_reported_with_a_remedy() {
    let folder = folder();
    let here = folder.path();
    // As stripped: without sections there are no symbols.
    let mut bytes = fs::read(here.join("old/server")).unwrap();
    for at in (0x28..0x30).chain(0x3c..0x40) {
        bytes[at] = 0;
    }
    fs::create_dir(here.join("stripped")).unwrap();
    fs::write(here.join("stripped/server"), bytes).unwrap();
    let (table, stderr) = heapview(here, "diff stripped/server old.heap new/server new.heap");
    assert!(!table.contains("Functions in both builds"), "{table}");
    let way = "heapview diff BINARY_BEFORE BEFORE BINARY_AFTER AFTER";
    assert!(stderr.contains("The baseline (stripped/server) has no function names") && stderr.contains(way), "{stderr}");
    let (_, stderr) = heapview(here, "diff new/server new.heap stripped/server old.heap");
    assert!(stderr.contains("stripped/server has no function names") && stderr.contains(way), "{stderr}");
    let (answer, _) = heapview(here, "top -json -diff stripped/server old.heap new/server new.heap");
    assert_eq!(serde_json::from_str::<Value>(&answer).unwrap()["header"]["builds"], Value::Null);
}
