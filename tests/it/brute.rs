//! The analysis compared with brute force: every number computed by walking every stack.

use std::collections::{BTreeMap, BTreeSet};

use heapview::parse::{ParseOptions, parse};
use heapview::profile::Profile;
use heapview::report::Report;
use proptest::prelude::*;
use serde_json::json;

use crate::fixture::{ask, dumps, folded};

type Stack = Vec<String>;

/// Root first, with a value for each of two dumps.
#[derive(Clone, Debug)]
struct Rows(Vec<(Stack, i64, i64)>);

fn rows() -> impl Strategy<Value = Rows> {
    // Few names and much depth: recursion, shared prefixes and repeated stacks abound.
    let stack = prop::collection::vec(prop::sample::select(vec!["a", "b", "c", "ab", "d"]), 1..7);
    let row = (stack, 1i64..1000, 0i64..1000);
    prop::collection::vec(row, 1..12)
        .prop_map(|rows| Rows(rows.into_iter().map(|(s, v, b)| (s.into_iter().map(str::to_owned).collect(), v, b)).collect()))
}

/// Labels of rows, by key; rows use them in turn.
fn labels() -> impl Strategy<Value = Vec<BTreeMap<&'static str, &'static str>>> {
    let value = prop::sample::select(vec![None, Some("x"), Some("y")]);
    let both = (value.clone(), value).prop_map(|(k, t)| [("k", k), ("t", t)].into_iter().filter_map(|(key, v)| Some((key, v?))).collect());
    prop::collection::vec(both, 1..5)
}

impl Rows {
    fn text(&self, base: bool) -> String {
        // A dump without any row would not be a profile.
        let lines = self.0.iter().map(|(s, v, b)| format!("{} {}", s.join(";"), if base { *b } else { *v }));
        lines.collect::<Vec<_>>().join("\n") + "\n"
    }

    /// Frame names matching `pattern` as a substring are left out; emptied stacks go.
    fn without(&self, hide: impl Fn(&str) -> bool) -> Rows {
        let rows = self.0.iter().map(|(s, v, b)| (s.iter().filter(|f| !hide(f)).cloned().collect::<Stack>(), *v, *b));
        Rows(rows.filter(|(s, ..)| !s.is_empty()).collect())
    }

    fn keep(&self, keep: impl Fn(&Stack) -> bool) -> Rows {
        Rows(self.0.iter().filter(|(s, ..)| keep(s)).cloned().collect())
    }

    /// Name → (flat, cum), value less base; names without any are left out.
    fn table(&self) -> BTreeMap<String, (i64, i64)> {
        let mut table: BTreeMap<String, (i64, i64)> = BTreeMap::new();
        for (stack, value, base) in &self.0 {
            let net = value - base;
            table.entry(stack.last().unwrap().clone()).or_default().0 += net;
            for name in stack.iter().collect::<BTreeSet<_>>() {
                table.entry(name.clone()).or_default().1 += net;
            }
        }
        table.retain(|_, v| *v != (0, 0));
        table
    }

    /// (caller, callee) → value less base, once for each stack.
    fn calls(&self) -> BTreeMap<(String, String), i64> {
        let mut calls: BTreeMap<(String, String), i64> = BTreeMap::new();
        for (stack, value, base) in &self.0 {
            let pairs: BTreeSet<_> = stack.windows(2).filter(|w| w[0] != w[1]).map(|w| (w[0].clone(), w[1].clone())).collect();
            for pair in pairs {
                *calls.entry(pair).or_default() += value - base;
            }
        }
        calls
    }
}

fn one_dump(rows: &Rows) -> Rows {
    Rows(rows.0.iter().map(|(s, v, _)| (s.clone(), *v, 0)).collect())
}

fn table(report: &Report) -> BTreeMap<String, (i64, i64)> {
    let Report::Top(top) = report else { panic!("not a table") };
    let minus = |values: &[i64], base: &[i64], i: usize| values[i] - base.get(i).copied().unwrap_or(0);
    let row = |i: usize| (top.row[i].name.clone(), (minus(&top.flat, &top.flat_base, i), minus(&top.cum, &top.cum_base, i)));
    (0..top.row.len()).map(row).collect()
}

const ALL: &str = "nodefraction=0 edgefraction=0 nodecount=0";

proptest! {
    #[test]
    fn flat_and_cum(rows in rows()) {
        let rows = one_dump(&rows);
        let profile = folded(&rows.text(false));
        prop_assert_eq!(table(&ask(&profile, &format!("top {ALL}"))), rows.table());
        let Report::Top(top) = ask(&profile, &format!("top {ALL}")) else { panic!() };
        prop_assert_eq!(top.flat.iter().sum::<i64>(), top.header.total);
        prop_assert_eq!(top.header.total, rows.0.iter().map(|r| r.1).sum::<i64>());
    }

    #[test]
    fn filters_look_at_whole_stacks(rows in rows()) {
        let rows = one_dump(&rows);
        let profile = folded(&rows.text(false));
        let has = |s: &Stack, part: &str| s.iter().any(|f| f.contains(part));
        let filtered_table = |q: &str| table(&ask(&profile, &format!("top {ALL} {q}")));
        prop_assert_eq!(filtered_table("focus=b"), rows.keep(|s| has(s, "b")).table());
        prop_assert_eq!(filtered_table("ignore=^c$"), rows.keep(|s| !s.iter().any(|f| f == "c")).table());
        prop_assert_eq!(filtered_table("hide=b"), rows.without(|f| f.contains('b')).table());
        prop_assert_eq!(filtered_table("show=a"), rows.without(|f| !f.contains('a')).table());
        // Focus sees what hide takes away.
        prop_assert_eq!(filtered_table("focus=d hide=d"), rows.keep(|s| has(s, "d")).without(|f| f == "d").table());
        let from = Rows(rows.0.iter().filter_map(|(s, v, b)| {
            let start = s.iter().position(|f| f.contains('b'))?;
            Some((s[start..].to_vec(), *v, *b))
        }).collect());
        prop_assert_eq!(filtered_table("show_from=b"), from.table());
    }

    #[test]
    fn calls_count_once_a_stack(rows in rows()) {
        let rows = one_dump(&rows);
        let profile = folded(&rows.text(false));
        let Report::Graph(graph) = ask(&profile, &format!("graph {ALL}")) else { panic!() };
        let name = |i: u32| graph.row[i as usize].name.clone();
        let calls: BTreeMap<_, _> = (0..graph.edges.from.len())
            .map(|e| ((name(graph.edges.from[e]), name(graph.edges.to[e])), graph.edges.value[e]))
            .collect();
        prop_assert_eq!(calls, rows.calls());
        let calls = rows.calls();
        let Report::Peek(tree) = ask(&profile, &format!("tree {ALL}")) else { panic!() };
        for entry in tree.entry.iter() {
            for link in entry.callees.iter() {
                let call = (entry.row.name.clone(), link.row.name.clone());
                prop_assert_eq!(Some(&link.value), calls.get(&call));
            }
        }
    }

    #[test]
    fn a_difference_is_value_less_base(rows in rows()) {
        let profile = dumps(&[&rows.text(false), &rows.text(true)]);
        prop_assert_eq!(table(&ask(&profile, &format!("top {ALL} dump=0 base=1"))), rows.table());
        let same = dumps(&[&rows.text(false), &rows.text(false)]);
        prop_assert_eq!(table(&ask(&same, &format!("top {ALL} dump=0 base=1"))), BTreeMap::new());
        // Added up, in either order.
        let sum = Rows(rows.0.iter().map(|(s, v, b)| (s.clone(), v + b, 0)).collect());
        prop_assert_eq!(table(&ask(&profile, &format!("top {ALL}"))), sum.table());
        let turned = dumps(&[&rows.text(true), &rows.text(false)]);
        prop_assert_eq!(table(&ask(&turned, &format!("top {ALL}"))), sum.table());
    }

    #[test]
    fn boxes_of_the_flame_graph_are_prefixes_or_suffixes(rows in rows()) {
        let rows = one_dump(&rows);
        let profile = folded(&rows.text(false));
        for inverted in [false, true] {
            let Report::Flame(flame) = ask(&profile, &format!("flame nodefraction=0 inverted={inverted}")) else { panic!() };
            let mut path: Vec<String> = Vec::new();
            let mut boxes: BTreeMap<Vec<String>, i64> = BTreeMap::new();
            for i in 0..flame.node.len() {
                path.truncate((flame.depth[i] as usize).saturating_sub(1));
                let Ok(row) = usize::try_from(flame.node[i]) else { continue };
                path.push(flame.row[row].name.clone());
                boxes.insert(path.clone(), flame.cum[i]);
            }
            let mut expected: BTreeMap<Vec<String>, i64> = BTreeMap::new();
            for (stack, value, _) in &rows.0 {
                let mut stack = stack.clone();
                if inverted {
                    stack.reverse();
                }
                for n in 1..=stack.len() {
                    *expected.entry(stack[..n].to_vec()).or_default() += value;
                }
            }
            prop_assert_eq!(boxes, expected);
        }
    }

    #[test]
    fn a_zoomed_box_is_the_box(rows in rows()) {
        let profile = folded(&one_dump(&rows).text(false));
        for inverted in ["f", "t"] {
            let all = ask(&profile, &format!("flame nodefraction=0 inverted={inverted}"));
            let Report::Flame(all) = all else { panic!() };
            for i in 1..all.node.len() {
                let zoomed = ask(&profile, &format!("flame nodefraction=0 inverted={inverted} zoom={}", all.id[i]));
                let Report::Flame(zoomed) = zoomed else { panic!() };
                prop_assert_eq!(zoomed.cum[0], all.cum[i]);
                prop_assert_eq!(zoomed.above.len() as u32, all.depth[i] - 1);
                let below = all.depth[i + 1..].iter().take_while(|&&d| d > all.depth[i]).count();
                prop_assert_eq!(zoomed.node.len(), below + 1);
            }
        }
    }

    #[test]
    fn stacks_are_pruned_below_the_match_nearest_to_the_leaf(rows in rows()) {
        let rows = one_dump(&rows);
        let profile = folded(&rows.text(false));
        for (pattern, part) in [("b", "b"), ("^ab$", "ab")] {
            let hit = |f: &String| if pattern.starts_with('^') { f == part } else { f.contains(part) };
            let pruned = rows.0.iter().map(|(s, v, b)| {
                let end = s.iter().rposition(hit).map_or(s.len(), |i| i + 1);
                (s[..end].to_vec(), *v, *b)
            });
            let pruned = Rows(pruned.collect());
            prop_assert_eq!(table(&ask(&profile, &format!("top {ALL} prune_from={pattern}"))), pruned.table());
            // Applied last: the other filters see the frames it cuts.
            let both = pruned.0.iter().zip(&rows.0).filter(|(_, (s, ..))| s.iter().any(|f| f == "d")).map(|(row, _)| row.clone());
            prop_assert_eq!(table(&ask(&profile, &format!("top {ALL} prune_from={pattern} focus=d"))), Rows(both.collect()).table());
        }
    }

    #[test]
    fn labels_become_frames_and_are_shown_or_hidden(rows in rows(), label_sets in labels()) {
        let rows = one_dump(&rows);
        let label = |i: usize| &label_sets[i % label_sets.len()];
        let lines = rows.0.iter().enumerate().map(|(i, (s, v, _))| {
            let labels = label(i).iter().map(|(key, value)| format!(" {key}={value}")).collect::<String>();
            format!("{} {v}{labels}\n", s.join(";"))
        });
        let profile = folded(&lines.collect::<String>());
        // As in pprof, a row without the label has a frame without a name.
        let framed = |roots: &[&str], leaves: &[&str]| Rows(rows.0.iter().enumerate().map(|(i, (s, v, b))| {
            let frames = |keys: &[&str]| keys.iter().map(|key| label(i).get(key).unwrap_or(&"<unknown>").to_string()).collect::<Stack>();
            ([frames(roots), s.clone(), frames(leaves)].concat(), *v, *b)
        }).collect());
        let top = |q: &str| table(&ask(&profile, &format!("top {ALL} {q}")));
        prop_assert_eq!(top("tagroot=k"), framed(&["k"], &[]).table());
        prop_assert_eq!(top("tagleaf=t"), framed(&[], &["t"]).table());
        prop_assert_eq!(top("tagroot=k,t tagleaf=k"), framed(&["k", "t"], &["k"]).table());
        // The other filters see the frames that labels made.
        let focused = framed(&["k"], &[]).keep(|s| s.iter().any(|f| f == "x"));
        prop_assert_eq!(top("tagroot=k focus=^x$"), focused.table());

        let tags = |q: &str| {
            let Report::Tags(tags) = ask(&profile, &format!("tags {q}")) else { panic!() };
            tags.tag.iter().flat_map(|t| t.values.iter().map(|v| ((t.key.clone(), v.name.clone()), v.value))).collect::<BTreeMap<_, _>>()
        };
        let expected = |shows: &dyn Fn(&str) -> bool| {
            let mut sums: BTreeMap<(String, String), i64> = BTreeMap::new();
            for (i, (_, value, _)) in rows.0.iter().enumerate() {
                for (key, label_text) in label(i).iter().filter(|(key, _)| shows(key)) {
                    *sums.entry((key.to_string(), label_text.to_string())).or_default() += value;
                }
            }
            sums
        };
        prop_assert_eq!(tags("n=0"), expected(&|_| true));
        prop_assert_eq!(tags("tagshow=k"), expected(&|key| key == "k"));
        prop_assert_eq!(tags("taghide=k"), expected(&|key| key != "k"));
        prop_assert_eq!(tags("tagshow=k|t taghide=t"), expected(&|key| key == "k"));
    }

    #[test]
    fn a_mean_is_the_sum_over_the_count(rows in rows()) {
        // The second number is the count.
        let line = |(s, v, n): &(Stack, i64, i64)| format!("{} {n} {v}\n", s.join(";"));
        let text = format!("# objects count, space bytes\n{}", rows.0.iter().map(line).collect::<String>());
        let profile = parse(text.as_bytes(), &ParseOptions::default()).unwrap().profile;
        let counts = Rows(rows.0.iter().map(|(s, _, n)| (s.clone(), *n, 0)).collect()).table();
        let quotient = |sum: i64, by: i64| if by == 0 { sum } else { sum / by };
        let mut means = one_dump(&rows).table();
        for (name, (flat, cum)) in &mut means {
            let (n_flat, n_cum) = counts.get(name).copied().unwrap_or_default();
            (*flat, *cum) = (quotient(*flat, n_flat), quotient(*cum, n_cum));
        }
        prop_assert_eq!(table(&ask(&profile, &format!("top {ALL} mean si=space"))), means);
        let calls = rows.calls();
        prop_assert!(calls.len() <= 25);
        let by: BTreeMap<_, _> = Rows(rows.0.iter().map(|(s, _, n)| (s.clone(), *n, 0)).collect()).calls();
        let Report::Graph(graph) = ask(&profile, &format!("graph {ALL} mean si=space")) else { panic!() };
        let sums = one_dump(&rows).calls();
        for e in 0..graph.edges.from.len() {
            let call = (graph.row[graph.edges.from[e] as usize].name.clone(), graph.row[graph.edges.to[e] as usize].name.clone());
            prop_assert_eq!(graph.edges.value[e], quotient(sums[&call], by[&call]), "{:?}", call);
        }
    }

    #[test]
    fn a_call_tree_has_a_node_for_each_path(rows in rows()) {
        let rows = one_dump(&rows);
        let profile = folded(&rows.text(false));
        let mut paths: BTreeMap<Stack, (i64, i64)> = BTreeMap::new();
        for (stack, value, _) in &rows.0 {
            (1..=stack.len()).for_each(|n| paths.entry(stack[..n].to_vec()).or_default().1 += value);
            paths.get_mut(stack).unwrap().0 += value;
        }
        let Report::Graph(graph) = ask(&profile, &format!("graph {ALL} call_tree")) else { panic!() };
        let mut nodes: Vec<(String, i64, i64)> = (0..graph.row.len()).map(|i| (graph.row[i].name.clone(), graph.flat[i], graph.cum[i])).collect();
        let mut expected: Vec<(String, i64, i64)> = paths.iter().map(|(path, (flat, cum))| (path.last().unwrap().clone(), *flat, *cum)).collect();
        nodes.sort();
        expected.sort();
        prop_assert_eq!(nodes, expected);
        // Each but the roots is called by one, with all that it holds.
        prop_assert_eq!(graph.edges.to.len(), paths.keys().filter(|path| path.len() > 1).count());
        for e in 0..graph.edges.to.len() {
            prop_assert_eq!(graph.edges.value[e], graph.cum[graph.edges.to[e] as usize]);
        }
    }

    #[test]
    fn collapsed_recursion_is_as_if_functions_did_not_call_themselves(rows in rows()) {
        let once = |stack: &Stack| {
            let mut stack = stack.clone();
            stack.dedup();
            stack
        };
        let flat = Rows(rows.0.iter().map(|(stack, value, base)| (once(stack), *value, *base)).collect());
        let (profile, expected) = (folded(&rows.text(false)), folded(&flat.text(false)));
        let boxes = |profile: &Profile, question: String| match ask(profile, &question) {
            Report::Flame(flame) => {
                let names: Vec<&str> = flame.node.iter().map(|row| flame.row.get(*row as usize).map_or("", |row| &*row.name)).collect();
                json!([names, flame.depth, flame.cum, flame.flat])
            }
            Report::Graph(graph) => json!([graph.row.iter().map(|row| &*row.name).collect::<Vec<_>>(), graph.cum, graph.flat, graph.edges.value]),
            _ => panic!("{question}"),
        };
        for report in ["flame", "flame inverted", "graph call_tree"] {
            let found = boxes(&profile, format!("{report} {ALL} collapse_recursion"));
            prop_assert_eq!(found, boxes(&expected, format!("{report} {ALL}")), "{}", report);
        }
    }

    #[test]
    fn several_bases_are_subtracted_and_what_shrank_is_dropped(rows in rows(), more in rows()) {
        let profile = dumps(&[&rows.text(false), &rows.text(true), &more.text(false)]);
        let net = Rows(rows.0.iter().cloned().chain(more.0.iter().map(|(s, v, _)| (s.clone(), 0, *v))).collect());
        let report = ask(&profile, &format!("top {ALL} dump=0 diff_base=1,2"));
        prop_assert_eq!(table(&report), net.table());
        let Report::Top(top) = report else { panic!() };
        prop_assert_eq!(top.header.total, net.0.iter().map(|r| r.2).sum::<i64>());
        let mut grown = net.table();
        grown.retain(|_, (flat, cum)| *flat > 0 || *flat == 0 && *cum > 0);
        for base in ["diff_base=1,2", "base=1,2"] {
            prop_assert_eq!(table(&ask(&profile, &format!("top {ALL} dump=0 {base} drop_negative"))), grown.clone());
        }
        // With a base a hundred percent is what moved, stack by stack.
        let mut moved: BTreeMap<Stack, i64> = BTreeMap::new();
        net.0.iter().for_each(|(stack, value, base)| *moved.entry(stack.clone()).or_default() += value - base);
        let Report::Top(top) = ask(&profile, &format!("top {ALL} dump=0 base=1,2")) else { panic!() };
        prop_assert_eq!(top.header.total, moved.values().map(|v| v.abs()).sum::<i64>());
    }
}

/// The class of a size, found by walking up from the smallest.
fn class_of(size: i64) -> (i64, i64) {
    let (mut low, mut high) = (0, 0);
    while high < size {
        // Eighths of the largest power of two, never finer than 8 and a quarter of it from 64 on.
        let step = if high < 64 { 8 } else { (1 << high.ilog2()) / 4 };
        (low, high) = (high + 1, high + step);
    }
    (low, high)
}

proptest! {
    #[test]
    fn sizes_are_sums_of_rows(rows in rows(), filter in prop::sample::select(vec!["", "focus=b", "hide=^c$", "ignore=d", "n=1", "n=0", "mean"]), labelled in any::<bool>()) {
        // Bytes from the number of the row, so that some samples share a size, and some have no objects.
        let line = |of: &dyn Fn(&(Stack, i64, i64)) -> i64| rows.0.iter().map(|r| {
            let (objects, size) = (of(r), r.0.len() as i64 * 37);
            let label = if labelled { format!(" bytes={size}") } else { String::new() };
            format!("{} {objects} {}{label}\n", r.0.join(";"), objects * size)
        }).collect::<String>();
        let parsed = |text: String| parse(format!("# objects count, space bytes\n{text}").as_bytes(), &ParseOptions::default()).unwrap().profile;
        let profile = heapview::profile::merge(vec![parsed(line(&|r| r.1)), parsed(line(&|r| r.2))]).unwrap();
        let kept = match filter {
            "focus=b" => rows.keep(|s| s.iter().any(|f| f.contains('b'))),
            "ignore=d" => rows.keep(|s| !s.iter().any(|f| f == "d")),
            // A stack without frames is not counted; its size is.
            "hide=^c$" => rows.keep(|s| s.iter().any(|f| f != "c")),
            _ => rows.clone(),
        };
        let mut expected: BTreeMap<(i64, i64), [i64; 4]> = BTreeMap::new();
        for (stack, value, base) in &kept.0 {
            let size = stack.len() as i64 * 37;
            let sum = expected.entry(class_of(size)).or_default();
            [value * size, base * size, *value, *base].iter().zip(sum).for_each(|(more, to)| *to += more);
        }
        for shown in ["space", "objects"] {
            let Report::Sizes(sizes) = ask(&profile, format!("sizes si={shown} dump=0 base=1 {filter}").trim_end()) else { panic!() };
            let four = |s: &heapview::report::SizeSum| [s.bytes, s.bytes_base, s.objects, s.objects_base];
            let plus = |a: [i64; 4], b: [i64; 4]| [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]];
            let got: BTreeMap<_, _> = sizes.class.iter().map(|c| ((c.low, c.high), four(&c.sum))).filter(|(_, s)| *s != [0; 4]).collect();
            prop_assert_eq!(&got, &expected);
            for class in &sizes.class {
                prop_assert_eq!(class.part.iter().map(|p| four(&p.sum)).fold(four(&class.rest), plus), four(&class.sum));
                let most = match filter { "n=1" => 1, "n=0" => usize::MAX, _ => 5 };
                prop_assert!(class.part.len() <= most);
                prop_assert!(filter != "n=0" || class.n_rest == 0);
            }
            let all = sizes.class.iter().map(|c| four(&c.sum)).fold(four(&sizes.of_unknown), plus);
            let side = usize::from(shown == "objects") * 2;
            prop_assert_eq!((all[side], all[side + 1]), (sizes.header.value_total, sizes.header.base_total));
        }
    }
}

/// Known functions with their rank among culprits.
const KNOWN: [(&str, &str, u8); 7] = [
    ("app::main", "app", 4),
    ("app::work", "app", 4),
    ("serde::de::read::{closure#0}", "serde", 3),
    ("tokio::task::run::{closure#0}", "tokio", 1),
    ("std::rt::start", "std", 0),
    ("core::fmt::write", "std", 0),
    ("malloc", "libc", 0),
];

/// Frames of a stack by number, then its objects now and in the base.
type Counted = (Vec<usize>, i64, i64);

/// Index of the culprit in a stack, frame by frame by the definition.
fn culprit(stack: &[usize]) -> usize {
    let end = stack.iter().position(|&f| KNOWN[f].0 == "malloc").unwrap_or(stack.len());
    let best = stack[..end].iter().map(|&f| KNOWN[f].2).max();
    best.map_or(0, |best| stack[..end].iter().rposition(|&f| KNOWN[f].2 == best).unwrap())
}

/// Name of a function; a closure's is that of its enclosing function if `folds`.
fn called(function: usize, folds: bool) -> String {
    let name = KNOWN[function].0;
    if folds { name.split("::{").next().unwrap() } else { name }.to_owned()
}

/// Frames of a stack after a filter, before kinds are folded. `None`: pprof drops the stack.
fn filtered(stack: &[usize], filter: &str) -> Option<Vec<usize>> {
    let has = |at: &usize, part: &str| KNOWN[stack[*at]].0.contains(part);
    let all = 0..stack.len();
    let left: Vec<usize> = match filter {
        "hide=work" => all.filter(|at| !has(at, "work")).collect(),
        "show=app|tokio" => all.filter(|at| has(at, "app") || has(at, "tokio")).collect(),
        "show_from=serde" => all.clone().find(|at| has(at, "serde")).map_or(Vec::new(), |from| (from..stack.len()).collect()),
        "prune_from=run" => (0..all.rev().find(|at| has(at, "run")).map_or(stack.len(), |at| at + 1)).collect(),
        "focus=work" => all.clone().filter(|_| all.clone().any(|at| has(&at, "work"))).collect(),
        _ => all.collect(),
    };
    (!left.is_empty()).then_some(left)
}

const KIND_WORDS: [&str; 5] = ["own", "third_party", "plumbing", "runtime", "allocator"];

/// The kind of a known function.
fn kind(function: usize) -> &'static str {
    match KNOWN[function] {
        ("malloc", ..) => "allocator",
        (.., 4) => "own",
        (.., 3) => "third_party",
        (.., 1) => "plumbing",
        _ => "runtime",
    }
}

proptest! {
    #[test]
    fn charging_culprits_and_folding_kinds_loses_nothing(
        rows in prop::collection::vec((prop::collection::vec(0..KNOWN.len(), 1..7), 1i64..50, 0i64..50), 1..10),
        culprits in any::<bool>(),
        hidden in prop::sample::subsequence(KIND_WORDS.to_vec(), 0..=KIND_WORDS.len()),
        filter in prop::sample::select(vec!["", "hide=work", "show=app|tokio", "show_from=serde", "prune_from=run", "focus=work", "noinlines"]),
        base in prop::sample::select(vec!["dump=0", "dump=0 base=1", "dump=0 diff_base=1"]),
    ) {
        let line = |of: &dyn Fn(&Counted) -> i64| rows.iter().map(|r| {
            let stack: Vec<&str> = r.0.iter().map(|&f| KNOWN[f].0).collect();
            format!("{} {}\n", stack.join(";"), of(r))
        }).collect::<String>();
        let profile = dumps(&[&line(&|r| r.1), &line(&|r| r.2)]);
        let words = [format!("top {ALL}"), base.to_owned(), filter.to_owned()];
        let question = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        let mut folding = question.clone();
        if culprits {
            folding += " culprit";
        }
        if !hidden.is_empty() {
            folding += &format!(" hide_kind={}", hidden.join(","));
        }
        let (plain, folded) = (ask(&profile, &question), ask(&profile, &folding));
        let sums = |report: &Report| [report.header().total, report.header().value_total, report.header().base_total];
        prop_assert_eq!(sums(&plain), sums(&folded), "{}", folding);
        if filter.is_empty() {
            let counted: Vec<&Counted> = rows.iter().filter(|r| r.1 != 0 || r.2 != 0 && base != "dump=0").collect();
            let is_whole = |r: &&&Counted| r.0.iter().all(|&f| hidden.contains(&kind(f)));
            let whole: i64 = if hidden.is_empty() { 0 } else { counted.iter().filter(is_whole).map(|r| r.1).sum() };
            let functions: BTreeSet<usize> = counted.iter().flat_map(|r| r.0.iter().copied()).collect();
            let mut n_functions: BTreeMap<&str, usize> = BTreeMap::new();
            functions.iter().map(|&f| kind(f)).filter(|kind| hidden.contains(kind)).for_each(|kind| *n_functions.entry(kind).or_default() += 1);
            let header = folded.header();
            prop_assert_eq!(header.folded_whole, whole, "{}", folding);
            prop_assert_eq!(header.folded.iter().map(|of| (of.kind.name(), of.n_functions)).collect::<BTreeMap<_, _>>(), n_functions, "{}", folding);
        }
        let folds = culprits || hidden.contains(&"plumbing");
        let with_base = i64::from(base != "dump=0");
        let left = rows.iter().filter_map(|(stack, value, base)| {
            let kept = filtered(stack, filter)?;
            let end = if culprits { culprit(stack) } else { stack.len() };
            let is_folded = |f: usize| hidden.contains(&kind(f));
            let mut seen: Vec<usize> = kept.iter().filter(|&&at| at <= end).map(|&at| stack[at]).filter(|&f| !is_folded(f)).collect();
            if seen.is_empty() && culprits && kept.contains(&end) {
                // The memory keeps an owner.
                seen.push(stack[end]);
            }
            Some((seen.into_iter().map(|f| called(f, folds)).collect::<Stack>(), *value, *base * with_base))
        });
        // Empty stacks belong to the root and to no row.
        let left = Rows(left.filter(|(stack, ..)| !stack.is_empty()).collect());
        prop_assert_eq!(table(&folded), left.table(), "{}", folding);
    }

    #[test]
    fn labels_are_nobody_to_blame(rows in prop::collection::vec((prop::collection::vec(0..KNOWN.len(), 1..6), 1i64..50), 1..8)) {
        let text = rows.iter().map(|(stack, value)| {
            let stack: Vec<&str> = stack.iter().map(|&f| KNOWN[f].0).collect();
            format!("{} {value} k=x\n", stack.join(";"))
        });
        let profile = folded(&text.collect::<String>());
        let flat = |question: &str| {
            let all = table(&ask(&profile, &format!("top {ALL} culprit{question}")));
            all.into_iter().filter(|(_, (flat, _))| *flat != 0).map(|(name, (flat, _))| (name, flat)).collect::<BTreeMap<_, _>>()
        };
        prop_assert_eq!(flat(" tagroot=k"), flat(""));
    }
}

proptest! {
    #[test]
    fn culprits_are_the_innermost_own_frames_and_add_up(
        rows in prop::collection::vec((prop::collection::vec(0..KNOWN.len(), 1..6), 0i64..50, 0i64..50), 1..12),
        most in prop::sample::select(vec!["n=0", "n=1", "n=2", ""]),
        focus in any::<bool>(),
    ) {
        let line = |of: &dyn Fn(&Counted) -> i64| rows.iter().map(|r| {
            let stack: Vec<&str> = r.0.iter().map(|&f| KNOWN[f].0).collect();
            format!("{} {} {}\n", stack.join(";"), of(r), of(r) * 10)
        }).collect::<String>();
        let parsed = |text: String| parse(format!("# inuse_objects count, inuse_space bytes\n{text}").as_bytes(), &ParseOptions::default()).unwrap().profile;
        let profile = heapview::profile::merge(vec![parsed(line(&|r| r.1)), parsed(line(&|r| r.2))]).unwrap();
        let mut by_function: BTreeMap<String, [i64; 4]> = BTreeMap::new();
        let mut by_package: BTreeMap<&str, [i64; 4]> = BTreeMap::new();
        let kept = rows.iter().filter(|r| !focus || r.0.contains(&1));
        for (stack, value, base) in kept {
            let of = stack[culprit(stack)];
            for sum in [by_function.entry(called(of, true)).or_default(), by_package.entry(KNOWN[of].1).or_default()] {
                [value * 10, base * 10, *value, *base].iter().zip(sum).for_each(|(more, to)| *to += more);
            }
        }
        by_function.retain(|_, sum| *sum != [0; 4]);
        by_package.retain(|_, sum| *sum != [0; 4]);
        let filter = if focus { " focus=work" } else { "" };
        let Report::Summary(summary) = ask(&profile, format!("summary {most} si=inuse_space dump=0 base=1{filter}").replace("  ", " ").as_str()) else { panic!() };
        let four = |s: &heapview::report::SummarySum| [s.value, s.base, s.companion, s.companion_base];
        let plus = |a: [i64; 4], b: [i64; 4]| [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]];
        for c in &summary.culprit {
            prop_assert_eq!(by_function.get(c.row.name.as_str()), Some(&four(&c.sum)), "{}", c.row.name);
        }
        for p in &summary.package {
            prop_assert_eq!(by_package.get(p.package.as_str()), Some(&four(&p.sum)), "{}", p.package);
        }
        prop_assert_eq!((summary.n_culprits, summary.n_packages), (by_function.len(), by_package.len()));
        let whole = by_function.values().copied().fold([0; 4], plus);
        prop_assert_eq!(summary.culprit.iter().map(|c| four(&c.sum)).fold(four(&summary.rest), plus), whole);
        prop_assert_eq!(summary.package.iter().map(|p| four(&p.sum)).fold(four(&summary.package_rest), plus), whole);
        prop_assert_eq!(summary.total.iter().map(|t| [t.value, t.base]).collect::<Vec<_>>(), vec![[whole[2], whole[3]], [whole[0], whole[1]]]);
        let gross = summary.header.gross.unwrap();
        prop_assert_eq!(gross.grown + gross.shrunk, whole[0] - whole[1]);
    }
}
