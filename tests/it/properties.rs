//! Properties of whole printed reports, for any profile.

use heapview::analyze;
use heapview::export;
use heapview::parse::{ParseOptions, parse};
use heapview::profile::{Profile, merge};
use heapview::render::{Format, render};
use heapview::session::Session;
use proptest::prelude::*;

use crate::fixture::view;

/// Rows of collapsed stacks with places, inlined calls, labels and two value types.
pub(crate) fn rows() -> impl Strategy<Value = String> {
    let frame =
        prop::sample::select(vec!["a (/s/a.c:1)", "a (/s/a.c:2)", "b (/s/b.c:7)", "b_[i]", "c", "ns::c (/s/c.c:3)_[i]", "d<e<f>>::g"]);
    let stack = prop::collection::vec(frame, 0..6);
    let labels = prop::sample::select(vec!["", " k=x", " k=y", " bytes=64", " bytes=4096 k=x", " bytes=64 t=main k=y"]);
    let row = (stack, 1u32..1000, 0u32..1000, labels);
    prop::collection::vec(row, 1..14).prop_map(|rows| {
        // The outermost frame is inlined into nothing.
        let line = |(stack, a, b, labels): &(Vec<&str>, u32, u32, &str)| format!("main;{} {a} {b}{labels}\n", stack.join(";"));
        rows.iter().map(line).collect::<String>().replace("main; ", "main ")
    })
}

pub(crate) fn two_types(rows: &str) -> Profile {
    let text = format!("# alloc_space bytes, inuse_space bytes\n{rows}");
    parse(text.as_bytes(), &ParseOptions::default()).unwrap().profile
}

/// Every kind of report, some in several shapes.
const REPORTS: [&str; 18] = [
    "top n=0 nf=0",
    "top",
    "top g=lines sort=cum nf=0",
    "top g=files nf=0",
    "top g=addresses noinlines nf=0",
    "tree nf=0 ef=0",
    "tree",
    "peek peek=b|ns",
    "graph",
    "graph call_tree nf=0 ef=0",
    "graph g=lines n=3",
    "flame",
    "flame inverted nf=0 g=lines",
    "traces",
    "traces g=lines",
    "tags",
    "summary",
    "sizes",
];

/// Output of `report` with `options`, or its error.
fn printed(profile: &Profile, report: &str, options: &str) -> String {
    let question = view(format!("{report} {options}").trim_end());
    match Session::new(profile.clone(), Vec::new()).answer(&question) {
        Err(error) => error.to_string(),
        Ok(report) => {
            let mut out = Vec::new();
            render(&report, Format::Text, &|n| format!("{n} ns"), &mut out).unwrap();
            String::from_utf8(out).unwrap()
        }
    }
}

/// Output without the filters it repeats, in a table's lines or in the graph's legend.
fn answer(profile: &Profile, report: &str, options: &str) -> String {
    let all = printed(profile, report, options);
    let (Some(from), to) = (all.find("Active filters"), all.find("Showing nodes")) else { return all };
    // Without such a line the filters are the last labels.
    let filters = all[from..].lines().take_while(|line| line.starts_with("Active") || line.starts_with("   ") && line.contains('='));
    let to = to.unwrap_or_else(|| from + filters.map(|line| line.len() + 1).sum::<usize>());
    format!("{}{}", &all[..from], &all[to..])
}

fn written(profile: &Profile) -> Profile {
    let mut bytes = Vec::new();
    export::write_pprof(profile, &mut bytes).unwrap();
    let read = parse(&bytes, &ParseOptions::default()).unwrap();
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    read.profile.validate().unwrap();
    read.profile
}

fn raw(profile: &Profile) -> String {
    let mut out = Vec::new();
    export::write_raw(profile, &|n| n.to_string(), &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

/// The profile after the filters.
fn filtered(profile: &Profile, options: &str) -> Profile {
    analyze::filtered(profile, &view(&format!("top {options}"))).unwrap().profile
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_profile_written_and_read_prints_the_same(rows in rows()) {
        let profile = two_types(&rows);
        let again = written(&profile);
        for report in REPORTS {
            for value_type in ["si=alloc_space", "si=inuse_space unit=B"] {
                prop_assert_eq!(printed(&again, report, value_type), printed(&profile, report, value_type), "{} {}", report, value_type);
            }
        }
        prop_assert_eq!(raw(&again), raw(&profile));
        // Once more: what was read is written as it was.
        prop_assert_eq!(raw(&written(&again)), raw(&again));
    }

    #[test]
    fn a_profile_less_itself_is_empty(rows in rows()) {
        let profile = merge(vec![two_types(&rows), two_types(&rows)]).unwrap();
        for report in REPORTS.iter().filter(|report| !["peek", "summary"].iter().any(|kind| report.starts_with(kind)) && !report.contains("g=")) {
            for base in ["base=1", "base=0,1 dump=0,1", "base=1 normalize"] {
                let dump = if base.contains("dump") { base.to_owned() } else { format!("dump=0 {base}") };
                let text = printed(&profile, report, &dump);
                let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|n| n.parse::<u64>().is_ok_and(|n| n > 0));
                // Sizes and places of the picture are no values.
                let numbers: Vec<&str> = numbers.filter(|_| !report.starts_with("graph")).collect();
                prop_assert!(numbers.is_empty(), "{} {}:\n{}", report, dump, text);
                prop_assert!(!text.contains("N1 "), "{}:\n{}", report, text);
            }
        }
        let nothing = filtered(&profile, "dump=0 base=1");
        prop_assert_eq!(nothing.samples().len(), 0, "{}", raw(&nothing));
    }

    #[test]
    fn the_order_of_a_merge_does_not_matter(a in rows(), b in rows(), c in rows()) {
        let [a, b, c] = [a, b, c].map(|rows| two_types(&rows));
        let one = merge(vec![a.clone(), b.clone(), c.clone()]).unwrap();
        let orders = [vec![c.clone(), a.clone(), b.clone()], vec![b.clone(), c.clone(), a.clone()], vec![merge(vec![b, a]).unwrap(), c]];
        // Traces come as the files do, and nodes of the call tree of one name and weight too.
        for report in REPORTS.iter().filter(|r| !r.starts_with("traces") && !r.contains("call_tree")) {
            for order in &orders {
                let other = merge(order.clone()).unwrap();
                prop_assert_eq!(printed(&other, report, ""), printed(&one, report, ""), "{}", report);
            }
        }
    }

    #[test]
    fn successive_filters_equal_combined_filters(rows in rows()) {
        let profile = two_types(&rows);
        // Pairs that pprof, too, may apply in either order.
        for (first, second) in [
            ("focus=b", "ignore=^c$"),
            ("focus=b", "tagfocus=k=x"),
            ("tagfocus=k=x", "tagignore=bytes=1kb:"),
            ("ignore=ns", "tagignore=k=y"),
            ("focus=/s/a", "tagshow=k"),
            ("tagfocus=t=main", "taghide=t"),
        ] {
            let both = format!("{first} {second}");
            let at_once = filtered(&profile, &both);
            let hides = second.starts_with("tagshow") || second.starts_with("taghide");
            let orders = [(first, second), (second, first)];
            // A label that is gone cannot be requested.
            for (one, other) in orders.into_iter().take(if hides { 1 } else { 2 }) {
                let in_turn = filtered(&filtered(&profile, one), other);
                prop_assert_eq!(raw(&in_turn), raw(&at_once), "{} then {}", one, other);
            }
            // In a call tree, inline marks cover all stacks, including filtered ones.
            for report in REPORTS.iter().filter(|report| !report.contains("call_tree")) {
                // Percentages refer to the remaining total, which is all that the written profile has.
                let relative = format!("{both} rel");
                prop_assert_eq!(answer(&at_once, report, ""), answer(&profile, report, &relative), "{} {}", report, relative);
            }
        }
    }

    #[test]
    fn successive_filters_combine(rows in rows()) {
        let profile = two_types(&rows);
        for (one, other, both) in [
            ("hide=^b$", "hide=^c$", "hide=^b$|^c$"),
            ("ignore=^b$", "ignore=^c$", "ignore=^b$|^c$"),
            ("tagignore=k=x", "tagignore=t=main", "tagignore=k=x tagignore=t=main"),
        ] {
            let turns = [(one, other), (other, one)].map(|(one, other)| raw(&filtered(&filtered(&profile, one), other)));
            prop_assert_eq!(&turns[0], &turns[1]);
            if !both.contains(' ') {
                prop_assert_eq!(&turns[0], &raw(&filtered(&profile, both)), "{}", both);
            }
        }
    }
}
