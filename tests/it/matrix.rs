//! One program built with every kind of symbol information: the same stacks result, as far as the kind contains them.
//!
//! `testdata/matrix/build.sh` builds the variants that gcc and rustc support; `testdata/matrix/stored` contains those that need
//! rarer tools.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, OnceLock};

use expect_test::expect_file;
use heapview::base::id::MappingId;
use heapview::parse::{ParseOptions, parse};
use heapview::profile::{NamedLine, Names, Profile};
use heapview::symbolize::{Advice, AttachedFile, Note, NoteKind, Options, Outcome, Symbolized, examine, is_binary, symbolize};
use object::read::macho::{FatArch, MachOFatFile32};
use object::{Architecture, Object};
use regex::Regex;

use crate::fixture::path;

/// The best possible result, as a file in `testdata/matrix/expected`, and the variants that reach it.
const LEVELS: [(&str, &[&str]); 18] = [
    (
        "c-full",
        &[
            "c-dwarf2",
            "c-dwarf3",
            "c-dwarf4",
            "c-dwarf5",
            "c-strict3",
            "c-strict4",
            "c-strict5",
            "clang-dwarf2",
            "clang-dwarf3",
            "clang-dwarf4",
            "clang-dwarf5",
            "clang-strict3",
            "clang-strict4",
            "clang-strict5",
            "clang-lines2",
            "clang-lines3",
            "clang-lines4",
            "clang-lines5",
            "clang-split",
            "clang-split-lines",
            "clang-aranges",
            "clang-sections",
            "c-dwarf4-64",
            "c-dwarf5-64",
            "c-split4",
            "c-split5",
            "c-package4",
            "c-package5",
            "c-zlib",
            "c-zstd",
            "c-zdebug",
            "c-fixed",
            "c-static",
            "c-static-pie",
            "c-lto",
            "c-strict3-lto",
            "c-strict4-lto",
            "c-strict5-lto",
            "c-g1",
            "c-sections",
            "c-gold",
            "c-lld",
            "c-types",
            "c-build-id",
            "c-link",
            "c-link-folder",
            "zstd",
            "dwz4",
            "dwz5",
            "dwz-sup",
            "mac-bundle",
            "mac-objects",
            "mac-archive",
        ],
    ),
    ("c-strict2", &["c-strict2", "c-strict-g1", "c-strict-sections", "clang-strict2"]),
    // Without ranges, code that was moved has no inlined functions to show: the file has empty ones.
    ("c-strict2-lto", &["c-strict2-lto"]),
    (
        "cc-full",
        &[
            "cc-dwarf2",
            "cc-dwarf3",
            "cc-dwarf4",
            "cc-dwarf5",
            "cc-strict3",
            "cc-strict4",
            "cc-strict5",
            "cc-strict3-lto",
            "cc-strict4-lto",
            "cc-strict5-lto",
            "cc-types",
        ],
    ),
    ("cc-strict2", &["cc-strict2"]),
    ("cc-strict2-lto", &["cc-strict2-lto"]),
    (
        "clang-cc-full",
        &[
            "clang-cc-dwarf2",
            "clang-cc-dwarf3",
            "clang-cc-dwarf4",
            "clang-cc-dwarf5",
            "clang-cc-strict3",
            "clang-cc-strict4",
            "clang-cc-strict5",
        ],
    ),
    ("clang-cc-strict2", &["clang-cc-strict2"]),
    ("c-symbols", &["c-symbols", "c-mini", "mini"]),
    ("c-exported", &["c-exported"]),
    (
        "rust-full",
        &[
            "rust-full",
            "rust-limited",
            "rust-dwarf5",
            "rust-unpacked4",
            "rust-unpacked5",
            "rust-packed4",
            "rust-packed5",
            "rust-thin",
            "rust-units",
            "rust-fixed",
        ],
    ),
    ("rust-legacy", &["rust-legacy"]),
    ("rust-legacy-lines", &["rust-legacy-lines"]),
    ("rust-legacy-symbols", &["rust-legacy-symbols"]),
    ("rust-lines", &["rust-lines"]),
    ("rust-symbols", &["rust-symbols"]),
    ("none", &["c-stripped"]),
    ("none", &["rust-stripped"]),
];

/// Variants that need rare tools, besides those of clang.
const RARE: [&str; 7] = ["c-lld", "c-gold", "c-package4", "c-package5", "c-mini", "c-zstd", "c-zdebug"];

/// Deviations of other tools.
const WRONG: [(&str, &str, &str); 18] = [
    ("addr2line", "c-dwarf5-64", "binutils 2.40 misreads strings of 64-bit DWARF 5"),
    ("addr2line", "c-split", "does not read .dwo files"),
    ("addr2line", "c-package", "does not read .dwp files"),
    ("addr2line", "c-types", "loses inlined functions to type units"),
    ("addr2line", "c-zdebug", "binutils 2.40 does not find the old names"),
    ("addr2line", "c-lto", "takes inlined names from the partition"),
    ("addr2line", "dwz", "does not follow inlined functions into supplementary files"),
    ("addr2line", "mini", "does not read .gnu_debugdata"),
    ("addr2line", "c-mini", "does not read .gnu_debugdata"),
    ("addr2line", "rust-unpacked", "does not read .dwo files"),
    ("addr2line", "rust-packed", "does not read .dwp files"),
    ("addr2line", "rust-dwarf5", "misreads ranges of DWARF 5"),
    ("addr2line", "rust-lines", "short names only"),
    ("addr2line", "rust-legacy-lines", "short names only"),
    ("llvm-symbolizer", "c-zstd", "LLVM 14 does not inflate zstd"),
    ("llvm-symbolizer", "mac-objects", "does not look into the object files of macOS"),
    ("llvm-symbolizer", "mac-archive", "does not look into the object files of macOS"),
    ("llvm-symbolizer", "zstd", "LLVM 14 does not inflate zstd"),
];

/// The folder with the ways that could be built here.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("matrix");
        let status = Command::new(path("testdata/matrix/build.sh")).arg(&folder).status().unwrap();
        assert!(status.success(), "testdata/matrix/build.sh failed");
        folder
    })
}

/// The way's folder: built here, or stored.
fn way(name: &str) -> Option<PathBuf> {
    let stored = path("testdata/matrix/stored").join(name);
    let folder = if stored.exists() { stored } else { built().join(name) };
    assert!(
        folder.exists() || RARE.contains(&name) || name.starts_with("clang-"),
        "{name} was not built: gcc, binutils and rustc are needed"
    );
    folder.exists().then_some(folder)
}

/// Profile of the variant, and the names from its files.
fn symbolized(folder: &Path) -> (Profile, Symbolized) {
    symbolized_build(folder, &fs::read_to_string(folder.join("granary.heap")).unwrap(), "")
}

/// For this dump of the program with this build id.
fn symbolized_build(folder: &Path, dump: &str, build_id: &str) -> (Profile, Symbolized) {
    let profile = parse(dump.as_bytes(), &ParseOptions::default()).unwrap().profile;
    let file = (MappingId(0), profile.text(profile.code().mappings[MappingId(0)].file).to_owned(), build_id.to_owned());
    let profile = profile.renamed(&Names { files: vec![file], ..Names::default() });
    let options = Options { debug_dirs: vec![folder.join("debug")], search: vec![folder.to_path_buf()], ..Options::default() };
    let found = symbolize(&profile, &options, &());
    (profile, found)
}

/// The frames of each address of each stack that the way's program walked, innermost first.
fn stacks(folder: &Path) -> Vec<Vec<Vec<NamedLine>>> {
    let dump = fs::read_to_string(folder.join("granary.heap")).unwrap();
    stacks_of(&dump, symbolized(folder))
}

fn stacks_of(dump: &str, (profile, Symbolized { names, .. }): (Profile, Symbolized)) -> Vec<Vec<Vec<NamedLine>>> {
    let locations: BTreeMap<u64, _> = profile.code().locations.enumerate().map(|(id, location)| (location.address, id)).collect();
    let at = |word: &str| {
        // A return address follows its call.
        let address = u64::from_str_radix(word.strip_prefix("0x").unwrap(), 16).unwrap() - 1;
        names.lines.get(&locations[&address]).cloned().unwrap_or_default()
    };
    let rows = dump.lines().filter(|line| line.starts_with("1: "));
    rows.map(|row| row.split_once("] @ ").unwrap().1.split(' ').map(at).collect()).collect()
}

/// The stacks as text: `name file:line` a line, what is inlined indented.
fn shown(folder: &Path) -> String {
    text(stacks(folder))
}

fn text(stacks: Vec<Vec<Vec<NamedLine>>>) -> String {
    let mut text = String::new();
    for stack in stacks {
        for chain in stack {
            if chain.is_empty() {
                text.push_str("?\n");
            }
            for (i, line) in chain.iter().enumerate() {
                let indent = if i + 1 < chain.len() { "  " } else { "" };
                let place = format!(" {}:{}", base(&line.filename), line.line);
                text.push_str(&format!("{indent}{}{}\n", line.name, if line.line == 0 { "" } else { &place }));
            }
        }
        text.push('\n');
    }
    text
}

fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap()
}

#[test]
fn every_build_gives_the_same_stacks() {
    for (level, ways) in LEVELS {
        let mut first: Option<(&str, String)> = None;
        for &name in ways {
            let Some(folder) = way(name) else { continue };
            let found = shown(&folder);
            match &first {
                None => {
                    // `none` has as many lines as the language has stacks.
                    let file = if level == "none" { name } else { level };
                    expect_file![path(&format!("testdata/matrix/expected/{file}.txt"))].assert_eq(&found);
                    first = Some((name, found));
                }
                Some((other, expected)) => assert_eq!(&found, expected, "{name} (left) differs from {other}"),
            }
        }
    }
}

/// The binaries and debug files of a variant, as they are attached on the page, by name; in no useful order.
pub(crate) fn attachable(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if fs::read(&path).is_ok_and(|bytes| is_binary(&bytes)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The variants of the matrix that are there, without those whose debug information is in object files of macOS.
pub(crate) fn attachable_ways() -> Vec<(&'static str, PathBuf)> {
    let names = LEVELS.iter().flat_map(|(_, ways)| ways.iter().copied());
    names.filter(|name| !["mac-objects", "mac-archive"].contains(name)).filter_map(|name| Some((name, way(name)?))).collect()
}

#[test]
fn attached_files_give_the_same_names_as_files_on_disk() {
    let mut n_split = 0;
    for (name, folder) in attachable_ways() {
        let dump = fs::read_to_string(folder.join("granary.heap")).unwrap();
        let profile = parse(dump.as_bytes(), &ParseOptions::default()).unwrap().profile;
        let attached: Vec<Arc<AttachedFile>> = attachable(&folder)
            .iter()
            .map(|path| AttachedFile::new(path.file_name().unwrap().into(), Arc::new(fs::read(path).unwrap())).map(Arc::new).unwrap())
            .collect();
        n_split += usize::from(attached.len() > 1);
        let found = symbolize(&profile, &Options { attached, ..Options::default() }, &());
        let notes = found.notes.clone();
        assert_eq!(text(stacks_of(&dump, (profile, found))), shown(&folder), "{name}: {notes:?}");
    }
    assert!(n_split > 10, "{n_split}");
}

/// Notes of the variant's dump when these files are attached, for the page.
fn notes_with(name: &str, is_attached: impl Fn(&str) -> bool) -> (Vec<String>, usize) {
    let folder = way(name).unwrap();
    let profile = parse(&fs::read(folder.join("granary.heap")).unwrap(), &ParseOptions::default()).unwrap().profile;
    let files = attachable(&folder).into_iter().filter(|path| is_attached(path.file_name().unwrap().to_str().unwrap()));
    let attached = files.map(|path| {
        let source = Arc::new(fs::File::open(&path).unwrap());
        Arc::new(AttachedFile::new(path.file_name().unwrap().into(), source).unwrap())
    });
    let options = Options { attached: attached.collect(), ignores_paths: true, ..Options::default() };
    let found = symbolize(&profile, &options, &());
    (found.notes.iter().map(|note| note.message(Advice::Page)).collect(), found.names.lines.len())
}

#[test]
fn notes_on_attached_files_say_what_to_drop() {
    for (name, files, expected) in [
        ("c-dwarf5", &[][..], "granary was not found: drop the binary on the page"),
        ("c-build-id", &["granary"], "drop an unstripped build or its debug file on the page"),
        ("c-link", &["granary"], "drop an unstripped build or its debug file on the page"),
        ("c-split5", &["granary"], "drop the .dwo files or the .dwp on the page"),
        ("c-split4", &["granary"], "drop the .dwo files or the .dwp on the page"),
        ("dwz4", &["granary", "granary.debug"], "drop that file on the page"),
        ("mac-objects", &["granary"], "drop the file below Contents/Resources/DWARF of the .dSYM on the page"),
    ] {
        let (notes, _) = notes_with(name, |file| files.contains(&file));
        assert!(notes.len() == 1 && notes[0].contains(expected), "{name}: {notes:?}");
    }
}

#[test]
fn a_debug_file_alone_names_its_program() {
    let (notes, n_named) = notes_with("zstd", |_| true);
    assert!(n_named > 0, "{notes:?}");
    let (notes, n) = notes_with("dwz5", |file| file != "granary");
    assert!(n > 0, "{notes:?}");
}

#[test]
fn names_are_those_of_llvm_symbolizer_and_addr2line() {
    // Suffixes of outlined parts are the symbol table's; hashes change with the compiler.
    let erased = Regex::new(r"B[0-9A-Za-z]?_|17h[0-9a-f]{16}E|\.cold$").unwrap();
    let crates = Regex::new("Cs[0-9A-Za-z]+_").unwrap();
    let oracle = fs::read_to_string(path("testdata/matrix/oracle.txt")).unwrap();
    let mut answers: BTreeMap<(&str, &str), String> = BTreeMap::new();
    let mut asked: Vec<(&str, &str)> = Vec::new();
    let mut is_head = false;
    for line in oracle.lines() {
        if let Some(head) = line.strip_prefix("= ") {
            if !is_head {
                asked.clear();
            }
            asked.push(head.split_once(' ').unwrap());
        } else {
            let line = line.replacen(".cold ", " ", 1);
            asked.iter().for_each(|&key| *answers.entry(key).or_default() += &format!("{line}\n"));
        }
        is_head = line.starts_with("= ");
    }
    let mut n_same = 0;
    for ((name, tool), theirs) in answers {
        let is_wrong = WRONG.iter().any(|(other, prefix, _)| *other == tool && name.starts_with(prefix));
        let Some(folder) = way(name) else { continue };
        let mut ours = String::new();
        for stack in stacks(&folder) {
            for chain in stack {
                for line in &chain {
                    let name = crates.replace_all(&line.system_name, "C_");
                    let file = if line.line == 0 { "?" } else { base(&line.filename) };
                    ours += &format!("{} {file} {}\n", erased.replace_all(&name, ""), line.line);
                }
                if chain.is_empty() {
                    ours += "? ? 0\n";
                }
            }
            ours.push('\n');
        }
        assert_eq!(ours == theirs, !is_wrong, "{name}, {tool} says:\n{theirs}\nwe say:\n{ours}");
        n_same += usize::from(!is_wrong);
    }
    assert!(n_same > 30, "only {n_same} answers were compared");
}

/// Copy of the files of a stored variant, except those whose name ends with `without`.
fn copied(name: &str, without: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(path("testdata/matrix/stored").join(name)).unwrap() {
        let from = entry.unwrap().path();
        if from.is_file() && !from.to_str().unwrap().ends_with(without) {
            fs::copy(&from, folder.path().join(from.file_name().unwrap())).unwrap();
        }
    }
    folder
}

#[test]
fn missing_supplementary_file_is_named_and_lines_stay() {
    let folder = copied("dwz4", "common.debug");
    let (_, Symbolized { notes, .. }) = symbolized(folder.path());
    let [Note { kind: NoteKind::MissingAlt { name, .. }, .. }] = &notes[..] else { panic!("{notes:?}") };
    assert_eq!(name, "common.debug");
    assert!(notes[0].to_string().contains("install"), "{}", notes[0]);
    assert!(shown(folder.path()).contains("store granary.c:57\n"));
}

#[test]
fn supplementary_file_of_another_build_is_not_taken() {
    let folder = copied("dwz4", "common.debug");
    fs::copy(path("testdata/matrix/stored/dwz-sup/common.debug"), folder.path().join("common.debug")).unwrap();
    let (_, Symbolized { notes, .. }) = symbolized(folder.path());
    assert!(matches!(notes[0].kind, NoteKind::MissingAlt { .. }), "{notes:?}");
}

#[test]
fn damaged_packed_symbol_table_is_survived() {
    let folder = copied("mini", "none");
    let program = folder.path().join("granary");
    let whole = fs::read(&program).unwrap();
    // The compressed table follows the code, and is the only thing with this magic.
    let at = whole.windows(6).position(|w| w == b"\xfd7zXZ\0").unwrap();
    for i in (0..600).step_by(7) {
        let mut bytes = whole.clone();
        bytes[at + i] ^= 0x55;
        fs::write(&program, bytes).unwrap();
        let (_, Symbolized { notes, .. }) = symbolized(folder.path());
        assert_eq!(notes.len(), 1, "{notes:?}");
    }
}

#[test]
fn universal_file_is_read_for_the_architecture_that_ran() {
    let folder = path("testdata/matrix/stored/mac-universal");
    let bytes = fs::read(folder.join("granary")).unwrap();
    let expected = fs::read_to_string(path("testdata/matrix/expected/c-full.txt")).unwrap();
    for part in MachOFatFile32::parse(&*bytes).unwrap().arches() {
        let uuid = object::File::parse(part.data(&*bytes).unwrap()).unwrap().mach_uuid().unwrap().unwrap();
        let build_id: String = uuid.iter().map(|byte| format!("{byte:02x}")).collect();
        let name = if part.architecture() == Architecture::Aarch64 { "arm64.heap" } else { "x86_64.heap" };
        let dump = fs::read_to_string(folder.join(name)).unwrap();
        assert_eq!(text(stacks_of(&dump, symbolized_build(&folder, &dump, &build_id))), expected, "{name}");
    }
    let dump = fs::read_to_string(folder.join("arm64.heap")).unwrap();
    let (_, Symbolized { notes, names, .. }) = symbolized_build(&folder, &dump, "0123456789abcdef0123456789abcdef");
    assert!(matches!(notes[0].kind, NoteKind::OtherBuild { used: false, .. }), "{notes:?}");
    assert!(names.lines.is_empty());
}

#[test]
fn bundle_of_another_build_is_not_taken() {
    let folder = copied("mac-objects", "granary.o");
    let bundle = folder.path().join("granary.dSYM/Contents/Resources/DWARF");
    fs::create_dir_all(&bundle).unwrap();
    let other = path("testdata/matrix/stored/mac-bundle/granary.dSYM/Contents/Resources/DWARF/granary");
    let mut bytes = fs::read(other).unwrap();
    let uuid = object::File::parse(&*bytes).unwrap().mach_uuid().unwrap().unwrap();
    let at = bytes.windows(16).position(|w| w == uuid).unwrap();
    bytes[at] ^= 1;
    fs::write(bundle.join("granary"), &bytes).unwrap();
    let (_, Symbolized { notes, .. }) = symbolized(folder.path());
    assert!(matches!(&notes[0].kind, NoteKind::MissingObjects { n_missing: 1, first, .. } if first == "granary.o"), "{notes:?}");
    let symbols = fs::read_to_string(path("testdata/matrix/expected/c-symbols.txt")).unwrap();
    assert_eq!(shown(folder.path()), symbols.replace("sort.cold", "sort"));
}

/// Number of missing split parts of the variant's program in `folder`, according to the doctor.
fn missing_parts(folder: &Path, dump: &str) -> usize {
    let profile = parse(dump.as_bytes(), &ParseOptions::default()).unwrap().profile;
    let options = Options { binary: Some(folder.join("granary")), ..Options::default() };
    let Outcome::Found(facts) = examine(&profile, &options).remove(0).outcome else { panic!("{}", folder.display()) };
    facts.split.unwrap().n_missing
}

#[test]
fn split_parts_of_another_build_count_as_missing() {
    let (five, four) = (way("c-split5").unwrap(), way("c-split4").unwrap());
    let dump = fs::read_to_string(five.join("granary.heap")).unwrap();
    assert_eq!(missing_parts(&five, &dump), 0);
    // The same program, built in a directory that no longer exists, with the part of the other beside it.
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = fs::read(five.join("granary")).unwrap();
    let built_in = five.to_str().unwrap().as_bytes();
    while let Some(at) = bytes.windows(built_in.len()).position(|w| w == built_in) {
        bytes[at + 1] = b'#';
    }
    fs::write(folder.path().join("granary"), bytes).unwrap();
    assert_eq!(missing_parts(folder.path(), &dump), 1);
    fs::copy(four.join("granary.dwo"), folder.path().join("granary.dwo")).unwrap();
    assert_eq!(missing_parts(folder.path(), &dump), 1);
    fs::copy(five.join("granary.dwo"), folder.path().join("granary.dwo")).unwrap();
    assert_eq!(missing_parts(folder.path(), &dump), 0);
}
