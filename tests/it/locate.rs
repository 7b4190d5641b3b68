//! Locating programs and their debug information, and the messages when only wrong files are found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use tempfile::TempDir;

use crate::cli::command;
use crate::fixture::path;

const DUMP: &str = "gperftools/shop.0003.heap";
const PATH: &str = "tmp/heapview-testdata/bin/shop";
const BUILD_ID: &str = "2b425bfc2db02712470a6cec4e577a592aa67e19";

/// A line with a name that only debug information has, as an inlined function.
const INLINED: &str = "alloc::alloc::realloc (inline)";

/// The first rows of `top`, with no folder to look in but those of the flags.
fn top(args: &[&str], home: &Path) -> Output {
    let args = [&["top", "-nodecount=6"], args].concat();
    command(&args).env("PPROF_BINARY_PATH", "/nowhere").env("HOME", home).output().unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[track_caller]
fn assert_named(output: &Output) {
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains(INLINED), "{table}\n{}", stderr(output));
}

/// The shop program at `place` below a new folder.
fn shop_at(place: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    put_shop(folder.path(), place);
    folder
}

fn put_shop(folder: &Path, place: &str) -> PathBuf {
    let to = folder.join(place);
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    fs::copy(path("testdata/bin/shop"), &to).unwrap();
    to
}

/// The dump with its text changed.
fn dump(folder: &Path, change: impl Fn(&str) -> String) -> String {
    let to = folder.join("changed.heap");
    fs::write(&to, change(&fs::read_to_string(path("testdata").join(DUMP)).unwrap())).unwrap();
    to.to_str().unwrap().to_owned()
}

#[test]
fn a_sysroot_holds_programs_under_their_own_paths() {
    let root = shop_at(PATH);
    let flag = format!("--sysroot={}", root.path().display());
    assert_named(&top(&[&flag, DUMP], root.path()));
    // `..` does not lead out of it.
    fs::create_dir(root.path().join("inner")).unwrap();
    let inner = format!("--sysroot={}", root.path().join("inner").display());
    let climbing = dump(root.path(), |text| text.replace("/tmp/heapview-testdata/bin/shop", &format!("/../{PATH}")));
    let output = top(&[&inner, &climbing], root.path());
    assert!(stderr(&output).contains("shop was not found"), "{}", stderr(&output));
}

#[test]
fn paths_can_be_remapped() {
    let home = tempfile::tempdir().unwrap();
    let flag = format!("--remap=/tmp/heapview-testdata={}", path("testdata").display());
    assert_named(&top(&["--remap=/elsewhere=/nowhere", &flag, DUMP], home.path()));
    let wrong = top(&["--remap=/tmp", DUMP], home.path());
    assert!(stderr(&wrong).contains("expected FROM=TO"), "{}", stderr(&wrong));
}

#[test]
fn programs_are_found_by_build_id() {
    let (id, rest) = BUILD_ID.split_at(2);
    for place in [format!(".build-id/{id}/{rest}"), format!(".build-id/{id}/{rest}.debug"), format!(".debug/.build-id/{id}/{rest}/elf")] {
        let folder = shop_at(&place);
        let flag = format!("--debug-dir=/nowhere:{}", folder.path().display());
        let bare = folder.path().join("bare.pb.gz");
        write_bare(&bare);
        assert_named(&top(&[&flag, bare.to_str().unwrap()], folder.path()));
    }
}

/// The dump as protobuf, without names and with the build id of a program that is gone.
fn write_bare(to: &Path) {
    let args = ["-proto", "-symbolize=none", "-buildid", BUILD_ID, "-output", to.to_str().unwrap(), DUMP];
    assert!(command(&args).output().unwrap().status.success());
}

#[test]
fn debug_information_is_found_by_build_id() {
    let (id, rest) = BUILD_ID.split_at(2);
    let folder = shop_at(&format!(".build-id/{id}/{rest}.debug"));
    // A program without debug information: its sections go by other names.
    let stripped = put_shop(folder.path(), "bin/shop");
    let mut bytes = fs::read(&stripped).unwrap();
    let name = b".debug_info\0";
    let at = bytes.windows(name.len()).position(|w| w == name).unwrap();
    bytes[at + 1] = b'x';
    fs::write(&stripped, bytes).unwrap();
    let stripped = stripped.to_str().unwrap();
    let without = top(&[stripped, DUMP], folder.path());
    assert!(stderr(&without).contains("no debug information"), "{}", stderr(&without));
    for dir in [folder.path().to_path_buf(), folder.path().join(".build-id")] {
        let output = top(&["--debug-dir", dir.to_str().unwrap(), stripped, DUMP], folder.path());
        assert_named(&output);
        assert!(!stderr(&output).contains("no debug information"), "{}", stderr(&output));
    }
}

#[test]
fn another_build_is_recognized_by_its_calls() {
    let home = tempfile::tempdir().unwrap();
    let output = top(&["bin/shop-v0", DUMP], home.path());
    let text = stderr(&output);
    assert!(
        text.contains(
            "shop: names may be wrong: bin/shop-v0 is another build than the one that ran (30 of 90 return addresses match this binary)"
        ),
        "{text}"
    );
    assert!(!stderr(&top(&["bin/shop", DUMP], home.path())).contains("wrong"));
    // A fitting file is preferred, wherever it is.
    let root = shop_at(PATH);
    fs::copy(path("testdata/bin/shop-v0"), root.path().join("shop")).unwrap();
    let flag = format!("--sysroot={}", root.path().display());
    let output = command(&["top", "-nodecount=6", &flag, DUMP]).env("PPROF_BINARY_PATH", root.path()).output().unwrap();
    assert_named(&output);
    assert!(!stderr(&output).contains("wrong"), "{}", stderr(&output));
}

#[test]
fn a_replaced_program_is_used_when_it_still_fits() {
    let root = shop_at(PATH);
    let flag = format!("--sysroot={}", root.path().display());
    let deleted = dump(root.path(), |text| text.replace("/bin/shop\n", "/bin/shop (deleted)\n"));
    let output = top(&[&flag, &deleted], root.path());
    assert_named(&output);
    assert!(!stderr(&output).contains("wrong"), "{}", stderr(&output));
}

#[test]
fn anonymous_memory_has_a_descriptive_name() {
    let folder = tempfile::tempdir().unwrap();
    let heap = "heap profile: 5: 500 [5: 500] @ heapprofile
1: 100 [1: 100] @ 0x10000011
1: 100 [1: 100] @ 0x20000011
1: 100 [1: 100] @ 0x30000011
1: 100 [1: 100] @ 0x40000011
1: 100 [1: 100] @ 0x30000111

MAPPED_LIBRARIES:
10000000-10001000 r-xp 00000000 00:00 0 /nowhere/program
20000000-20001000 r-xp 00000000 00:00 0 [vdso]
30000000-30001000 r-xp 00000000 00:00 0
40000000-40001000 r-xp 00000000 00:00 0 /memfd:jit (deleted)
";
    let file = folder.path().join("a.heap");
    fs::write(&file, heap).unwrap();
    let file = file.to_str().unwrap();
    let names = |args: &[&str]| -> Vec<String> {
        let table = String::from_utf8(top(&[args, &["-csv", file]].concat(), folder.path()).stdout).unwrap();
        let mut names: Vec<String> = table.lines().skip(1).map(|row| row.split(',').nth(4).unwrap().to_owned()).collect();
        names.sort();
        names
    };
    assert_eq!(names(&[]), ["[anon]", "[memfd:jit]", "[program]", "[vdso]"]);
    let map = folder.path().join("perf-1.map");
    fs::write(&map, "30000000 20 LazyCompile:~render\n40000000 100 stub\n").unwrap();
    let named = names(&["--perf-map", map.to_str().unwrap()]);
    assert_eq!(named, ["LazyCompile:~render", "[anon]", "[program]", "[vdso]", "stub"]);
    let missing = top(&["--perf-map=/nowhere/perf-1.map", file], folder.path());
    assert!(stderr(&missing).contains("perf-1.map"), "{}", stderr(&missing));
}

#[test]
fn programs_are_found_by_build_id_under_any_name() {
    let home = tempfile::tempdir().unwrap();
    put_shop(home.path(), "bin/renamed");
    let build_id = format!("-buildid={BUILD_ID}");
    let args = ["top", "-nodecount=6", &build_id, DUMP];
    let find = |folder: &str| command(&args).env("PPROF_BINARY_PATH", home.path().join(folder)).env("HOME", "/").output().unwrap();
    assert_named(&find("bin"));
    assert!(stderr(&find("other")).contains("shop was not found"), "{}", stderr(&find("other")));
}

#[test]
fn a_few_calls_are_enough_to_recognize_another_program() {
    let home = tempfile::tempdir().unwrap();
    // One stack of some frames: too few to doubt a program of which one is strange.
    let short = dump(home.path(), |text| {
        let (rows, maps) = text.split_once("\n\nMAPPED_LIBRARIES").unwrap();
        let mut rows = rows.lines();
        let head = rows.next().unwrap();
        let row = rows.find(|row| row.split_whitespace().filter(|word| word.starts_with("0x")).count() == 9).unwrap();
        format!("{head}\n{row}\n\nMAPPED_LIBRARIES{maps}")
    });
    let right = command(&["top", "bin/shop", &short]).output().unwrap();
    assert!(!stderr(&right).contains("another build"), "{}", stderr(&right));
    let wrong = command(&["top", "bin/shop-v0", &short]).output().unwrap();
    assert!(stderr(&wrong).contains("return addresses match this binary"), "{}", stderr(&wrong));
}

#[test]
fn options_that_are_not_directories_are_errors() {
    let home = tempfile::tempdir().unwrap();
    let output = top(&["--sysroot=/no/such/folder", "bin/shop", DUMP], home.path());
    assert_eq!((output.status.code(), stderr(&output).as_str()), (Some(2), "heapview: -sysroot=/no/such/folder is not a directory\n"));
    let output = top(&["--debug-dir=/no/such/folder", "bin/shop", DUMP], home.path());
    assert_named(&output);
    assert!(stderr(&output).contains("-debug-dir=/no/such/folder is not a directory\n"), "{}", stderr(&output));
}

/// The kitchen's program, and its library at `library`, in a new folder.
fn kitchen_with(library: Option<&str>) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, place) in [("kitchen", Some("bin/kitchen")), ("libpantry.so", library)] {
        let Some(place) = place else { continue };
        let to = folder.path().join(place);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(path("testdata/bin").join(name), to).unwrap();
    }
    folder
}

const KITCHEN: &str = "gperftools/kitchen.0001.heap";

#[test]
fn libraries_are_found_near_the_binary_that_was_named() {
    let named = |folder: &TempDir, args: &[&str]| {
        let program = folder.path().join("bin/kitchen");
        let args = [&["-culprit", program.to_str().unwrap()], args, &[KITCHEN]].concat();
        let output = top(&args, folder.path());
        (String::from_utf8(output.stdout.clone()).unwrap(), stderr(&output))
    };
    for place in ["bin/libpantry.so", "bin/lib/libpantry.so", "lib/libpantry.so"] {
        let (table, stderr) = named(&kitchen_with(Some(place)), &[]);
        assert!(
            table.contains("pantry::Jar::put") && !table.contains("[libpantry.so]") && !stderr.contains("libpantry"),
            "{place}: {table}{stderr}"
        );
    }
    // Nowhere else, and another build of that name is not taken for it.
    let folder = kitchen_with(Some("bin/deep/libpantry.so"));
    fs::copy(path("testdata/bin/shop"), folder.path().join("bin/libpantry.so")).unwrap();
    let (_, stderr) = named(&folder, &[]);
    assert!(stderr.contains("libpantry.so"), "{stderr}");
    // Without its names the library itself is charged, not its caller in the program, and the way out is named.
    let (table, stderr) = named(&kitchen_with(None), &[]);
    let first = table.lines().skip_while(|line| !line.contains("flat%")).nth(1).unwrap();
    assert!(first.ends_with("  [libpantry.so]"), "{table}");
    let way = "put it beside the binary, name it after the binary (heapview BINARY libpantry.so DUMP)";
    assert!(stderr.contains("not found: libpantry.so; its functions have no names") && stderr.contains(way), "{stderr}");
}

#[test]
fn further_binaries_are_libraries_of_the_first() {
    let folder = kitchen_with(Some("elsewhere/libpantry.so"));
    let [program, library] = ["bin/kitchen", "elsewhere/libpantry.so"].map(|place| folder.path().join(place).display().to_string());
    for args in [[&*program, &library, KITCHEN], [&program, KITCHEN, &library]] {
        let output = top(&[&["-culprit"], &args[..]].concat(), folder.path());
        let table = String::from_utf8_lossy(&output.stdout);
        assert!(table.contains("pantry::Jar::put") && !stderr(&output).contains("libpantry"), "{args:?}: {table}{}", stderr(&output));
    }
    // One that nothing was mapped from is named.
    let output = top(&[&program, "bin/mill", KITCHEN], folder.path());
    let unused = "bin/mill is not used: no mapping in the profile has its file name or build id";
    assert!(output.status.success() && stderr(&output).contains(unused), "{}", stderr(&output));
    // A build of the same name is no library.
    let other = folder.path().join("other/kitchen");
    fs::create_dir(other.parent().unwrap()).unwrap();
    fs::copy(path("testdata/bin/kitchen"), &other).unwrap();
    let output = top(&[&program, other.to_str().unwrap(), KITCHEN], folder.path());
    assert!(!output.status.success() && stderr(&output).contains("2 binaries are given"), "{}", stderr(&output));
}
