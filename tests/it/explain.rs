//! `heapview explain`: a few sentences for an issue.

use expect_test::expect_file;
use heapview::render::{Explained, explain, headline};
use heapview::report::Report;

use crate::cli::stdout;
use crate::fixture::{ask, dumps, folded, path, session, view};

#[test]
fn the_answer_is_a_few_sentences() {
    for (name, args) in [
        ("shop", &["gperftools/shop.0003.heap"][..]),
        ("shop-since", &["-base=gperftools/shop.0001.heap", "-focus=shop", "gperftools/shop.0003.heap"]),
        ("sampled", &["jemalloc/shop-sampled.2000.2.m2.heap"]),
        ("same", &["-base=gperftools/shop.0003.heap", "gperftools/shop.0003.heap"]),
    ] {
        let text = stdout(&[&["explain", "bin/shop"], args].concat());
        expect_file![path(&format!("testdata/explain/{name}.md"))].assert_eq(&text);
    }
}

fn summary_text(profile: &heapview::profile::Profile, question: &str) -> String {
    let Report::Summary(summary) = ask(profile, question) else { panic!() };
    explain(&Explained { summary: &summary, growth: None, doctor: None, warnings: &[] }, &|n| format!("{n} ns"))
}

#[test]
fn names_cannot_be_markup() {
    let text = summary_text(&folded("main;<b>x</b>|`*_[a](b) 96\n"), "summary");
    let row = text.lines().find(|line| line.starts_with("| 96 B")).unwrap();
    // As many bars as the table has columns: the name's own is none of them.
    assert_eq!((row.matches('|').count(), row.contains("``<b>x</b>\u{2223}`*_[a](b)``")), (5, true), "{row}");
}

#[test]
fn unchanged_functions_are_left_out() {
    let profile = dumps(&["main;same 10\nmain;more 1\n", "main;same 10\nmain;more 5\n"]);
    let text = summary_text(&profile, "summary dump=1 base=0");
    assert!(text.contains("**+4 B** in use since the base (11 B before, 15 B now, +36.36%)"), "{text}");
    assert!(text.contains("`more`") && !text.contains("`same`"), "{text}");
    assert!(summary_text(&profile, "summary dump=1 base=1").contains("Nothing changed."));
}

/// The sentence that begins a summary.
fn sentence(profile: &heapview::profile::Profile, question: &str) -> String {
    let Report::Summary(summary) = ask(profile, format!("summary {question}").trim_end()) else { panic!() };
    let answer = session(profile.clone()).answer(&view("growth"));
    let growth = match answer {
        Ok(Report::Growth(growth)) => Some(growth),
        _ => None,
    };
    headline(&Explained { summary: &summary, growth: growth.as_ref(), doctor: None, warnings: &[] })
}

#[test]
fn a_summary_begins_with_one_sentence() {
    let one = folded("main;a 70\nmain;b 20\nmain;c 10\n");
    assert_eq!(sentence(&one, ""), "100 B in use: 70% held by a, 90% by the top 2.");
    assert_eq!(sentence(&one, "focus=nobody"), "No samples match the filters.");
    let grown = dumps(&["main;a 10\nmain;b 10\n", "main;a 30\nmain;b 10\n"]);
    assert_eq!(sentence(&grown, "dump=1"), "40 B in use: 75% held by a, 100% by the top 2; it grew by 20 B over 2 dumps.");
    // An earlier dump is not the end of its series.
    assert_eq!(sentence(&grown, "dump=0"), "20 B in use: 50% held by a, 100% by the top 2.");
    assert_eq!(sentence(&grown, "dump=1 base=0"), "+20 B in use since the baseline (+100%, now 40 B): a grew most, by 20 B.");
    assert_eq!(sentence(&grown, "dump=0 base=1"), "-20 B in use since the baseline (-50.00%, now 20 B): a shrank most, by 20 B.");
    assert_eq!(sentence(&grown, "dump=1 base=1"), "40 B in use, unchanged since the baseline.");
    let leak: Vec<String> = (1..=12).map(|n| format!("main;a {}\nmain;b 10\n", n * 1024)).collect();
    let leak = dumps(&leak.iter().map(String::as_str).collect::<Vec<_>>());
    let text = sentence(&leak, "dump=11");
    assert!(text.contains("; it grows by ") && text.ends_with(" a dump, a likely leak."), "{text}");
}
