//! `deploy/Containerfile`: its images are new enough for what is built in them.

use std::fs;

use crate::fixture::path;

/// Major and minor version at the beginning of a text; without a minor one: the newest.
fn version(text: &str) -> (u32, u32) {
    let mut parts = text.split(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap().split('.');
    let major = parts.next().unwrap().parse().unwrap_or_else(|_| panic!("{text:?} is no version"));
    (major, parts.next().map_or(u32::MAX, |minor| minor.parse().unwrap()))
}

#[test]
fn images_fit_what_is_built() {
    let file = fs::read_to_string(path("deploy/Containerfile")).unwrap();
    let image = |name: &str| {
        let start = format!("FROM docker.io/library/{name}:");
        version(file.lines().find_map(|line| line.strip_prefix(&start)).unwrap_or_else(|| panic!("no stage from {name}")))
    };
    let page: serde_json::Value = serde_json::from_str(&fs::read_to_string(path("web/package.json")).unwrap()).unwrap();
    let node = version(page["engines"]["node"].as_str().unwrap().strip_prefix(">=").unwrap());
    assert!(image("node") >= node, "the page needs Node {node:?}");
    let manifest = fs::read_to_string(path("Cargo.toml")).unwrap();
    let rust = version(manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")).unwrap());
    assert!(image("rust") >= rust, "heapview needs Rust {rust:?}");
    // Debian's own are older.
    let installed = file.split("apt-get install").skip(1).map(|rest| rest.split("&&").next().unwrap());
    assert!(installed.flat_map(str::split_whitespace).all(|package| !["nodejs", "npm", "cargo", "rustc"].contains(&package)));
    assert_eq!((version("22-bookworm"), version("1.88-bookworm"), version("20.19")), ((22, u32::MAX), (1, 88), (20, 19)));
}
