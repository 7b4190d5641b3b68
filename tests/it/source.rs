//! Source lines: files found and read, messages about missing ones, and the page.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use expect_test::{expect, expect_file};
use heapview::profile::{Function, Labels, Line, Profile, ProfileBuilder};
use heapview::query::SourcePaths;
use heapview::report::{Report, SourceEntry, SourceLines, SourceReport, SourceStep};
use heapview::sources::{Audience, Libraries, Sources};
use tempfile::TempDir;

use crate::fixture::{self, path};

const RUST: [&str; 4] =
    ["-source_path=programs/rust", "-trim_path=/heapview/testdata/programs/rust", "bin/shop", "gperftools/shop.0003.heap"];

fn heapview(args: &[&str]) -> Output {
    let mut command = fixture::program();
    command.args(args).current_dir(path("testdata")).env("PPROF_BINARY_PATH", "bin").env("TZ", "UTC").stdin(Stdio::null());
    command.output().unwrap()
}

fn stdout(args: &[&str]) -> String {
    let output = heapview(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_command_or_a_flag_requests_source_lines() {
    let by_flag = stdout(&[&["-list=blank_page"], &RUST[..]].concat());
    assert!(by_flag.starts_with("Total: 11.54MB\nROUTINE ======================== shop::audit::blank_page in audit.rs\n"), "{by_flag}");
    assert_eq!(stdout(&[&["list", "blank_page"], &RUST[..]].concat()), by_flag);
    // Limits and granularity do not change it, like in pprof.
    for more in ["-nodecount=1", "-nodefraction=0.9", "-functions", "-addresses", "-showcolumns"] {
        assert_eq!(stdout(&[&["-list=blank_page", more], &RUST[..]].concat()), by_flag, "{more}");
    }
}

#[test]
fn functions_that_no_expression_matches_are_an_error() {
    let output = heapview(&[&["-list=nosuch"], &RUST[..]].concat());
    assert_eq!(output.status.code(), Some(2));
    expect![[r#"
        heapview: no function matches "nosuch"; `top` lists the functions
    "#]]
    .assert_eq(&String::from_utf8(output.stderr).unwrap());
}

#[test]
fn addresses_select_the_enclosing_function() {
    let table = stdout(&["-top", "-addresses", "-nodefraction=0", "-focus=blank_page", RUST[2], RUST[3]]);
    let row = table.lines().find(|line| line.contains(" shop::audit::remember ")).unwrap();
    let address = row.split_whitespace().find(|word| word.len() == 16).unwrap();
    let listed = stdout(&[&[format!("-list=0x{address}").as_str()], &RUST[..]].concat());
    assert_eq!(listed.matches("ROUTINE").count(), 1, "{listed}");
    assert!(listed.contains(" shop::audit::remember in audit.rs"), "{listed}");
}

#[test]
fn a_difference_has_signs_and_both_sides_in_json() {
    let args = [&["-list=remember$", "-diff_base=gperftools/shop.0001.heap"], &RUST[..]].concat();
    let text = stdout(&args);
    assert!(text.contains("         .     4.12MB     10:    let mut page = blank_page();\n"), "{text}");
    let turned = ["-list=remember$", "-base=gperftools/shop.0003.heap", RUST[0], RUST[1], RUST[2], "gperftools/shop.0001.heap"];
    assert!(stdout(&turned).contains("         .    -4.12MB     10:"), "{}", stdout(&turned));
    let json: serde_json::Value = serde_json::from_str(&stdout(&[&args[..], &["--json"]].concat())).unwrap();
    let lines = &json["entry"][0]["lines"];
    let at = lines["number"].as_array().unwrap().iter().position(|n| n == 10).unwrap();
    assert_eq!((&lines["cum"][at], &lines["cum_base"][at]), (&6_480_000.into(), &2_160_000.into()), "{json}");
    let csv = stdout(&[&args[..], &["--csv"]].concat());
    assert!(csv.starts_with("function,file,line,flat,cum,flat_base,cum_base,text\r\n"), "{csv}");
    assert!(csv.contains("shop::audit::remember,audit.rs,10,0,6480000,0,2160000,    let mut page = blank_page();\r\n"), "{csv}");
}

#[test]
fn recursion_counts_once_in_a_line_and_in_a_function() {
    let json = stdout(&[&["-list=chain", "--json"], &RUST[..]].concat());
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let entry = report["entry"].as_array().unwrap().iter().find(|e| e["name"] == "shop::catalogue::chain").unwrap();
    let cum = |line: &serde_json::Value| line.as_i64().unwrap();
    let lines_total: i64 = entry["lines"]["cum"].as_array().unwrap().iter().map(cum).sum();
    // Every stack through the line that calls itself ends in another line.
    assert!(entry["cum"].as_i64().unwrap() < lines_total, "{entry}");
    assert!(entry["lines"]["cum"].as_array().unwrap().iter().all(|line| cum(line) <= entry["cum"].as_i64().unwrap()), "{entry}");
}

#[test]
fn missing_sources_are_reported_with_a_remedy() {
    let output = heapview(&["-list=remember$|spec_write_fmt", "-source_path=/nowhere", RUST[2], RUST[3]]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(" Error: open /heapview/testdata/programs/rust/audit.rs: no such file or directory\n"), "{text}");
    let notes = String::from_utf8(output.stderr).unwrap();
    assert!(notes.contains("the source file /heapview/testdata/programs/rust/audit.rs was not found; set -source_path"), "{notes}");
    assert!(notes.contains("rustup component add rust-src"), "{notes}");
}

/// A profile of stacks such as `main@a.rs:1+7;load@a.rs:20+22 96`: function, file, first line
/// of the function (0: not known) and line, root first. `load/inner` is inlined: one address.
fn drawn(stacks: &str) -> Profile {
    let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
    let mut addresses: Vec<String> = Vec::new();
    for stack in stacks.lines() {
        let (frames, value) = stack.rsplit_once(' ').unwrap();
        let mut path = Vec::new();
        for location in frames.split(';') {
            let lines: Vec<Line> = location.split('/').map(|frame| line(&mut b, frame)).collect();
            let known = addresses.iter().position(|a| a == location);
            let address = known.unwrap_or_else(|| {
                addresses.push(location.to_owned());
                addresses.len() - 1
            });
            path.push(b.location(None, 0x1000 + address as u64, &lines.into_iter().rev().collect::<Vec<_>>()));
        }
        path.reverse();
        b.sample(&path, Labels::NONE, &[value.parse().unwrap()]);
    }
    b.build()
}

fn line(b: &mut ProfileBuilder, frame: &str) -> Line {
    let (name, place) = frame.split_once('@').unwrap();
    let (file, lines) = place.split_once(':').unwrap();
    let (start, line) = lines.split_once('+').unwrap();
    let (name, filename) = (b.string(name), b.string(file));
    let function = b.function(Function { name, system_name: name, filename, start_line: start.parse().unwrap(), ..Function::default() });
    Line { function: Some(function), line: line.parse().unwrap(), column: 0 }
}

/// Each function as `name file range: line=flat/cum …`.
fn listed(profile: &Profile, question: &str) -> Vec<String> {
    let Report::Source(report) = fixture::ask(profile, question) else { panic!("{question}") };
    let entry = |e: &SourceEntry| {
        let lines = &e.lines;
        let line = |i: usize| format!(" {}={}/{}", lines.number[i], lines.flat[i], lines.cum[i]);
        let lines: String = (0..lines.number.len()).map(line).collect();
        format!("{} {} {}-{} {}/{}:{lines}", e.name, e.file, e.first_line, e.last_line, e.flat, e.cum)
    };
    report.entry.iter().map(entry).collect()
}

#[test]
fn lines_include_callees_and_inlined_calls_are_separate() {
    let profile = drawn("main@a.rs:1+7;load@a.rs:20+22/inner@b.rs:0+50 96\nmain@a.rs:1+8;load@a.rs:20+23 4\n");
    let all = ["inner b.rs 45-55 96/96: 50=96/96", "load a.rs 20-28 4/100: 22=0/96 23=4/4", "main a.rs 1-13 0/100: 7=0/96 8=0/4"];
    assert_eq!(listed(&profile, "source"), all);
    assert_eq!(listed(&profile, "source list=load"), all[1..2]);
    assert_eq!(listed(&profile, "source list=load noinlines"), ["load a.rs 20-28 100/100: 22=96/96 23=4/4"]);
    assert_eq!(listed(&profile, "source list=load focus=inner"), ["load a.rs 20-27 0/96: 22=0/96"]);
    assert_eq!(listed(&profile, "source list=load hide=inner"), ["load a.rs 20-28 100/100: 22=96/96 23=4/4"]);
    // By file where that is requested, and by address.
    assert_eq!(listed(&profile, "source list=a.rs list_files"), all[1..]);
    assert_eq!(listed(&profile, "source list=0x1001"), all[1..2]);
}

#[test]
fn a_function_that_calls_itself_counts_a_stack_once() {
    let profile = drawn("f@a.rs:1+5;f@a.rs:1+6;f@a.rs:1+5 10\nf@a.rs:1+5 1\n");
    assert_eq!(listed(&profile, "source"), ["f a.rs 1-11 11/11: 5=11/11 6=0/10"]);
}

#[test]
fn functions_of_one_name_are_shown_from_the_first_to_the_last_line() {
    // pprof forgets the end when the function that begins first comes second.
    let profile = drawn("f@a.rs:100+105 1\nf@a.rs:50+120 2\nf@b.rs:9+3 4\n");
    assert_eq!(listed(&profile, "source"), ["f a.rs 50-125 3/3: 105=1/1 120=2/2", "f b.rs 3-8 4/4: 3=4/4"]);
}

#[test]
fn context_lines_can_be_limited() {
    let profile = drawn("f@a.rs:1+5 1\nf@a.rs:1+90 20\nf@a.rs:1+92 3\nf@a.rs:1+200 4\n");
    assert_eq!(listed(&profile, "source list_around=3"), ["f a.rs 87-93 28/28: 90=20/20 92=3/3"]);
    assert_eq!(listed(&profile, "source list_around=0"), ["f a.rs 90-90 28/28: 90=20/20"]);
    // Not beyond where the function begins.
    assert_eq!(listed(&profile, "source list_around=3 focus=f ignore=g"), listed(&profile, "source list_around=3"));
    assert_eq!(listed(&drawn("f@a.rs:9+10 1\n"), "source list_around=3"), ["f a.rs 9-13 1/1: 10=1/1"]);
}

#[test]
fn functions_without_a_file_are_named() {
    let profile = drawn("f@:0+0;g@a.rs:1+0 1\nf@a.rs:1+2 1\n");
    let text = fixture::text(&profile, "source list=.");
    let expected = [
        "Total: 2B",
        "ROUTINE ======================== f in a.rs",
        "        1B         1B (flat, cum) 50.00% of Total",
        "ROUTINE ======================== g in a.rs",
        "        1B         1B (flat, cum) 50.00% of Total",
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), expected, "{text}");
    let text = fixture::text(&drawn("f@:0+0 1\n"), "source list=f");
    assert_eq!(text, "Total: 1B\nNo source information for f\n");
}

/// A report of one line of each file.
fn report(files: &[&str]) -> SourceReport {
    let entry = files.iter().map(|file| SourceEntry {
        name: format!("of {file}"),
        file: (*file).to_owned(),
        first_line: 1,
        last_line: 6,
        lines: SourceLines { number: vec![2], text: vec![None], flat: vec![5], cum: vec![7], ..SourceLines::default() },
        ..SourceEntry::default()
    });
    SourceReport { entry: entry.collect(), ..SourceReport::default() }
}

/// The text of the second line, or the problem.
fn second_lines(sources: &Sources, files: &[&str]) -> Vec<String> {
    let mut report = report(files);
    sources.attach(&mut report);
    let second = |e: &SourceEntry| {
        let at = e.lines.number.iter().position(|&n| n == 2).unwrap();
        e.lines.text[at].clone().unwrap_or_else(|| e.problem.clone())
    };
    report.entry.iter().map(second).collect()
}

/// `home/me/project/src/a.rs` and so on, each with its own path as second line.
fn disk() -> TempDir {
    let disk = tempfile::tempdir().unwrap();
    for file in [
        "etc/secret",
        "home/me/key",
        "home/me/project/src/a.rs",
        "home/me/project/b.rs",
        "home/me/project/library/alloc/src/vec.rs",
        "toolchain/lib/rustlib/src/rust/library/core/src/cell.rs",
    ] {
        let path = disk.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("first\n{file}\nthird\n")).unwrap();
    }
    disk
}

fn paths(search: &str, trim: &str) -> SourcePaths {
    SourcePaths { search: search.into(), trim: trim.into() }
}

fn join(disk: &TempDir, path: &str) -> String {
    disk.path().canonicalize().unwrap().join(path).to_string_lossy().into_owned()
}

fn of(disk: &TempDir, search: &str, trim: &str) -> Sources {
    let (current, home) = (join(disk, "home/me/project/src"), join(disk, "home/me"));
    Sources::new(&paths(search, trim), Path::new(&current), Some(Path::new(&home)))
}

#[test]
fn files_are_searched_in_the_folder_and_its_parents() {
    let disk = disk();
    let found = second_lines(&of(&disk, "", ""), &["a.rs", "src/a.rs", "b.rs", "project/b.rs", "nowhere.rs"]);
    assert_eq!(found[..4], ["home/me/project/src/a.rs", "home/me/project/src/a.rs", "home/me/project/b.rs", "home/me/project/b.rs"]);
    assert_eq!(found[4], format!("could not find file nowhere.rs on path {}", join(&disk, "home/me/project/src")));
    // The name of a folder that is searched is the hint of what to cut off.
    let project = join(&disk, "home/me/project");
    let found = second_lines(&of(&disk, &project, ""), &["/elsewhere/project/src/a.rs", "/elsewhere/other/src/a.rs"]);
    assert_eq!(found, ["home/me/project/src/a.rs", "open /elsewhere/other/src/a.rs: no such file or directory"]);
    let found = second_lines(&of(&disk, &format!("/nowhere:{project}"), "/elsewhere/other"), &["/elsewhere/other/src/a.rs"]);
    assert_eq!(found, ["home/me/project/src/a.rs"]);
}

#[test]
fn the_standard_library_is_found_in_a_toolchain() {
    let disk = disk();
    let names = ["/rustc/0123abcd/library/core/src/cell.rs", "/rustc/0123abcd/library/alloc/src/vec.rs"];
    let both = format!("{}:{}", join(&disk, "toolchain"), join(&disk, "home/me/project"));
    let cell = "toolchain/lib/rustlib/src/rust/library/core/src/cell.rs";
    assert_eq!(second_lines(&of(&disk, &both, ""), &names), [cell, "home/me/project/library/alloc/src/vec.rs"]);
    let rust_src = join(&disk, "toolchain/lib/rustlib/src/rust");
    assert_eq!(second_lines(&of(&disk, &rust_src, ""), &names[..1]), [cell]);
}

#[test]
fn paths_with_parent_components_stay_in_the_project() {
    let disk = disk();
    let found = second_lines(&of(&disk, "", ""), &["../b.rs", "../../key", "../../../../etc/secret", "x/../../../../../etc/secret"]);
    assert_eq!(found[0], "home/me/project/b.rs");
    assert!(found[1..].iter().all(|problem| problem.starts_with("could not find file ")), "{found:?}");
}

#[test]
fn a_server_reads_only_what_was_named() {
    let disk = disk();
    let write = |file: &str| {
        let path = disk.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, format!("first\n{file}\nthird\n")).unwrap();
    };
    let hidden = ["home/me/project/.env", "home/me/project/src/.hidden.rs", "home/me/project/.vault/a.rs", "home/me/project/src/id_rsa"];
    let outside = ["home/me/above.rs", "etc/secret.rs", "etc/secret", "home/me/key"];
    hidden.iter().chain(&outside).for_each(|file| write(file));
    let a = join(&disk, "home/me/project/src/a.rs");
    let refused: Vec<String> = hidden.iter().chain(&outside).map(|file| join(&disk, file)).collect();
    let refused =
        refused.iter().map(String::as_str).chain(["../../above.rs", "above.rs", "key", "secret.rs", "../.env", ".env", "src/../.env"]);
    let requested: Vec<&str> = [a.as_str(), "b.rs"].into_iter().chain(refused).chain(["/no/such/file.rs", "nosuch.rs"]).collect();
    let by_default = || second_lines(&of(&disk, "", "").confined(), &requested);
    // One sentence, whether there is such a file or not.
    let is_refused = |(file, message): (&&str, &String)| {
        *message == format!("could not find source file {file} in the directories that may be read; -source_path adds directories")
    };
    let all_refused = |messages: &[String], from: usize| {
        requested.iter().zip(messages).skip(from).for_each(|(file, message)| assert!(is_refused((file, message)), "{file}: {message}"));
    };
    // Without a repository the current folder is the project, with one the repository.
    assert_eq!(by_default()[0], "home/me/project/src/a.rs");
    all_refused(&by_default(), 1);
    fs::create_dir(join(&disk, "home/me/project/.git")).unwrap();
    write("home/me/project/.git/config.rs");
    assert_eq!(by_default()[..2], ["home/me/project/src/a.rs", "home/me/project/b.rs"]);
    all_refused(&by_default(), 2);
    // A home or a system under version control is no project.
    fs::remove_dir_all(join(&disk, "home/me/project/.git")).unwrap();
    fs::create_dir_all(join(&disk, "home/me/.git")).unwrap();
    all_refused(&by_default(), 1);
    // A link does not lead out, and not to what is hidden.
    #[cfg(unix)]
    for to in ["etc/secret.rs", "home/me/project/.env", "home/me/project/src/id_rsa"] {
        let link = join(&disk, "home/me/project/src/link.rs");
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(join(&disk, to), &link).unwrap();
        let requested = [link.as_str(), "link.rs"];
        let messages = second_lines(&of(&disk, "", "").confined(), &requested);
        assert!(requested.iter().zip(&messages).all(is_refused), "{to}: {messages:?}");
    }
    // Of what is named that alone, without its parents, and source code only.
    let named = second_lines(&of(&disk, &join(&disk, "home/me/project/src"), "").confined(), &requested);
    assert_eq!(named[0], "home/me/project/src/a.rs");
    all_refused(&named, 1);
    let (above, key) = (join(&disk, "home/me/above.rs"), join(&disk, "home/me/key"));
    let home = second_lines(&of(&disk, &join(&disk, "home/me"), "").confined(), &[&above, &key]);
    assert!(home[0] == "home/me/above.rs" && is_refused((&key.as_str(), &home[1])), "{home:?}");
    // Without a word about sources nothing is read at all.
    assert_eq!(second_lines(&Sources::default(), &[&a]), ["sources are not read here"]);
}

#[test]
fn profiles_from_elsewhere_open_files_in_named_folders_only() {
    let disk = disk();
    let a = join(&disk, "home/me/project/src/a.rs");
    let serde = "serde-1.0.1/src/lib.rs";
    let requested = [a.as_str(), "a.rs", serde, "/no/such/file.rs"];
    let by = |search: &str, is_own: bool| {
        let mut report = report(&requested);
        let sources = of(&disk, search, "").with_libraries(libraries(&disk)).confined();
        sources.attach_at_most(&mut report, 10_000, &Audience { is_elsewhere: false, is_own: &|_| is_own });
        report.entry.iter().map(|e| if e.problem.is_empty() { "read".to_owned() } else { e.problem.clone() }).collect::<Vec<_>>()
    };
    assert_eq!(by("", true)[..3], ["read", "read", "read"]);
    let refused = by("", false);
    assert!(refused.iter().all(|message| message.contains("was opened in the page or fetched")), "{refused:?}");
    let named = by(&join(&disk, "home/me/project/src"), false);
    assert!(named[..2] == ["read", "read"] && named[2..].iter().all(|message| message.contains("fetched")), "{named:?}");
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_opened() {
    let disk = disk();
    let pipe = join(&disk, "pipe.rs");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let folder = join(&disk, "home");
    let found = second_lines(&of(&disk, "", ""), &[&pipe, "/dev/zero", &folder]);
    let expected = [pipe.as_str(), "/dev/zero", &folder].map(|path| format!("{path} is not a regular file"));
    assert_eq!(found, expected);
}

#[test]
fn long_sources_are_not_shown() {
    let disk = disk();
    let long = join(&disk, "long.rs");
    fs::File::create(&long).unwrap().set_len(17 << 20).unwrap();
    assert_eq!(second_lines(&of(&disk, "", ""), &[&long]), [format!("{long} exceeds 16 MiB, the limit for source files")]);
    // Many functions of one long file do not make a report of gigabytes.
    fs::write(&long, format!("{}\n", "x".repeat(999)).repeat(16 << 10)).unwrap();
    let mut many = report(&[long.as_str(); 10]);
    many.entry.iter_mut().for_each(|e| e.last_line = i64::MAX);
    of(&disk, "", "").attach(&mut many);
    let text = |e: &SourceEntry| e.lines.text.iter().flatten().map(String::len).sum::<usize>();
    assert!(many.entry.iter().map(text).sum::<usize>() <= 64 << 20);
    assert_eq!(many.entry.iter().filter(|e| text(e) > 16_000_000).count(), 4);
    // Of the others there are the lines near those that hold something.
    assert_eq!(many.entry.iter().map(|e| e.lines.number.len()).min(), Some(102));
    assert_eq!(many.header.warnings, [format!("showing only lines of {long} near those with memory")]);
    // If not even these fit, there is a warning; the heaviest comes first.
    let mut two = report(&[long.as_str(); 2]);
    two.entry.iter_mut().for_each(|e| e.last_line = i64::MAX);
    two.entry[1].cum = 100;
    of(&disk, "", "").attach_at_most(&mut two, 10_000, &Audience::HERE);
    assert_eq!(two.entry[1].lines.number, [1, 2, 3, 4, 5, 6, 7]);
    assert!(two.entry[0].problem.starts_with("omitted: the report already has 10 kB of source text"), "{}", two.entry[0].problem);
}

/// A machine with packages, toolchains and secrets beside them.
fn libraries(disk: &TempDir) -> Libraries {
    let write = |file: &str, text: &str| {
        let path = disk.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    for file in [
        "cargo/registry/src/index.crates.io-6f17d22bba15001f/serde-1.0.1/src/lib.rs",
        "cargo/git/checkouts/ledger-0a1b2c/3d4e5f6/src/book.rs",
        "cargo/credentials.toml",
        "rustup/toolchains/1.95.0-x86/lib/rustlib/src/rust/library/core/src/cell.rs",
        "rustup/toolchains/nightly-x86/lib/rustlib/src/rust/library/core/src/cell.rs",
        "rustup/settings.toml",
        "go/github.com/!azure/sdk@v1.2.3/Client.go",
        "include/c++/13/bits/vector.h",
    ] {
        write(file, &format!("first\n{file}\nthird\n"));
    }
    for (toolchain, version) in [
        ("1.95.0-x86", "1.95.0 (59807616e 2026-04-14)"),
        ("nightly-x86", "1.97.0-nightly (abcdef012 2026-05-01)"),
        ("old", "1.80.0 (051478957 2024-07-21)"),
    ] {
        let manifest = format!("[pkg.rust]\nversion = \"0.0.0\"\n\n[pkg.rustc]\nversion = \"{version}\"\n\n[pkg.rustc.target.x]\n");
        write(&format!("rustup/toolchains/{toolchain}/lib/rustlib/multirust-channel-manifest.toml"), &manifest);
    }
    let at = |folder: &str| Some(disk.path().join(folder));
    Libraries {
        cargo: at("cargo"),
        rustup: at("rustup"),
        go_modules: at("go"),
        fixed: Vec::from_iter(at("include")),
        ..Libraries::default()
    }
}

#[test]
fn sources_of_packages_and_standard_libraries_are_found() {
    let disk = disk();
    let of = |file: &str| second_lines(&of(&disk, "", "").with_libraries(libraries(&disk)).confined(), &[file]).remove(0);
    let serde = "cargo/registry/src/index.crates.io-6f17d22bba15001f/serde-1.0.1/src/lib.rs";
    for elsewhere in [
        "/home/ci/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/serde-1.0.1/src/lib.rs",
        "serde-1.0.1/src/lib.rs",
        "index.crates.io-1/serde-1.0.1/src/lib.rs",
    ] {
        assert_eq!(of(elsewhere), serde);
    }
    let book = "cargo/git/checkouts/ledger-0a1b2c/3d4e5f6/src/book.rs";
    assert_eq!(of("/root/.cargo/git/checkouts/ledger-0a1b2c/3d4e5f6/src/book.rs"), book);
    // The toolchain of that commit, not any other.
    let cell = |toolchain: &str| format!("rustup/toolchains/{toolchain}/lib/rustlib/src/rust/library/core/src/cell.rs");
    assert_eq!(of("/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/core/src/cell.rs"), cell("1.95.0-x86"));
    assert_eq!(of("/rustc/abcdef0123456789abcdef0123456789abcdef01/library/core/src/cell.rs"), cell("nightly-x86"));
    assert_eq!(of(&join(&disk, &cell("nightly-x86"))), cell("nightly-x86"));
    let go = "go/github.com/!azure/sdk@v1.2.3/Client.go";
    for elsewhere in ["/root/go/pkg/mod/github.com/!azure/sdk@v1.2.3/Client.go", "github.com/Azure/sdk@v1.2.3/Client.go"] {
        assert_eq!(of(elsewhere), go);
    }
    assert_eq!(of(&join(&disk, "include/c++/13/bits/vector.h")), "include/c++/13/bits/vector.h");
}

#[test]
fn only_files_of_packages_are_read() {
    let disk = disk();
    let libraries = libraries(&disk);
    let crate_folder = disk.path().join("cargo/registry/src/index.crates.io-6f17d22bba15001f/serde-1.0.1");
    let mut requested = vec![
        join(&disk, "cargo/credentials.toml"),
        join(&disk, "rustup/settings.toml"),
        join(&disk, "include/../etc/secret"),
        "/x/registry/src/i/serde-1.0.1/../../../../credentials.toml".to_owned(),
        "/x/git/checkouts/../../credentials.toml".to_owned(),
        "/rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/../../../../../../../settings.toml".to_owned(),
        "/x/pkg/mod/../../etc/secret".to_owned(),
        "serde-1.0.1/../../../../credentials.toml".to_owned(),
    ];
    #[cfg(unix)]
    {
        // A package may hold a link to anywhere.
        std::os::unix::fs::symlink(join(&disk, "etc/secret"), crate_folder.join("link.rs")).unwrap();
        std::os::unix::fs::symlink(join(&disk, "etc"), crate_folder.join("folder")).unwrap();
        requested.extend(["serde-1.0.1/link.rs".to_owned(), "serde-1.0.1/folder/secret".to_owned()]);
    }
    let requested: Vec<&str> = requested.iter().map(String::as_str).collect();
    let found = second_lines(&of(&disk, "", "").with_libraries(libraries).confined(), &requested);
    let is_refused = |text: &String| text.starts_with("could not find");
    assert!(found.iter().all(is_refused), "{found:?}");
}

#[test]
fn missing_files_are_listed_once_with_paths_and_advice() {
    let disk = disk();
    let sources = || of(&disk, "", "").with_libraries(libraries(&disk)).confined();
    let names = [
        "/rustc/0123456789/library/core/src/cell.rs",
        "/rustc/051478957371ee0084a7c0913941d2a8c4757bb9/library/core/src/cell.rs",
        "/build/shop/src/cache.rs",
        "/build/shop/src/cache.rs",
        "gone.c",
        "/x/registry/src/i/absent-1.2.3/src/lib.rs",
    ];
    let mut lines = report(&names);
    sources().attach(&mut lines);
    let shown: String = lines.missing.iter().map(|m| format!("{}\n  {}\n  => {}\n", m.file, m.tried.join("\n  "), m.advice)).collect();
    expect![[r#"
        /build/shop/src/cache.rs
          /build/shop/src/cache.rs
          => -source_path=DIR -trim_path=/build/shop, where DIR has the contents of /build/shop
        /rustc/0123456789/library/core/src/cell.rs
          /rustc/0123456789/library/core/src/cell.rs
          DISK/home/me/project/src
          => no toolchain here is rustc 012345678: install the one that built the program with rust-src, or show another version's sources with -source_path=.:$(rustc --print sysroot)/lib/rustlib/src/rust
        /rustc/051478957371ee0084a7c0913941d2a8c4757bb9/library/core/src/cell.rs
          /rustc/051478957371ee0084a7c0913941d2a8c4757bb9/library/core/src/cell.rs
          DISK/home/me/project/src
          DISK/rustup/toolchains/old/lib/rustlib/src/rust/library/core/src/cell.rs
          => rustup component add rust-src --toolchain old
        /x/registry/src/i/absent-1.2.3/src/lib.rs
          /x/registry/src/i/absent-1.2.3/src/lib.rs
          DISK/cargo/registry/src/index.crates.io-6f17d22bba15001f/absent-1.2.3/src/lib.rs
          => run cargo fetch in the program's source directory
        gone.c
          DISK/home/me/project/src
          => -source_path=DIR, where DIR contains it
    "#]]
    .assert_eq(&shown.replace(&*disk.path().canonicalize().unwrap().to_string_lossy(), "DISK"));
    // Remote clients learn the reason, not the path.
    let a = join(&disk, "home/me/project/src/a.rs");
    let mut owner = report(&["gone.c", &a]);
    sources().attach(&mut owner);
    assert_eq!((owner.missing[0].tried.len(), owner.entry[1].path.as_str()), (1, a.as_str()));
    let mut silent = report(&["gone.c", &a]);
    sources().silent().attach(&mut silent);
    assert_eq!((silent.missing[0].tried.len(), silent.entry[1].path.as_str()), (0, ""));
    let message = "could not find source file gone.c in the directories that may be read; -source_path adds directories";
    assert_eq!((owner.entry[0].problem.as_str(), silent.entry[0].problem.as_str()), (message, "could not find file gone.c"));
}

/// The steps of every entry: `name:line depth callee@file:line (inline) value`.
fn steps(profile: &Profile, question: &str) -> Vec<String> {
    let Report::Source(report) = fixture::ask(profile, question) else { panic!("{question}") };
    let step = |e: &SourceEntry, s: &SourceStep| {
        let call = &e.call[s.call];
        let inline = if s.inlined { " inline" } else { "" };
        format!("{}:{} {} {}@{}:{}{inline} {}", e.name, s.line, s.depth, call.name, call.file, call.line, s.value)
    };
    report.entry.iter().flat_map(|e| e.step.iter().map(|s| step(e, s)).collect::<Vec<_>>()).collect()
}

#[test]
fn lines_link_to_callees_through_inlined_calls() {
    let profile = drawn(
        "main@a.rs:1+7;load@a.rs:20+22/grow@b.rs:9+10/push@b.rs:0+50;alloc@c.c:3+4 96\n\
         main@a.rs:1+7;load@a.rs:20+22/grow@b.rs:9+11;alloc@c.c:3+5 30\n\
         main@a.rs:1+7;load@a.rs:20+22;alloc@c.c:3+4 5\n",
    );
    let expected = [
        "load:22 0 grow@b.rs:10 inline 96",
        "load:22 1 push@b.rs:50 inline 96",
        "load:22 2 alloc@c.c:3 96",
        "load:22 0 grow@b.rs:11 inline 30",
        "load:22 1 alloc@c.c:3 30",
        "load:22 0 alloc@c.c:3 5",
    ];
    assert_eq!(steps(&profile, "source list=load line_calls"), expected);
    assert_eq!(steps(&profile, "source list=main line_calls"), ["main:7 0 load@a.rs:20 131"]);
    assert_eq!(steps(&profile, "source list=push line_calls"), ["push:50 0 alloc@c.c:3 96"]);
    assert_eq!(steps(&profile, "source list=load line_calls noinlines"), ["load:22 0 alloc@c.c:3 131"]);
    assert_eq!(steps(&profile, "source list=load"), [""; 0]);
    let text = fixture::text(&profile, "source list=load line_calls");
    assert!(text.starts_with("Total: 131B\nROUTINE ======================== load in a.rs\n"), "{text}");
}

#[test]
fn recursive_lines_count_callees_once() {
    let profile = drawn("f@a.rs:1+5;f@a.rs:1+5;g@a.rs:20+21 10\nf@a.rs:1+5;g@a.rs:20+21;f@a.rs:1+5;g@a.rs:20+22 1\n");
    assert_eq!(steps(&profile, "source list=^f$ line_calls"), ["f:5 0 g@a.rs:20 11", "f:5 0 f@a.rs:1 10"]);
}

#[test]
fn code_is_printed_below_its_line_in_the_terminal() {
    let text = stdout(&[&["-list=audit::remember$", "-line_code", "-line_calls"], &RUST[..]].concat());
    let at = text.find("let mut page = blank_page();").unwrap();
    let below: Vec<&str> = text[at..].lines().skip(1).collect();
    assert_eq!(
        below[0].split_whitespace().collect::<Vec<_>>(),
        ["6.18MB", "->", "shop::audit::blank_page", "audit.rs:24", "(inline)"],
        "{text}"
    );
    assert!(below.iter().any(|line| line.contains("callq")), "{text}");
    let intel = stdout(&[&["-list=audit::remember$", "-line_code", "-intel_syntax"], &RUST[..]].concat());
    assert!(intel.contains(": call ") && !intel.contains("callq"), "{intel}");
}

#[test]
fn lines_that_the_file_does_not_have_keep_their_weight() {
    let disk = disk();
    let mut one = report(&[&join(&disk, "home/me/project/b.rs")]);
    one.entry[0].lines =
        SourceLines { number: vec![0, 3, 900], text: vec![None; 3], flat: vec![1, 2, 3], cum: vec![4, 5, 6], ..SourceLines::default() };
    one.entry[0].last_line = 905;
    of(&disk, "", "").attach(&mut one);
    let lines = &one.entry[0].lines;
    assert_eq!(lines.number, [0, 1, 2, 3, 900]);
    assert_eq!(lines.cum, [4, 0, 0, 5, 6]);
    assert_eq!(lines.text.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, true, true, false]);
    assert!(one.header.warnings[0].contains("has fewer lines than the profile refers to"), "{:?}", one.header.warnings);
}

#[test]
fn the_page_has_lines_code_and_inlined_calls() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let output = format!("-output={}", file.display());
    let run = heapview(&[&["-weblist=remember", &output], &RUST[..]].concat());
    assert!(run.status.success() && run.stdout.is_empty(), "{run:?}");
    let page = fs::read_to_string(&file).unwrap();
    // Nothing runs and nothing is fetched.
    for absent in ["<script", "javascript:", "onclick", "http://", "https://", "src="] {
        assert!(!page.contains(absent), "{absent}");
    }
    assert!(page.contains("callq *"), "no machine code");
    assert!(page.contains("<div class=\"call\">"), "no inlined call");
    let main = &page[page.find("<main>").unwrap()..page.find("</main>").unwrap()];
    expect_file!["../../testdata/gperftools/shop.0003.weblist.html"].assert_eq(main);
}

#[test]
fn the_page_without_the_program_still_has_the_lines() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("page.html");
    let output = format!("-output={}", file.display());
    let run = heapview(&["-weblist=remember", &output, RUST[0], RUST[1], "pprof/shop.0003.pb.gz"]);
    assert!(run.status.success(), "{run:?}");
    let page = fs::read_to_string(&file).unwrap();
    assert!(page.contains("let mut page = blank_page();"), "{page}");
}

#[test]
fn names_and_sources_are_text_in_the_page() {
    let mut hostile = report(&["<b>&.rs"]);
    hostile.entry[0].name = "<script>alert(1)</script>".into();
    hostile.entry[0].lines.text = vec![Some("</span><img src=x>".into())];
    hostile.header.warnings = vec!["<i>".into()];
    let mut page = Vec::new();
    heapview::render::weblist(&hostile, &|_| String::new(), &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    for tag in ["<script", "<img", "<b>&", "<i>"] {
        assert!(!page.contains(tag), "{tag}");
    }
}

#[test]
fn the_api_answers_with_text_and_takes_no_paths() {
    let session = |sources: Sources| {
        let parsed =
            heapview::parse::parse(&fs::read(path("testdata/pprof/shop.0003.pb.gz")).unwrap(), &heapview::parse::ParseOptions::default());
        let files = heapview::annotate::Files::new(sources, heapview::annotate::Code::default());
        (Arc::new(heapview::session::Session::new(parsed.unwrap().profile, Vec::new())), Arc::new(files))
    };
    let rust = path("testdata/programs/rust");
    let given = paths(&rust.to_string_lossy(), "");
    let s = session(Sources::new(&given, &rust, None).confined());
    let (status, report) = crate::api::json(&s, "/api/v1/source?list=remember");
    assert_eq!(status, 200, "{report}");
    let entry = &report["entry"][0];
    assert_eq!((&entry["file"], &entry["first_line"]), (&"audit.rs".into(), &9.into()), "{entry}");
    assert!(entry["lines"]["text"][1].as_str().unwrap().contains("blank_page()"), "{entry}");
    assert_eq!(report["header"]["query"], serde_json::json!([["list", "remember"]]));
    for field in ["source_path", "trim_path"] {
        let (status, error) = crate::api::json(&s, &format!("/api/v1/source?list=remember&{field}=/etc"));
        assert_eq!((status.as_u16(), &error["field"]), (400, &field.into()), "{error}");
    }
    let (status, error) = crate::api::json(&s, "/api/v1/source?list=nosuch");
    assert_eq!((status.as_u16(), &error["field"]), (404, &"list".into()), "{error}");
    // Code is not read here, which is reported.
    let with_code = crate::api::json(&s, "/api/v1/source?list=remember&line_code=t&line_calls=t").1;
    assert_eq!(with_code["header"]["warnings"][0], "no instructions: this server reads no binaries", "{with_code}");
    assert!(with_code["entry"][0]["step"].as_array().is_some_and(|steps| !steps.is_empty()), "{with_code}");
    let closed = crate::api::json(&session(Sources::default()), "/api/v1/source?list=remember").1;
    assert_eq!(closed["entry"][0]["problem"], "sources are not read here");
}

#[test]
fn answers_with_code_stay_small() {
    let read = |file: &str| fs::read(path("testdata").join(file)).unwrap();
    let options = heapview::parse::ParseOptions::default();
    let parsed = heapview::parse::parse(&read("gperftools/shop.0003.heap"), &options).unwrap().profile;
    let binaries = heapview::symbolize::Options { binary: Some(path("testdata/bin/shop")), ..heapview::symbolize::Options::default() };
    let named = parsed.clone().renamed(&heapview::symbolize::symbolize(&parsed, &binaries, &()).names);
    let rust = path("testdata/programs/rust");
    let sources = Sources::new(&paths(&rust.to_string_lossy(), ""), &rust, None).confined();
    let code = heapview::annotate::Code::new(binaries);
    let s = (Arc::new(heapview::session::Session::new(named, Vec::new())), Arc::new(heapview::annotate::Files::new(sources, code)));
    let (response, body) = crate::api::get(&s, "/api/v1/source?list=.&line_code=t&line_calls=t");
    assert_eq!(response.status(), 200);
    assert!(body.len() < 500_000, "{} bytes", body.len());
    let all: serde_json::Value = serde_json::from_slice(&body).unwrap();
    let with_lines = |e: &&serde_json::Value| !e["lines"]["number"].as_array().unwrap().is_empty();
    assert_eq!(all["entry"].as_array().unwrap().iter().filter(with_lines).count(), 1);
    let report = crate::api::json(&s, "/api/v1/source?list=remember&line_code=t&line_calls=t").1;
    let entries = report["entry"].as_array().unwrap();
    let remember = entries.iter().find(|e| e["name"] == "shop::audit::remember").unwrap();
    let call = remember["code"].as_array().unwrap().iter().find(|c| c["cum"] != 0).unwrap();
    assert_eq!(call["line"], 10, "{call}");
    let inner = &remember["call"][call["calls"].as_array().unwrap().last().unwrap().as_u64().unwrap() as usize];
    assert!(inner["name"].as_str().unwrap().contains("with_capacity_in"), "{inner}");
}

/// A profile names files, and may come from anyone: `list` prints source code of the project and of named folders only.
#[test]
fn the_command_line_prints_no_file_but_source_code() {
    let disk = tempfile::tempdir().unwrap();
    let at = |name: &str| disk.path().join(name).canonicalize().unwrap().display().to_string();
    for name in ["project/.git/config", "project/.env", "project/a.c", "project/keys.txt", "else/b.c"] {
        let to = disk.path().join(name);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(&to, "line one\nSECRET\n").unwrap();
    }
    let naming = |file: &str| {
        let mut builder = ProfileBuilder::new(&[("inuse_space", "bytes")]);
        let [name, filename] = ["f", file].map(|text| builder.string(text));
        let function = builder.function(Function { name, system_name: name, filename, start_line: 1, ..Function::default() });
        let location = builder.location(None, 0x1000, &[Line { function: Some(function), line: 2, column: 0 }]);
        builder.sample(&[location], Labels::NONE, &[96]);
        builder.build()
    };
    let list = |file: &str, more: &[&str]| {
        let mut dump = Vec::new();
        heapview::export::write_pprof(&naming(file), &mut dump).unwrap();
        let to = disk.path().join("dump.pb.gz");
        fs::write(&to, dump).unwrap();
        let args = [&["-list=f"], more, &[to.to_str().unwrap()]].concat();
        let output = fixture::program().args(args).current_dir(disk.path().join("project")).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(list(&at("project/a.c"), &[]).contains("SECRET"));
    for hidden in ["/etc/passwd", &at("project/.env"), &at("project/keys.txt"), &at("else/b.c"), ".env", "../else/b.c"] {
        let text = list(hidden, &[]);
        assert!(text.contains("Error: ") && !text.contains("SECRET") && !text.contains("root:"), "{hidden}: {text}");
        let is_elsewhere = hidden == "/etc/passwd" || hidden.ends_with("/else/b.c") && hidden.starts_with('/');
        assert!(!is_elsewhere || text.contains("-source_path=DIR adds a directory"), "{hidden}: {text}");
    }
    // Links count by the folder that they are in, and lead to source code only.
    std::os::unix::fs::symlink(disk.path().join("else/b.c"), disk.path().join("project/link.c")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", disk.path().join("project/users.c")).unwrap();
    assert!(list("link.c", &[]).contains("SECRET"));
    assert!(!list("users.c", &[]).contains("root:"));
    let named = format!("-source_path={}", at("else"));
    assert!(list(&at("else/b.c"), &[&named]).contains("SECRET"));
    assert!(!list(&at("project/.env"), &[&format!("-source_path={}", at("project"))]).contains("SECRET"));
}
