//! A real series of 24 dumps, with a function for each shape of growth, compared with the program's own accounting.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::cli::stdout;
use crate::fixture::path;

const DUMPS: usize = 24;

/// Bytes that the program wrote down itself: function → one number a dump.
fn books() -> BTreeMap<String, Vec<i64>> {
    let mut books: BTreeMap<String, Vec<i64>> = BTreeMap::new();
    for line in std::fs::read_to_string(path("testdata/gperftools/tides.truth.tsv")).unwrap().lines() {
        let [dump, function, bytes] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let values = books.entry(function.to_owned()).or_default();
        values.push(bytes.parse().unwrap());
        assert_eq!(dump, format!("tides.{:04}.heap", values.len()));
    }
    assert!(books.len() == 8 && books.values().all(|values| values.len() == DUMPS), "{books:?}");
    books
}

/// Growth report by culprits from the built program, for the files that match a pattern.
fn growth() -> Value {
    let json = stdout(&["growth", "-json", "-nodecount=0", "bin/tides", "gperftools/tides.*.heap"]);
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((report["by"].as_str(), report["axis"].as_str()), (Some("culprits"), Some("dump")));
    report
}

fn name(row: &Value) -> &str {
    row["row"]["name"].as_str().unwrap()
}

fn numbers(list: &Value) -> Vec<i64> {
    list.as_array().unwrap().iter().map(|v| v.as_i64().unwrap()).collect()
}

fn row<'a>(report: &'a Value, function: &str) -> &'a Value {
    report["row"].as_array().unwrap().iter().find(|row| name(row) == function).unwrap()
}

#[test]
fn every_dump_has_the_bytes_of_the_books() {
    let report = growth();
    let dumps: Vec<&str> = report["dump"].as_array().unwrap().iter().map(|dump| dump["name"].as_str().unwrap()).collect();
    assert_eq!(dumps, (1..=DUMPS).map(|n| format!("gperftools/tides.{n:04}.heap")).collect::<Vec<_>>());
    let reported: BTreeMap<String, Vec<i64>> =
        report["row"].as_array().unwrap().iter().map(|row| (name(row).to_owned(), numbers(&row["value"]))).collect();
    assert_eq!(reported, books());
    // Nothing else is on the heap.
    assert_eq!(numbers(&report["rest"]), [0; DUMPS]);
}

#[test]
fn leaks_come_first_and_nothing_else_is_one() {
    let report = growth();
    let shapes: Vec<(&str, &str)> =
        report["row"].as_array().unwrap().iter().map(|row| (name(row), row["trend"]["shape"].as_str().unwrap())).collect();
    let (mut leaks, others) = (shapes[..3].to_vec(), &shapes[3..]);
    leaks.sort_unstable();
    assert_eq!(leaks, [("atlas::chart", "leak"), ("gauge::read", "leak"), ("logbook::note", "leak")], "{shapes:?}");
    assert!(others.len() == 5 && others.iter().all(|(_, shape)| *shape != "leak"), "{shapes:?}");
    // Rows with only one valid shape; a cache that fills in seven tides may be a step or a plateau, a pool noise or a sawtooth.
    for (function, shape) in [("almanac::load", "step"), ("mail::collect", "sawtooth"), ("warehouse::store", "shrinking")] {
        assert!(others.contains(&(function, shape)), "{shapes:?}");
    }
    let in_steps: Vec<&str> = ["atlas::chart", "gauge::read", "logbook::note"]
        .into_iter()
        .filter(|function| row(&report, function)["trend"]["in_steps"].as_bool().unwrap())
        .collect();
    assert_eq!(in_steps, ["atlas::chart"]);
}

#[test]
fn slopes_of_leaks_hold_the_truth() {
    let report = growth();
    let books = books();
    let relative_error = |function: &str, truth: f64| {
        let trend = &row(&report, function)["trend"];
        let [low, slope, high] = ["slope_low", "slope", "slope_high"].map(|end| trend[end].as_f64().unwrap());
        assert!(low <= slope && slope <= high, "{function}: {trend}");
        assert!(low <= truth && truth <= high, "{function}: {truth} a dump, and {trend}");
        (high - low) / truth
    };
    // By design of the program: 40 notes of 60 to 140 bytes, 900 marks of 8 bytes.
    assert!(relative_error("logbook::note", 4000.0) < 0.1);
    assert!(relative_error("atlas::chart", 7200.0) < 2.0);
    // Actual numbers. The slow leak is random: 4.17 readings per tide, with four expected.
    for function in ["logbook::note", "gauge::read"] {
        let values = &books[function];
        assert!(relative_error(function, (values[DUMPS - 1] - values[0]) as f64 / (DUMPS - 1) as f64) < 0.1);
    }
}
