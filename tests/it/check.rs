//! `heapview check`: limits for a build.

use expect_test::expect_file;
use serde_json::Value;

use crate::cli::{command, error};
use crate::fixture::path;

/// Output and exit status.
fn check(args: &[&str]) -> (String, i32) {
    let output = command(&[&["check"], args, &["bin/shop", "gperftools/shop.0003.heap"]].concat()).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
}

/// 12,104,541 bytes are in use, a third of them came since the base; all is shop's own but 667 bytes.
const LIMITS: [&str; 6] = [
    "-max-inuse=10MiB",
    "-max-growth=500%",
    "-budget=package=shop:5MB",
    "-budget=culprit=shop::book::*:+1%",
    "-budget=focus=Loyalty:1GB",
    "-base=gperftools/shop.0001.heap",
];

#[test]
fn broken_limits_come_first_in_every_format() {
    for (name, flag) in [("text.txt", "-compact_labels"), ("markdown.md", "-markdown"), ("github.txt", "-github")] {
        let (text, status) = check(&[&LIMITS[..], &[flag]].concat());
        expect_file![path(&format!("testdata/check/{name}"))].assert_eq(&text);
        assert_eq!(status, 1, "{name}");
    }
    let (text, status) = check(&[&LIMITS[..], &["-json"]].concat());
    let report: Value = serde_json::from_str(&text).unwrap();
    let row = &report["row"].as_array().unwrap()[0];
    assert_eq!((status, &report["holds"], &row["name"], &row["actual"]), (1, &false.into(), &"in use".into(), &12_104_541.into()));
    assert_eq!(row["culprit"][0]["row"]["full_name"], "shop::audit::blank_page");
}

#[test]
fn the_byte_at_the_limit_still_fits() {
    assert_eq!(check(&["-max-inuse=12104541"]).1, 0);
    assert_eq!(check(&["-max-inuse=12104540"]).1, 1);
    // Filters hold for every limit, and a limit's own filter comes on top.
    assert_eq!(check(&["-max-inuse=1B", "-focus=no_such_function"]).1, 0);
    assert_eq!(check(&["-budget=package=shop:1MB", "-ignore=audit|book|discount"]).1, 0);
    assert_eq!(check(&["-max-growth=1B", "-base=gperftools/shop.0003.heap"]).1, 0);
}

#[test]
fn limits_that_cannot_be_checked_are_errors() {
    for (args, why) in [
        (&["check", "gperftools/shop.0003.heap"][..], "no limit given; use -max-inuse=512MiB"),
        (&["check", "-max-growth=5%", "pprof/depot.1.pb.gz"], "needs a base: add -base"),
        (&["check", "-max-inuse=5%", "x"], "-max-inuse=5%: a percentage limits growth over a base"),
        (&["check", "-budget=pakage=a:1MB", "x"], "did you mean package?"),
        (&["check", "-max-inuse=1MB", "-json", "-github", "x"], "-json, -markdown and -github cannot be combined"),
        (&["top", "-max-inuse=1MB", "x"], "-max-inuse needs check"),
    ] {
        assert!(error(args).contains(why), "{args:?}: {}", error(args));
    }
    let output = command(&["check", "-budget=package=shopp:1MB", "bin/shop", "gperftools/shop.0003.heap"]).output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("within the limit; one limit matches nothing in the profile"));
    assert!(stderr.contains("package=shopp: Package expression matched no samples"), "{stderr}");
}

#[test]
fn limits_may_lie_beside_the_project() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("mine.toml");
    std::fs::write(&file, "[kinds]\nthird_party = ['shop']\n[check]\nmax-inuse = '1MB'\nbudget = ['package=shop:20MB']\n").unwrap();
    let config = format!("-config={}", file.display());
    let (text, status) = check(&[&config]);
    assert!(status == 1 && text.starts_with("1 of 2 limits exceeded"), "{text}");
    // Flags come before it.
    let (text, status) = check(&[&config, "-max-inuse=20MB"]);
    assert!(status == 0 && text.starts_with("within all 2 limits"), "{text}");
}

#[test]
fn growth_is_since_the_first_dump_of_a_series() {
    let checked = |args: &[&str]| {
        let output = command(&[&["check", "-max-growth=1MB", "bin/shop"], args].concat()).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), output.status.code().unwrap())
    };
    let files = ["gperftools/shop.0003.heap", "gperftools/shop.0001.heap", "gperftools/shop.0002.heap"];
    let (text, status) = checked(&files);
    assert!(status == 1 && text.contains("+7.80 MiB"), "{text}");
    assert_eq!(checked(&["gperftools/shop.0*"]), (text, status));
}
