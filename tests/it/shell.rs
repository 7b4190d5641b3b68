//! Shell and terminal: colour, width, completions, help.

use std::fs::File;
use std::io::Write;
use std::process::{Command, Stdio};

use expect_test::expect_file;

use crate::cli::{SHOP, command, error, stdout};
use crate::fixture::{self, path};

/// Output of the shell on both streams, in order, for these input lines.
fn run_shell(args: &[&str], lines: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("output");
    let file = File::create(&output).unwrap();
    let mut child =
        command(&[&["-interactive"], args].concat()).stdin(Stdio::piped()).stdout(file.try_clone().unwrap()).stderr(file).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    assert!(child.wait().unwrap().success(), "{args:?} {lines:?}");
    std::fs::read_to_string(output).unwrap()
}

/// Output without the text before the first command.
fn answers(lines: &str) -> String {
    let text = run_shell(&SHOP, lines);
    text.split_once("\"o\" for options)\n").unwrap().1.to_owned()
}

#[test]
fn questions_follow_one_another() {
    let session = "\
top3
top 2 -cum Till -blank_page
lines //: from now on
tree 1
options
inuse_objects
top2
mean_inuse_space
top 2
granularity=
total_inuse_space
peek finish_grow$
hide=alloc
:
tags
help tree
help nodecount
help cum
help o
";
    let lines: Vec<&str> = session.lines().collect();
    // A prompt before each line, as a user sees it, would come from the editor only.
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    expect_file!["../../testdata/shell.txt"].assert_eq(&run_shell(&SHOP, &text));
}

#[test]
fn a_question_is_the_command_line_s() {
    for (line, args) in [
        ("top", &["-top", "-nodecount=10"][..]),
        ("top7", &["-top", "-nodecount=7"]),
        ("top 0", &["-top", "-nodecount=0"]),
        ("text", &["-text", "-nodecount=10"]),
        ("top5 -cum Till -blank_page", &["-top", "-nodecount=5", "-cum", "-focus=Till", "-ignore=blank_page"]),
        ("top alloc Till -blank_page -fmt", &["-top", "-nodecount=10", "-focus=alloc|Till", "-ignore=blank_page|fmt"]),
        ("tree 3", &["-tree", "-nodecount=3"]),
        ("peek grow", &["-peek=grow"]),
        ("peek grow Vec", &["-peek=grow", "-focus=Vec"]),
        ("traces", &["-traces"]),
        ("dot 4", &["-dot", "-nodecount=4"]),
        ("graph 4", &["-dot", "-nodecount=4"]),
        ("flame", &["-flame"]),
        ("collapsed", &["-collapsed"]),
        ("raw", &["-raw"]),
    ] {
        let expected = stdout(&[args, &["-compact_labels"], &SHOP].concat());
        assert_eq!(answers(&format!("{line}\n")), expected, "{line}");
    }
}

#[test]
fn options_hold_until_they_change() {
    let expected = stdout(&["-top", "-nodecount=4", "-lines", "-unit=kB", "-compact_labels", SHOP[0], SHOP[1]]);
    assert_eq!(answers("nodecount = 4\ngranularity=lines\nunit=kB //: small\ntop"), expected);
    assert_eq!(answers("nodecount=4\nlines\nunit=kB\ntop 2 >/dev/null\ntop\n"), format!("Generating report in /dev/null\n{expected}"));
    assert_eq!(answers("nodecount=4\nlines\nlines=true\nunit=kB\nfocus=nothing\nfocus=\ntop\nq\ntop"), expected);
    // The command line's own are there from the start.
    let text = run_shell(&["-nodecount=4", "-lines", "-unit=kB", "-compact_labels=false", SHOP[0], SHOP[1]], "top");
    assert!(text.ends_with(&stdout(&["-top", "-nodecount=4", "-lines", "-unit=kB", SHOP[0], SHOP[1]])), "{text}");
}

#[test]
fn shell_errors_suggest_similar_names() {
    let text = answers(
        "focu\nfocus\nfocus Cache\ntopp\ninuse_spac\nxyzzy\nnodecount=many\nfocus=((\ngranularity=line\nsample_index=9\ncum=no\n\
         peek\npeek nosuchfunction\ntop >\nhelp topp\nhelp xyzzy\n",
    );
    expect_file!["../../testdata/shell-errors.txt"].assert_eq(&text);
}

#[test]
fn output_goes_to_files_but_not_over_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let (dump, table) = (folder.path().join("x.heap"), folder.path().join("table.txt"));
    std::fs::copy(path("testdata").join(SHOP[1]), &dump).unwrap();
    let args = ["-color=always", SHOP[0], dump.to_str().unwrap()];
    let text = run_shell(&args, &format!("top3 >{}\ntop3 >{}\noutput={}\ntags", dump.display(), table.display(), dump.display()));
    assert_eq!(text.matches("is also an input and would be overwritten").count(), 2, "{text}");
    assert!(std::fs::read(&dump).unwrap().starts_with(b"heap profile:"));
    let expected = stdout(&["-top", "-nodecount=3", "-compact_labels", SHOP[0], SHOP[1]]);
    assert_eq!(std::fs::read_to_string(&table).unwrap(), expected);
}

#[test]
fn without_a_terminal_the_table_is_printed() {
    assert_eq!(stdout(&SHOP), stdout(&["-top", SHOP[0], SHOP[1]]));
    assert!(error(&["-interactive", "-top", SHOP[1]]).contains("cannot be combined with a report"));
    assert!(error(&["-interactive", "-"]).contains("standard input"));
}

/// Terminal output of `heapview` with these arguments when these lines are typed; `None` without util-linux's `script`.
#[cfg(target_os = "linux")]
fn on_terminal(args: &[&str], typed: &str, change: impl FnOnce(&mut Command)) -> Option<String> {
    let line = [&[env!("CARGO_BIN_EXE_heapview")], args].concat().join(" ");
    let folder = tempfile::tempdir().unwrap();
    let mut command = fixture::apart(Command::new("script"));
    command.args(["-qec", &line, "/dev/null"]).current_dir(path("testdata")).stdin(Stdio::piped()).stdout(Stdio::piped());
    command.env("XDG_STATE_HOME", folder.path()).env("TERM", "xterm").env("PPROF_BINARY_PATH", "bin");
    command.env_remove("HEAPVIEW_HISTORY").env_remove("PAGER").env_remove("LESS");
    change(&mut command);
    let mut child = command.spawn().ok()?;
    child.stdin.as_mut().unwrap().write_all(typed.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).replace('\r', "");
    assert!(output.status.success(), "{text}");
    Some(text)
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_the_summary_precedes_a_prompt() {
    let folder = tempfile::tempdir().unwrap();
    let state = |command: &mut Command| {
        command.env("XDG_STATE_HOME", folder.path());
    };
    let Some(text) = on_terminal(&["-color=never", SHOP[0], SHOP[1]], "top1 -cum\nquit\n", state) else { return };
    let mut rest = text.as_str();
    for word in [
        "Type: inuse_space",
        "Top memory holders",
        "shop::audit::blank_page",
        "Entering interactive mode",
        "(pprof) ",
        "Showing top 1 nodes",
    ] {
        rest = rest.split_once(word).unwrap_or_else(|| panic!("{word} is not there, or too early: {text}")).1;
    }
    assert_eq!(text.matches("File: shop").count(), 1, "{text}");
    let history = folder.path().join("heapview/history");
    assert!(std::fs::read_to_string(&history).unwrap().contains("top1 -cum\n"));
    use std::os::unix::fs::MetadataExt;
    assert_eq!(std::fs::metadata(&history).unwrap().mode() & 0o777, 0o600);
    assert_eq!(std::fs::metadata(history.parent().unwrap()).unwrap().mode() & 0o777, 0o700);
    // -interactive is pprof's shell, as it is.
    let Some(text) = on_terminal(&["-interactive", SHOP[0], SHOP[1]], "quit\n", |_| ()) else { return };
    assert!(text.contains("(pprof) ") && !text.contains("Top memory holders"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_the_usage_is_short() {
    let Some(text) = on_terminal(&[], "", |_| ()) else { return };
    assert!(text.lines().count() <= 14, "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("  heapview ")).count(), 4, "{text}");
    // A script that lost its arguments must not look like a success.
    assert!(error(&[]).contains("no profile given; usage: heapview [report]"));
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_help_goes_through_the_pager() {
    let paged = |pager: &'static str, args: &[&str]| {
        on_terminal(args, "", |command| {
            command.env("PAGER", pager);
        })
    };
    let Some(text) = paged("sed s/^/PAGED:/", &["-help"]) else { return };
    assert!(text.contains("PAGED:Usage: heapview") && text.contains("PAGED:Examples:"), "{text}");
    assert!(paged("sed s/^/PAGED:/", &["help", "all"]).unwrap().contains("PAGED:"));
    // Output for scripts is never paged, and a missing pager is no error.
    assert!(!paged("sed s/^/PAGED:/", &["version"]).unwrap().contains("PAGED:"));
    assert!(paged("no-such-pager", &["-help"]).unwrap().contains("Usage: heapview"));
    assert!(stdout(&["-help"]).lines().count() < 140);
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_top_suggests_culprits() {
    let hint = "top -culprit charges your code";
    let Some(text) = on_terminal(&["top", SHOP[0], SHOP[1]], "", |_| ()) else { return };
    assert!(text.contains(hint), "{text}");
    assert!(!on_terminal(&["top", "-culprit", SHOP[0], SHOP[1]], "", |_| ()).unwrap().contains(hint));
    let output = command(&["top", SHOP[0], SHOP[1]]).output().unwrap();
    assert!(!String::from_utf8_lossy(&output.stderr).contains("-culprit"), "in a pipe: {output:?}");
}

#[test]
fn a_misspelled_report_is_named() {
    assert_eq!(error(&["tpo", SHOP[1]]), "heapview: no report or file named \"tpo\"; did you mean top?");
    assert_eq!(error(&["sumary", SHOP[0], SHOP[1]]), "heapview: no report or file named \"sumary\"; did you mean summary?");
    assert_eq!(error(&["dif", SHOP[1], SHOP[1]]), "heapview: no report or file named \"dif\"; did you mean diff?");
    // A file of that name is a file.
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(path("testdata").join("pprof/depot.1.pb.gz"), folder.path().join("tpo")).unwrap();
    let output = command(&["tpo"]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    assert_eq!(stdout(&["version"]), stdout(&["--version"]));
}

/// The text without colours.
fn plain(text: &str) -> String {
    let mut parts = text.split("\x1b[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('m').unwrap().1)
}

#[test]
fn colour_is_a_layer_over_the_same_text() {
    for report in ["-top", "-tree", "-peek=grow", "-flame", "-traces", "-tags"] {
        let args = [report, SHOP[0], SHOP[1]];
        let bare = stdout(&args);
        assert!(!bare.contains('\x1b'), "{report}: a pipe is not a terminal");
        let colored = stdout(&[&["-color=always"], &args[..]].concat());
        assert!(report == "-tags" || colored.contains("\x1b["), "{report}");
        assert_eq!(plain(&colored), bare, "{report}");
        assert_eq!(stdout(&[&["-color=never"], &args[..]].concat()), bare, "{report}");
    }
    // Machine-readable output has none.
    for report in ["-dot", "-raw", "-collapsed", "-comments", "-csv", "-json"] {
        assert!(!stdout(&["-color", report, SHOP[0], SHOP[1]]).contains('\x1b'), "{report}");
    }
    assert!(error(&["-color=pink", SHOP[1]]).contains("auto, always, never"));
}

#[test]
fn rows_fit_the_requested_width() {
    let table = stdout(&["-top", "-width=80", SHOP[0], SHOP[1]]);
    let whole = stdout(&["-top", SHOP[0], SHOP[1]]);
    assert!(whole.lines().any(|l| l.chars().count() > 80), "nothing is too long here");
    for (short, long) in table.lines().zip(whole.lines()) {
        assert!(short.chars().count() <= 80, "{short}");
        let (head, tail) = short.split_once('…').unwrap_or((short, ""));
        assert!(long.starts_with(head) && long.ends_with(tail), "{short}\n{long}");
    }
    assert_eq!(stdout(&["-top", "-width=0", SHOP[0], SHOP[1]]), whole);
    assert!(error(&["-width=wide", SHOP[1]]).contains("expected a number of columns"));
}

/// Every flag, without dashes: a row for each, but for the reports, which share some.
fn flags() -> Vec<String> {
    let help = stdout(&["help", "all"]);
    let rows = help.lines().flat_map(|l| l.split_whitespace().map_while(|word| word.strip_prefix('-')));
    let names = rows.map(|l| l.chars().take_while(|c| c.is_ascii_alphanumeric() || "_-".contains(*c)).collect());
    names.collect()
}

#[test]
fn every_flag_has_its_completion_and_its_help() {
    let flags = flags();
    assert!(flags.len() > 40 && flags.contains(&"focus".to_owned()), "{flags:?}");
    let page = stdout(&["man"]).replace("\\-", "-");
    for section in [".TH heapview 1", ".SH NAME", ".SH EXAMPLES", ".SH ENVIRONMENT"] {
        assert!(page.contains(section), "{section}");
    }
    for shell in ["bash", "zsh", "fish"] {
        let script = stdout(&["completions", shell]);
        for flag in &flags {
            assert!(script.contains(flag), "{shell}: {flag}");
            assert!(page.contains(flag.as_str()), "{flag}");
        }
    }
    for flag in &flags {
        let text = stdout(&["help", flag]);
        assert!(text.contains(&format!("-{flag}")) || text.starts_with(flag.as_str()), "{flag}: {text}");
    }
    assert!(stdout(&["help", "top"]).contains("heapview top -nodecount=20 server"), "no example");
    assert_eq!(stdout(&["help"]), stdout(&["-help"]));
    assert!(stdout(&["-h"]).lines().count() < 50);
    assert!(error(&["help", "focuss"]).contains("did you mean focus?"));
    assert!(error(&["completions"]).contains("bash|zsh|fish"));
    assert!(error(&["completions", "csh"]).contains("bash, zsh, fish"));
}

#[test]
fn help_topics_are_accepted_on_either_side() {
    for (args, begins) in [
        (&["help", "-focus"][..], "-focus: "),
        (&["help", "--top"], "top: "),
        (&["convert", "-h"], "convert: "),
        (&["symbolize", "--help"], "symbolize: "),
        (&["top", "-h", "bin/shop"], "top: "),
        (&["help", "jeprof"], "Usage:\n  jeprof "),
        (&["help", "inuse_space"], "-inuse_space: Same as -sample_index=inuse_space"),
    ] {
        assert!(stdout(args).starts_with(begins), "{args:?}");
    }
    assert!(stdout(&["help", "lines"]).contains("-granularity=lines"));
    assert!(stdout(&["-help"]).contains("One row per source line"));
    assert!(error(&["help", "convrt"]).contains("did you mean convert?"));
    for args in [&["list", SHOP[1]][..], &["-peek", SHOP[1]]] {
        assert!(error(args).contains("needs a regexp before the files"), "{args:?}");
    }
    // Two letters that changed places.
    assert!(error(&["-tpo", SHOP[1]]).contains("did you mean -top?"));
}

#[test]
fn unread_standard_input_is_reported() {
    let run = |input: Stdio, args: &[&str]| {
        let output = command(&[args, &SHOP].concat()).stdin(input).output().unwrap();
        (output.stdout, String::from_utf8(output.stderr).unwrap())
    };
    let file = || File::open(path("testdata/shell.txt")).unwrap().into();
    let (table, quiet) = run(Stdio::null(), &[]);
    assert!(!quiet.contains("-interactive"), "{quiet}");
    let (output, note) = run(file(), &[]);
    assert_eq!(output, table);
    assert!(note.contains("add -interactive to read commands from it"), "{note}");
    assert_eq!(run(file(), &["top"]), (table, quiet));
}

#[test]
fn bash_completes_one_dash_and_two() {
    let script = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(script.path(), stdout(&["completions", "bash"])).unwrap();
    // Words as bash parts them: `=` is one.
    for (args, expected) in [
        ("-foc", "-focus="),
        ("--foc", "--focus="),
        ("-noinl", "-noinlines"),
        ("-sort =", "flat cum"),
        ("-sort = c", "cum"),
        ("-sort c", "cum"),
        ("-sort=c", "-sort=cum"),
        ("-noinlines = f", "false"),
        ("tre", "tree"),
        ("-focus = x tre", "tree"),
        ("help granu", "granularity"),
        ("help conv", "convert"),
        ("-sample_index = alloc_s", "alloc_space"),
        ("-symbolize = rem", "remote"),
        ("completions z", "zsh"),
        ("top gperftools/shop.0001", "gperftools/shop.0001.heap"),
        ("ev", "evince"),
        ("-base = gperftools/shop.0001", "gperftools/shop.0001.heap"),
    ] {
        let line = format!(
            "source {}; COMP_WORDS=(heapview {args}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); _heapview; echo ${{COMPREPLY[@]}}",
            script.path().display()
        );
        let Ok(output) = Command::new("bash").args(["--norc", "-c", &line]).current_dir(path("testdata")).output() else { return };
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), expected, "{args}");
    }
}

#[test]
fn bash_completes_the_empty_word_to_reports_and_files() {
    let script = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(script.path(), stdout(&["completions", "bash"])).unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.heap"), "").unwrap();
    let completed = |args: &str| {
        let line = format!(
            "source {}; COMP_WORDS=(heapview {args}); COMP_CWORD=$((${{#COMP_WORDS[@]}}-1)); _heapview; echo ${{COMPREPLY[@]}}",
            script.path().display()
        );
        let output = Command::new("bash").args(["--norc", "-c", &line]).current_dir(folder.path()).output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let Some(first) = completed("''") else { return };
    assert_eq!(first, "summary top flame diff growth explain a.heap");
    assert_eq!(completed("top ''").unwrap(), "a.heap");
}
