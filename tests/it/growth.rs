//! Growth over a series of dumps.

use expect_test::expect;
use heapview::base::kind::PackageKind;
use heapview::parse::{ParseOptions, parse};
use heapview::profile::{Profile, merge};
use heapview::render::{Format, render, render_within};
use heapview::report::{GrowthReport, GrowthShape, Report};
use heapview::session::Session;
use proptest::prelude::*;

use crate::cli::command;
use crate::fixture::{ask, dumps, path, text, view};

/// Twelve dumps of a program that leaks, fills a cache, flushes a buffer, doubles a vector, warms up, gives back and
/// keeps a table.
fn program() -> Profile {
    let dump = |i: i64| {
        let of = |name: &str, bytes: i64| format!("main;{name};alloc::vec::Vec::push {bytes}\n");
        let doubled = (0..).map(|k| 1000i64 << k).find(|room| *room >= 1500 * (i + 1)).unwrap();
        [
            of("leak::remember", 4_000 + 1_000 * i),
            of("cache::put", (20_000 * i).min(80_000)),
            of("buffer::add", 9_000 * (i % 4)),
            of("book::append", doubled),
            of("start::load", if i == 0 { 10_000 } else { 500_000 }),
            of("queue::drain", 50_000 - 3_000 * i),
            of("table::keep", 7_777),
        ]
        .concat()
    };
    let texts: Vec<String> = (0..12).map(dump).collect();
    dumps(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

fn growth(profile: &Profile, question: &str) -> GrowthReport {
    match ask(profile, question) {
        Report::Growth(report) => report,
        other => panic!("{question}: {:?}", other.header()),
    }
}

fn names(report: &GrowthReport) -> Vec<(&str, GrowthShape)> {
    report.row.iter().map(|row| (row.row.name.as_str(), row.trend.shape)).collect()
}

#[test]
fn leaks_come_before_plateaus_and_fluctuations() {
    use GrowthShape::{Flat, Leak, Sawtooth, Shrinking, Step};
    let report = growth(&program(), "growth");
    assert_eq!(
        names(&report),
        [
            ("book::append", Leak),
            ("leak::remember", Leak),
            ("start::load", Step),
            ("cache::put", Step),
            ("buffer::add", Sawtooth),
            ("table::keep", Flat),
            ("queue::drain", Shrinking),
        ]
    );
    let [book, leak] = [&report.row[0].trend, &report.row[1].trend];
    assert!(book.in_steps && !leak.in_steps);
    assert_eq!((leak.slope, leak.slope_low, leak.slope_high, leak.began), (1000.0, 1000.0, 1000.0, Some(0)));
    // Used memory is between the bounds: a vector has once or twice the capacity.
    assert!(book.slope_low <= 1500.0 && 1500.0 <= book.slope_high, "{book:?}");
    assert_eq!((report.grown, report.n_grown, report.shrunk, report.n_shrunk), (GROWN, 5, -33_000, 1));
    let share: f64 = report.row.iter().map(|row| row.share).sum();
    assert!((share - 1.0).abs() < 1e-9, "{share}");
}

/// Growth from first to last dump: leak, vector, cache, buffer, start.
const GROWN: i64 = 11_000 + 30_000 + 80_000 + 27_000 + 490_000;

#[test]
fn growth_for_a_person() {
    let output = text(&program(), "growth limit=2MB n=3 focus=leak|book|cache|buffer");
    expect![[r#"
        Type: inuse_space
        Active filters:
           focus=leak|book|cache|buffer
        Series: 12 dumps
        Total: 5.86 KiB → 150.4 KiB, peak 150.4 KiB; +9.77 KiB ±11.8 KiB per dump: up and down
        Grown: 144.5 KiB in 4 culprits; shrunk: 0 B in 0
        Limit: 2.00 MiB will not be reached: the total does not keep growing

             first       last       peak  growth/dump          ±  share  since            shape            culprits
          1.95 KiB   31.2 KiB   31.2 KiB    +1.95 KiB      988 B  20.3%  dump 1           leak, in steps   book::append  [book, your code]
          3.91 KiB   14.6 KiB   14.6 KiB      +1000 B              7.4%  dump 1           leak             leak::remember  [leak, your code]
               0 B   78.1 KiB   78.1 KiB    +4.61 KiB   6.76 KiB  54.1%  dump 1           step             cache::put  [cache, your code]
               0 B   26.4 KiB                                                                              (and 1 more)
    "#]]
    .assert_eq(&output);
}

#[test]
fn sums_are_those_of_every_dump() {
    let profile = program();
    for by in ["culprits", "functions", "lines", "files", "packages", "modules", "types", "stacks"] {
        let report = growth(&profile, &format!("growth by={by} n=2"));
        assert_eq!((report.by.as_str(), report.row.len().min(2)), (by, report.row.len()));
        for (place, dump) in report.dump.iter().enumerate() {
            let dump_total = ask(&profile, &format!("top dump={}", dump.dump)).header().value_total;
            let row_sum: i64 = report.row.iter().map(|row| row.value[place]).sum();
            assert_eq!((dump.total, row_sum + report.rest[place]), (dump_total, dump_total), "{by} {place}");
        }
    }
    let stacks = growth(&profile, "growth by=stacks n=1");
    assert_eq!(stacks.row[0].stack, ["alloc::vec::Vec::push", "book::append", "main"]);
    // A granularity gives the same.
    assert_eq!(growth(&profile, "growth g=packages").by, "packages");
}

#[test]
fn filters_and_dumps_choose() {
    let profile = program();
    let only = growth(&profile, "growth focus=leak dump=3,4,5,6,7");
    assert_eq!(names(&only), [("leak::remember", GrowthShape::Leak)]);
    assert_eq!(only.row[0].value, [7_000, 8_000, 9_000, 10_000, 11_000]);
    let refused = |question: &str| {
        let answer = Session::new(profile.clone(), Vec::new()).answer(&view(question));
        answer.unwrap_err().to_string()
    };
    assert!(refused("growth dump=3").contains("found 1;"), "{}", refused("growth dump=3"));
    assert_eq!(refused("growth series=77"), "series=77: unknown process; the file names do not name processes");
    // Two dumps are a difference; what it means takes more.
    let two = growth(&profile, "growth dump=0,11");
    assert!(two.row.iter().all(|row| matches!(row.trend.shape, GrowthShape::Unknown | GrowthShape::Flat)), "{:?}", names(&two));
    assert_eq!(two.fewest, 5);
}

#[test]
fn order_of_rows_and_names_changes_nothing() {
    let (forward, backward): (Vec<String>, Vec<String>) = (0..9)
        .map(|i| {
            let lines: Vec<String> = (0..20).map(|k| format!("main;f{k} {}\n", 100 + (k * i * 7919) % (50 + 40 * k))).collect();
            (lines.concat(), lines.iter().rev().cloned().collect::<String>())
        })
        .unzip();
    let rows = |texts: &[String]| {
        let report = growth(&dumps(&texts.iter().map(String::as_str).collect::<Vec<_>>()), "growth by=functions n=0");
        report.row
    };
    assert_eq!(rows(&forward), rows(&backward));
}

#[test]
fn time_to_limit_follows_from_the_slope() {
    let report = growth(&program(), "growth focus=leak limit=20000");
    assert_eq!((report.limit, &report.until_limit[..]), (20_000, &[5.0, 5.0, 5.0][..]));
    assert!(growth(&program(), "growth focus=queue limit=1MB").until_limit.is_empty());
    assert_eq!(growth(&program(), "growth focus=leak limit=10000").until_limit, [0.0; 3]);
}

#[test]
fn cumulative_value_types_are_not_classified() {
    let texts: Vec<String> = (0..8).map(|i| format!("# alloc_space bytes\nmain;load {}\n", 1000 * (i + 1))).collect();
    let parsed = texts.iter().map(|text| parse(text.as_bytes(), &ParseOptions::default()).unwrap().profile);
    let report = growth(&merge(parsed.collect()).unwrap(), "growth limit=1MB");
    assert_eq!((report.total.shape, report.total.last), (GrowthShape::Unknown, 8000));
    assert!(report.row.iter().all(|row| row.trend.shape == GrowthShape::Unknown) && report.until_limit.is_empty());
    assert!(report.header.warnings[0].starts_with("alloc_space counts all that was ever allocated"), "{:?}", report.header.warnings);
}

#[test]
fn files_without_numbers_are_ordered_by_time() {
    let mut parts: Vec<Profile> = (0..6).map(|i| dumps(&[&format!("main;load {}\n", 1000 * (i + 1))])).collect();
    parts.reverse();
    let mut profile = merge(parts).unwrap();
    for (i, dump) in profile.dumps_mut().iter_mut().enumerate() {
        dump.file_time = 1_700_000_000_000_000_000 + (6 - i as i64) * 3_600_000_000_000;
    }
    let report = growth(&profile, "growth limit=12000");
    assert_eq!((report.axis.as_str(), report.dump[0].dump, report.dump[5].at), ("s", 5, 18_000.0));
    assert_eq!((report.total.shape, report.total.first, report.total.slope), (GrowthShape::Leak, 1000, 1000.0 / 3600.0));
    assert!((report.until_limit[1] - 6.0 * 3600.0).abs() < 1e-3, "{:?}", report.until_limit);
}

#[test]
fn tables_add_up_to_the_totals() {
    let mut out = Vec::new();
    render(&ask(&program(), "growth n=2"), Format::Csv, &|n| n.to_string(), &mut out).unwrap();
    let table = String::from_utf8(out).unwrap();
    let column: Vec<i64> = table.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(column.len(), 3, "{table}");
    assert_eq!(column.iter().sum::<i64>(), growth(&program(), "growth").total.last);
    let width = |line: &str| line.split(',').count();
    assert!(table.lines().all(|line| width(line) == width(table.lines().next().unwrap())), "{table}");
    assert!(table.contains("(5 others)"), "{table}");
    assert!(text(&program(), "growth focus=nosuch").contains("No samples match the filters in any dump."));
}

#[test]
fn the_terminal_takes_files_as_a_series() {
    let run = |words: &[&str]| {
        let mut all = vec!["growth", "bin/shop", "gperftools/shop.0001.heap", "gperftools/shop.0002.heap", "gperftools/shop.0003.heap"];
        all.extend(words);
        let done = command(&all).current_dir(path("testdata")).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    };
    let table = run(&["-nodecount=3"]);
    assert!(table.contains("5 dumps are needed to tell a leak from a cache"), "{table}");
    assert!(table.contains("shop::audit::blank_page  [shop, your code]"), "{table}");
    let csv = run(&["-csv", "-nodecount=1"]);
    let first = csv.lines().nth(1).unwrap();
    assert!(
        csv.starts_with("first,last,peak,slope_per_") && first.contains(",unknown,false,1,shop,,own,shop::audit::blank_page,"),
        "{csv}"
    );
    assert!(run(&["-json"]).contains("\"kind\":\"growth\""));
}

/// The lines of a growth table on a terminal of `width` columns.
fn table(profile: &Profile, question: &str, width: usize) -> Vec<String> {
    let mut out = Vec::new();
    render_within(&ask(profile, question), Format::Text, Some(width), &|n| format!("{n} ns"), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    text.lines().skip_while(|line| !line.contains("shape")).map(str::to_owned).collect()
}

#[test]
fn tables_fit_every_terminal() {
    let long = "acme::platform::subscriptions::billing::invoices::generated_by_a_macro::remember";
    let texts: Vec<String> = (0..12i64)
        .map(|i| format!("main;{long};malloc {}\nmain;cache::put;malloc {}\n", 4_000_000 + 1_000_000 * i, (20_000 * i).min(80_000)))
        .collect();
    let profile = dumps(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    for question in ["growth", "growth by=stacks", "growth by=packages", "growth dump=0,5,11"] {
        for width in 60..=200 {
            let lines = table(&profile, question, width);
            assert!(lines.iter().all(|line| line.chars().count() <= width), "{question} {width}: {lines:#?}");
            // Of few dumps there is no slope.
            let column = if question.contains("dump=0,5,11") { " change " } else { "growth/dump" };
            assert!(lines[0].contains(column) && lines[0].contains("last"), "{question} {width}: {}", lines[0]);
            if question.contains("dump=") {
                continue;
            }
            let (leak, cache) = (&lines[1], &lines[2]);
            assert!(leak.contains(" leak ") && (cache.contains(" step ") || cache.contains(" plateau ")), "{question} {width}: {lines:#?}");
            let whole = if question.contains("stacks") { "malloc < " } else { "acme" };
            assert!(leak.contains(whole), "{question} {width}: {leak}");
            assert!(question != "growth" || cache.contains("cache::put"), "{question} {width}: {cache}");
        }
    }
    // With room for all nothing is left out, and at 80 columns the growth is still there.
    let wide = table(&profile, "growth", 200);
    for name in ["first", "last", "peak", "±", "share", "since", "shape"] {
        assert!(wide[0].contains(name), "{name}: {}", wide[0]);
    }
    assert!(wide[1].contains("dump 1 ") && wide[1].ends_with("your code]"), "{}", wide[1]);
    assert!(table(&profile, "growth", 80)[1].contains("976.6 KiB"), "{:?}", table(&profile, "growth", 80));
}

#[test]
fn few_dumps_are_listed_by_their_differences() {
    for n in [2, 3, 4] {
        let texts: Vec<String> = (0..n).map(|i| format!("main;a {}\nmain;b {}\nmain;c {}\n", 100 + 50 * i, 10 + 900 * i, 70 - i)).collect();
        let profile = dumps(&texts.iter().map(String::as_str).collect::<Vec<_>>());
        let report = growth(&profile, "growth");
        assert_eq!(names(&report).iter().map(|row| row.0).collect::<Vec<_>>(), ["b", "a", "c"], "{n}");
        let output = text(&profile, "growth");
        assert!(output.contains("Largest differences from first to last; at least 5 dumps are needed to tell a leak"), "{output}");
    }
}

#[test]
fn a_dump_at_exit_is_set_apart() {
    let dump = |i: i64, at_exit: bool| {
        let left = i64::from(!at_exit);
        format!("main;leak {}\nmain;cache {}\nmain;table {}\n", 1000 + 500 * i, 90_000 * left, (3000 + 700 * i) * left)
    };
    let texts: Vec<String> = (0..9).map(|i| dump(i, i == 8)).collect();
    let profile = dumps(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let report = growth(&profile, "growth");
    assert_eq!(report.dump.len(), 8);
    assert_eq!(report.at_exit.as_ref().map(|dump| (dump.dump, dump.total)), Some((8, 5000)));
    // Growth is that of the dumps before.
    let before = growth(&profile, "growth dump=0,1,2,3,4,5,6,7");
    assert_eq!((judged(&report), report.total, report.grown), (judged(&before), before.total, before.grown));
    // It is listed with its value.
    assert_eq!(report.row.iter().map(|row| (row.row.name.as_str(), row.at_exit)).max_by_key(|row| row.1), Some(("leak", 5000)));
    assert!(
        text(&profile, "growth").contains(" is a dump at exit: the total fell to 4.88 KiB at once. It is not counted in growth."),
        "{}",
        text(&profile, "growth")
    );
    // Dumps named by the user are all kept; a row that is zero at the end does not grow.
    let all = growth(&profile, "growth dump=0,1,2,3,4,5,6,7,8");
    assert_eq!((all.dump.len(), all.at_exit.is_none()), (9, true));
    let table = all.row.iter().find(|row| row.row.name == "table").unwrap();
    assert!(table.trend.shape == GrowthShape::Noise && table.trend.slope < 0.0 && table.trend.began.is_none(), "{:?}", table.trend);
    assert_eq!(all.row[0].row.name, "leak");
    // A flushed buffer is no exit, even if it was flushed before.
    let flushed = |i: i64| format!("main;keep 5000\nmain;buffer {}\n", 4000 * (i % 3) + 5000);
    let texts: Vec<String> = (0..10).map(flushed).collect();
    assert_eq!(growth(&dumps(&texts.iter().map(String::as_str).collect::<Vec<_>>()), "growth").at_exit, None);
}

#[test]
fn rows_lost_by_gperftools_have_no_owner_and_are_not_leaks() {
    const LOST: &str = "[rows lost by gperftools' buffer limit]";
    let texts: Vec<String> = (0..8).map(|i| format!("main;keep {}\n{LOST} {}\n", 9000 + i, 500 * i * i)).collect();
    let profile = dumps(&texts.iter().map(String::as_str).collect::<Vec<_>>());
    let report = growth(&profile, "growth");
    assert_eq!(names(&report).last(), Some(&(LOST, GrowthShape::Unknown)));
    let lost = report.row.last().unwrap();
    assert_eq!((lost.row.package.as_str(), lost.row.kind, lost.share), ("", PackageKind::Unknown, 0.0));
    assert_eq!((report.uncertain, report.grown, report.n_grown), (500 * 49, 7, 1));
    assert!(text(&profile, "growth").contains("Every growth is uncertain by up to 23.9 KiB"), "{}", text(&profile, "growth"));
}

/// Dumps of rows, dump by dump.
fn series(rows: &[(&str, Vec<i64>)]) -> Profile {
    let n = rows[0].1.len();
    let line = |name: &str, value: i64| if value == 0 { String::new() } else { format!("main;{name} {value}\n") };
    // A dump with nothing in it is none.
    let dump = |at: usize| format!("main;rest 1\n{}", rows.iter().map(|(name, values)| line(name, values[at])).collect::<String>());
    let texts: Vec<String> = (0..n).map(dump).collect();
    dumps(&texts.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Properties that a dump at exit must not change: shape, slope and numbers of every row.
fn judged(report: &GrowthReport) -> Vec<(&str, GrowthShape, i64, i64, String)> {
    let of = |row: &heapview::report::GrowthRow| (row.trend.shape, row.trend.first, row.trend.last, format!("{:?}", row.trend));
    report.row.iter().map(|row| (row.row.name.as_str(), of(row))).map(|(name, of)| (name, of.0, of.1, of.2, of.3)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    /// A program with leaks, tables and bounded caches that ends: its last dump counts nowhere, and is listed.
    #[test]
    fn a_dump_at_exit_changes_no_verdict(
        n in 5usize..30,
        speeds in prop::collection::vec(10i64..2000, 1..4),
        rooms in prop::collection::vec(2_000i64..80_000, 1..4),
        noise in prop::collection::vec(0i64..40, 30),
        left in 0i64..5,
    ) {
        const NAMES: [&str; 6] = ["leak::a", "leak::b", "leak::c", "cache::a", "cache::b", "cache::c"];
        let mut rows: Vec<(&str, Vec<i64>)> = Vec::new();
        for (i, speed) in speeds.iter().enumerate() {
            rows.push((NAMES[i], (0..n).map(|at| 4000 + speed * at as i64 + noise[at]).collect()));
        }
        for (i, room) in rooms.iter().enumerate() {
            // Full after a third of the dumps.
            rows.push((NAMES[3 + i], (0..n).map(|at| (1000 + 3 * room * at as i64 / n as i64).min(*room)).collect()));
        }
        let without = growth_of(&rows);
        let ended: Vec<(&str, Vec<i64>)> =
            rows.iter().map(|(name, values)| (*name, [&values[..], &[values[n - 1] * left / 100]].concat())).collect();
        let profile = series(&ended);
        let report = growth(&profile, "growth");
        prop_assert_eq!(report.at_exit.as_ref().map(|exit| exit.dump), Some(n));
        prop_assert_eq!(judged(&report), judged(&without));
        prop_assert_eq!((report.dump.len(), report.total, report.grown), (n, without.total, without.grown));
        // It is listed with its whole value.
        let exit = report.at_exit.as_ref().unwrap().total;
        prop_assert_eq!(report.row.iter().map(|row| row.at_exit).sum::<i64>() + report.rest_at_exit, exit);
        for (name, values) in &ended {
            prop_assert_eq!(report.row.iter().find(|row| row.row.name == *name).unwrap().at_exit, values[n]);
        }
    }

    /// Gradual decline, a flushed cache, a restarted program: no dump at exit.
    #[test]
    fn other_drops_are_not_dumps_at_exit(
        n in 6usize..30,
        keep in 20_000i64..90_000,
        room in 1_000i64..15_000,
        fall in 1usize..4,
        restart in 1usize..5,
    ) {
        // Gradually, a third at a time, in the last dumps.
        let slow = |at: usize| { let fell = (at + fall + 1).saturating_sub(n) as u32; keep * 2i64.pow(fell) / 3i64.pow(fell) };
        let rows = [("table::keep", (0..n).map(slow).collect::<Vec<_>>()), ("queue::drain", (0..n).map(|at| slow(at) / 2).collect())];
        prop_assert_eq!(growth_of(&rows).at_exit, None);
        // A cache is flushed in the last dump, and all else stays.
        let flushed = (0..n).map(|at| if at + 1 == n { 0 } else { room }).collect();
        let rows = [("cache::fill", flushed), ("table::keep", vec![keep; n]), ("leak::add", (0..n).map(|at| 500 + 90 * at as i64).collect())];
        prop_assert_eq!(growth_of(&rows).at_exit, None);
        // It drops to zero in the middle and at the end.
        let restarted = |at: usize| if at.is_multiple_of(restart + 1) { 0 } else { keep };
        let n = 3 * (restart + 1) + 1;
        let rows = [("table::keep", (0..n).map(restarted).collect::<Vec<_>>()), ("start::load", (0..n).map(|at| restarted(at) / 3).collect())];
        let report = growth_of(&rows);
        prop_assert_eq!(&report.at_exit, &None);
        // Nothing at the last dump is no growth.
        for row in report.row.iter().filter(|row| row.trend.last == 0) {
            prop_assert!(!matches!(row.trend.shape, GrowthShape::Leak | GrowthShape::Step | GrowthShape::Plateau), "{:?}", row);
        }
    }
}

fn growth_of(rows: &[(&str, Vec<i64>)]) -> GrowthReport {
    growth(&series(rows), "growth")
}

#[test]
fn profiles_without_a_frame_have_no_growth() {
    let dhat = br#"{"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":false,"tu":"instrs","Mtu":"Minstr",
        "tuth":500,"cmd":"x","pid":1,"te":9,"tg":5,"pps":[{},{}],"ftbl":["[root]"]}"#;
    let profile = parse(dhat, &ParseOptions::default()).unwrap().profile;
    assert!(profile.dumps().len() > 1, "its course is a series");
    for by in ["functions", "stacks", "types"] {
        assert_eq!(growth(&profile, &format!("growth by={by}")).row.len(), 0, "{by}");
    }
}
