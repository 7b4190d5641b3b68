//! `heapview explain`: the answer in a few sentences, ready for an issue.

use expect_test::expect_file;
use heapview::render::{Explained, explain};
use heapview::report::Report;

use crate::cli::stdout;
use crate::fixture::{ask, dumps, folded, path};

#[test]
fn the_answer_is_a_few_sentences() {
    for (name, words) in [
        ("shop", &["gperftools/shop.0003.heap"][..]),
        ("shop-since", &["-base=gperftools/shop.0001.heap", "-focus=shop", "gperftools/shop.0003.heap"]),
        ("sampled", &["jemalloc/shop-sampled.2000.2.m2.heap"]),
        ("same", &["-base=gperftools/shop.0003.heap", "gperftools/shop.0003.heap"]),
    ] {
        let text = stdout(&[&["explain", "bin/shop"], words].concat());
        expect_file![path(&format!("testdata/explain/{name}.md"))].assert_eq(&text);
    }
}

fn told(profile: &heapview::profile::Profile, question: &str) -> String {
    let Report::Summary(summary) = ask(profile, question) else { panic!() };
    explain(&Explained { summary: &summary, growth: None, doctor: None, warnings: &[] }, &|n| format!("{n} ns"))
}

#[test]
fn names_cannot_be_markup() {
    let text = told(&folded("main;<b>x</b>|`*_[a](b) 96\n"), "summary");
    let row = text.lines().find(|line| line.starts_with("| 96 B")).unwrap();
    // As many bars as the table has columns: the name's own is none of them.
    assert_eq!((row.matches('|').count(), row.contains("``<b>x</b>\u{2223}`*_[a](b)``")), (5, true), "{row}");
}

#[test]
fn nothing_is_said_of_what_did_not_change() {
    let profile = dumps(&["main;same 10\nmain;more 1\n", "main;same 10\nmain;more 5\n"]);
    let text = told(&profile, "summary dump=1 base=0");
    assert!(text.contains("**+4 B** in use since the base (11 B before, 15 B now, +36.36%)"), "{text}");
    assert!(text.contains("`more`") && !text.contains("`same`"), "{text}");
    assert!(told(&profile, "summary dump=1 base=1").contains("Nothing changed."));
}
