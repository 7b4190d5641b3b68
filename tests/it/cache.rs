//! Symbol cache across runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use object::{Object, ObjectSection};

use crate::fixture::{self, path};

const DUMP: &str = "gperftools/shop.0003.heap";

/// The program, remembering below `home`.
fn command(home: &Path, args: &[&str]) -> Command {
    let mut command = fixture::program();
    command.args(args).current_dir(path("testdata")).env("TZ", "UTC").stdin(Stdio::null());
    command.env("XDG_CACHE_HOME", home.join("cache")).env("PPROF_BINARY_PATH", home.join("search"));
    command
}

fn combined_output(output: Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
}

/// Both outputs of a report with all that names have.
fn lines(home: &Path, app: &Path, dump: &str) -> String {
    combined_output(command(home, &["-raw", &app.to_string_lossy(), dump]).output().unwrap())
}

/// Lines from the file itself.
fn fresh_lines(home: &Path, app: &Path, dump: &str) -> String {
    combined_output(command(home, &["-raw", "--no-symbol-cache", &app.to_string_lossy(), dump]).output().unwrap())
}

fn entries(home: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(home.join("cache/heapview/symbols")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files
}

/// A copy of a program of `testdata`.
fn copy(home: &Path, name: &str) -> PathBuf {
    let app = home.join("app");
    fs::copy(path("testdata/bin").join(name), &app).unwrap();
    app
}

/// Zeroes what names are made of; headers and build id stay.
fn destroy(app: &Path) {
    let mut bytes = fs::read(app).unwrap();
    let object = object::File::parse(&*bytes).unwrap();
    let names = |name: &str| name.starts_with(".debug_") || [".symtab", ".strtab", ".dynsym", ".dynstr"].contains(&name);
    let ranges: Vec<(u64, u64)> = object.sections().filter(|s| s.name().is_ok_and(names)).filter_map(|s| s.file_range()).collect();
    assert!(ranges.len() > 6);
    for (offset, size) in ranges {
        bytes[offset as usize..(offset + size) as usize].fill(0);
    }
    // The tables of symbols seem to be past the end, so reading them fails.
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let headers = number(0x28);
    let tables: Vec<usize> = (headers..bytes.len()).step_by(0x40).filter(|&at| [2, 11].contains(&bytes[at + 4])).collect();
    assert_eq!(tables.len(), 2);
    tables.iter().for_each(|at| bytes[at + 0x18..at + 0x20].fill(0x7f));
    fs::write(app, bytes).unwrap();
}

#[test]
fn second_run_reads_only_headers() {
    let home = tempfile::tempdir().unwrap();
    let app = copy(home.path(), "shop");
    let first = lines(home.path(), &app, DUMP);
    assert!(first.contains("shop::") && first.contains("main.rs"));
    destroy(&app);
    assert_ne!(fresh_lines(home.path(), &app, DUMP), first);
    assert_eq!(lines(home.path(), &app, DUMP), first);
}

#[test]
fn the_next_dump_needs_only_what_is_new() {
    let home = tempfile::tempdir().unwrap();
    let app = copy(home.path(), "shop");
    let dumps = ["gperftools/shop.0001.heap", "gperftools/shop.0002.heap", DUMP];
    let right = dumps.map(|dump| fresh_lines(home.path(), &app, dump));
    assert!(!home.path().join("cache").exists());
    for dump in dumps {
        lines(home.path(), &app, dump);
    }
    destroy(&app);
    assert_eq!(dumps.map(|dump| lines(home.path(), &app, dump)), right);
}

#[test]
fn damaged_entries_are_replaced() {
    let home = tempfile::tempdir().unwrap();
    let app = copy(home.path(), "shop");
    let right = lines(home.path(), &app, DUMP);
    let [entry] = &entries(home.path())[..] else { panic!("{:?}", entries(home.path())) };
    let whole = fs::read(entry).unwrap();
    let mut damaged: Vec<Vec<u8>> = vec![vec![], whole[..whole.len() / 2].to_vec(), b"hello".to_vec()];
    damaged.extend((0..whole.len()).step_by(whole.len() / 7).map(|at| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        bytes
    }));
    for bytes in damaged {
        fs::write(entry, bytes).unwrap();
        assert_eq!(lines(home.path(), &app, DUMP), right);
        assert_eq!(fs::read(entry).unwrap(), whole);
    }
}

#[test]
fn several_processes_remember_at_once() {
    let home = tempfile::tempdir().unwrap();
    let app = copy(home.path(), "shop");
    let dumps = ["gperftools/shop.0001.heap", "gperftools/shop.0002.heap", DUMP];
    let right = dumps.map(|dump| fresh_lines(home.path(), &app, dump));
    for _ in 0..3 {
        let run = |i: usize| {
            let mut command = command(home.path(), &["-raw", &app.to_string_lossy(), dumps[i % 3]]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let runs: Vec<_> = (0..9).map(run).collect();
        for (i, run) in runs.into_iter().enumerate() {
            assert_eq!(combined_output(run.wait_with_output().unwrap()), right[i % 3]);
        }
    }
    assert_eq!(entries(home.path()).len(), 1);
}

#[test]
fn another_program_at_the_same_place_is_not_confused() {
    let home = tempfile::tempdir().unwrap();
    let app = copy(home.path(), "shop");
    let right = fresh_lines(home.path(), &app, DUMP);
    assert_eq!(lines(home.path(), &app, DUMP), right);
    copy(home.path(), "shop-v0");
    let other = fresh_lines(home.path(), &app, DUMP);
    assert_ne!(other, right);
    assert_eq!(lines(home.path(), &app, DUMP), other);
    copy(home.path(), "shop");
    assert_eq!(lines(home.path(), &app, DUMP), right);
}

/// Without a build id, the file's time distinguishes builds.
#[test]
fn programs_without_a_build_id_are_identified_by_path_and_time() {
    let home = tempfile::tempdir().unwrap();
    let app = copy(home.path(), "shop");
    let bytes = fs::read(&app).unwrap();
    let id = object::File::parse(&*bytes).unwrap().build_id().unwrap().unwrap().to_vec();
    let at = bytes.windows(id.len()).position(|w| w == id).unwrap();
    let mut bytes = bytes;
    bytes[at - 4..at].copy_from_slice(b"LNU\0");
    fs::write(&app, &bytes).unwrap();
    assert_eq!(object::File::parse(&*bytes).unwrap().build_id().unwrap(), None);
    let right = lines(home.path(), &app, DUMP);
    let time = fs::metadata(&app).unwrap().modified().unwrap();
    destroy(&app);
    let destroyed = fresh_lines(home.path(), &app, DUMP);
    assert_ne!(destroyed, right);
    let file = fs::File::options().write(true).open(&app).unwrap();
    file.set_modified(time).unwrap();
    assert_eq!(lines(home.path(), &app, DUMP), right);
    file.set_modified(time + std::time::Duration::from_nanos(1000)).unwrap();
    assert_eq!(lines(home.path(), &app, DUMP), destroyed);
}

#[test]
fn a_debug_file_that_comes_later_is_used_and_then_remembered() {
    let home = tempfile::tempdir().unwrap();
    let app = copy(home.path(), "shop");
    let whole = fs::read(&app).unwrap();
    let right = fresh_lines(home.path(), &app, DUMP);
    let id = object::File::parse(&*whole).unwrap().build_id().unwrap().unwrap().to_vec();
    let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    // A program whose debug information has other names has none.
    let mut hidden = whole.clone();
    for at in 0..hidden.len() - 7 {
        if hidden[at..].starts_with(b"\0.debug_") {
            hidden[at + 1] = b',';
        }
    }
    fs::write(&app, hidden).unwrap();
    let without_lines = lines(home.path(), &app, DUMP);
    assert!(without_lines.contains("no debug information"), "{without_lines}");
    assert_eq!(lines(home.path(), &app, DUMP), without_lines);
    let debug = home.path().join(format!("search/.build-id/{}/{}.debug", &id[..2], &id[2..]));
    fs::create_dir_all(debug.parent().unwrap()).unwrap();
    fs::write(&debug, &whole).unwrap();
    assert_eq!(lines(home.path(), &app, DUMP), right);
    assert_eq!(lines(home.path(), &app, DUMP), right);
    // Its names are right when it is gone, too.
    fs::remove_file(&debug).unwrap();
    assert_eq!(lines(home.path(), &app, DUMP), right);
    assert_eq!(fresh_lines(home.path(), &app, DUMP), without_lines);
}

#[test]
fn symbols_alone_are_not_taken_for_all() {
    let home = tempfile::tempdir().unwrap();
    let app = copy(home.path(), "shop");
    let run =
        |how: &str, more: &str| combined_output(command(home.path(), &["-raw", how, more, &app.to_string_lossy(), DUMP]).output().unwrap());
    for how in ["-symbolize=fastlocal", "-symbolize=local", "-symbolize=fastlocal", "-symbolize=demangle=none"] {
        assert_eq!(run(how, "-compact_labels"), run(how, "-no_symbol_cache"), "{how}");
    }
}

#[cfg(unix)]
#[test]
fn cache_files_are_private() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let app = copy(home.path(), "shop");
    lines(home.path(), &app, DUMP);
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&home.path().join("cache/heapview/symbols")), 0o700);
    assert_eq!(mode(&entries(home.path())[0]), 0o600);
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_place_nothing_is_remembered() {
    let home = tempfile::tempdir().unwrap();
    let app = copy(home.path(), "shop");
    let right = fresh_lines(home.path(), &app, DUMP);
    for place in ["", "relative/folder"] {
        let mut command = command(home.path(), &["-raw", &app.to_string_lossy(), DUMP]);
        assert_eq!(combined_output(command.env("XDG_CACHE_HOME", place).env_remove("HOME").output().unwrap()), right);
    }
    assert!(!path("testdata/relative").exists());
}
