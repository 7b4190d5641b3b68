//! From bytes in use to RSS on the command line: loads of known truth under three allocators, and a process that runs.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use heapview::api::{NamedFile, NoFiles, answer, open, open_files};
use heapview::report_data::{Redaction, decode};
use heapview::session::{ReportDataOptions, Session};
use serde_json::Value;

use crate::fixture::{path, program};

const PAGE: i64 = 4096;
/// Folder, ending of its profiles.
const ALLOCATORS: [(&str, &str); 3] = [("glibc", "folded"), ("jemalloc", "heap"), ("tcmalloc", "heap")];

/// Standard output and standard error of a success, in `testdata/rss`.
fn run(words: &[&str]) -> (String, String) {
    let output = program().current_dir(path("testdata/rss")).arg("-config=none").args(words).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{words:?}: {error}");
    (String::from_utf8(output.stdout).unwrap(), error)
}

/// The memory of a report in JSON.
fn memory(words: &[&str]) -> Value {
    let report: Value = serde_json::from_str(&run(&[&["rss", "-json"], words].concat()).0).unwrap();
    report["memory"].clone()
}

fn number(value: &Value) -> i64 {
    value.as_i64().unwrap_or_else(|| panic!("{value}"))
}

/// Kind → bytes. The bars add up.
fn bars(memory: &Value) -> BTreeMap<String, i64> {
    let waterfall = &memory["waterfall"];
    let (mut bars, mut sum) = (BTreeMap::new(), 0);
    for bar in waterfall["bar"].as_array().unwrap() {
        assert_eq!(number(&bar["start"]), sum, "{bar}");
        assert!(!bar["formula"].as_str().unwrap().is_empty(), "{bar}");
        sum += number(&bar["bytes"]);
        *bars.entry(bar["part"].as_str().unwrap().to_owned()).or_insert(0) += number(&bar["bytes"]);
    }
    assert_eq!(sum, number(&waterfall["rss"]), "{waterfall}");
    bars
}

/// Name of a dump → bytes that the program asked for and has in use.
fn truth(allocator: &str) -> BTreeMap<String, i64> {
    let text = fs::read_to_string(path(&format!("testdata/rss/{allocator}/truth.tsv"))).unwrap();
    let books: BTreeMap<String, i64> = text
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            (cells[0].to_owned(), cells[1].parse().unwrap())
        })
        .collect();
    assert_eq!(books.len(), 8, "{allocator}");
    books
}

/// VmRSS of a dump's status, bytes.
fn vm_rss(allocator: &str, dump: &str) -> i64 {
    let status = fs::read_to_string(path(&format!("testdata/rss/{allocator}/{dump}.status"))).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse::<i64>().unwrap() * 1024
}

#[test]
fn each_waterfall_adds_up_to_vmrss_to_the_page() {
    for (allocator, ending) in ALLOCATORS {
        for (dump, live) in truth(allocator) {
            let memory = memory(&[&format!("{allocator}/{dump}.{ending}")]);
            let bars = bars(&memory);
            let rss = number(&memory["waterfall"]["rss"]);
            assert_eq!((rss, rss % PAGE), (vm_rss(allocator, &dump), 0), "{allocator} {dump}");
            assert_eq!(memory["waterfall"]["allocator"], allocator);
            // What sampling gets wrong has a bar of its own.
            let known = bars["live"] + bars.get("sampling_error").unwrap_or(&0);
            let share = (known - live).abs() as f64 / live as f64;
            let most = if allocator == "jemalloc" { 0.25 } else { 0.01 };
            assert!(share < most, "{allocator} {dump}: {known} of {live}");
            assert_eq!(memory["warnings"], Value::Array(Vec::new()), "{allocator} {dump}");
            // Smaps and status are not read at one moment, and the kernel counts by CPU.
            assert!(bars.get("between_readings").unwrap_or(&0).abs() <= 64 * PAGE, "{allocator} {dump}: {bars:?}");
        }
    }
}

#[test]
fn leaks_and_fragmentation_are_told_apart() {
    for (allocator, ending) in ALLOCATORS {
        for (mode, verdict) in [("leak", "leak"), ("holes", "fragmentation")] {
            let memory = memory(&[&format!("{allocator}/{mode}.*.{ending}")]);
            assert_eq!(memory["verdict"], verdict, "{allocator} {mode}: {}", memory["sentence"]);
            let series = &memory["series"];
            let rss: Vec<i64> = series["rss"].as_array().unwrap().iter().map(number).collect();
            assert_eq!(rss.len(), 3);
            for (nth, rss) in rss.iter().enumerate() {
                let bands = series["band"].as_array().unwrap().iter().map(|band| number(&band["bytes"][nth]));
                assert_eq!(bands.sum::<i64>(), *rss, "{allocator} {mode}");
            }
        }
    }
    let (text, _) = run(&["rss", "-unit=B", "tcmalloc/holes.*.heap"]);
    assert!(text.contains("This is fragmentation, not a leak."), "{text}");
    assert!(text.contains("holes.0003.heap") && text.contains("f fragmentation"), "{text}");
}

#[test]
fn hoards_and_mappings_have_their_bars() {
    for (allocator, ending) in ALLOCATORS {
        let map = bars(&memory(&[&format!("{allocator}/map.0001.{ending}")]));
        assert!(map["files"] >= 8 << 20, "{allocator}: {map:?}");
        assert_eq!(map["shared_memory"], 2 << 20, "{allocator}");
        assert!((1 << 20..2 << 20).contains(&map["stacks"]), "{allocator}: {map:?}");
    }
    for allocator in ["jemalloc", "tcmalloc"] {
        let caches = |mode: &str| bars(&memory(&[&format!("{allocator}/{mode}.0001.heap")]))["thread_caches"];
        assert!(caches("hoard") > (1 << 20) && caches("map") < 1 << 17, "{allocator}");
    }
}

#[test]
fn the_summary_has_the_waterfall_or_says_how_to_get_it() {
    let (text, _) = run(&["summary", "glibc/holes.0003.folded"]);
    assert!(text.contains("Resident memory (`heapview rss` explains each line)"), "{text}");
    assert!(text.contains("RSS (VmRSS)"), "{text}");
    let (text, _) = run(&["summary", "../gperftools/shop.0003.heap"]);
    assert!(text.contains("run `heapview capture PID -o DIR`"), "{text}");
    let (text, _) = run(&["explain", "jemalloc/holes.0003.heap"]);
    assert!(text.contains("### Resident memory\n\n**34.9 MiB** RSS. ") && text.contains("| 21.4 MiB | Fragmentation | "), "{text}");
    assert!(text.contains(" smaller parts | |\n"), "{text}");
    let (text, _) = run(&["explain", "../gperftools/shop.0003.heap"]);
    assert!(!text.contains("Resident memory"), "{text}");
    let csv = run(&["rss", "-csv", "glibc/leak.*.folded"]).0;
    assert!(csv.starts_with("dump,part,name,bytes,start,known,formula,advice\r\n") && csv.contains("leak.0001.folded,live,"), "{csv}");
}

/// A folder with these copies of files below `testdata/rss`.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (from, to) in files {
        let to = folder.path().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(path("testdata/rss").join(from), to).unwrap();
    }
    folder
}

fn at(folder: &tempfile::TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

#[test]
fn only_neighbours_of_the_same_process_are_found() {
    let status = fs::read_to_string(path("testdata/rss/jemalloc/leak.0001.status")).unwrap();
    let pid = status.lines().find_map(|line| line.strip_prefix("Pid:")).unwrap().trim();
    let files = [
        ("jemalloc/leak.0001.heap", format!("jeprof.{pid}.0.f.heap")),
        ("jemalloc/leak.0001.smaps", format!("smaps.{pid}")),
        ("jemalloc/leak.0001.status", format!("{pid}.status")),
        ("jemalloc/holes.0001.smaps", "smaps.7".to_owned()),
        ("jemalloc/holes.0001.status", "other/status".to_owned()),
    ];
    let folder = folder(&files.each_ref().map(|(from, to)| (*from, to.as_str())));
    let dump = at(&folder, &format!("jeprof.{pid}.0.f.heap"));
    let found = memory(&[&dump]);
    let mut contents: Vec<&str> = found["waterfall"]["source"].as_array().unwrap().iter().map(|s| s["content"].as_str().unwrap()).collect();
    contents.sort_unstable();
    assert_eq!(contents, ["smaps", "status"]);
    assert_eq!((found["waterfall"]["pid"].to_string(), &found["warnings"]), (pid.to_owned(), &Value::Array(Vec::new())));
    // Without statistics the rest of the allocator is one bar.
    assert!(bars(&found).contains_key("allocator_rest"));
    // Links are not followed.
    fs::remove_file(folder.path().join(format!("smaps.{pid}"))).unwrap();
    fs::remove_file(folder.path().join(format!("{pid}.status"))).unwrap();
    std::os::unix::fs::symlink(folder.path().join("other/status"), folder.path().join(format!("status.{pid}"))).unwrap();
    assert_eq!(memory(&[&dump])["waterfall"], Value::Null);
}

#[test]
fn other_processes_and_hours_are_shown_with_a_warning() {
    let folder = folder(&[
        ("jemalloc/leak.0001.heap", "jeprof.4711.0.f.heap"),
        ("jemalloc/holes.0001.status", "alien.status"),
        ("jemalloc/leak.0001.stats.json", "stats.json"),
    ]);
    let names = ["jeprof.4711.0.f.heap", "alien.status", "stats.json"].map(|name| at(&folder, name));
    let hour = std::time::SystemTime::now() - std::time::Duration::from_secs(2 * 3600 + 90);
    fs::File::options().write(true).open(&names[1]).unwrap().set_modified(hour).unwrap();
    let (text, error) = run(&["rss", &names[0], &names[1], &names[2]]);
    assert!(error.contains("to process 4711"), "{error}");
    assert!(error.contains("alien.status was captured 2h 1m before the profile"), "{error}");
    assert!(text.contains("RSS (VmRSS)"), "{text}");
    // A file of a process alone is no profile.
    let output = program().args(["-config=none", "rss", &names[1]]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("is about the memory of a process; give it beside a heap profile"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_folder_is_its_dumps_with_what_belongs_to_them() {
    let memory = memory(&["tcmalloc"]);
    assert_eq!(memory["series"]["dump"].as_array().unwrap().len(), 3);
    let (_, error) = run(&["top", "tcmalloc/leak.0001.heap"]);
    assert!(!error.contains("process memory"), "{error}");
}

/// Files of a dump below `testdata/rss`, as they are dropped on a page.
fn dropped(dump: &str, endings: &[&str]) -> Vec<NamedFile> {
    let file = |ending: &&str| {
        let name = format!("{dump}.{ending}");
        let bytes = fs::read(path("testdata/rss").join(&name)).unwrap();
        NamedFile { name: name.rsplit('/').next().unwrap().to_owned(), bytes }
    };
    endings.iter().map(file).collect()
}

fn memory_of(session: &Session) -> Value {
    let reply = answer(session, &NoFiles, "/api/v1/rss");
    assert_eq!(reply.status, 200);
    let report: Value = serde_json::from_slice(&reply.body).unwrap();
    report["memory"].clone()
}

#[test]
fn pages_without_a_server_and_report_files_have_the_waterfall() {
    let want = bars(&memory(&["jemalloc/holes.0002.heap"]));
    // In any order; and later, beside the open profile.
    let all = dropped("jemalloc/holes.0002", &["smaps", "heap", "stats.json", "status"]);
    assert_eq!(bars(&memory_of(&open(all).unwrap())), want);
    let (first, added) = (dropped("jemalloc/holes.0002", &["heap"]), dropped("jemalloc/holes.0002", &["status", "stats.json", "smaps"]));
    let opened = open_files(first, added).ok().unwrap();
    assert_eq!((bars(&memory_of(&opened.session)), opened.refused.len()), (want.clone(), 0));
    let redaction = Redaction::new([]).unwrap();
    for redaction in [None, Some(&redaction)] {
        let data = opened.session.to_report_data(ReportDataOptions { redaction, ..ReportDataOptions::default() });
        let again = memory_of(&Session::from_report_data(decode(&data).unwrap()));
        assert_eq!(bars(&again), want);
        let text = again["waterfall"].to_string();
        assert_eq!(text.contains("libc.so") && text.contains("holes.0002.smaps"), redaction.is_none(), "{text}");
    }
}

/// A process that waits, and ends with the test.
struct Waiting(Child);

impl Waiting {
    fn new() -> Waiting {
        Waiting(Command::new("sleep").arg("60").env("SECRET_OF_THE_TEST", "x").stdout(Stdio::null()).spawn().unwrap())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn capture(pid: &str, to: &Path) -> (bool, String, String) {
    let output = program().args(["capture", pid, "-o"]).arg(to).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.success(), text(output.stdout), text(output.stderr))
}

#[cfg(target_os = "linux")]
#[test]
fn a_running_process_is_captured_and_explained() {
    use std::os::unix::fs::PermissionsExt;
    let waiting = Waiting::new();
    let pid = waiting.0.id().to_string();
    let folder = tempfile::tempdir().unwrap();
    // Until it runs its own program.
    std::thread::sleep(std::time::Duration::from_millis(300));
    let to = folder.path().join(format!("capture.{pid}"));
    let (is_ok, listed, stderr) = capture(&pid, &to);
    assert!(is_ok, "{stderr}");
    assert!(stderr.contains("RSS did not change meanwhile: the files are consistent"), "{stderr}");
    let names = ["smaps", "smaps_rollup", "status", "maps", "cmdline", "build_ids", "capture.json"];
    assert_eq!(listed.lines().count(), names.len());
    for name in names {
        let file = to.join(name);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{name}");
        let text = String::from_utf8(fs::read(&file).unwrap()).unwrap();
        assert!(!text.contains("SECRET_OF_THE_TEST") && !text.is_empty(), "{name}");
    }
    assert_eq!(fs::read_to_string(to.join("cmdline")).unwrap(), "sleep\n60\n");
    assert!(fs::read_to_string(to.join("build_ids")).unwrap().lines().any(|line| line.contains("  /") && line.len() > 40));
    // Nothing is overwritten.
    let (is_ok, _, stderr) = capture(&pid, &to);
    assert!(!is_ok && stderr.contains("is not empty; capture overwrites nothing"), "{stderr}");

    // By the process id in the names of dump and folder, and by name.
    let dump = folder.path().join(format!("jeprof.{pid}.0.f.heap"));
    fs::write(&dump, "heap_v2/524288\n  t*: 1: 4096 [0: 0]\n@ 0x1234\n  t*: 1: 4096 [0: 0]\n").unwrap();
    let other = folder.path().join("other.folded");
    fs::write(&other, "# inuse_space bytes\nmain;work 4096\n").unwrap();
    let (dump, other, to) = (dump.display().to_string(), other.display().to_string(), to.display().to_string());
    for words in [&[&*dump][..], &[&*other, &*to]] {
        let memory = memory(words);
        bars(&memory);
        assert_eq!(memory["waterfall"]["pid"].to_string(), pid);
        assert!(memory["waterfall"]["note"].to_string().contains("RSS did not change meanwhile"), "{memory}");
    }
    assert_eq!(memory(&[&other])["waterfall"], Value::Null);
}

#[cfg(target_os = "linux")]
#[test]
fn files_of_the_kernel_are_read_where_they_are() {
    let waiting = Waiting::new();
    let pid = waiting.0.id().to_string();
    std::thread::sleep(std::time::Duration::from_millis(300));
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("large.folded");
    fs::write(&dump, "# inuse_space bytes\nmain;work 999999999\n").unwrap();
    let [smaps, status] = ["smaps", "status"].map(|name| format!("/proc/{pid}/{name}"));
    let memory = memory(&[&dump.display().to_string(), &smaps, &status]);
    bars(&memory);
    assert_eq!(memory["waterfall"]["pid"].to_string(), pid);
    assert_eq!(memory["waterfall"]["source"][0]["is_file_time"], false);
    let warnings = memory["warnings"].as_array().unwrap();
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].as_str().unwrap().contains("different processes or moments"), "{warnings:?}");
}

#[test]
fn what_cannot_be_captured_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("x");
    for (pid, message) in [("4194999", "there is no process 4194999"), ("x", "x is not a process id"), ("0", "0 is not a process id")] {
        let (is_ok, _, stderr) = capture(pid, &to);
        assert!(!is_ok && stderr.contains(message), "{stderr}");
        assert!(!to.exists());
    }
    let output = program().args(["capture", "1"]).output().unwrap();
    assert!(String::from_utf8_lossy(&output.stderr).contains("missing directory: heapview capture 1 -o DIR"));
    // A folder of this name that is all there is is an input, also with an output.
    fs::create_dir(folder.path().join("capture")).unwrap();
    fs::write(folder.path().join("capture/a.folded"), "main;grow 5\n").unwrap();
    let output = program().args(["-top", "-output=top.txt", "capture"]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(fs::read_to_string(folder.path().join("top.txt")).unwrap().contains("grow"));
}

#[test]
fn maps_of_another_run_or_program_are_named() {
    let smaps = path("testdata/rss/tcmalloc/hoard.0001.smaps").display().to_string();
    let (_, error) = run(&["rss", "../gperftools/shop.0003.heap", &smaps]);
    assert!(error.contains("belongs to the program barge, but the profile to "), "{error}");
    let folder = tempfile::tempdir().unwrap();
    // Elsewhere, as with addresses that differ in each run.
    let moved = fs::read_to_string(&smaps).unwrap().replace("555555", "565656");
    let moved_to = at(&folder, "moved.smaps");
    fs::write(&moved_to, moved).unwrap();
    let (_, error) = run(&["rss", "tcmalloc/hoard.0001.heap", &moved_to]);
    assert!(error.contains("belongs to another run of barge, not to the one that was profiled"), "{error}");
}
