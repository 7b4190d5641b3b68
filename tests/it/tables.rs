//! Tables of the page: windows of rows, companion types, partly open trees.

use heapview::parse::{ParseOptions, parse};
use heapview::profile::Profile;
use heapview::report::{BoxId, FlameReport, PeekReport, Report, TopReport};

use crate::fixture::{ask, dumps, folded, path, session, view};

const SHOP: &str = "main;serve;cache;alloc 600\nmain;serve;parse;alloc 300\nmain;init;alloc 99\nmain;init 1\n";

/// A profile with objects and bytes.
fn counted() -> Profile {
    parse(&std::fs::read(path("testdata/pprof/shop.0003.pb.gz")).unwrap(), &ParseOptions::default()).unwrap().profile
}

fn top(profile: &Profile, options: &str) -> TopReport {
    let Report::Top(top) = ask(profile, format!("top nodefraction=0 {options}").trim_end()) else { panic!() };
    top
}

fn flame(profile: &Profile, options: &str) -> FlameReport {
    let Report::Flame(flame) = ask(profile, &format!("flame {options}")) else { panic!() };
    flame
}

fn names(top: &TopReport) -> Vec<&str> {
    top.row.iter().map(|row| row.name.as_str()).collect()
}

/// Depth and name of each box.
fn boxes(flame: &FlameReport) -> Vec<String> {
    let name = |row: i32| usize::try_from(row).map_or("…", |row| flame.row[row].name.as_str());
    flame.node.iter().zip(&flame.depth).map(|(&row, &depth)| format!("{depth} {}", name(row))).collect()
}

#[test]
fn windows_of_rows_are_the_whole_table() {
    let profile = counted();
    // Cached data of one request must not affect another: all are sent to one session, in turns.
    let session = session(profile.clone());
    let ask_session = |options: &str| {
        let Report::Top(top) = session.answer(&view(format!("top nodefraction=0 {options}").trim_end())).unwrap() else { panic!() };
        top
    };
    let orders = ["", "order=name", "order=-cum", "order=objects counts", "order=place", "order=package", "nodecount=20"];
    let finds = ["", "find=alloc", "find=a"];
    let questions: Vec<String> = orders.iter().flat_map(|order| finds.map(|find| format!("{order} {find}").trim().to_owned())).collect();
    let whole: Vec<TopReport> = questions.iter().map(|question| top(&profile, question)).collect();
    let mut sums = vec![0; questions.len()];
    let mut rows = vec![Vec::new(); questions.len()];
    let longest = whole.iter().map(|top| top.row.len()).max().unwrap();
    assert!(longest > 20);
    for first in (0..longest).step_by(7) {
        for (i, (question, whole)) in questions.iter().zip(&whole).enumerate().filter(|(_, (_, whole))| first < whole.row.len()) {
            let part = ask_session(format!("rows={first}-7 {question}").trim_end());
            assert_eq!((part.offset, part.sum_before, part.n_found), (first, sums[i], whole.n_found), "{question}");
            assert_eq!(part.header.n_shown, whole.row.len());
            sums[i] += part.flat.iter().sum::<i64>();
            rows[i].extend(part.row);
        }
    }
    for (i, whole) in whole.iter().enumerate() {
        assert_eq!(rows[i], whole.row, "{}", questions[i]);
        assert_eq!(ask_session(&questions[i]).row, whole.row, "{}", questions[i]);
    }
    assert!(whole.iter().any(|top| top.n_found > 0 && top.n_found < top.row.len()));
    assert!(ask_session("rows=1000000-7").row.is_empty());
}

#[test]
fn rows_come_in_the_order_of_a_column() {
    let profile = folded(SHOP);
    assert_eq!(names(&top(&profile, "order=name")), ["alloc", "cache", "init", "main", "parse", "serve"]);
    assert_eq!(names(&top(&profile, "order=-name"))[0], "serve");
    assert_eq!(names(&top(&profile, "order=cum"))[..3], ["main", "alloc", "serve"]);
    let diff = dumps(&["a 100\nb 10\n", "a 101\nb 40\nc 5\n"]);
    assert_eq!(names(&top(&diff, "dump=1 base=0 order=delta")), ["b", "c", "a"]);
    assert_eq!(names(&top(&diff, "dump=1 base=0 order=base")), ["a", "b", "c"]);
}

#[test]
fn search_matches_come_first() {
    let found = top(&folded(SHOP), "find=^(init|parse)$");
    assert_eq!((names(&found)[..2].to_vec(), found.n_found), (vec!["init", "parse"], 2));
    assert_eq!(found.row.len(), 6);
}

#[test]
fn a_selected_row_is_in_the_middle_of_the_window() {
    let profile = counted();
    let whole = top(&profile, "");
    let at = whole.row.len() / 2;
    let part = top(&profile, &format!("rows=0-5 seek={}", whole.row[at].name));
    assert_eq!((part.sought, part.offset), (Some(at), at - 2));
    assert_eq!(top(&profile, "rows=0-5 seek=nobody").sought, None);
}

#[test]
fn tables_have_bytes_and_objects() {
    let profile = counted();
    let bytes = top(&profile, "counts order=name");
    let objects = top(&profile, "counts order=name sample_index=inuse_objects");
    assert_eq!((bytes.header.companion_type.as_str(), objects.header.companion_unit.as_str()), ("inuse_objects", "bytes"));
    for name in names(&bytes) {
        let [a, b] = [&bytes, &objects].map(|top| names(top).iter().position(|n| *n == name).unwrap());
        assert_eq!((bytes.flat[a], bytes.cum_companion[a]), (objects.flat_companion[b], objects.cum[b]), "{name}");
    }
    assert!(top(&profile, "").cum_companion.is_empty());
    assert!(top(&folded(SHOP), "counts").cum_companion.is_empty());
    let filtered = top(&profile, "counts focus=Slab");
    assert_eq!(filtered.flat_companion.iter().sum::<i64>(), top(&profile, "focus=Slab sample_index=inuse_objects").header.value_total);
}

#[test]
fn callers_have_objects_and_recursion() {
    let Report::Peek(PeekReport { entry, .. }) = ask(&counted(), "peek counts") else { panic!() };
    for one in entry.iter() {
        // With callees: what itself holds and what its callees bring, unless it calls itself.
        let below: i64 = one.callees.iter().map(|link| link.companion).sum();
        assert!(one.recursive || one.flat_companion + below == one.cum_companion, "{}", one.row.name);
    }
    let Report::Peek(PeekReport { entry, .. }) = ask(&folded("a;b;a;c 5\n"), "peek") else { panic!() };
    assert!(entry.iter().all(|e| e.recursive == (e.row.name == "a")));
}

#[test]
fn calls_and_rows_are_stored_once_and_only_for_the_functions_sent() {
    // Eight functions that all call each other.
    let text: String = (0..8).flat_map(|a| (0..8).map(move |b| format!("f{a};f{b} {}\n", 1 + a * 8 + b))).collect();
    let profile = folded(&text);
    let Report::Peek(whole) = ask(&profile, "tree trim=f") else { panic!() };
    assert_eq!((whole.entry.len(), whole.entry.row.len(), whole.entry.calls.from.len()), (8, 8, 56));
    let mut view = view("tree trim=f");
    view.cut.entries = 2;
    let Report::Peek(first) = session(profile.clone()).answer(&view).unwrap() else { panic!() };
    assert_eq!((first.entry.len(), first.entry.calls.from.len()), (2, 2 * 14 - 2));
    assert!(first.header.warnings.iter().any(|warning| warning.contains("showing the first 2 of 8 functions")));
    for (part, all) in first.entry.iter().zip(whole.entry.iter()) {
        assert_eq!(serde_json::to_value(part).unwrap(), serde_json::to_value(all).unwrap());
    }
}

#[test]
fn a_tree_opens_box_by_box() {
    let profile = folded(SHOP);
    let closed = flame(&profile, "open=none");
    assert_eq!(boxes(&closed), ["0 …", "1 main"]);
    assert_eq!(closed.closed, [0, 1]);
    let main = closed.id[1].to_string()[..8].to_owned();
    let one = flame(&profile, &format!("open={main}"));
    assert_eq!(boxes(&one), ["0 …", "1 main", "2 serve", "2 init"]);
    assert_eq!(one.closed, [0, 0, 1, 1]);
    let hottest = flame(&profile, "open=*");
    assert_eq!(boxes(&hottest), ["0 …", "1 main", "2 serve", "3 cache", "4 alloc", "3 parse", "2 init"]);
    let auto = flame(&folded("main;a;x 30\nmain;a;y 30\nmain;a;z 30\nmain;b 5\n"), "open=auto");
    assert_eq!(boxes(&auto), ["0 …", "1 main", "2 a", "3 x", "3 y", "3 z", "2 b"]);
}

#[test]
fn an_open_tree_has_the_boxes_of_the_flame_graph() {
    let profile = counted();
    for direction in ["inverted=f", "inverted=t"] {
        let whole = flame(&profile, &format!("nodefraction=0 {direction}"));
        let mut open = String::from("_");
        for id in whole.id.iter().skip(1).take(300) {
            open += &format!(".{}_", &id.to_string()[..8]);
        }
        let part = flame(&profile, &format!("counts {direction} open={open}"));
        let number = |id: &BoxId| whole.id.iter().position(|known| known == id).unwrap();
        assert!(part.id.len() > 50);
        for i in 1..part.id.len() {
            let same = number(&part.id[i]);
            assert_eq!((part.cum[i], part.flat[i], part.depth[i]), (whole.cum[same], whole.flat[same], whole.depth[same]));
            let has_children = whole.depth.get(same + 1).is_some_and(|&depth| depth > whole.depth[same]);
            let is_open = part.depth.get(i + 1).is_some_and(|&depth| depth > part.depth[i]);
            assert_eq!(has_children, is_open || part.closed[i] == 1);
        }
    }
}

#[test]
fn objects_of_boxes_are_those_of_the_other_value_type() {
    let profile = counted();
    for direction in ["inverted=f", "inverted=t"] {
        let bytes = flame(&profile, &format!("open=_ counts {direction}"));
        let objects = flame(&profile, &format!("open=_ sample_index=inuse_objects {direction}"));
        for (i, id) in bytes.id.iter().enumerate() {
            let same = objects.id.iter().position(|other| other == id).unwrap();
            assert_eq!(bytes.cum_companion[i], objects.cum[same], "{direction}");
        }
    }
}

#[test]
fn small_children_are_one_box_that_opens() {
    let mut text = String::from("main;big 100000\n");
    for i in 0..300 {
        text += &format!("main;f{i} {}\n", i + 1);
    }
    let profile = folded(&text);
    let main = flame(&profile, "open=none").id[1].to_string()[..8].to_owned();
    let large = flame(&profile, &format!("open={main}"));
    assert_eq!(boxes(&large), ["0 …", "1 main", "2 big", "2 …"]);
    assert_eq!((large.folded[3], large.cum[3]), (300, 300 * 301 / 2));
    let all = flame(&profile, &format!("open={main}_"));
    assert_eq!(all.node.len(), 303);
    assert!(all.folded.iter().all(|&n| n == 0));
}

#[test]
fn with_a_base_trees_are_sorted_by_difference() {
    let profile = dumps(&["m;steady 900\nm;grows 10\n", "m;steady 905\nm;grows 100\n"]);
    let tree = flame(&profile, "dump=1 base=0 open=*");
    assert_eq!(boxes(&tree), ["0 …", "1 m", "2 grows", "2 steady"]);
    assert_eq!((tree.cum[2], tree.cum_base[2]), (100, 10));
}
