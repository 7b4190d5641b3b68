//! Who may use whom: every `crate::` in `src/` must be an edge of this table.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Module → what it may use. Further down means further from the bytes.
const MAY_USE: [(&str, &[&str]); 27] = [
    ("proto", &[]),
    ("hash", &[]),
    ("id", &[]),
    ("kind", &[]),
    ("plain", &[]),
    ("json", &["plain"]),
    ("pair", &[]),
    ("demangle", &["hash"]),
    ("units", &[]),
    ("cancel", &[]),
    ("fetch", &["plain"]),
    ("profile", &["cancel", "hash", "id", "units"]),
    ("query", &["cancel", "kind", "units"]),
    ("report", &["kind"]),
    ("parse", &["hash", "profile", "id", "units", "proto"]),
    ("symbolize", &["hash", "demangle", "profile", "id"]),
    ("disasm", &["hash", "demangle", "symbolize", "profile", "id", "pair", "query", "report"]),
    ("export", &["hash", "json", "profile", "id", "plain", "units", "proto"]),
    ("analyze", &["cancel", "hash", "demangle", "pair", "profile", "query", "report", "id", "kind", "units"]),
    ("doctor", &["id", "profile", "report", "symbolize"]),
    ("sources", &["query", "report"]),
    ("annotate", &["hash", "analyze", "demangle", "disasm", "id", "pair", "profile", "query", "report", "symbolize"]),
    ("session", &["hash", "profile", "analyze", "disasm", "id", "kind", "query", "report", "sources"]),
    ("gate", &["query", "report", "session", "units"]),
    ("render", &["hash", "json", "kind", "report", "plain", "units"]),
    (
        "web",
        &[
            "hash",
            "annotate",
            "cancel",
            "demangle",
            "disasm",
            "export",
            "kind",
            "session",
            "render",
            "query",
            "report",
            "sources",
            "symbolize",
        ],
    ),
    (
        "cli",
        &[
            "analyze",
            "annotate",
            "demangle",
            "disasm",
            "doctor",
            "export",
            "fetch",
            "gate",
            "hash",
            "id",
            "json",
            "kind",
            "parse",
            "plain",
            "profile",
            "query",
            "render",
            "report",
            "session",
            "sources",
            "symbolize",
            "units",
            "web",
        ],
    ),
];

/// All files of the program's code.
pub(crate) fn source_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    files
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// (module, used module, file) of every `crate::name` in code and comments alike.
fn edges() -> Vec<(String, String, PathBuf)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut edges = Vec::new();
    // Tests beside the code may use what they test it against.
    let is_test = |f: &&PathBuf| f.file_stem().is_some_and(|s| s == "testing" || s.to_string_lossy().ends_with("tests"));
    for file in files.iter().filter(|f| !is_test(f)) {
        let inside = file.strip_prefix(&root).unwrap();
        let module = inside.iter().next().unwrap().to_string_lossy().trim_end_matches(".rs").to_owned();
        let text = fs::read_to_string(file).unwrap();
        for (at, _) in text.match_indices("crate::") {
            let rest = &text[at + "crate::".len()..];
            // `use crate::{a, b::c};` names several.
            let names: Vec<&str> = match rest.strip_prefix('{') {
                Some(list) => list[..list.find('}').unwrap()].split(',').collect(),
                None => vec![rest],
            };
            for name in names {
                let name: String = name.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                if name != module && !name.is_empty() {
                    edges.push((module.clone(), name, inside.to_owned()));
                }
            }
        }
    }
    edges
}

#[test]
fn imports_point_one_way() {
    let edges = edges();
    assert!(edges.len() > 50, "the sources were not read: {} imports", edges.len());
    let wrong: BTreeSet<String> = edges
        .iter()
        .filter(|(from, to, _)| !MAY_USE.iter().any(|(m, may)| m == from && may.contains(&to.as_str())))
        .map(|(from, to, file)| format!("{from} uses {to} in {}", file.display()))
        .collect();
    assert!(wrong.is_empty(), "imports against the direction (see ARCHITECTURE.md):\n{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn the_table_has_no_circle() {
    // Repeatedly take away modules that use only what was taken away before.
    let mut left: Vec<_> = MAY_USE.to_vec();
    while !left.is_empty() {
        let names: Vec<&str> = left.iter().map(|(m, _)| *m).collect();
        let before = left.len();
        left.retain(|(_, may)| may.iter().any(|m| names.contains(m)));
        assert!(left.len() < before, "these modules use each other: {names:?}");
    }
}

/// Files choose the keys of tables: no hash function without a secret key.
#[test]
fn tables_are_keyed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files.iter().filter(|file| !file.ends_with("src/hash.rs")) {
        let text = fs::read_to_string(file).unwrap();
        let imports = text.lines().filter(|line| line.trim_start().starts_with("use std::collections::"));
        let std_tables = imports.filter(|line| line.contains("Hash")).count();
        let unkeyed = ["rustc_hash::", "FxHash", "std::collections::Hash", "foldhash::", "DefaultHasher"];
        let unkeyed: Vec<&str> = unkeyed.into_iter().filter(|word| text.contains(word)).collect();
        assert!(unkeyed.is_empty() && std_tables == 0, "{} has its own hash tables ({unkeyed:?}): take crate::hash", file.display());
    }
}

/// Absences: what must not be in the core.
#[test]
fn the_core_is_pure() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for module in ["profile", "query", "analyze", "report", "units.rs", "id.rs"] {
        let mut files = Vec::new();
        let path = root.join(module);
        if path.is_dir() {
            sources(&path, &mut files)
        } else {
            files.push(path)
        }
        // The names that code is told by are no code.
        let names = ["analyze/classify/rules.rs", "analyze/classify/tests.rs", "analyze/types/rules.rs", "analyze/types/tests.rs"];
        for file in files.iter().filter(|file| !names.iter().any(|name| file.ends_with(name))) {
            let text = fs::read_to_string(file).unwrap();
            for word in ["std::fs", "std::io", "std::env", "std::net", "std::time", "tokio", "async ", "static mut"] {
                assert!(!text.contains(word), "{} contains {word:?}: the core does no I/O and has no clock", file.display());
            }
        }
    }
}
