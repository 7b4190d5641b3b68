//! README and guide: commands on `testdata/` run, other commands use flags that exist, and the CLI
//! reference is the one that the program prints.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use expect_test::expect_file;
use heapview::query::{FIELDS, Kind, ViewKind, applies};

use crate::cli::stdout;
use crate::fixture::{self, path};

/// README, CONTRIBUTING.md and the pages of the guide.
pub(crate) fn documents() -> Vec<PathBuf> {
    let pages = std::fs::read_dir(path("docs/src")).unwrap().map(|entry| entry.unwrap().path());
    let mut all: Vec<PathBuf> = pages.filter(|page| page.extension().is_some_and(|e| e == "md")).collect();
    all.sort();
    all.extend(["README.md", "CONTRIBUTING.md"].map(path));
    all
}

/// Lines of the fenced blocks in `language`, with the document's name and their number from 1.
fn fenced(document: &Path, language: &str) -> Vec<(String, String)> {
    let text = std::fs::read_to_string(document).unwrap();
    let (mut inside, mut lines) = (None, Vec::new());
    for (number, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), &inside) {
            (Some(_), Some(_)) => inside = None,
            (Some(opened), None) => inside = Some(opened.to_owned()),
            (None, Some(opened)) if opened == language => {
                let place = format!("{}:{}", document.file_name().unwrap().to_string_lossy(), number + 1);
                lines.push((place, line.to_owned()));
            }
            _ => {}
        }
    }
    assert!(inside.is_none(), "{}: a block is not closed", document.display());
    lines
}

/// A folder with `testdata` and with `heapview` as a program, for commands as a reader types them.
fn checkout() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let link = |from: &Path, name: &str| std::os::unix::fs::symlink(from, folder.path().join(name)).unwrap();
    link(&path("testdata"), "testdata");
    std::fs::create_dir(folder.path().join("bin")).unwrap();
    link(Path::new(env!("CARGO_BIN_EXE_heapview")), "bin/heapview");
    folder
}

/// `command` in the folder, by bash: its exit status and standard error.
fn run(folder: &Path, command: &str) -> (bool, String) {
    let mut bash = fixture::apart(Command::new("bash"));
    let programs = format!("{}:{}", folder.join("bin").display(), std::env::var("PATH").unwrap_or_default());
    bash.args(["-o", "pipefail", "-c", command]).current_dir(folder).stdin(Stdio::null()).env("PATH", programs);
    let output = bash.output().unwrap();
    (output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[test]
fn every_command_on_testdata_runs() {
    let folder = checkout();
    let mut n_run = 0;
    let mut problems = Vec::new();
    for document in documents() {
        for (place, line) in fenced(&document, "console") {
            let command = line.strip_prefix("$ ").unwrap_or_else(|| panic!("{place}: no `$ ` before the command: {line}"));
            let (is_ok, stderr) = run(folder.path(), command);
            if !is_ok {
                problems.push(format!("{place}: {command}\n{stderr}"));
            }
            n_run += 1;
        }
        // A command on testdata that could run must not hide in a block that does not.
        for (place, line) in fenced(&document, "sh") {
            assert!(!line.contains("heapview") || !line.contains("testdata/"), "{place}: put it in a console block: {line}");
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(n_run > 30, "only {n_run} commands were found");
}

#[test]
fn the_two_set_up_commands_stay() {
    let readme = std::fs::read_to_string(path("README.md")).unwrap();
    let indented: Vec<&str> = readme.split("## Set-up").nth(1).unwrap().lines().filter_map(|l| l.strip_prefix("    ")).take(2).collect();
    let main_job = "top testdata/bin/shop testdata/gperftools/shop.0003.heap";
    let [first, second] = indented[..] else { panic!("{indented:?}") };
    assert!(first.ends_with(&format!("; cargo run --release -- {main_job}")), "{first}");
    assert_eq!(second, "bash tests/check.sh");
    let folder = checkout();
    let (is_ok, stderr) = run(folder.path(), &format!("heapview {main_job}"));
    assert!(is_ok, "{stderr}");
    assert!(readme.lines().count() <= 120, "the README is longer than 120 lines");
}

/// Flags of a `heapview` command: arguments from its name to the end of the command.
fn flags(line: &str) -> Vec<String> {
    let line = line.split('#').next().unwrap_or_default();
    let Some((_, words)) = line.split_once("heapview ") else { return Vec::new() };
    let words = words.split(['|', '>', ')', '`']).next().unwrap_or_default();
    if words.starts_with("jeprof ") || words.starts_with("heaptrack -") {
        return Vec::new();
    }
    let flag = |word: &str| {
        let name = word.strip_prefix('-')?.trim_start_matches('-').split('=').next()?;
        name.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| name.to_owned())
    };
    words.split_whitespace().filter_map(flag).collect()
}

#[test]
fn every_flag_that_is_shown_exists() {
    let help = stdout(&["help", "all"]);
    let known: BTreeSet<&str> =
        help.split(|c: char| c.is_whitespace() || "[=(,".contains(c)).filter_map(|word| word.strip_prefix('-')).chain(["o", "h"]).collect();
    let mut n_flags = 0;
    for document in documents() {
        let blocks = ["sh", "console"].map(|language| fenced(&document, language)).concat();
        let text = std::fs::read_to_string(&document).unwrap();
        // `heapview …` in running text counts as well.
        let quoted = text.split('`').skip(1).step_by(2).filter(|quote| quote.starts_with("heapview "));
        let quoted = quoted.map(|quote| (document.display().to_string(), quote.to_owned()));
        for (place, line) in blocks.into_iter().chain(quoted) {
            for flag in flags(&line) {
                assert!(known.contains(flag.as_str()), "{place}: heapview has no flag -{flag}: {line}");
                n_flags += 1;
            }
        }
    }
    assert!(n_flags > 40, "only {n_flags} flags were found");
}

#[test]
fn the_cli_reference_is_what_the_program_prints() {
    let mut text =
        String::from("# CLI reference\n\nThis page is generated from the program's own tables; a test compares them.\n\n```text\n");
    text += &stdout(&["help", "all"]);
    text += "```\n\n## Options of reports\n\nThe same options are URL parameters of the page and the API, and options of the shell.\n\n\
             | option | value | default | reports |\n|---|---|---|---|\n";
    for field in FIELDS {
        let name = if field.alias.is_empty() { format!("`{}`", field.name) } else { format!("`{}`, `{}`", field.name, field.alias) };
        let value = match field.kind {
            Kind::Choice(words) => words.join(", "),
            Kind::Regex => "regexp".to_owned(),
            kind => kind.name().to_owned(),
        };
        let default = match (field.kind, field.default) {
            (_, "") => String::new(),
            (Kind::Bool, "t") => "on".to_owned(),
            (Kind::Bool, _) => "off".to_owned(),
            (_, default) => format!("`{default}`"),
        };
        let kinds: Vec<&str> = ViewKind::ALL.into_iter().filter(|kind| applies(field, *kind)).map(ViewKind::name).collect();
        let reports = match ViewKind::ALL.len() - kinds.len() {
            0 => "all".to_owned(),
            1 if !kinds.contains(&ViewKind::Rss.name()) => "all but rss".to_owned(),
            _ => kinds.join(", "),
        };
        writeln!(text, "| {name} | {value} | {default} | {reports} |").unwrap();
    }
    expect_file![path("docs/src/reference.md")].assert_eq(&text);
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let summary = std::fs::read_to_string(path("docs/src/SUMMARY.md")).unwrap();
    for document in documents() {
        let text = std::fs::read_to_string(&document).unwrap();
        let name = document.file_name().unwrap().to_string_lossy().into_owned();
        let folder = document.parent().unwrap();
        assert!(folder == path("") || name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name} is not in SUMMARY.md");
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") || file == "CHANGELOG.md" {
                continue;
            }
            assert!(folder.join(file).exists(), "{name}: no file {file}");
        }
    }
}

/// The map of the source tree and the glossary: short enough to be read, and every path in them exists.
#[test]
fn maps_name_what_exists() {
    let mut n_paths = 0;
    for name in ["ARCHITECTURE.md", "docs/glossary.md", "CONTRIBUTING.md"] {
        let text = std::fs::read_to_string(path(name)).unwrap();
        // Between backticks; `src/parse/` is a path, `a/b` in code of another kind has other characters.
        for quoted in text.split('`').skip(1).step_by(2) {
            let is_path = quoted.contains('/') && quoted.chars().all(|c| c.is_ascii_alphanumeric() || "-_./".contains(c));
            let is_ours =
                ["src/", "web/", "tests/", "docs/", "fuzz/", "benches/", "testdata/", "proto/"].iter().any(|top| quoted.starts_with(top));
            // Build outputs are not in a fresh checkout.
            if is_path && is_ours && !quoted.starts_with("web/static") && !quoted.starts_with("web/node_modules") {
                assert!(path(quoted).exists(), "{name} names {quoted}, which does not exist");
                n_paths += 1;
            }
        }
        let longest = text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        assert!(name != "ARCHITECTURE.md" || (longest <= 150 && text.lines().count() <= 200), "{name} is too long for a map");
    }
    assert!(n_paths > 100, "{n_paths} paths: the documents were not read");
}
