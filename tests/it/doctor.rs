//! `heapview doctor`: state of names, problems, and advice.

use std::fs;
use std::path::Path;

use expect_test::expect_file;
use serde_json::Value;

use crate::cli::command;
use crate::fixture::path;

/// Output and exit status, with debug information of testdata only.
fn doctor(args: &[&str]) -> (String, i32) {
    let output = command(&[&["doctor"], args].concat()).env("HOME", "/nowhere").env("DEBUGINFOD_URLS", "").output().unwrap();
    assert!(output.stderr.is_empty(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

#[test]
fn every_module_is_listed() {
    for (name, args, status) in [
        ("shop", &["bin/shop", "gperftools/shop.0003.heap"][..], 0),
        ("kitchen", &["gperftools/kitchen.0001.heap"], 0),
        ("other-build", &["bin/shop-v0", "gperftools/shop.0003.heap"], 1),
        ("named", &["pprof/depot.1.pb.gz"], 0),
    ] {
        let (text, got) = doctor(args);
        expect_file![path(&format!("testdata/doctor/{name}.txt"))].assert_eq(&text);
        assert_eq!(got, status, "{name}");
    }
}

#[test]
fn missing_files_list_the_places_searched() {
    let output = command(&["doctor", "gperftools/shop.0003.heap"]).env("PPROF_BINARY_PATH", "/nowhere").env("HOME", "/").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.starts_with("0% of bytes have function and line"), "{text}");
    for line in [
        "  searched   /tmp/heapview-testdata/bin/shop\n             /nowhere/shop\n",
        "  problem    not found\n  remedy     pass the binary that produced this profile: heapview BINARY PROFILE\n",
        "--remap=/tmp/heapview-testdata/bin=DIR\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// The shop program with sections renamed, so that they cannot be found.
fn shop_without(folder: &Path, sections: &[&str]) -> String {
    let mut bytes = fs::read(path("testdata/bin/shop")).unwrap();
    for section in sections {
        let name = format!("\0{section}\0").into_bytes();
        let at = bytes.windows(name.len()).position(|w| w == name).unwrap();
        bytes[at + 2] = b'#';
    }
    let to = folder.join("shop");
    fs::write(&to, bytes).unwrap();
    to.to_str().unwrap().to_owned()
}

#[test]
fn the_remedy_is_what_the_program_lacks() {
    let folder = tempfile::tempdir().unwrap();
    let program = shop_without(folder.path(), &[".debug_info"]);
    // The whole one, of the same build, is in the folder that the others name.
    assert_eq!(doctor(&[&program, "gperftools/shop.0003.heap"]).1, 0);
    let output =
        command(&["doctor", &program, "gperftools/shop.0003.heap"]).env("PPROF_BINARY_PATH", "/nowhere").env("HOME", "/").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(text.starts_with("100% of bytes have a function, 0% a line"), "{text}");
    for line in [
        "  debug info symbol table only: functions without lines\n",
        "  problem    no debug information: no lines and no inlined functions\n",
        // The path does not show the Cargo profile.
        "  remedy     in Cargo.toml, for the profile that it is built with (--profile):\n               debug = \"line-tables-only\" # or 1, 2 for more\n               strip = false\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn a_program_that_has_no_function_there_is_doubted() {
    let folder = tempfile::tempdir().unwrap();
    let dump = folder.path().join("bare.heap");
    fs::write(&dump, "heap profile: 1: 100 [1: 100] @ heapprofile\n1: 100 [1: 100] @ 0x1000\n").unwrap();
    let (text, status) = doctor(&["bin/shop", dump.to_str().unwrap()]);
    assert_eq!(status, 1);
    assert!(text.contains("most addresses are in no function of bin/shop"), "{text}");
}

#[test]
fn programs_read_it_as_json() {
    let (text, _) = doctor(&["--json", "bin/shop", "gperftools/shop.0003.heap"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["is_well"], true);
    assert_eq!(report["unit"], "bytes");
    let main = &report["module"][0];
    assert_eq!(main["name"], "/tmp/heapview-testdata/bin/shop");
    assert_eq!(main["file"], "bin/shop");
    assert_eq!(main["function"], main["value"]);
    assert!(main["line"].as_i64().unwrap() < main["value"].as_i64().unwrap());
}

#[test]
fn warnings_lead_to_it() {
    let output = command(&["top", "bin/shop-v0", "gperftools/shop.0003.heap"]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(stderr.contains("`heapview doctor`"), "{stderr}");
    let child = command(&["-interactive", "bin/shop", "gperftools/shop.0003.heap"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn();
    let mut shell = child.unwrap();
    std::io::Write::write_all(&mut shell.stdin.take().unwrap(), b"doctor\n").unwrap();
    let answer = String::from_utf8(shell.wait_with_output().unwrap().stdout).unwrap();
    assert!(answer.contains("/tmp/heapview-testdata/bin/shop\n") || answer.contains("bin/shop\n"), "{answer}");
}
