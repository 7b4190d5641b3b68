//! Failing writes: exit status, one line of error, and never half a file in place of a good one.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::fixture::{self, path};

/// Arguments of every report that prints more than a line.
const REPORTS: [&str; 14] = [
    "-top",
    "-tree",
    "-peek=.",
    "-traces",
    "-tags",
    "-raw",
    "-dot",
    "-collapsed",
    "-flame",
    "-proto",
    "-top -json",
    "-top -csv",
    "-tree -json",
    "-comments",
];

const INPUT: &str = "pprof/depot.1.pb.gz";

fn command(args: &str) -> Command {
    let mut command = fixture::program();
    at_home(&mut command, args);
    command
}

fn at_home(command: &mut Command, args: &str) {
    command.args(args.split(' ')).current_dir(path("testdata")).env("PPROF_BINARY_PATH", "bin").stdin(Stdio::null());
}

/// Runs `args` in a shell that limits files to `blocks` of 512 bytes.
fn limited(blocks: u32, args: &str) -> Output {
    let mut shell = fixture::apart(Command::new("sh"));
    shell.args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_heapview")]);
    shell.args(args.split(' ')).current_dir(path("testdata")).output().unwrap()
}

fn stderr(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stderr).lines().map(str::to_owned).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Reports that have something to print: comments there must be first.
fn question(report: &str) -> String {
    format!("{report} -add_comment=said {INPUT}")
}

#[test]
fn a_closed_pipe_is_no_error_for_any_report() {
    for report in REPORTS {
        let mut child = command(&question(report)).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{report}: {output:?}");
        assert_eq!(stderr(&output), [""; 0], "{report}");
    }
    // A reader that closes after one line.
    let mut child = command("-raw bin/shop gperftools/shop.0003.heap").stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut line = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("PeriodType:"), "{line}");
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn a_full_disk_is_one_line_and_status_1() {
    for report in REPORTS {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = command(&question(report)).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{report}: {output:?}");
        let messages = stderr(&output);
        assert!(messages.len() == 1 && messages[0].starts_with("heapview: cannot write to standard output: "), "{report}: {messages:?}");
        let output = command(&format!("{} -output=/dev/full", question(report))).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{report}: {output:?}");
        let messages = stderr(&output);
        assert!(messages.last().unwrap().starts_with("heapview: cannot write /dev/full: "), "{report}: {messages:?}");
    }
}

#[test]
fn unwritable_folders_are_one_line_and_status_1() {
    // Nobody may make files in /proc, not even root.
    for file in ["nosuchfolder/x.txt", "/proc/x.txt", "README.md/x.txt"] {
        let output = command(&format!("-top {INPUT} -output={file}")).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{file}: {output:?}");
        assert!(output.stdout.is_empty(), "{file}: {output:?}");
        let messages = stderr(&output);
        assert!(messages.last().unwrap().starts_with(&format!("heapview: cannot write {file}: ")), "{messages:?}");
    }
    let output = command(&format!("-top {INPUT} -output=programs")).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "a folder is no file: {output:?}");
}

#[test]
fn existing_files_stay_when_the_disk_is_full() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("good.txt");
    fs::write(&file, "good").unwrap();
    for report in ["-raw", "-traces", "-proto", "-top -json", "-dot", "-collapsed -sample_index=alloc_space"] {
        let output = limited(1, &format!("{report} {INPUT} -output={}", file.display()));
        assert_eq!(output.status.code(), Some(1), "{report}: {output:?}");
        assert!(stderr(&output).last().unwrap().starts_with("heapview: cannot write "), "{report}: {output:?}");
        assert_eq!(fs::read_to_string(&file).unwrap(), "good", "{report}");
        assert_eq!(names(folder.path()), ["good.txt"], "{report}: parts are left behind");
    }
}

#[test]
fn two_at_once_leave_one_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("both.txt");
    let reports = ["-raw", "-traces"];
    let whole = reports.map(|report| command(&format!("{report} {INPUT}")).output().unwrap().stdout);
    for _ in 0..8 {
        let both: Vec<Child> = reports
            .map(|report| command(&format!("{report} {INPUT} -output={}", file.display())).stderr(Stdio::null()).spawn().unwrap())
            .into();
        for mut child in both {
            assert!(child.wait().unwrap().success());
        }
        let written = fs::read(&file).unwrap();
        assert!(whole.contains(&written), "neither of the two: {} bytes", written.len());
        assert_eq!(names(folder.path()), ["both.txt"]);
    }
}

/// Collapsed stacks enough that a debug build takes a while over them.
fn big(folder: &Path) -> String {
    let file = folder.join("big.folded");
    let mut out = std::io::BufWriter::new(File::create(&file).unwrap());
    writeln!(out, "# inuse_space bytes").unwrap();
    for i in 0..100_000 {
        writeln!(out, "main;serve_{};parse_{};alloc_{i} {}", i % 7, i % 1000, i + 1).unwrap();
    }
    out.flush().unwrap();
    file.display().to_string()
}

/// [`command`] that no `nohup` or `&` around the tests made deaf to signals.
fn listening(args: &str) -> Command {
    let mut command = fixture::apart(Command::new("env"));
    command.args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_heapview")]);
    at_home(&mut command, args);
    command
}

fn kill(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

#[test]
fn a_signal_while_writing_leaves_the_good_file() {
    let folder = tempfile::tempdir().unwrap();
    let input = big(folder.path());
    let out = folder.path().join("out");
    fs::create_dir(&out).unwrap();
    let file = out.join("good.txt");
    fs::write(&file, "good").unwrap();
    let args = format!("-raw {input} -output={}", file.display());
    for (name, number) in [("-INT", 2), ("-TERM", 15), ("-HUP", 1)] {
        // On a busy machine it may end before the signal comes; the next one does not.
        let met = (0..20).any(|_| {
            let mut child = listening(&args).stderr(Stdio::null()).spawn().unwrap();
            while names(&out).len() == 1 && child.try_wait().unwrap().is_none() {
                std::thread::sleep(Duration::from_micros(200));
            }
            kill(name, &child);
            let status = child.wait().unwrap();
            assert!(status.success() || status.signal() == Some(number), "{name}: {status:?}");
            assert_eq!(names(&out), ["good.txt"], "{name}: a part is left behind");
            let is_good = fs::read_to_string(&file).unwrap() == "good";
            assert!(is_good || status.success(), "{name}: {status:?}");
            fs::write(&file, "good").unwrap();
            is_good && !status.success()
        });
        assert!(met, "{name}: it never came while writing");
    }
    // A signal ignored by the parent (nohup) stays ignored.
    let mut shell = fixture::apart(Command::new("sh"));
    shell.args(["-c", "trap '' HUP; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_heapview"), "-raw", &input]);
    let mut child = shell.arg(format!("-output={}", file.display())).stderr(Stdio::null()).spawn().unwrap();
    while names(&out).len() == 1 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_micros(200));
    }
    kill("-HUP", &child);
    assert!(child.wait().unwrap().success());
    assert_ne!(fs::read_to_string(&file).unwrap(), "good");
}

#[test]
fn a_signal_at_any_time_leaves_a_whole_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("good.txt");
    let args = format!("-raw bin/shop gperftools/shop.0003.heap -output={}", file.display());
    let started = Instant::now();
    assert!(command(&args).stderr(Stdio::null()).status().unwrap().success());
    let (whole, time) = (fs::read(&file).unwrap(), started.elapsed());
    // Reading, looking names up, writing: somewhere in each.
    for (i, signal) in ["-INT", "-TERM"].into_iter().cycle().take(24).enumerate() {
        fs::write(&file, "good").unwrap();
        let mut child = listening(&args).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(time * i as u32 / 22);
        kill(signal, &child);
        let status = child.wait().unwrap();
        let written = fs::read(&file).unwrap();
        assert!(status.success() || matches!(status.signal(), Some(2 | 15)), "{signal}: {status:?}");
        // Killed just after the rename it is new as well.
        assert!(written == whole || written == b"good" && !status.success(), "{status:?}: {} bytes", written.len());
        assert_eq!(names(folder.path()), ["good.txt"], "{signal}: a part is left behind");
    }
}
