//! Charging culprits and folding kinds, in all output: totals do not change.

use serde_json::Value;

use crate::fixture::{path, program};

const INPUTS: [&[&str]; 4] = [
    &["bin/shop", "gperftools/shop.0003.heap"],
    &["bin/kitchen", "gperftools/kitchen.0001.heap"],
    &["pprof/depot.1.pb.gz"],
    &["-base=pprof/depot.0.pb.gz", "pprof/depot.1.pb.gz"],
];

const FOLDS: [&[&str]; 5] = [
    &["-culprit"],
    &["-hide_kind=allocator,std,async"],
    &["-culprit", "-kinds=*=third_party", "-noinlines"],
    &["-culprit", "-hide_kind=own", "-hide=main"],
    &["-hide_kind=allocator,runtime,plumbing,third_party,own,unknown"],
];

/// Those of the above that leave something to look at.
const GENTLE: usize = 3;

/// Output for these arguments; panics with the error's text.
fn run(args: &[&str]) -> Vec<u8> {
    let mut command = program();
    command.current_dir(path("testdata")).env("PPROF_BINARY_PATH", "bin").args(["-symbolize=local", "-config=none"]).args(args);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn text(args: &[&str]) -> String {
    String::from_utf8(run(args)).unwrap()
}

/// Arguments of `report`, folding, and the input; hidden functions stay hidden without folding.
fn questions<'a>(report: &[&'a str], fold: &[&'a str], input: &[&'a str]) -> [Vec<&'a str>; 2] {
    let is_fold = |word: &&&str| !word.starts_with("-culprit") && !word.starts_with("-hide_kind") && !word.starts_with("-kinds");
    let plain: Vec<&str> = fold.iter().filter(is_fold).copied().collect();
    [report.iter().chain(input).chain(&plain).copied().collect(), report.iter().chain(input).chain(fold).copied().collect()]
}

fn check<T: PartialEq + std::fmt::Debug>(report: &[&str], total: impl Fn(&[&str]) -> T) {
    check_with(&FOLDS, report, total);
}

fn check_with<T: PartialEq + std::fmt::Debug>(folds: &[&[&str]], report: &[&str], total: impl Fn(&[&str]) -> T) {
    for input in INPUTS {
        for fold in folds {
            let [plain, folded] = questions(report, fold, input);
            assert_eq!(total(&folded), total(&plain), "{folded:?}");
        }
    }
}

fn header(args: &[&str]) -> [Value; 3] {
    let report: Value = serde_json::from_slice(&run(args)).unwrap();
    ["total", "value_total", "base_total"].map(|name| report["header"][name].clone())
}

#[test]
fn reports_have_the_same_totals() {
    for report in ["-summary", "-top", "-tree", "-flame", "-dot", "-traces", "-tags", "-sizes"] {
        check(&[report, "-json"], header);
    }
    check_with(&FOLDS[..GENTLE], &["-peek=.", "-json"], header);
}

#[test]
fn tables_of_owners_have_the_same_totals() {
    for granularity in ["-packages", "-modules", "-libraries", "-files", "-lines"] {
        check(&["-top", granularity, "-json"], header);
    }
}

#[test]
fn collapsed_stacks_add_up_to_the_same() {
    let sum = |args: &[&str]| -> i64 { text(args).lines().filter_map(|line| line.rsplit_once(' ')?.1.parse::<i64>().ok()).sum() };
    check(&["-collapsed"], sum);
}

#[test]
fn profiles_that_are_written_have_the_same_totals() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("written.pb.gz");
    let output = format!("-output={}", file.display());
    for report in ["-proto", "-topproto"] {
        check(&[report], |args| {
            run(&[&[&*output], args].concat());
            // -topproto omits only little.
            header(&["-top", "-json", file.to_str().unwrap()])[0].as_i64().unwrap() / if report == "-proto" { 1 } else { 1 << 20 }
        });
    }
    let values = |args: &[&str]| -> i64 {
        let raw = text(args);
        let samples = raw.split("Samples:\n").nth(1).unwrap().split("Locations\n").next().unwrap().lines().skip(1);
        // The last number before the colon is the value shown.
        samples.filter_map(|line| line.split_once(':')?.0.split_whitespace().last()?.parse::<i64>().ok()).sum()
    };
    check(&["-raw"], values);
}

#[test]
fn graphs_and_callgrind_have_the_same_total() {
    let total_of = |args: &[&str]| {
        let all = text(args);
        let total = all.split(" of ").nth(1).unwrap().split(" total").next().unwrap();
        total.to_owned()
    };
    check(&["-dot", "-unit=B"], total_of);
    // `11.5MB; hide_kind=…` above the picture.
    let root = |args: &[&str]| {
        let svg = text(args);
        let line = svg.split("id=\"subtitle\"").nth(1).unwrap_or_else(|| panic!("{svg}"));
        line.split('>').nth(1).unwrap().split([';', '<']).next().unwrap().to_owned()
    };
    check_with(&FOLDS[..GENTLE], &["-flamegraph"], root);
}
