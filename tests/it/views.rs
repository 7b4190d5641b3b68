//! Reports on drawn profiles, and views to URLs and back.

use expect_test::expect;
use heapview::parse::{ParseOptions, parse};
use heapview::profile::{Label, LabelValue, ProfileBuilder, merge};
use heapview::query::{FIELDS, Kind, View, ViewKind};
use heapview::report::Report;
use proptest::prelude::*;

use crate::fixture::{ask, dumps, folded, text};

const SHOP: &str = "main;serve;cache;alloc 600\nmain;serve;parse;alloc 300\nmain;init;alloc 99\nmain;init 1\n";

#[test]
fn the_table() {
    expect![[r#"
        Type: inuse_space
        Showing nodes accounting for 1000B, 100% of 1000B total
              flat  flat%   sum%        cum   cum%
              999B 99.90% 99.90%       999B 99.90%  alloc
                1B   0.1%   100%       100B 10.00%  init
                 0     0%   100%       600B 60.00%  cache
                 0     0%   100%      1000B   100%  main
                 0     0%   100%       300B 30.00%  parse
                 0     0%   100%       900B 90.00%  serve
    "#]]
    .assert_eq(&text(&folded(SHOP), "top"));
}

#[test]
fn dropped_small_rows_are_reported() {
    let table = text(&folded(SHOP), "top nodefraction=0.2 n=2");
    assert!(table.contains("Dropped 1 node (cum <= 200B)"), "{table}");
    assert!(table.contains("Showing top 2 nodes out of 5"), "{table}");
}

#[test]
fn callers_and_callees() {
    expect![[r#"
        Type: inuse_space
        Showing nodes accounting for 1000B, 100% of 1000B total
        ----------------------------------------------------------+-------------
              flat  flat%   sum%        cum   cum%   calls calls% + context 	 	 
        ----------------------------------------------------------+-------------
                                                      900B   100% |   main
                 0     0%     0%       900B 90.00%                | serve
                                                      600B 66.67% |   cache
                                                      300B 33.33% |   parse
        ----------------------------------------------------------+-------------
    "#]]
    .assert_eq(&text(&folded(SHOP), "peek peek=^serve$"));
}

#[test]
fn hidden_leaf_charges_caller() {
    let table = text(&folded(SHOP), "top hide=alloc");
    assert!(table.contains("      600B 60.00%"), "{table}");
    assert!(!table.lines().any(|l| l.ends_with("  alloc")), "{table}");
}

#[test]
fn the_flame_graph_from_both_ends() {
    expect![[r#"
        Type: inuse_space
               cum   cum%       flat  callees, from the root
             1000B   100%          0  everything
             1000B   100%          0    main
              900B 90.00%          0      serve
              600B 60.00%          0        cache
              600B 60.00%       600B          alloc
              300B 30.00%          0        parse
              300B 30.00%       300B          alloc
              100B 10.00%         1B      init
               99B  9.90%        99B        alloc
    "#]]
    .assert_eq(&text(&folded(SHOP), "flame"));
    let inverted = text(&folded(SHOP), "flame inverted=t");
    assert!(inverted.contains("      999B 99.90%          0    alloc\n"), "{inverted}");
}

#[test]
fn the_graph_marks_what_it_passes_over() {
    let dot = text(&folded(SHOP), "graph hide=^serve$ nodefraction=0.2 nodelets=f");
    assert!(dot.contains(r#"tooltip="main -> cache (600B)""#), "{dot}");
    let dot = text(&folded("a;x;y;b 500\na;b 500\n"), "graph n=2 nodelets=f");
    assert!(dot.contains("...") || dot.contains(r#"tooltip="a -> b"#), "{dot}");
}

#[test]
fn without_a_base_nothing_is_subtracted() {
    let profile = dumps(&["a;b 10\n", "a;b 30\na;c 5\n"]);
    let diff = text(&profile, "top dump=1 base=0");
    assert!(diff.contains("Showing nodes accounting for 25B, 100% of 25B total"), "{diff}");
    let base_table = text(&profile, "top dump=1 diff_base=0");
    assert!(base_table.contains("Showing nodes accounting for 25B, 250.00% of 10B total"), "{base_table}");
}

#[test]
fn filters_without_matches_are_reported() {
    let warnings = ask(&folded(SHOP), "top focus=nosuch").header().warnings.clone();
    assert_eq!(warnings, ["Focus expression matched no samples"]);
}

#[test]
fn labels_in_another_order_are_the_same() {
    let profile = dumps(&["main;f 10 a=x b=y\nmain;g 5\n", "main;f 10 b=y a=x\nmain;g 7\n"]);
    let diff = text(&profile, "top dump=1 base=0");
    assert!(diff.contains("accounting for 2B, 100% of 2B total"), "{diff}");
}

#[test]
fn merging_takes_the_finest_unit() {
    let read = |text: &str| parse(text.as_bytes(), &ParseOptions::default()).unwrap().profile;
    let (coarse, fine) = (read("# space kilobytes\nmain;a 10\n"), read("# space bytes\nmain;a 500\nmain;b 1500\n"));
    for profiles in [vec![coarse.clone(), fine.clone()], vec![fine, coarse]] {
        let table = text(&merge(profiles).unwrap(), "top unit=B");
        assert!(table.contains("of 12240B total"), "{table}");
    }
}

#[test]
fn remaining_frames_of_a_location_are_not_inlined() {
    let dot = text(&folded("main;wrap;inner_[i];leaf 8\n"), "tree hide=wrap");
    assert!(dot.contains("|   main\n") && !dot.contains("main (inline)"), "{dot}");
    assert!(!text(&folded("main;wrap;inner_[i];leaf 8\n"), "traces hide=wrap").contains("(inline)"));
}

#[test]
fn a_dump_counts_once() {
    let profile = dumps(&["a;b 10\n", "a;b 30\n"]);
    assert_eq!(ask(&profile, "top dump=0,0,0").header().total, 10);
}

#[test]
fn values_that_cancel_out_keep_their_place() {
    let flame = text(&folded("main;a;x 5\nmain;a;y -5\nmain;b 100\n"), "flame");
    for name in ["  a\n", "  x\n", "  y\n"] {
        assert!(flame.contains(name), "{flame}");
    }
}

#[test]
fn spellings_of_a_path_are_one_file() {
    let files = text(&folded("main (/a/./b.c:1);f (/a/b.c:2) 7\n"), "top g=files");
    assert_eq!(files.matches("/a/b.c").count(), 1, "{files}");
}

#[test]
fn a_base_takes_labels_away_too() {
    let profile = dumps(&["m;f 10 k=same\nm;g 1 k=more\n", "m;f 10 k=same\nm;g 4 k=more\n"]);
    let tags = text(&profile, "tags dump=1 base=0");
    assert!(tags.contains("more") && !tags.contains("same"), "{tags}");
    // Both sides are whole all the same.
    let header = ask(&profile, "top dump=1 base=0").header().clone();
    assert_eq!((header.value_total, header.base_total), (14, 11));
}

/// A text that the field takes, made from a number.
fn some_value(kind: Kind, name: &str, seed: u32) -> String {
    match kind {
        Kind::Bool => ["t", "f"][seed as usize % 2].into(),
        Kind::Regex => format!("f{seed}|<.*>"),
        Kind::Int => (seed % 500).to_string(),
        Kind::Float => format!("0.{}", seed % 999 + 1),
        Kind::Choice(words) => words[seed as usize % words.len()].into(),
        Kind::Text => match name {
            "dump" | "base" | "diff_base" => format!("{},{}", seed % 3, seed % 7),
            "tagfocus" | "tagignore" => format!("bytes={}kb:", seed % 9),
            "hide_kind" => ["own", "allocator,runtime", "plumbing,unknown"][seed as usize % 3].into(),
            "kinds" => format!("a{seed}*=own,function:b*=runtime/std"),
            "where" => {
                ["size<=16".into(), "reads=0,lifetime>=2ms".into(), format!("a_space/objects<{seed}|bytes>1kB")][seed as usize % 3].clone()
            }
            "limit" => ["4096", "8GiB", "1.5g"][seed as usize % 3].into(),
            "order" => ["-name", "flat", "mean"][seed as usize % 3].into(),
            "at" | "from" | "to" => ["peak", "end", "12.5s", "500ms", "1min30s"][seed as usize % 5].into(),
            "rows" => format!("{}-{}", seed % 9, seed % 5 + 1),
            "open" => ["auto".into(), "none".into(), format!("{seed:08x}_")][seed as usize % 3].clone(),
            _ => format!("text {seed}"),
        },
    }
}

proptest! {
    #[test]
    fn a_view_is_its_address(kind in 0..ViewKind::ALL.len(), set in prop::collection::btree_map(0..FIELDS.len(), any::<u32>(), 0..FIELDS.len())) {
        let pairs: Vec<(&str, String)> = set
            .iter()
            .map(|(&i, &seed)| {
                let f = &FIELDS[i];
                let name = if seed % 2 == 0 && !f.alias.is_empty() { f.alias } else { f.name };
                (name, some_value(f.kind, f.name, seed))
            })
            .collect();
        let view = View::parse(ViewKind::ALL[kind], pairs.iter().map(|(n, v)| (*n, v.as_str()))).unwrap();
        let printed = view.pairs();
        let again = View::parse(view.kind, printed.iter().map(|(n, v)| (*n, v.as_str()))).unwrap();
        prop_assert_eq!(&again, &view);
        prop_assert_eq!(again.pairs(), printed);
    }
}

/// Samples with labels and two value types, the first one counting.
fn counted(rows: &str) -> heapview::profile::Profile {
    let text = format!("# objects count, space bytes\n{rows}");
    parse(text.as_bytes(), &ParseOptions::default()).unwrap().profile
}

fn warnings(question: &str) -> Vec<String> {
    let profile = counted("main;load;a 1 600 k=x\nmain;store;b 1 300 t=y\n");
    let Report::Top(top) = ask(&profile, question) else { panic!("not a table") };
    top.header.warnings
}

#[test]
fn label_filters_warn_when_nothing_is_left_to_match() {
    assert_eq!(warnings("top focus=load tagfocus=t=y"), ["TagFocus expression matched no samples"]);
    assert_eq!(warnings("top ignore=store tagignore=t=y"), ["TagIgnore expression matched no samples"]);
    assert_eq!(warnings("top focus=load tagshow=t"), ["TagShow expression matched no samples"]);
    assert_eq!(warnings("top tagfocus=k=x taghide=t"), ["TagHide expression matched no samples"]);
    assert_eq!(warnings("top focus=load tagfocus=k=x tagignore=x tagshow=k").len(), 1);
    assert_eq!(warnings("top focus=load tagfocus=k=x tagshow=k taghide=k"), [""; 0]);
}

#[test]
fn hidden_frames_cannot_be_shown() {
    assert_eq!(warnings("top hide=load show=load"), ["Show expression matched no samples"]);
    assert_eq!(warnings("top hide=load show=load|main"), [""; 0]);
    assert_eq!(warnings("top focus=load ignore=load"), ["Focus expression matched no samples"]);
    assert_eq!(warnings("top focus=load|main ignore=load"), [""; 0]);
}

#[test]
fn means_count_empty_objects() {
    let profile = counted("main;load 1 100 bytes=64\nmain;load 3 0 bytes=64\n");
    let Report::Graph(graph) = ask(&profile, "graph mean si=space nf=0 ef=0") else { panic!("not a graph") };
    assert_eq!((&graph.cum, &graph.edges.value), (&vec![25, 25], &vec![25]));
    assert!(graph.tags.iter().all(|tag| tag.cum == 25), "{:?}", graph.tags);
    assert_eq!(graph.tags.len(), 1);
}

#[test]
fn total_of_means_divides_by_the_remaining_count() {
    let [now, before] = ["a 5 100\nb 0 10\n", "a 1 0\nb 2 50\n"].map(counted);
    let profile = merge(vec![now, before]).unwrap();
    // 100 came and 40 went; 4 objects came and 2 went.
    let Report::Top(top) = ask(&profile, "top dump=0 base=1 mean si=space") else { panic!("not a table") };
    assert_eq!(top.header.total, 140 / 2);
    let Report::Top(top) = ask(&profile, "top dump=0 diff_base=1 mean si=space") else { panic!("not a table") };
    assert_eq!(top.header.total, 50 / 3);
}

#[test]
fn a_mean_of_the_base_has_the_sign_of_a_mean() {
    let [now, before] = ["a 5 100\n", "a 2 50\n"].map(counted);
    let profile = merge(vec![now, before]).unwrap();
    let Report::Traces(traces) = ask(&profile, "traces dump=0 diff_base=1 mean si=space") else { panic!("not traces") };
    assert_eq!(traces.trace.iter().map(|trace| trace.value).collect::<Vec<_>>(), [20, 25]);
}

#[test]
fn numbers_that_read_the_same_are_the_first_one_at_each_node() {
    // In kB 16 and 24 bytes both read 0.02kB; where there are more than four they are folded into ranges.
    let rows = "main;b 1 9000 bytes=24\nmain;a 1 5000 bytes=16\nmain;a 1 900 bytes=24\nmain;a 1 800 bytes=2048\n\
                main;a 1 700 bytes=4096\nmain;a 1 600 bytes=8192\nmain;a 1 500 bytes=48\n";
    let Report::Graph(graph) = ask(&counted(rows), "graph si=space unit=kB nf=0 ef=0") else { panic!("not a graph") };
    let tags_of_a = graph.tags.iter().filter(|tag| graph.row[tag.node].name == "a").map(|tag| tag.name.as_str());
    assert!(tags_of_a.clone().any(|name| name == "16B..48B"), "{:?}", tags_of_a.collect::<Vec<_>>());
}

#[test]
fn names_of_labels_may_be_of_any_length() {
    let long = "k".repeat(70_000);
    let mut builder = ProfileBuilder::new(&[("inuse_space", "bytes")]);
    let key = builder.string(&long);
    let labels = builder.label_set(&[Label { key, value: LabelValue::Text(key) }]);
    builder.sample(&[], labels, &[7]);
    let tags = text(&builder.build(), "tags").replace(&long, "LONG");
    // Rows follow the key, however long it is.
    let expected = format!(" LONG: Total 7B of 7B (  100%)\n{} 7B (  100%): LONG\n\n", " ".repeat(70_002));
    assert!(tags == expected, "{}", tags.replace("  ", ""));
}
