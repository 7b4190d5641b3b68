//! Gross growth and sampling error compared with brute force: path by path, row by row.

use std::collections::{BTreeMap, BTreeSet};

use heapview::base::id::FrameId;
use heapview::parse::{ParseOptions, parse};
use heapview::profile::{Profile, merge};
use heapview::report::{Gross, Report, TopReport};
use proptest::prelude::*;

use crate::fixture::{ask, dumps};

/// Frames, the marks of those that were inlined, and a value.
type Row = (Vec<(&'static str, bool)>, i64);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let frame = (prop::sample::select(vec!["a", "b", "c", "d"]), any::<bool>());
    prop::collection::vec((prop::collection::vec(frame, 1..5), 1i64..100), 1..10)
}

fn text(rows: &[Row]) -> String {
    let frame = |(name, inlined): &(&str, bool)| if *inlined { format!("{name}_[i]") } else { (*name).to_owned() };
    let line = |(stack, value): &Row| format!("main;{} {value}\n", stack.iter().map(frame).collect::<Vec<_>>().join(";"));
    rows.iter().map(line).collect()
}

/// Path of names → value less base.
fn paths(now: &[Row], then: &[Row]) -> BTreeMap<Vec<&'static str>, i64> {
    let mut paths: BTreeMap<Vec<&str>, i64> = BTreeMap::new();
    for (rows, sign) in [(now, 1), (then, -1)] {
        for (stack, value) in rows {
            let names = ["main"].into_iter().chain(stack.iter().map(|(name, _)| *name)).collect();
            *paths.entry(names).or_default() += sign * value;
        }
    }
    paths
}

fn add(to: &mut Gross, change: i64) {
    to.grown += change.max(0);
    to.shrunk += change.min(0);
}

fn top(profile: &Profile, question: &str) -> TopReport {
    let Report::Top(top) = ask(profile, question) else { panic!() };
    top
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn growth_and_shrinkage_are_by_path_of_names(now in rows(), then in rows()) {
        let profile = dumps(&[&text(&now), &text(&then)]);
        let mut expected: BTreeMap<&str, (Gross, Gross)> = BTreeMap::new();
        let mut whole = Gross::default();
        for (path, change) in paths(&now, &then) {
            add(&mut whole, change);
            add(&mut expected.entry(path[path.len() - 1]).or_default().0, change);
            for name in path.into_iter().collect::<BTreeSet<_>>() {
                add(&mut expected.entry(name).or_default().1, change);
            }
        }
        let table = top(&profile, "top trim=f dump=0 base=1 gross");
        prop_assert_eq!(table.header.gross, Some(whole));
        for (i, row) in table.row.iter().enumerate() {
            let (flat, cum) = (table.flat_gross[i], table.cum_gross[i]);
            prop_assert_eq!((flat, cum), expected[row.name.as_str()], "{}", row.name);
            prop_assert_eq!(flat.grown + flat.shrunk, table.flat[i] - table.flat_base[i]);
            prop_assert_eq!(cum.grown + cum.shrunk, table.cum[i] - table.cum_base[i]);
        }
        // Boxes add up from both ends, and peek agrees with the table.
        for question in ["flame trim=f dump=0 base=1 gross g=functions", "flame trim=f dump=0 base=1 gross g=functions inverted"] {
            let Report::Flame(flame) = ask(&profile, question) else { panic!() };
            prop_assert_eq!((flame.cum_grown[0], flame.cum_shrunk[0]), (whole.grown, whole.shrunk));
            for i in 0..flame.node.len() {
                prop_assert_eq!(flame.cum_grown[i] + flame.cum_shrunk[i], flame.cum[i] - flame.cum_base[i]);
            }
        }
        let Report::Peek(peek) = ask(&profile, "tree trim=f dump=0 base=1 gross") else { panic!() };
        for entry in peek.entry.iter() {
            prop_assert_eq!((entry.flat_gross.unwrap(), entry.cum_gross.unwrap()), expected[entry.row.name.as_str()], "{}", entry.row.name);
            for link in entry.callers.iter().chain(entry.callees.iter()) {
                let gross = link.gross.unwrap();
                prop_assert_eq!(gross.grown + gross.shrunk, link.value - link.base);
            }
        }
    }

    #[test]
    fn a_dump_does_not_differ_from_itself(rows in rows()) {
        let profile = dumps(&[&text(&rows), &text(&rows)]);
        let table = top(&profile, "top trim=f dump=0 diff_base=1 gross");
        prop_assert_eq!(table.header.gross, Some(Gross::default()));
        prop_assert_eq!((table.header.n_new, table.header.n_gone, table.row.len()), (0, 0, 0));
        let Report::Summary(summary) = ask(&profile, "summary dump=0 base=1") else { panic!() };
        prop_assert_eq!((summary.n_grown, summary.n_shrunk, summary.header.n_new, summary.header.n_gone), (0, 0, 0, 0));
    }

    #[test]
    fn errors_of_a_functions_rows_add_up(
        now in prop::collection::vec((prop::collection::vec(1u64..6, 1..4), 1u64..40, 1u64..9000), 1..9),
        then in prop::collection::vec((prop::collection::vec(1u64..6, 1..4), 1u64..40, 1u64..9000), 1..9),
    ) {
        let profile = merge(vec![sampled(&now, 4096), sampled(&then, 4096)]).unwrap();
        for (value_type, of) in [("inuse_space", 1), ("inuse_objects", 0)] {
            let table = top(&profile, &format!("top trim=f g=addresses dump=0 diff_base=1 errors si={value_type}"));
            for (i, row) in table.row.iter().enumerate() {
                let on_it = |row_of: usize| {
                    let frames: Vec<FrameId> = profile.stacks().frames(profile.samples().stack[row_of]).collect();
                    frames.iter().any(|f| row.name.starts_with(&format!("{:016x}", profile.code().locations[profile.code().frames[*f].location].address)))
                };
                let mut sums = [0.0; 4];
                for r in (0..profile.samples().len()).filter(|&r| on_it(r)) {
                    let [now, then] = [0, 1].map(|dump| spread([profile.values(dump, 0)[r], profile.values(dump, 1)[r]], of));
                    let lives = (0..2).all(|of| profile.values(0, of)[r] == profile.values(1, of)[r]);
                    let change = if lives { 0.0 } else { now[1] + then[1] };
                    [now[0], then[0], now[1], change].iter().zip(&mut sums).for_each(|(more, sum)| *sum += more);
                }
                let spread = table.cum_spread[i];
                let expected = [sums[0], sums[1], sums[2].sqrt(), sums[3].sqrt()];
                for (reported, expected) in [spread.samples, spread.samples_base, spread.error, spread.change_error].into_iter().zip(expected) {
                    prop_assert!((reported as f64 - expected).abs() <= 0.5001, "{}: {reported} for {expected}", row.name);
                }
            }
        }
    }
}

/// Rows of addresses, objects that were seen, and their bytes.
fn sampled(rows: &[(Vec<u64>, u64, u64)], distance: u32) -> Profile {
    let address = |n: &u64| format!(" {:#x}", 0x40_0000 + n * 0x10);
    let row = |(stack, n, size): &(Vec<u64>, u64, u64)| {
        format!("@{}\n  t*: {n}: {} [0: 0]\n", stack.iter().map(address).collect::<String>(), n * size)
    };
    let text = format!("heap_v2/{distance}\n  t*: 1: 1 [0: 0]\n{}", rows.iter().map(row).collect::<String>());
    parse(text.as_bytes(), &ParseOptions::default()).unwrap().profile
}

/// Samples and variance of a row of the 4096, by the book.
fn spread([objects, bytes]: [i64; 2], of: usize) -> [f64; 2] {
    if objects == 0 || bytes == 0 {
        return [0.0; 2];
    }
    let (n, size) = (objects as f64, bytes as f64 / objects as f64);
    let seen = 1.0 - (-size / 4096.0).exp();
    let variance = n * (1.0 - seen) / seen;
    [n * seen, if of == 1 { variance * size * size } else { variance }]
}

#[test]
fn growth_below_one_allocator_does_not_cancel_out() {
    let profile = dumps(&["main;load;alloc 105\nmain;store;alloc 45\n", "main;load;alloc 100\nmain;store;alloc 50\n"]);
    let table = top(&profile, "top dump=0 diff_base=1 gross");
    let alloc = table.row.iter().position(|row| row.name == "alloc").unwrap();
    assert_eq!((table.flat[alloc], table.flat_base[alloc]), (150, 150));
    assert_eq!(table.flat_gross[alloc], Gross { grown: 5, shrunk: -5 });
    assert_eq!(table.header.gross, Some(Gross { grown: 5, shrunk: -5 }));
    // As pprof has it, what does not differ is no row.
    assert!(top(&profile, "top dump=0 diff_base=1").row.iter().all(|row| row.name != "alloc"));
}

#[test]
fn exact_profiles_have_no_errors() {
    let table = top(&dumps(&["main;a 5\n"]), "top errors gross");
    assert_eq!((table.header.period, table.header.spread, table.header.gross), (0, None, None));
    assert!(table.flat_spread.is_empty() && table.cum_gross.is_empty());
    let table = top(&sampled(&[(vec![1], 3, 100)], 1), "top errors");
    assert_eq!((table.header.period, table.header.spread), (0, None));
}

#[test]
fn the_number_of_samples_is_reported() {
    let profile = sampled(&[(vec![1], 3, 100)], 524_288);
    let table = top(&profile, "top errors");
    assert_eq!(table.header.period, 524_288);
    assert_eq!(table.header.spread.unwrap().samples, 3);
    assert_eq!(table.flat_spread[0], table.header.spread.unwrap());
}
