//! Allowed dependencies: every import in `src/` must be an edge of these tables. Cycles of files are found by `tests/folders.py`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

type MayUse = &'static [(&'static str, &'static [&'static str])];

/// Module → what it may use. Further down means further from the bytes.
const MODULES: MayUse = &[
    ("proto", &[]),
    ("base", &[]),
    ("demangle", &["base"]),
    ("profile", &["base"]),
    ("query", &["base"]),
    ("report", &["base"]),
    ("report_data", &["base", "profile", "query", "report"]),
    ("parse", &["base", "profile", "proto", "report_data"]),
    ("attribution", &["base", "demangle", "profile", "query"]),
    ("analyze", &["attribution", "base", "profile", "query", "report"]),
    ("session", &["analyze", "attribution", "base", "profile", "query", "report", "report_data"]),
    ("limits", &["base", "profile", "query", "report", "session"]),
    ("render", &["base", "report"]),
    ("export", &["base", "profile", "proto"]),
    ("feeds", &["base", "parse", "proto"]),
    ("api", &["analyze", "base", "demangle", "export", "parse", "profile", "query", "render", "report", "report_data", "session"]),
    // From here on: feature `app`, what touches the machine.
    ("fetch", &["base"]),
    ("symbolize", &["base", "demangle", "profile"]),
    ("doctor", &["base", "profile", "report", "symbolize"]),
    ("attached", &["api", "doctor", "profile", "session", "symbolize"]),
    ("sources", &["query", "report"]),
    ("annotate", &["analyze", "api", "base", "demangle", "profile", "query", "report", "session", "sources", "symbolize"]),
    ("store", &["annotate", "api", "base", "parse", "profile", "session", "symbolize"]),
    ("scrape", &["base", "demangle", "fetch", "parse", "profile", "store"]),
    ("terminal", &["base", "symbolize"]),
    (
        "open",
        &[
            "analyze",
            "annotate",
            "api",
            "attached",
            "base",
            "demangle",
            "doctor",
            "export",
            "fetch",
            "parse",
            "profile",
            "query",
            "session",
            "sources",
            "store",
            "symbolize",
            "terminal",
        ],
    ),
    ("jobs", &["fetch", "limits", "open", "render", "report", "session", "store", "terminal"]),
    (
        "web",
        &[
            "annotate",
            "api",
            "base",
            "demangle",
            "export",
            "feeds",
            "query",
            "render",
            "report",
            "report_data",
            "scrape",
            "session",
            "sources",
            "store",
            "symbolize",
        ],
    ),
    (
        "cli",
        &[
            "analyze",
            "annotate",
            "api",
            "attached",
            "attribution",
            "base",
            "demangle",
            "doctor",
            "export",
            "fetch",
            "jobs",
            "limits",
            "open",
            "parse",
            "profile",
            "query",
            "render",
            "report",
            "report_data",
            "scrape",
            "session",
            "sources",
            "store",
            "symbolize",
            "terminal",
            "web",
        ],
    ),
];

/// Allowed dependencies of folders and files inside a module. Units not listed may be used by all, and may use any.
const INSIDE: &[(&str, MayUse)] = &[
    (
        "analyze",
        &[
            ("tree", &[]),
            ("builds", &[]),
            ("filtered", &["tree"]),
            ("resident", &["tree"]),
            ("reports", &["builds", "filtered", "resident", "tree"]),
            ("growth", &["reports", "tree"]),
        ],
    ),
    (
        "attribution",
        &[
            ("classify", &[]),
            ("facts", &["classify"]),
            ("wrappers", &["classify", "facts"]),
            ("owners", &["classify", "facts", "wrappers"]),
            ("culprit", &["classify", "owners"]),
            ("types", &["classify", "facts", "owners"]),
        ],
    ),
    (
        "symbolize",
        &[
            ("files_by_build_id", &[]),
            ("read", &[]),
            ("options", &["files_by_build_id", "read"]),
            ("find", &["files_by_build_id", "options", "read"]),
            ("dwarf", &["find", "read"]),
            ("macho_objects", &["dwarf", "find", "options", "read"]),
            ("binary", &["debug_information", "dwarf", "find", "module", "macho_objects", "options", "read"]),
            ("code", &["binary", "read"]),
            ("cache", &["dwarf", "find", "module", "options", "read"]),
        ],
    ),
    (
        "open",
        &[
            ("inputs", &[]),
            ("atomic_file", &[]),
            ("options", &[]),
            ("fetching", &["options"]),
            ("builds", &["inputs"]),
            ("read", &["options"]),
            ("series", &["inputs", "options"]),
            ("cache_folder", &["atomic_file", "options"]),
            ("debuginfod", &["atomic_file", "cache_folder", "fetching", "options"]),
            ("recent", &["atomic_file", "cache_folder"]),
            ("save", &["atomic_file"]),
        ],
    ),
    (
        "cli",
        &[
            ("subcommands", &[]),
            ("output", &[]),
            ("programs", &[]),
            ("viewer", &["output", "programs"]),
            ("flags", &["viewer", "subcommands"]),
            ("links", &["flags"]),
            ("request", &["capture", "check_flags", "flags", "output", "tokens"]),
            ("shell", &["flags", "help", "local_time", "output", "print", "request", "view"]),
            ("jeprof", &["flags", "output", "graphviz", "request", "shell", "view", "viewer"]),
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

/// An import: the file's path below `src`, and the path that it names from the crate's root.
struct Import {
    file: PathBuf,
    /// `analyze`, `tree`, `totals` of `analyze/tree/totals.rs`.
    module: Vec<String>,
    named: Vec<String>,
}

/// Every `crate::…` and `super::…` in code.
fn imports() -> Vec<Import> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    // Tests beside the code may use what they test it against.
    let is_test = |f: &PathBuf| f.file_stem().is_some_and(|s| s == "testing" || s.to_string_lossy().ends_with("tests"));
    let mut found = Vec::new();
    for file in source_files().into_iter().filter(|f| !is_test(f)) {
        let inside = file.strip_prefix(&root).unwrap().to_owned();
        let mut module: Vec<String> = inside.with_extension("").iter().map(|part| part.to_string_lossy().into_owned()).collect();
        module.pop_if(|last| last == "mod");
        let text = fs::read_to_string(&file).unwrap();
        // Test modules in a file are its end, and `super` in them is the file.
        let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let text = &code.join("\n");
        let starts = text.match_indices("crate::").map(|(at, word)| (Vec::new(), at + word.len())).chain(supers(text, &module));
        for (base, at) in starts {
            for named in names(&text[at..]) {
                found.push(Import { file: inside.clone(), module: module.clone(), named: [base.clone(), named].concat() });
            }
        }
    }
    found
}

/// End of each chain of `super::` in a file's text, and the module it names.
fn supers<'a>(text: &'a str, module: &'a [String]) -> impl Iterator<Item = (Vec<String>, usize)> + 'a {
    let is_first = |at: usize| !text[..at].ends_with("super::");
    text.match_indices("super::").filter(move |&(at, _)| is_first(at)).map(move |(at, word)| {
        let rest = text[at..].trim_start_matches(word);
        let n_up = (text.len() - at - rest.len()) / word.len();
        (module[..module.len().saturating_sub(n_up)].to_vec(), text.len() - rest.len())
    })
}

/// The first two names of each path of a use tree: `a::{b, c::d}` names a::b and a::c.
fn names(text: &str) -> Vec<Vec<String>> {
    let word = |text: &str| -> String { text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let Some(list) = text.strip_prefix('{') else {
        let first = word(text);
        let Some(rest) = text.strip_prefix(first.as_str()).and_then(|rest| rest.strip_prefix("::")) else { return vec![vec![first]] };
        return names(rest).into_iter().map(|rest| [vec![first.clone()], rest].concat()).collect();
    };
    let (mut depth, mut starts) = (0, vec![0]);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => starts.push(at + 1),
            _ => {}
        }
    }
    starts.into_iter().flat_map(|at| names(list[at..].trim_start())).filter(|names| !names[0].is_empty()).collect()
}

#[test]
fn use_trees_are_read() {
    let read = |text: &str| names(text).iter().map(|names| names.join("::")).collect::<Vec<_>>().join(" ");
    assert_eq!(read("analyze::tree::{totals, chosen::Chosen};"), "analyze::tree::totals analyze::tree::chosen::Chosen");
    assert_eq!(read("{base::{id::Id, hash}, query};"), "base::id::Id base::hash query");
    let module = ["analyze", "tree", "totals"].map(str::to_owned);
    let text = "use super::super::growth::x; use super::chosen;";
    let found: Vec<String> = supers(text, &module).map(|(base, at)| [base, names(&text[at..]).remove(0)].concat().join("::")).collect();
    assert_eq!(found, ["analyze::growth::x", "analyze::tree::chosen"]);
}

/// Imports at a depth of the tree, of units of one folder, that its table does not have.
fn against(table: MayUse, inside: &[&str], names_all: bool, imports: &[Import]) -> BTreeSet<String> {
    let depth = inside.len();
    let unit =
        |path: &[String]| (path.len() > depth && path.iter().zip(inside).all(|(part, name)| part == name)).then(|| path[depth].clone());
    let row = |unit: &str| table.iter().find(|(name, _)| *name == unit);
    let mut wrong = BTreeSet::new();
    for import in imports {
        let (Some(from), Some(to)) = (unit(&import.module), unit(&import.named)) else { continue };
        let is_module = to.starts_with(|c: char| c.is_lowercase());
        if from == to || !is_module {
            continue;
        }
        let may = match row(&from) {
            Some((_, may)) => may.contains(&to.as_str()) || (!names_all && row(&to).is_none() && !is_unit(inside, &to)),
            None => !names_all || ["lib", "main"].contains(&from.as_str()),
        };
        if !may {
            wrong.insert(format!("{from} uses {to} in {}", import.file.display()));
        }
    }
    wrong
}

/// Returns whether a name is a file or folder: functions of a `mod.rs` are not.
fn is_unit(inside: &[&str], name: &str) -> bool {
    let folder = inside.iter().fold(Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), |path, part| path.join(part));
    folder.join(name).is_dir() || folder.join(format!("{name}.rs")).is_file()
}

fn report(wrong: BTreeSet<String>) {
    assert!(wrong.is_empty(), "imports against the direction (see ARCHITECTURE.md):\n{}", wrong.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn imports_point_one_way() {
    let imports = imports();
    assert!(imports.len() > 1000, "the sources were not read: {} imports", imports.len());
    report(against(MODULES, &[], true, &imports));
}

#[test]
fn imports_point_one_way_inside_modules() {
    let imports = imports();
    for (module, table) in INSIDE {
        for (unit, _) in *table {
            assert!(is_unit(&[module], unit), "{module}/{unit} is in the table and not in src");
        }
        report(against(table, &[module], false, &imports));
    }
}

#[test]
fn the_tables_have_no_circle() {
    for table in INSIDE.iter().map(|(_, table)| *table).chain([MODULES]) {
        // Repeatedly take away modules that use only what was taken away before.
        let mut left: Vec<_> = table.to_vec();
        while !left.is_empty() {
            let names: Vec<&str> = left.iter().map(|(m, _)| *m).collect();
            let before = left.len();
            left.retain(|(_, may)| may.iter().any(|m| names.contains(m)));
            assert!(left.len() < before, "these modules use each other: {names:?}");
        }
    }
}

/// Files choose the keys of tables: no hash function without a secret key.
#[test]
fn tables_are_keyed() {
    for file in source_files().iter().filter(|file| !file.ends_with("src/base/hash.rs")) {
        let text = fs::read_to_string(file).unwrap();
        let imports = text.lines().filter(|line| line.trim_start().starts_with("use std::collections::"));
        let std_tables = imports.filter(|line| line.contains("Hash")).count();
        let unkeyed = ["rustc_hash::", "FxHash", "std::collections::Hash", "foldhash::", "DefaultHasher"];
        let unkeyed: Vec<&str> = unkeyed.into_iter().filter(|word| text.contains(word)).collect();
        assert!(unkeyed.is_empty() && std_tables == 0, "{} has its own hash tables ({unkeyed:?}): take crate::base::hash", file.display());
    }
}

/// The modules that the library consists of without the feature `app`.
const CORE: [&str; 13] =
    ["base", "demangle", "profile", "query", "report", "parse", "attribution", "analyze", "session", "limits", "render", "export", "api"];

/// Code of the core: module, file below `src`, lines without comments, texts and tests.
fn core() -> Vec<(&'static str, PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let is_test = |file: &Path| file.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("tests"));
    let mut found = Vec::new();
    for module in CORE {
        let (of_module, before) = (source_files(), found.len());
        let is_of_module = |file: &Path| file.starts_with(module) || file == Path::new(module).with_extension("rs");
        for file in of_module.iter().map(|file| file.strip_prefix(&root).unwrap()).filter(|file| is_of_module(file) && !is_test(file)) {
            let text = fs::read_to_string(root.join(file)).unwrap();
            let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//") && !line.contains('"'));
            found.push((module, file.to_owned(), code.collect::<Vec<_>>().join("\n")));
        }
        assert!(found.len() > before, "no {module} in src");
    }
    found
}

/// Absences: what must not be in the core. That it builds without the libraries for it, `tests/check.sh` checks.
#[test]
fn the_core_is_pure() {
    let of_machine =
        ["std::fs", "std::env", "std::net", "std::time", "std::process", "std::thread", "tokio", "axum", "jiff", "async ", "static mut"];
    // These write to whoever calls them, and read bytes in their order.
    let with_io = ["base", "parse", "render", "export", "api"];
    // Tables of names to recognize are not code.
    let names = ["attribution/classify/rules.rs", "attribution/classify/closures.rs", "attribution/types/rules.rs"];
    for (module, file, code) in core() {
        if names.iter().any(|name| file.ends_with(name)) {
            continue;
        }
        // Where there are no threads it does without.
        let may_start = file.ends_with("base/parallel.rs");
        let words = of_machine.into_iter().filter(|word| !may_start || *word != "std::thread");
        for word in words.chain(Some("std::io").filter(|_| !with_io.contains(&module))) {
            assert!(!code.contains(word), "{} contains {word:?}: the core does no I/O and has no clock", file.display());
        }
    }
}

/// Reports have the same last digits on every system: the standard library takes these functions from the system.
#[test]
fn numbers_are_the_same_everywhere() {
    let names = "exp exp2 exp_m1 ln ln_1p log log2 log10 powf sin cos tan sinh cosh tanh asin acos atan atan2 cbrt hypot mul_add";
    for (_, file, code) in core() {
        for name in names.split(' ') {
            let is_called = [format!(".{name}("), format!("f64::{name}"), format!("f32::{name}")].iter().any(|call| code.contains(call));
            assert!(!is_called, "{} calls {name} of the standard library: take libm's", file.display());
        }
    }
}
