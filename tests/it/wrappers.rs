//! Allocation wrappers of C and C++ programs: their callers are charged, and reports show it.

use heapview::profile::Profile;
use heapview::report::{Report, SummaryReport};
use serde_json::Value;

use crate::cli::command;
use crate::fixture::{ask, dumps, folded, path, text};

fn summary(profile: &Profile, question: &str) -> SummaryReport {
    match ask(profile, question) {
        Report::Summary(report) => report,
        other => panic!("{question}: {:?}", other.header()),
    }
}

fn culprits(profile: &Profile, question: &str) -> Vec<(String, i64)> {
    summary(profile, question).culprit.iter().map(|culprit| (culprit.row.name.clone(), culprit.sum.value)).collect()
}

/// Names and numbers as [`culprits`] has them.
fn named(rows: &[(&str, i64)]) -> Vec<(String, i64)> {
    rows.iter().map(|(name, value)| ((*name).to_owned(), *value)).collect()
}

/// A server in C with three layers of wrappers; `malloc`: what is below them.
fn server(malloc: &str) -> Profile {
    let stacks = [
        "main;loop;readQuery;createString;_sdsnewlen;zmalloc;ztrymalloc_usable_internal{} 6000\n",
        "main;loop;readQuery;addReply;_sdsnewlen;ztrymalloc_usable_internal{} 1000\n",
        "main;loop;listAdd;lpInsert;zrealloc;ztryrealloc_usable{} 2500\n",
        "main;loop;dictAdd;zcalloc{} 500\n",
    ];
    folded(&stacks.concat().replace("{}", malloc))
}

#[test]
fn callers_are_charged_through_all_layers() {
    for malloc in ["", ";malloc", ";malloc;imalloc;arena_malloc", ";tc_malloc"] {
        let profile = server(malloc);
        let expected = named(&[("_sdsnewlen", 7000), ("lpInsert", 2500), ("dictAdd", 500)]);
        assert_eq!(culprits(&profile, "summary"), expected, "{malloc}");
        let wrappers = ["ztrymalloc_usable_internal", "zmalloc", "zrealloc", "ztryrealloc_usable", "zcalloc"];
        assert_eq!(summary(&profile, "summary").header.wrappers, wrappers, "{malloc}");
    }
}

#[test]
fn reports_that_charge_callers_name_the_wrappers() {
    let profile = server(";malloc");
    let expected = "Charged to callers: ztrymalloc_usable_internal, zmalloc, zrealloc, ztryrealloc_usable, zcalloc \
                (allocation wrappers; -kinds=function:ztrymalloc_usable_internal=own to undo)\n";
    for question in ["summary", "sizes", "types", "top culprit=t"] {
        assert!(text(&profile, question).contains(expected), "{question}: {}", text(&profile, question));
    }
    let series = dumps(&["main;f;xmalloc;malloc 10\n", "main;f;xmalloc;malloc 20\n"]);
    assert!(text(&series, "growth").contains("Charged to callers: xmalloc ("), "{}", text(&series, "growth"));
    // pprof's own output is unchanged.
    for question in ["top", "tree", "traces"] {
        assert!(!text(&profile, question).contains("Charged"), "{question}");
    }
    assert!(text(&profile, "top").contains("malloc"));
}

#[test]
fn a_rule_for_one_function_changes_that_one_only() {
    let profile = server(";malloc");
    let undone = summary(&profile, "summary kinds=function:zcalloc=own");
    assert_eq!(undone.culprit.last().map(|culprit| culprit.row.name.as_str()), Some("zcalloc"));
    assert!(!undone.header.wrappers.contains(&"zcalloc".to_owned()) && undone.header.wrappers.len() == 4, "{:?}", undone.header.wrappers);
    let more = culprits(&profile, "summary kinds=function:_sdsnewlen=allocator");
    assert_eq!(more, named(&[("createString", 6000), ("lpInsert", 2500), ("addReply", 1000), ("dictAdd", 500)]));
}

#[test]
fn wrapper_names_alone_do_not_make_wrappers() {
    for (stacks, culprit) in [
        // Far from the leaf.
        ("main;malloc_stats_report;format;malloc 100\n", "format"),
        ("main;my_malloc_log;append;grow;malloc 100\n", "grow"),
        ("main;malloc_or_die;render;malloc 90\nmain;malloc_or_die;malloc 10\n", "render"),
        // A constructor or a member with one caller.
        ("main;Cache::fill;Cache::alloc_entry;operator new;malloc 100\n", "Cache::alloc_entry"),
        ("main;fill;node_alloc;malloc 100\n", "node_alloc"),
        ("main;Buffer::append;Buffer::realloc;realloc 100\n", "Buffer::realloc"),
        // Names with something in brackets.
        ("main;Pool<MyMalloc>::fill;malloc 100\n", "Pool<MyMalloc>::fill"),
        // Other languages.
        ("main;app::serve;<app::Cache as app::Store>::realloc;__rust_alloc 100\n", "<app::Cache as app::Store>::realloc"),
        ("main.main;main.(*Pool).Malloc;runtime.mallocgc 100\n", "main.(*Pool).Malloc"),
    ] {
        let profile = folded(stacks);
        assert_eq!(culprits(&profile, "summary")[0].0, culprit, "{stacks}");
        assert_eq!(summary(&profile, "summary").header.wrappers, [""; 0], "{stacks}");
    }
}

#[test]
fn wrappers_without_callers_of_their_kind_are_culprits() {
    // A static initializer, and a library that calls back.
    let profile = folded("main;load;xmalloc;malloc 100\n_start;_dl_init;xmalloc;malloc 50\n_start;xcalloc;xmalloc;malloc 20\n");
    assert_eq!(culprits(&profile, "summary"), named(&[("load", 100), ("xmalloc", 50), ("xcalloc", 20)]));
    // Nothing but the wrapper is known: it is none.
    assert_eq!(summary(&folded("xmalloc;malloc 100\n"), "summary").header.wrappers, [""; 0]);
}

#[test]
fn functions_named_like_constructors_need_several_callers() {
    let profile = folded("main;a;Arena::Allocate(unsigned long);malloc 60\nmain;b;Arena::Allocate(unsigned long);malloc 40\n");
    assert_eq!(culprits(&profile, "summary"), named(&[("a", 60), ("b", 40)]));
    // Callers count through other wrappers: Lua's only one is `luaM_realloc_`.
    let lua = folded("main;luaH_resize;luaM_realloc_;l_alloc;realloc 60\nmain;luaS_new;luaM_realloc_;l_alloc;realloc 40\n");
    assert_eq!(culprits(&lua, "summary"), named(&[("luaH_resize", 60), ("luaS_new", 40)]));
}

#[test]
fn allocation_funnels_are_found_by_shape() {
    let callers = |n: usize, name: &str| (0..n).map(|i| format!("main;caller{i};{name};malloc 100\n")).collect::<String>();
    let charged = folded(&callers(6, "grab"));
    assert_eq!(summary(&charged, "summary").header.wrappers, ["grab"]);
    assert_eq!(culprits(&charged, "summary").len(), 6);
    for stacks in [
        // Few callers.
        callers(5, "grab"),
        // Members of classes are not known by their shape.
        callers(9, "Cache::put"),
        // Little of all memory.
        format!("{}main;cache;malloc 5000\n", callers(6, "grab")),
        // One caller has nearly all of it.
        format!("{}main;cache;grab;malloc 5000\n", callers(6, "grab")),
        // Other functions below it allocate as well.
        format!("{}main;caller0;grab;fill;malloc 100\n", callers(6, "grab")),
        // It calls a wrapper, not the allocator.
        callers(6, "grab;xmalloc"),
    ] {
        let wrappers = summary(&folded(&stacks), "summary").header.wrappers;
        assert!(!wrappers.contains(&"grab".to_owned()), "{stacks}: {wrappers:?}");
    }
}

#[test]
fn functions_of_the_language_are_not_wrappers() {
    // Without a name in the program: the C library's `strdup` is no wrapper.
    let profile = folded("main;name;__strdup;malloc 100\nmain;own;operator new;malloc 50\n");
    assert_eq!(culprits(&profile, "summary"), named(&[("name", 100), ("own", 50)]));
}

#[test]
fn folding_allocators_folds_their_wrappers() {
    let Report::Top(top) = ask(&server(";malloc"), "top hide_kind=allocator n=0") else { panic!() };
    assert!(top.row.iter().all(|row| !row.name.starts_with('z')), "{:?}", top.row.iter().map(|row| &row.name).collect::<Vec<_>>());
}

#[test]
fn culprits_of_a_recorded_c_program_are_its_requesters() {
    let books = std::fs::read_to_string(path("testdata/gperftools/mill.truth.tsv")).unwrap();
    let mut expected: Vec<(&str, i64)> =
        books.lines().filter_map(|line| line.split_once('\t')).map(|(name, bytes)| (name, bytes.parse().unwrap())).collect();
    expected.sort_by_key(|(_, bytes)| -bytes);
    let files = ["testdata/bin/mill", "testdata/gperftools/mill.0001.heap"].map(path);
    // A rule for the package does not change its wrappers.
    for rule in ["-kinds=mill=own", "-kinds=mill=third_party"] {
        let output = command(&["summary", "-json", "-nodecount=7", rule]).args(&files).output().unwrap();
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        let of = |culprit: &Value| (culprit["row"]["name"].as_str().unwrap().to_owned(), culprit["sum"]["value"].as_i64().unwrap());
        let found: Vec<(String, i64)> = summary["culprit"].as_array().unwrap().iter().map(of).collect();
        assert_eq!(found, named(&expected), "{rule}");
        let wrappers: Vec<&str> = summary["header"]["wrappers"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert_eq!(wrappers, ["xmalloc", "zmalloc", "ztry_alloc_internal", "pool_alloc", "zrealloc", "xstrdup"], "{rule}");
    }
}

#[test]
fn wrappers_inlined_into_themselves_are_wrappers() {
    // Like CPython's `_PyObject_Malloc`, which most stacks contain twice.
    let text = "main;new_keys;_PyObject_Malloc;_PyObject_Malloc 900\nmain;list_new;_PyObject_Malloc;_PyObject_Malloc 500\n\
        main;list_new;_PyObject_Malloc;new_arena;arena_map_get 300\n";
    assert_eq!(culprits(&folded(text), "summary"), named(&[("new_keys", 900), ("list_new", 800)]));
}
