//! The analysis against the simplest code that could be right: every number is found
//! by walking every stack.

use std::collections::{BTreeMap, BTreeSet};

use heapview::report::Report;
use proptest::prelude::*;

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
        let ask = |q: &str| table(&ask(&profile, &format!("top {ALL} {q}")));
        prop_assert_eq!(ask("focus=b"), rows.keep(|s| has(s, "b")).table());
        prop_assert_eq!(ask("ignore=^c$"), rows.keep(|s| !s.iter().any(|f| f == "c")).table());
        prop_assert_eq!(ask("hide=b"), rows.without(|f| f.contains('b')).table());
        prop_assert_eq!(ask("show=a"), rows.without(|f| !f.contains('a')).table());
        // Focus sees what hide takes away.
        prop_assert_eq!(ask("focus=d hide=d"), rows.keep(|s| has(s, "d")).without(|f| f == "d").table());
        let from = Rows(rows.0.iter().filter_map(|(s, v, b)| {
            let start = s.iter().position(|f| f.contains('b'))?;
            Some((s[start..].to_vec(), *v, *b))
        }).collect());
        prop_assert_eq!(ask("show_from=b"), from.table());
    }

    #[test]
    fn calls_count_once_a_stack(rows in rows()) {
        let rows = one_dump(&rows);
        let profile = folded(&rows.text(false));
        let Report::Graph(graph) = ask(&profile, &format!("graph {ALL}")) else { panic!() };
        let name = |i: usize| graph.row[i].name.clone();
        let calls: BTreeMap<_, _> = (0..graph.edges.from.len())
            .map(|e| ((name(graph.edges.from[e]), name(graph.edges.to[e])), graph.edges.value[e]))
            .collect();
        prop_assert_eq!(calls, rows.calls());
        let calls = rows.calls();
        let Report::Peek(tree) = ask(&profile, &format!("tree {ALL}")) else { panic!() };
        for entry in &tree.entry {
            for link in &entry.callees {
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
}
