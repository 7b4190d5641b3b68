//! Many dumps: folders, patterns and name prefixes, and the dump shown by default.

use std::fs;
use std::path::Path;
use std::process::Output;

use crate::cli::command;
use crate::fixture::path;

/// Two processes; the smaller one has the later dumps, and what is no profile is between them.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let put = |from: &str, name: &str| fs::copy(path("testdata").join(from), folder.path().join(name)).map(drop).unwrap();
    for number in 1..=3 {
        put(&format!("gperftools/shop.000{number}.heap"), &format!("shop_77.{:04}.heap", 8 + number));
    }
    put("gperftools/shop.0001.heap", "shop.0100.heap");
    fs::write(folder.path().join("notes.md"), "# what we saw\n").unwrap();
    fs::write(folder.path().join("shop_77.0012.heap"), "heap profile: broken\n").unwrap();
    folder
}

fn heapview(folder: &Path, args: &[&str]) -> (String, String) {
    let Output { status, stdout, stderr } =
        command(args).env("PPROF_BINARY_PATH", path("testdata/bin")).current_dir(folder).output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert!(status.success(), "{args:?}: {stderr}");
    (String::from_utf8(stdout).unwrap(), stderr)
}

fn table(dump: &str) -> String {
    heapview(&path("testdata/gperftools"), &["-top", dump]).0
}

#[test]
fn the_last_dump_of_the_largest_process_is_shown() {
    let folder = folder();
    let here = folder.path().file_name().unwrap().to_str().unwrap();
    for args in [&["-top", "."][..], &["-top", "*.heap"], &["-top", "shop*"], &["-top", "shop_77"], &["-top", &format!("../{here}")]] {
        let (stdout, stderr) = heapview(folder.path(), args);
        assert_eq!(stdout, table("shop.0003.heap"), "{args:?}");
        assert!(stderr.contains("shop_77.0011.heap"), "{args:?}: {stderr}");
    }
    let (_, stderr) = heapview(folder.path(), &["-top", "."]);
    assert!(stderr.contains("4 dumps of 2 processes; showing the last one of shop_77, the largest"), "{stderr}");
    assert!(stderr.contains("skipped 1 file that is not a profile (notes.md)"), "{stderr}");
    assert!(stderr.contains("shop_77.0012.heap"), "{stderr}");
}

#[test]
fn files_named_one_by_one_are_merged() {
    let folder = folder();
    let files = ["shop_77.0010.heap", "shop_77.0009.heap", "shop_77.0011.heap"];
    let (sum, stderr) = heapview(folder.path(), &["-top", files[0], files[1], files[2]]);
    assert!(stderr.contains("showing the sum of 3 dumps, like pprof; shop_77.0011.heap is the last one"), "{stderr}");
    let names = [1, 2, 3].map(|number| format!("shop.000{number}.heap"));
    let (merged_table, _) = heapview(&path("testdata/gperftools"), &["-top", &names[1], &names[0], &names[2]]);
    assert_eq!(sum, merged_table);
    // A folder's are when that is requested.
    assert_eq!(heapview(folder.path(), &["-top", "-merge", "shop_77*.heap"]).0, merged_table);
    heapview(folder.path(), &["merge", "shop_77", "-o", "all.pb.gz"]);
    assert_eq!(heapview(folder.path(), &["-top", "all.pb.gz"]).0, merged_table);
}

#[test]
fn a_series_is_compared_with_its_beginning_and_with_others() {
    let folder = folder();
    let grown = heapview(&path("testdata/gperftools"), &["diff", "shop.0001.heap", "shop.0003.heap"]).0;
    assert_eq!(heapview(folder.path(), &["diff", "shop_77"]).0, grown);
    // One series and one file, either way.
    assert_eq!(heapview(folder.path(), &["diff", "shop.0100.heap", "shop_77"]).0, grown);
    assert_eq!(heapview(folder.path(), &["-diff_base=shop.0100.heap", "-top", "shop_77"]).0, grown);
    let shrunk = heapview(&path("testdata/gperftools"), &["-top", "-base=shop.0003.heap", "shop.0001.heap"]).0;
    assert_eq!(heapview(folder.path(), &["-top", "-base=shop_77", "shop.0100.heap"]).0, shrunk);
    let error = command(&["diff", "."]).args(["shop_77", "shop.0100.heap"]).current_dir(folder.path()).output().unwrap();
    assert!(String::from_utf8_lossy(&error.stderr).contains("diff needs two dumps or two series, found 3"));
}

#[test]
fn missing_bases_are_not_replaced_by_other_files() {
    let folder = folder();
    fs::copy(folder.path().join("shop.0100.heap"), folder.path().join("heap.11")).unwrap();
    let failed = |args: &[&str]| {
        let output = command(args).current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8(output.stderr).unwrap()
    };
    // One number begins as another does.
    for args in [["check", "-max-growth=5%", "-base=heap.1", "shop.0100.heap"], ["-top", "-symbolize=none", "-base=heap.1", "heap.11"]] {
        assert!(failed(&args).contains("heap.1: "), "{args:?}");
    }
    // The message lists what was found instead.
    let (_, stderr) = heapview(folder.path(), &["-top", "-symbolize=none", "-base=heap", "shop.0100.heap"]);
    assert!(stderr.contains("base: heap.11\n"), "{stderr}");
    let (_, stderr) = heapview(folder.path(), &["-top", "-symbolize=none", "-base=shop_77", "shop.0100.heap"]);
    assert!(stderr.contains("base: shop_77.0011.heap, the last of 3 dumps\n"), "{stderr}");
    assert!(failed(&["-watch", "-merge", "."]).contains("-watch and -merge cannot be combined"));
}
