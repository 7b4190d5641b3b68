//! `docs/src/compatibility.md`: its differences are the script's, its flags exist.

use std::collections::BTreeSet;

use crate::fixture::{self, path};

fn document() -> String {
    std::fs::read_to_string(path("docs/src/compatibility.md")).unwrap()
}

#[test]
fn the_script_and_the_document_name_the_same_differences() {
    let script = std::fs::read_to_string(path("tests/oracle/intended.py")).unwrap();
    let named: BTreeSet<&str> = script.split("Difference(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    let document = document();
    let names: Vec<&str> = document.lines().filter_map(|l| l.strip_prefix("- `")?.split_once("`: ")).map(|(name, _)| name).collect();
    let distinct: BTreeSet<&str> = names.iter().copied().collect();
    assert!(named.len() > 15, "the script was not read: {named:?}");
    assert_eq!(distinct, named, "tests/oracle/intended.py and docs/src/compatibility.md do not name the same");
    assert_eq!(names.len(), distinct.len(), "a difference is listed twice");
}

#[test]
fn documented_flags_exist() {
    let help = fixture::program().args(["help", "all"]).output().unwrap().stdout;
    let help = String::from_utf8(help).unwrap();
    let document = document();
    let tables = document.split("## Reports").nth(1).unwrap().split("## jeprof's options").next().unwrap();
    let quoted = tables.split('`').skip(1).step_by(2);
    let flags = quoted.filter(|q| q.starts_with('-')).map(|q| q.split(['=', '[']).next().unwrap());
    let flags: BTreeSet<&str> = flags.map(|flag| flag.trim_start_matches('-')).collect();
    assert!(flags.len() > 60, "the document was not read: {flags:?}");
    let missing: Vec<&&str> = flags.iter().filter(|flag| !help.contains(&format!(" -{flag}"))).collect();
    assert!(missing.is_empty(), "no such flags: {missing:?}");
}
