//! jeprof's command line: its tables, row by row, and its other output.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Output, Stdio};

use expect_test::{expect, expect_file};

use crate::fixture::{self, path};

/// Rows that differ on purpose: golden (a prefix of its name), the row's name, and why.
const INTENDED: [(&str, &str, &str); 16] = [
    ("shop-exact.text-alloc", "", UNSAMPLED),
    ("kitchen.text", "malloc_usable_size", NEIGHBOUR),
    ("kitchen.text", "::Cake::cook", NEIGHBOUR),
    ("kitchen.text", "::serve", NEIGHBOUR),
    ("kitchen.text", "allocate (inline)", NEIGHBOUR),
    ("kitchen.text", "std::__cxx11::basic_string::_M_construct (inline)", NEIGHBOUR),
    ("kitchen.text", "std::__new_allocator::allocate (inline)", NEIGHBOUR),
    ("kitchen.text", "std::make_unique (inline)", NEIGHBOUR),
    ("kitchen.text", "_M_invoke", CHAIN),
    ("kitchen.text", "std::_Function_handler::_M_invoke", CHAIN),
    ("kitchen.text", "std::_Function_handler::_M_invoke (inline)", CHAIN),
    ("kitchen.text", "operator (inline)", CHAIN),
    ("kitchen.text", "cook", CHAIN),
    ("kitchen.text", "fill", CHAIN),
    ("kitchen.text", "pantry::Jar::fill", CHAIN),
    ("kitchen.text", "pantry::Jar::fill (inline)", CHAIN),
];

const UNSAMPLED: &str = "a dump of period 1 holds every allocation: jeprof scales it all the same, by up to 1/(1-e^-8)";
const NEIGHBOUR: &str = "jeprof takes a stripped allocator's frames for the nearest public symbol; heapview cuts them";
const CHAIN: &str = "addr2line gives the innermost of inlined frames the name of the outermost, and that one its short name";

struct Case {
    golden: String,
    arguments: Vec<String>,
}

fn cases() -> Vec<Case> {
    let table = std::fs::read_to_string(path("testdata/oracle/commands.tsv")).unwrap();
    let rows = table.lines().map(|line| line.split('\t').collect::<Vec<_>>()).filter(|c| c.get(1) == Some(&"jeprof"));
    rows.map(|columns| {
        let arguments = columns[2..].iter().flat_map(|c| c.split_whitespace()).map(str::to_owned).collect();
        Case { golden: columns[0].into(), arguments }
    })
    .collect()
}

fn jeprof(arguments: &[&str]) -> Output {
    command(arguments).output().unwrap()
}

fn command(arguments: &[&str]) -> Command {
    let mut command = fixture::program();
    command.arg("jeprof").args(arguments).current_dir(path("testdata"));
    command.env("PPROF_BINARY_PATH", "bin").stdin(Stdio::null());
    command
}

fn stdout(arguments: &[&str]) -> String {
    let output = jeprof(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn error(arguments: &[&str]) -> String {
    let output = jeprof(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// A name as jeprof shortens it: without arguments, template and generic arguments, and
/// without what only one of the two writes.
fn short(name: &str) -> String {
    let name = name.split(" (discriminator").next().unwrap().replace(" (inline)", "\u{1}").replace("->", "\u{2}").replace("?:?", "");
    let mut name = without(&without(&name, '(', ')'), '<', '>');
    if let Some((before, after)) = name.split_once('@') {
        let rest = after.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        name = format!("{before}{rest}");
    }
    while name.contains(":::") {
        name = name.replace(":::", "::");
    }
    name.replace('\u{1}', " (inline)").replace(" ?", "").trim().to_owned()
}

/// Removes text between matching brackets.
fn without(name: &str, open: char, close: char) -> String {
    let mut depth = 0usize;
    let mut out = String::new();
    for c in name.chars() {
        match c {
            _ if c == open => depth += 1,
            _ if c == close => depth = depth.saturating_sub(1),
            _ if depth == 0 => out.push(c),
            _ => {}
        }
    }
    out
}

/// Heading of the table → short name → flat and cum of each row.
type Tables = BTreeMap<String, BTreeMap<String, Vec<[i64; 2]>>>;

fn tables(text: &str) -> Tables {
    let mut tables = Tables::new();
    let mut heading = String::new();
    for line in text.lines() {
        if line.starts_with("Total") {
            heading = line.to_owned();
            tables.entry(heading.clone()).or_default();
            continue;
        }
        let args: Vec<&str> = line.split_whitespace().collect();
        let number = |i: usize| args[i].parse::<i64>().unwrap_or_else(|e| panic!("{line}: {e}"));
        let rows = tables.entry(heading.clone()).or_default().entry(short(&args[5..].join(" "))).or_default();
        rows.push([number(0), number(3)]);
    }
    tables
}

/// Differences between rows of one short name. jeprof merges functions it cannot distinguish, and splits those whose instances it
/// can: sums of flat and bounds of cum are compared.
fn difference(want: &[[i64; 2]], got: &[[i64; 2]]) -> Option<String> {
    let sum = |rows: &[[i64; 2]], i: usize| rows.iter().map(|r| r[i]).sum::<i64>();
    let most = |rows: &[[i64; 2]]| rows.iter().map(|r| r[1]).max().unwrap_or(0);
    // jeprof cuts fractions off that are all but one; each row may be off by that.
    let slack = (want.len() + got.len() - 1) as i64;
    let same = match (want.len(), got.len()) {
        (0, _) | (_, 0) => false,
        (1, 1) => (0..2).all(|i| want[0][i].abs_diff(got[0][i]) <= 1),
        _ => {
            let fits = |a: &[[i64; 2]], b: &[[i64; 2]]| most(a) <= sum(b, 1) + slack;
            sum(want, 0).abs_diff(sum(got, 0)) <= slack as u64 && fits(want, got) && fits(got, want)
        }
    };
    (!same).then(|| format!("want {want:?}, got {got:?}"))
}

#[test]
fn tables_are_jeprofs_row_by_row() {
    let (mut wrong, mut compared) = (Vec::new(), 0);
    for case in cases() {
        let golden = std::fs::read_to_string(path("testdata/oracle").join(&case.golden)).unwrap();
        let arguments: Vec<&str> = case.arguments.iter().map(String::as_str).collect();
        let (want, got) = (tables(&golden), tables(&stdout(&arguments)));
        let intended = |name: &str| {
            INTENDED.iter().any(|(g, n, _)| case.golden.starts_with(g) && (n.is_empty() || name.split(" /").next() == Some(n)))
        };
        if !intended("Total") && want.keys().collect::<Vec<_>>() != got.keys().collect::<Vec<_>>() {
            wrong.push(format!("{}: {:?} and {:?}", case.golden, want.keys(), got.keys()));
            continue;
        }
        for ((heading, want), got) in want.iter().zip(got.values()) {
            let names: BTreeSet<&String> = want.keys().chain(got.keys()).collect();
            for name in names.into_iter().filter(|name| !intended(name)) {
                let rows = |of: &BTreeMap<String, Vec<[i64; 2]>>| of.get(name).cloned().unwrap_or_default();
                wrong.extend(difference(&rows(want), &rows(got)).map(|d| format!("{} {heading}: {name}: {d}", case.golden)));
                compared += 1;
            }
        }
    }
    assert!(compared > 1900, "only {compared} rows were compared");
    assert!(wrong.is_empty(), "{} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn intended_differences_exist() {
    let texts: Vec<(String, Tables)> = cases()
        .iter()
        .map(|c| (c.golden.clone(), tables(&std::fs::read_to_string(path("testdata/oracle").join(&c.golden)).unwrap())))
        .collect();
    for (golden, name, why) in INTENDED.iter().filter(|(_, name, _)| !name.is_empty()) {
        let is_there = texts.iter().filter(|(g, _)| g.starts_with(golden)).any(|(_, t)| t.values().any(|rows| rows.contains_key(*name)));
        // The right names are in heapview's table only.
        let is_ours = ["std::_Function_handler::_M_invoke", "operator (inline)"].contains(name);
        assert!(is_there || is_ours, "no row {name} in {golden}: {why}");
    }
}

const SHOP: [&str; 2] = ["bin/shop", "jemalloc/shop-sampled.2000.2.m2.heap"];
const KITCHEN: [&str; 2] = ["bin/kitchen", "gperftools/kitchen.0001.heap"];

#[test]
fn every_shape_prints() {
    for (flag, name) in [
        ("--list=serve|Soup::cook", "list"),
        ("--disasm=serve", "disasm"),
        ("--text", "text"),
        ("--dot", "dot"),
        ("--callgrind", "callgrind"),
        ("--collapsed", "collapsed"),
        ("--raw", "raw"),
    ] {
        let golden = format!("testdata/gperftools/kitchen.0001.jeprof-{name}.txt");
        expect_file![path(&golden)].assert_eq(&stdout(&[flag, KITCHEN[0], KITCHEN[1]]));
    }
}

#[test]
fn pictures_are_drawn_where_graphviz_is() {
    if Command::new("dot").arg("-V").output().is_err() {
        assert!(error(&["--svg", KITCHEN[0], KITCHEN[1]]).contains("Graphviz"));
        return;
    }
    for (flag, start) in [("--svg", &b"<?xml"[..]), ("--pdf", b"%PDF"), ("--ps", b"%!PS"), ("--gif", b"GIF8")] {
        let output = jeprof(&[flag, "--heapcheck", KITCHEN[0], KITCHEN[1]]);
        assert!(output.status.success() && output.stdout.starts_with(start), "{flag}: {}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn limits_of_the_graph() {
    let dot = |flags: &[&str]| stdout(&[&["--dot"], flags, &KITCHEN].concat());
    let nodes = |text: &str| text.lines().filter(|l| l.starts_with('N') && !l.contains(" -> ")).count();
    let edges = |text: &str| text.lines().filter(|l| l.contains(" -> ")).count();
    assert_eq!(nodes(&dot(&["--nodecount=5"])), 5);
    assert!(nodes(&dot(&["--nodefraction=0.5"])) < nodes(&dot(&[])));
    assert!(edges(&dot(&["--maxdegree=1"])) < edges(&dot(&["--edgefraction=0"])));
    assert!(dot(&["--heapcheck"]).contains(",style=filled,fillcolor=gray];"));
    assert!(!dot(&[]).contains("fillcolor"));
}

#[test]
fn flags_are_perls() {
    let table = stdout(&["--text", "--show_bytes", "--cum", SHOP[0], SHOP[1]]);
    for args in [&["-text", "--show_b", "-cu"][..], &["--TEXT", "--show_bytes", "--nocum", "--cum"], &["--show_bytes", "--cum", "--no-dot"]]
    {
        assert_eq!(stdout(&[args, &SHOP].concat()), table, "{args:?}");
        assert_eq!(stdout(&[&SHOP[..1], args, &SHOP[1..]].concat()), table, "{args:?}");
    }
    let by_flag = fixture::program()
        .args(["--text", "--show_bytes", "--cum", SHOP[0], SHOP[1]])
        .current_dir(path("testdata"))
        .env("PPROF_BINARY_PATH", "bin")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(by_flag.stdout).unwrap(), table);
}

#[cfg(unix)]
#[test]
fn a_link_called_jeprof_is_jeprof() {
    let folder = std::env::temp_dir().join(format!("heapview-jeprof-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for name in ["jeprof", "google-pprof"] {
        let link = folder.join(name);
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_heapview"), &link).unwrap();
        let output =
            fixture::apart(Command::new(&link)).args(["--text", "bin/shop", SHOP[1]]).current_dir(path("testdata")).output().unwrap();
        assert!(String::from_utf8(output.stdout).unwrap().starts_with("Total: 12.4 MB\n"), "{name}");
        let version = fixture::apart(Command::new(&link)).arg("--version").output().unwrap();
        assert!(String::from_utf8(version.stdout).unwrap().starts_with(&format!("{name} (part of heapview ")));
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn errors_have_status_1_and_usage() {
    for (arguments, message) in [
        (&["--bogus", "a", "b"][..], "Unknown option: bogus\nInvalid option(s)\n\nUsage:"),
        (&["--text", "--dot", "a", "b"], "Only specify one output mode"),
        (&["--lines", "--files", "a", "b"], "Only specify one output granularity option"),
        (&["--inuse_space", "--alloc_space", "a", "b"], "Specify at most one of the --inuse and --alloc options"),
        (&[], "Did not specify program"),
        (&["--focus=(", "a", "b"], "--focus: the expression"),
    ] {
        let text = error(arguments);
        assert!(text.contains(message) && text.contains("FATAL ERROR: "), "{arguments:?}: {text}");
    }
    assert!(error(&["bin/shop", "no-such-file"]).contains("cannot open no-such-file"));
    assert_eq!(String::from_utf8(jeprof(&["--test"]).stderr).unwrap(), "PASS\n");
    assert!(stdout(&["--help"]).contains("--show_bytes"));
}

#[test]
fn files_read_are_listed_on_stderr() {
    let text = String::from_utf8(jeprof(&["--text", SHOP[0], SHOP[1]]).stderr).unwrap();
    assert!(text.starts_with(&format!("Using local file {}.\nUsing local file {}.\n", SHOP[0], SHOP[1])), "{text}");
}

#[test]
fn missing_threads_are_reported() {
    let output = jeprof(&["--text", "--thread=77", SHOP[0], SHOP[1]]);
    assert!(output.status.success() && output.stdout.is_empty());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("no thread 77; the profile has 0, 1, 2, 3"), "{text}");
}

#[test]
fn threads_of_one_dump_add_up_to_it() {
    let total = |text: &str| {
        text.lines()
            .filter(|l| l.starts_with("Total"))
            .map(|l| l.split_whitespace().rev().nth(1).unwrap().parse::<i64>().unwrap())
            .sum::<i64>()
    };
    let exact = ["bin/shop", "jemalloc/shop-exact.1000.3.f.heap"];
    let each = stdout(&[&["--text", "--show_bytes", "--thread=*"], &exact[..]].concat());
    assert_eq!(total(&each), total(&stdout(&[&["--text", "--show_bytes"], &exact[..]].concat())));
}

#[test]
fn a_base_of_itself_leaves_nothing() {
    let base = format!("--base={}", SHOP[1]);
    assert_eq!(stdout(&["--text", &base, SHOP[0], SHOP[1]]), "");
    assert!(error(&["--dot", &base, SHOP[0], SHOP[1]]).contains("No nodes to print"));
}

#[test]
fn drop_negative_leaves_no_negative_numbers() {
    let arguments =
        ["--text", "--show_bytes", "--base=jemalloc/shop-sampled.2000.2.m2.heap", "bin/shop", "jemalloc/shop-sampled.2000.0.m0.heap"];
    assert!(stdout(&arguments).contains(" -"));
    assert!(!stdout(&[&["--drop_negative"], &arguments[..]].concat()).contains(" -"));
}

#[test]
fn retain_and_exclude_part_the_addresses() {
    let rows = |flag: &str| {
        stdout(&["--text", "--show_bytes", flag, KITCHEN[0], KITCHEN[1]])
            .lines()
            .skip(1)
            .map(|l| l[39..].to_owned())
            .collect::<BTreeSet<_>>()
    };
    let (kept, left) = (rows("--retain=pantry|main"), rows("--exclude=pantry|main"));
    assert!(kept.iter().any(|n| n == "main") && !left.iter().any(|n| n == "main"));
    assert!(kept.iter().all(|n| n.contains("(inline)") || n.contains("pantry") || n.contains("main")), "{kept:?}");
}

#[test]
fn names_of_addresses_on_standard_input() {
    let mut child = command(&["--symbols", "bin/kitchen"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let dump = std::fs::read_to_string(path("testdata").join(KITCHEN[1])).unwrap();
    let map = dump.split("MAPPED_LIBRARIES:\n").nth(1).unwrap();
    let address = dump.lines().nth(1).unwrap().split_whitespace().find(|w| w.starts_with("0x55")).unwrap();
    let mut stdin = child.stdin.take().unwrap();
    write!(stdin, "{map}{address}\n0x1\n").unwrap();
    drop(stdin);
    let text = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(!text.starts_with("??") && text.ends_with("\n??\n"), "{text}");
}

#[test]
fn raw_profiles_need_no_program_and_have_the_same_rows() {
    for dump in [SHOP, KITCHEN, ["bin/shop", "pprof/shop.0003.pb.gz"]] {
        let raw = stdout(&["--raw", dump[0], dump[1]]);
        let file = std::env::temp_dir().join(format!("heapview-{}-{}.symbolized", std::process::id(), dump[1].replace('/', ".")));
        std::fs::write(&file, &raw).unwrap();
        let name = file.to_str().unwrap();
        assert_eq!(stdout(&["--raw", name]), raw, "{}", dump[1]);
        for flags in [&["--text", "--show_bytes"][..], &["--text", "--inuse_objects", "--cum"], &["--collapsed"], &["--text", "--thread=*"]]
        {
            assert_eq!(stdout(&[flags, &[name]].concat()), stdout(&[flags, &dump].concat()), "{flags:?} {}", dump[1]);
        }
        for report in ["-top", "-traces", "-tags", "-tree"] {
            let of = |files: &[&str]| {
                let mut command = fixture::program();
                command.arg(report).args(files).current_dir(path("testdata")).env("PPROF_BINARY_PATH", "bin");
                String::from_utf8(command.output().unwrap().stdout).unwrap()
            };
            assert_eq!(of(&[name]), of(&dump), "{report} {}", dump[1]);
        }
        std::fs::remove_file(&file).unwrap();
    }
}

#[test]
fn raw_of_a_difference_is_the_difference() {
    let base = "--base=jemalloc/shop-sampled.2000.0.m0.heap";
    let raw = stdout(&["--raw", base, SHOP[0], SHOP[1]]);
    let mut child = command(&["--text", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(raw.as_bytes()).unwrap();
    let again = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    expect!["Total: 8.3 MB"].assert_eq(again.lines().next().unwrap());
    assert_eq!(again, stdout(&["--text", base, SHOP[0], SHOP[1]]));
}

#[test]
fn raw_of_other_profiles_is_refused() {
    let mut child = command(&["--raw", "-"]).stdin(Stdio::piped()).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"main;load 96\nmain;store 12\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stderr).unwrap().contains("heap text needs objects and bytes in use"));
}

#[test]
fn listings_without_sources_warn_once_and_suggest_only_jeprof_flags() {
    let files = ["testdata/bin/shop", "testdata/jemalloc/shop-sampled.2000.2.m2.heap"].map(|file| path(file).display().to_string());
    // No source is in this folder or above.
    let folder = tempfile::tempdir().unwrap();
    let output = command(&["--list=remember", &files[0], &files[1]]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr.matches("audit.rs: open").count(), 1, "{stderr}");
    assert!(!stderr.contains("-source_path"), "{stderr}");
}
