//! The built program, run like by a user or a script.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use expect_test::{expect, expect_file};

use crate::fixture::{self, path};

fn heapview(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = fixture::program();
    command.args(args).current_dir(path("testdata")).env("PPROF_BINARY_PATH", "bin").env("TZ", "UTC").stdin(Stdio::null());
    command
}

pub(crate) fn stdout(args: &[&str]) -> String {
    let output = heapview(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The one line of an error; nothing may be on standard output.
pub(crate) fn error(args: &[&str]) -> String {
    let output = heapview(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
    assert!(output.stdout.is_empty(), "{args:?}: {output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(text.lines().count(), 1, "{args:?}: {text}");
    text.trim_end().to_owned()
}

pub(crate) const SHOP: [&str; 2] = ["bin/shop", "gperftools/shop.0003.heap"];

#[test]
fn the_main_job() {
    let table = stdout(&["top", "--text", "-nodecount=8", SHOP[0], SHOP[1]]);
    expect_file!["../../testdata/gperftools/shop.0003.top.txt"].assert_eq(&table);
    // Every way to request it.
    for args in [&["-top", "-nodecount=8"][..], &["--text", "--nodecount", "8"], &["-nodecount=8"]] {
        assert_eq!(stdout(&[args, &SHOP].concat()), table, "{args:?}");
        assert_eq!(stdout(&[&SHOP[..], args].concat()), table, "{args:?}");
    }
    assert_eq!(stdout(&["-top", SHOP[1], "-nodecount=8", SHOP[0]]), table);
}

#[test]
fn every_report_of_every_format_prints() {
    for dump in ["gperftools/shop.0003.heap", "jemalloc/shop-sampled.2000.2.m2.heap", "pprof/depot.1.pb.gz", "pprof/shop.0003.pb.gz"] {
        for report in ["-top", "-tree", "-peek=.", "-raw", "-dot", "-collapsed", "-traces", "-tags", "-flame", "-comments"] {
            let text = stdout(&[report, "bin/shop", dump]);
            assert!(report == "-comments" || text.lines().count() > 5, "{report} {dump}: {text}");
        }
        for report in ["top", "tree", "flame", "graph", "traces", "tags"] {
            let text = stdout(&[report, "--json", dump]);
            let value: serde_json::Value = serde_json::from_str(&text).unwrap();
            assert!(value["header"]["value_type"].is_string(), "{report} {dump}");
            assert!(stdout(&[report, "--csv", dump]).lines().count() > 1, "{report} {dump}");
        }
    }
}

#[test]
fn without_names_the_module_is_shown() {
    let table = stdout(&["-top", "-symbolize=none", "bin/shop", "gperftools/shop.0003.heap"]);
    assert!(table.contains("[shop]"), "{table}");
    let flame = stdout(&["flame", "-symbolize=none", "bin/shop", "gperftools/shop.0003.heap"]);
    assert!(flame.contains("[shop]+0x"), "{flame}");
}

#[test]
fn a_profile_comes_from_standard_input() {
    let mut child = command(&["top", "bin/shop", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let bytes = std::fs::read(path("testdata/gperftools/shop.0003.heap")).unwrap();
    child.stdin.take().unwrap().write_all(&bytes).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), stdout(&["top", SHOP[0], SHOP[1]]));
}

#[test]
fn saved_profiles_give_the_same_reports() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.pb.gz");
    let output = format!("-output={}", copy.display());
    for dump in ["gperftools/shop.0003.heap", "jemalloc/shop-exact.1000.3.f.heap", "pprof/depot.1.pb.gz"] {
        stdout(&["-proto", &output, "bin/shop", dump]);
        for report in ["-top", "-tree", "-traces", "-tags"] {
            let args = ["-nodefraction=0", report, copy.to_str().unwrap()];
            assert_eq!(stdout(&args), stdout(&["-nodefraction=0", report, "bin/shop", dump]), "{report} {dump}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "temporary files are left");
}

#[test]
fn found_programs_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("shop");
    std::fs::copy(path("testdata/bin/shop"), &program).unwrap();
    let output =
        command(&["-top", &format!("-output={}", program.display()), SHOP[1]]).env("PPROF_BINARY_PATH", folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is also an input and would be overwritten"), "{output:?}");
    assert_eq!(std::fs::read(&program).unwrap(), std::fs::read(path("testdata/bin/shop")).unwrap());
}

#[cfg(unix)]
#[test]
fn a_link_to_nothing_leads_to_the_answer() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("top.txt", &link).unwrap();
    stdout(&["-top", &format!("-output={}", link.display()), SHOP[0], SHOP[1]]);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::read_to_string(folder.path().join("top.txt")).unwrap(), stdout(&["-top", SHOP[0], SHOP[1]]));
}

#[test]
fn a_dash_is_standard_output() {
    assert_eq!(stdout(&["-top", "-output=-", SHOP[0], SHOP[1]]), stdout(&["-top", SHOP[0], SHOP[1]]));
    assert!(!std::path::Path::new(&path("testdata/-")).exists());
}

#[test]
fn words_do_what_flags_do() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (before, after) = ("gperftools/shop.0001.heap", "gperftools/shop.0003.heap");
    let diff = stdout(&["-top", &format!("-diff_base={before}"), SHOP[0], after]);
    assert_eq!(stdout(&["diff", SHOP[0], before, after]), diff);
    let merged = file("all.pb.gz");
    stdout(&["merge", SHOP[0], before, after, "-o", &merged]);
    assert_eq!(stdout(&["-top", &merged]), stdout(&["-top", SHOP[0], before, after]));
    let named = file("named.pb.gz");
    stdout(&["symbolize", SHOP[0], after, "-o", &named]);
    let table = stdout(&["-top", SHOP[0], after]);
    assert_eq!(stdout(&["-top", &named]), table);
    for form in ["x.pb", "x.pb.gz"] {
        stdout(&["convert", &named, "-o", &file(form)]);
        assert_eq!(stdout(&["-top", &file(form)]), table, "{form}");
    }
    stdout(&["convert", &named, "-o", &file("x.symbolized")]);
    let rows = |table: &str| table.lines().skip_while(|l| !l.contains("flat%")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(rows(&stdout(&["-top", &file("x.symbolized")])), rows(&table));
    assert!(std::fs::read(file("x.pb")).unwrap().len() > std::fs::read(file("x.pb.gz")).unwrap().len());
    assert_eq!(stdout(&["convert", "-to=collapsed", &named]), stdout(&["-collapsed", SHOP[0], after]));
}

#[test]
fn a_profile_as_json_has_every_number() {
    let text = stdout(&["convert", "-to=json", SHOP[0], SHOP[1]]);
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let types: Vec<&str> = value["value_types"].as_array().unwrap().iter().map(|t| t["kind"].as_str().unwrap()).collect();
    assert_eq!(types, ["alloc_objects", "alloc_space", "inuse_objects", "inuse_space"]);
    let samples = value["samples"].as_array().unwrap();
    let sum: i64 = samples.iter().map(|s| s["values"][3].as_i64().unwrap()).sum();
    let table = stdout(&["-top", "-unit=B", SHOP[0], SHOP[1]]);
    assert!(table.contains(&format!("of {sum}B total")), "{sum} {table}");
    let frames = value["frames"].as_array().unwrap();
    let names = samples.iter().flat_map(|s| s["stack"].as_array().unwrap()).map(|f| &frames[f.as_u64().unwrap() as usize]["function"]);
    assert!(names.filter(|n| n.as_str() == Some("shop::main")).count() > 10);
}

#[test]
fn collapsed_stacks_read_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.folded");
    stdout(&["-collapsed", &format!("-output={}", copy.display()), SHOP[0], SHOP[1]]);
    let table = |args: &[&str]| {
        let text = stdout(&[args, &["-top", "-nodefraction=0"]].concat());
        text.lines().skip_while(|l| !l.contains("flat%")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(table(&[copy.to_str().unwrap()]), table(&SHOP));
}

#[test]
fn a_base_of_itself_leaves_nothing() {
    let table = stdout(&["-top", "-base=gperftools/shop.0003.heap", SHOP[0], SHOP[1]]);
    assert!(table.contains("Showing nodes accounting for 0, 0% of 0 total"), "{table}");
}

#[test]
fn threads_are_labels_that_add_up() {
    let tags = stdout(&["-tags", "-unit=B", "-sample_index=inuse_space", "bin/shop", "jemalloc/shop-exact.1000.3.f.heap"]);
    let line = tags.lines().find(|l| l.trim_start().starts_with("thread:")).unwrap();
    let args: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(args[2], args[4], "threads do not add up to the total: {line}");
    let one = stdout(&["-top", "-tagfocus=thread=main", "-unit=B", "bin/shop", "jemalloc/shop-exact.1000.3.f.heap"]);
    assert!(one.contains("   tagfocus=thread=main"), "{one}");
}

#[test]
fn errors_are_one_line_with_a_remedy() {
    let errors = [
        error(&[]),
        error(&["nosuch.heap"]),
        error(&["programs/rust"]),
        error(&["README.md"]),
        error(&["bin/shop"]),
        error(&["diff", "bin/shop", "bin/kitchen", "gperftools/shop.0001.heap", "gperftools/shop.0003.heap"]),
        error(&["-top", "-no_such_flag", "gperftools/shop.0003.heap"]),
        error(&["-focuss=x", "gperftools/shop.0003.heap"]),
        error(&["-focus=((", "gperftools/shop.0003.heap"]),
        error(&["-nodecount=many", "gperftools/shop.0003.heap"]),
        error(&["-sample_index=nonsense", "gperftools/shop.0003.heap"]),
        error(&["-peek=nosuchfunction", "gperftools/shop.0003.heap"]),
        error(&["-base=bin/shop", "gperftools/shop.0003.heap"]),
        error(&["-http=8080", "gperftools/shop.0003.heap"]),
        error(&["-http=:", "-top", "gperftools/shop.0003.heap"]),
        error(&["-symbolize=magic", "gperftools/shop.0003.heap"]),
        error(&["diff", "gperftools/shop.0003.heap"]),
        error(&["diff", "-base=gperftools/shop.0001.heap", "gperftools/shop.0002.heap", "gperftools/shop.0003.heap"]),
        error(&["convert", "gperftools/shop.0003.heap"]),
        error(&["convert", "gperftools/shop.0003.heap", "-o", "x.txt"]),
    ];
    expect_file!["../../testdata/errors.txt"].assert_eq(&(errors.join("\n") + "\n"));
}

#[test]
fn damage_is_reported_and_the_rest_is_shown() {
    let whole = std::fs::read(path("testdata/gperftools/shop.0003.heap")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cut.heap");
    std::fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    let output = heapview(&["top", file.to_str().unwrap()]);
    assert!(output.status.success());
    let warning = String::from_utf8(output.stderr).unwrap();
    assert!(warning.contains("line "), "{warning}");
    std::fs::write(&file, b"").unwrap();
    assert!(error(&["top", file.to_str().unwrap()]).contains("empty"));
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = command(&["-raw", SHOP[0], SHOP[1]]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert!(!String::from_utf8_lossy(&output.stderr).contains("heapview:"), "{output:?}");
}

#[test]
fn output_that_cannot_be_written_is_exit_code_1() {
    let output = heapview(&["-top", "-output=nosuchfolder/x.txt", SHOP[0], SHOP[1]]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[cfg(unix)]
#[test]
fn overwritten_files_keep_links_and_permissions() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("table.txt"), folder.path().join("link.txt"));
    std::fs::write(&file, "old").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    symlink(&file, &link).unwrap();
    stdout(&["-top", &format!("-output={}", link.display()), SHOP[0], SHOP[1]]);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(std::fs::metadata(&file).unwrap().mode() & 0o777, 0o600);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("File: shop"));
    // Nothing is written over it when the answer fails.
    error(&["-peek=nosuchfunction", &format!("-output={}", file.display()), SHOP[0], SHOP[1]]);
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("File: shop"));
}

#[test]
fn inputs_are_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("self.heap");
    std::fs::copy(path("testdata").join(SHOP[1]), &dump).unwrap();
    let stderr = error(&[&format!("-output={}", dump.display()), dump.to_str().unwrap()]);
    assert!(stderr.contains("is also an input and would be overwritten"), "{stderr}");
    assert!(std::fs::read(&dump).unwrap().starts_with(b"heap profile:"));
}

#[test]
fn a_stripped_allocator_is_cut_off() {
    let table = stdout(&["-top", "bin/shop", "jemalloc/shop-exact.1000.3.f.heap"]);
    assert!(!table.contains("[libjemalloc.so.2]"), "{table}");
    let all = stdout(&["-top", "-all_frames", "bin/shop", "jemalloc/shop-exact.1000.3.f.heap"]);
    assert!(all.contains("[libjemalloc.so.2]"), "{all}");
}

#[test]
fn another_program_is_reported() {
    let output = heapview(&["top", "bin/kitchen", SHOP[1]]);
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("the profile belongs to shop; its names are taken from kitchen"),
        "{output:?}"
    );
}

#[test]
fn a_hostile_profile_cannot_move_the_cursor() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("names.folded");
    std::fs::write(&file, "# space by\u{1b}[31mtes\nmain;\u{1b}[2Jleaf 7\n").unwrap();
    for report in ["-top", "-tree", "-traces", "-flame", "-raw", "-collapsed"] {
        let text = stdout(&[report, file.to_str().unwrap()]);
        assert!(!text.contains('\u{1b}'), "{report}: {text:?}");
    }
}

#[test]
fn control_characters_in_names_are_escaped_in_messages() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("names.folded");
    std::fs::write(&file, "# in\u{1b}[31muse\u{202e} bytes\nmain;\u{1b}[2Jle\u{202e}af 7\n").unwrap();
    let file = file.to_str().unwrap();
    for args in
        [&["-top", "-sample_index=none"][..], &["-dot"], &["-symbolized"], &["-disasm=."], &["-top", "-buildid=\u{1b}[2J"], &["-list=."]]
    {
        let output = heapview(&[args, &[file]].concat());
        for text in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(text);
            assert!(!text.contains(['\u{1b}', '\u{202e}']), "{args:?}: {text:?}");
        }
    }
    let stderr = error(&["-top", "-sample_index=none", file]);
    assert!(stderr.contains("it has in\\u{1b}[31muse"), "{stderr}");
}

/// A server of the shop's dump, and its `host:port`.
fn served() -> (std::process::Child, String) {
    use std::io::{BufRead, BufReader};
    let mut child = command(&["-http=:", "-no_browser", "-no_token", SHOP[0], SHOP[1]]).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    while !line.contains("http://") {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "the server ended");
    }
    let address = line.split("http://").nth(1).unwrap().trim().trim_end_matches('/').to_owned();
    (child, address)
}

fn get(address: &str, path: &str) -> String {
    use std::io::Read;
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn pages_are_served_until_ctrl_c() {
    let (mut child, address) = served();
    assert!(get(&address, "/").contains("<!doctype html>"));
    assert!(get(&address, "/api/v1/top").contains("\"kind\":\"top\""));
    let stderr = error(&[&format!("-http={address}"), "-no_browser", SHOP[0], SHOP[1]]);
    assert!(stderr.contains("is already in use"), "{stderr}");
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let status = child.wait().unwrap();
    assert!(status.success(), "{status:?}");
}

#[test]
fn help_teaches_by_example() {
    let help = stdout(&["-help"]);
    for word in ["Examples:", "heapview -http=localhost:8080", "-base=first.heap", "-focus=", "-granularity=", "Exit status"] {
        assert!(help.contains(word), "{word} is not in the help");
    }
    expect![["heapview 0.1.0\n"]].assert_eq(&stdout(&["--version"]));
}

#[test]
fn a_report_may_be_named_behind_flags() {
    let args = ["bin/shop", "gperftools/shop.0001.heap", "gperftools/shop.0003.heap"];
    let expected = stdout(&[&["diff", "-csv"], &args[..]].concat());
    for order in [
        [&["-csv", "diff"], &args[..]].concat(),
        [&["-csv"], &args[..], &["diff"]].concat(),
        [&["-csv", "top", "diff"], &args[..]].concat(),
    ] {
        assert_eq!(stdout(&order), expected, "{order:?}");
    }
    assert_eq!(stdout(&["-nodecount", "3", SHOP[0], SHOP[1], "tree"]), stdout(&["tree", "-nodecount=3", SHOP[0], SHOP[1]]));
    assert_eq!(stdout(&[SHOP[0], "peek", "diff|merge|Cache", SHOP[1]]), stdout(&["peek", "diff|merge|Cache", SHOP[0], SHOP[1]]));
    let stderr = error(&["-http=:", "dif", "gperftools/shop.0001.heap", SHOP[1]]);
    assert!(stderr.contains("did you mean diff?"), "{stderr}");
}

#[test]
fn rows_fit_the_terminal_and_keep_their_names() {
    let long = "shop::book::Slab<T>::insert";
    for width in ["80", "100"] {
        let text = stdout(&["summary", &format!("-width={width}"), SHOP[0], SHOP[1]]);
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(
            longest <= width.parse().unwrap() && text.contains(&format!("  {long}")) && text.contains("held by shop::audit::blank_page"),
            "{text}"
        );
        let dumps: Vec<String> = (1..=24).map(|n| format!("gperftools/tides.{n:04}.heap")).collect();
        let flag = format!("-width={width}");
        let args: Vec<&str> = ["growth", &flag, "bin/tides"].into_iter().chain(dumps.iter().map(String::as_str)).collect();
        let text = stdout(&args);
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(longest <= width.parse().unwrap() && text.contains("leak, in steps atlas::chart"), "{text}");
        assert!(text.ends_with("since: dump 1 is tides.0001.heap\n"), "{text}");
    }
    assert!(stdout(&["summary", "-width=100", SHOP[0], SHOP[1]]).contains("shop::audit::blank_page  [shop, your code]  Vec<u8>"));
}

#[test]
fn empty_dumps_and_missing_labels_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("empty.heap");
    std::fs::write(&file, "heap profile: 0: 0 [0: 0] @ heapprofile\n\nMAPPED_LIBRARIES:\n").unwrap();
    let empty = file.to_str().unwrap();
    let text = stdout(&["summary", empty]);
    assert!(text.starts_with("The dump is empty: it records no allocation.\n") && !text.contains("Top memory holders"), "{text}");
    assert!(stdout(&["explain", empty]).contains("The profile has no samples."));
    assert!(stdout(&["summary", "-focus=nothing", SHOP[0], SHOP[1]]).starts_with("No samples match the filters."));
    let output = heapview(&["tags", empty]);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && output.stdout.is_empty() && stderr.contains("No labels in these samples"), "{stderr}");
    assert!(!String::from_utf8_lossy(&heapview(&["tags", SHOP[0], SHOP[1]]).stderr).contains("No labels"));
}

#[test]
fn a_truncated_dump_is_named_where_the_page_is_served() {
    use std::io::{BufRead, BufReader};
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cut.heap");
    let whole = std::fs::read(path("testdata/gperftools/shop.0003.heap")).unwrap();
    std::fs::write(&file, &whole[..5000]).unwrap();
    let mut child = command(&["-http=:", "-no_browser", file.to_str().unwrap()]).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    let stderr: Vec<String> = lines.take_while(|line| !line.contains("http://")).collect();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(stderr.iter().any(|line| line.contains("cut.heap") && line.contains("truncated")), "{stderr:?}");
}
