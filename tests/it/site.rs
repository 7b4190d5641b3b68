//! `heapview site`: the files that it writes, and folders that it leaves alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::cli::{command, error};

/// Paths of all files below `folder`.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.is_dir() {
                true => folders.push(entry),
                false => drop(all.insert(entry.strip_prefix(folder).unwrap().to_str().unwrap().to_owned())),
            }
        }
    }
    all
}

/// Writes the site; what is on standard output.
fn write(folder: &Path) -> String {
    let output = command(&["site", "-o", folder.to_str().unwrap()]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_site_asks_only_for_its_own_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("site");
    let listed: BTreeSet<String> =
        write(&folder).lines().map(|line| Path::new(line).strip_prefix(&folder).unwrap().to_str().unwrap().to_owned()).collect();
    let found = files(&folder);
    assert_eq!(listed.union(&["heapview-site.json".to_owned()].into()).cloned().collect::<BTreeSet<_>>(), found);

    let index = fs::read_to_string(folder.join("index.html")).unwrap();
    for (start, end) in [("href=\"", "\""), ("src=\"", "\"")] {
        for address in index.split(start).skip(1).map(|rest| rest.split(end).next().unwrap()).filter(|a| !a.starts_with("data:")) {
            assert!(found.contains(address), "{address}");
        }
    }
    let policy = index.split("Content-Security-Policy\" content=\"").nth(1).unwrap().split('"').next().unwrap();
    assert!(policy.starts_with("default-src 'none'; ") && !policy.contains("unsafe-inline") && !policy.contains("://"), "{policy}");
    assert!(!index.contains("<script>") && !index.contains("<style") && !index.contains(" style="), "inline code");

    // All that the page may load is stored for use without network.
    let worker = fs::read_to_string(folder.join("service-worker.js")).unwrap();
    let list = worker.split("const FILES = ").nth(1).unwrap().split(';').next().unwrap();
    let list: BTreeSet<String> = serde_json::from_str(list).unwrap();
    let pages = ["./".to_owned(), "index.html".to_owned()];
    let expected = found.iter().filter(|path| path.contains('/')).chain(&pages).cloned().collect::<BTreeSet<_>>();
    assert_eq!(list, expected);
    let bytes: u64 = found.iter().map(|path| fs::metadata(folder.join(path)).unwrap().len()).sum();
    assert!(bytes < 5 << 20, "{bytes} bytes");

    // Again: the same files.
    write(&folder);
    assert_eq!(files(&folder), found);
    let manifest: Value = serde_json::from_slice(&fs::read(folder.join("heapview-site.json")).unwrap()).unwrap();
    assert_eq!(manifest["files"].as_object().unwrap().len() + 1, found.len());
}

#[test]
fn what_is_no_place_for_a_site_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mine.txt"), "mine").unwrap();
    let at = folder.path().to_str().unwrap();
    assert!(error(&["site", "-o", at]).contains("has files, but no heapview site; choose a new or empty directory"));
    assert!(error(&["site", "-o", &format!("{at}/mine.txt")]).contains("mine.txt is a file; -o names the directory of the site"));
    assert_eq!(files(folder.path()), ["mine.txt".to_owned()].into());
    assert_eq!(error(&["site"]), "heapview: missing directory: heapview site -o DIR");
    assert!(error(&["site", "gperftools/shop.0003.heap", "-o", at]).contains("site takes no files, found gperftools/shop.0003.heap"));
}

#[test]
fn the_folder_may_have_the_name_of_the_command() {
    let folder = tempfile::tempdir().unwrap();
    for _ in 0..2 {
        let output = command(&["site", "-o", "site"]).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(folder.path().join("site/index.html").exists());
    let help = String::from_utf8(command(&["help", "site"]).output().unwrap().stdout).unwrap();
    assert!(help.contains("heapview site -o public"), "{help}");
}
