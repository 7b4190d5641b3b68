//! Reports × options, one line per case: the output is a golden, and each option of a case changes the output.
//!
//! `UPDATE_EXPECT=1` writes the goldens in `testdata/reports/`; a missing one, or one without a case, fails.

use std::collections::BTreeSet;

use expect_test::expect_file;

use crate::fixture::{self, path};

/// Input for the first word of a case, below `testdata/`.
const INPUTS: [(&str, &str); 7] = [
    ("depot", "pprof/depot.1.pb.gz"),
    ("depots", "pprof/depot.0.pb.gz pprof/depot.1.pb.gz"),
    ("shop", "pprof/shop.0003.pb.gz"),
    ("kitchen", "bin/kitchen gperftools/kitchen.0001.heap"),
    ("threads", "bin/shop jemalloc/shop-exact.1000.3.f.heap"),
    ("weir", "dhat/weir.heap.json"),
    // Recursion, inlined calls, labels of texts and numbers, places: little of each.
    ("odd", "../tests/oracle/odd.folded"),
];

/// Options after the `|` keep the golden short, or are needed by those before.
const CASES: &[&str] = &[
    // Tables.
    "depot top | -nodecount=6",
    "depot text -cum | -nodecount=6",
    "depot top -lines | -nodecount=6",
    "depot top -filefunctions | -nodecount=6",
    "kitchen top -files | -nodecount=6",
    "kitchen top -addresses | -nodecount=6",
    "shop top -noinlines | -nodecount=6",
    "kitchen top -lines -showcolumns | -nodecount=6",
    "shop top -focus=Slab | -nodecount=6",
    "shop top -ignore=remember | -nodecount=6",
    "shop top -hide=^<?alloc | -nodecount=6",
    "shop top -show=^shop | -nodecount=6",
    "shop top -show_from=serve -cum | -nodecount=6",
    "shop top -prune_from=audit | -nodecount=6",
    "shop top -lines -cum -hide=alloc -focus=serve | -nodecount=12",
    "depot top -tagfocus=bytes=1kb: | -nodecount=6",
    "depot top -tagignore=:128b | -nodecount=6",
    "odd top -tagfocus=thread=a",
    "odd top -tagignore=load",
    "odd top -tagroot=thread -cum",
    "odd top -tagleaf=phase",
    "odd top -sample_index=inuse_space",
    "depot top -inuse_objects | -nodecount=6",
    "depot top -alloc_space | -nodecount=6",
    "depot top -mean | -nodecount=6",
    "depot top -divide_by=3 | -nodecount=6",
    "depot top -unit=MB | -nodecount=6",
    "depot top -unit=auto | -nodecount=6",
    "depot top -relative_percentages -focus=wrap | -nodecount=6",
    "depot top -nodefraction=0.1",
    "odd top -trim=false",
    "depot top -compact_labels | -nodecount=6",
    "depots top | -nodecount=6",
    "depot top -base=pprof/depot.0.pb.gz | -nodecount=6",
    "depot top -diff_base=pprof/depot.0.pb.gz | -nodecount=6",
    "depot top -normalize -diff_base=pprof/depot.0.pb.gz | -nodecount=6",
    "odd top -drop_negative -base=../tests/oracle/odd0.folded",
    "kitchen top -symbolize=none | -nodecount=6",
    "kitchen top -symbolize=fastlocal | -nodecount=6 -lines",
    "kitchen top -symbolize=demangle=none | -nodecount=6",
    "kitchen top -symbolize=demangle=templates | -nodecount=6",
    "threads top -all_frames | -nodecount=6",
    "depot top -add_comment=two%20words | -nodecount=3",
    "depot top -json | -nodecount=3",
    "depot top -csv | -nodecount=3",
    "depot top -csv -counts | -nodecount=3",
    "depot top -order=-name | -nodecount=6",
    "depot top -order=mean | -nodecount=6",
    "depot top -find=Grow -rows=0-3",
    "depot top -seek=main.main | -rows=0-3",
    "depot top -ratios | -nodecount=6",
    "depot top -where=size<=100 | -nodecount=6",
    "weir top -ratios -sample_index=alloc_space | -nodefraction=0",
    "weir top -csv -ratios -order=writes | -sample_index=alloc_space -culprit -nodefraction=0",
    "weir accesses",
    "weir accesses -csv -focus=gauges|wheel",
    "weir summary",
    "depot top -csv -base=pprof/depot.0.pb.gz | -nodecount=3",
    "depot top -errors | -nodecount=6",
    "depot top -errors -inuse_objects | -nodecount=6",
    "depot top -errors -gross -base=pprof/depot.0.pb.gz | -nodecount=6",
    "depot top -gross -order=shrunk | -nodecount=6 -base=pprof/depot.0.pb.gz",
    "depot top -csv -errors | -nodecount=3",
    "odd top -csv -gross -diff_base=../tests/oracle/odd0.folded | -nodecount=6",
    // Callers and callees.
    "shop tree | -nodecount=8",
    "shop tree -cum | -nodecount=8",
    "shop tree -hide=alloc | -nodecount=8",
    "odd tree -lines",
    "odd tree -focus=walk",
    "odd tree -edgefraction=0.2",
    "odd tree -base=../tests/oracle/odd0.folded",
    "odd tree -diff_base=../tests/oracle/odd0.folded -relative_percentages -focus=walk",
    "odd tree -tagleaf=size",
    "odd tree -noinlines",
    "depot tree -mean | -nodecount=6",
    "depot peek=wrap",
    "depot peek=. -cum -filefunctions | -focus=Sprintf",
    "depot peek=shift -focus=Load",
    "kitchen peek=engrave -lines",
    "odd tree -json | -nodecount=3",
    "depot tree -csv -errors -gross -base=pprof/depot.0.pb.gz | -nodecount=3",
    // The call graph.
    "shop dot | -nodecount=6",
    "shop dot -focus=Slab | -nodecount=6",
    "depot dot -lines | -nodecount=6",
    "odd dot",
    "odd dot -call_tree",
    "odd dot -hide=walk",
    "odd dot -tagshow=thread",
    "odd dot -nodelets=false",
    "odd dot -unit=MB",
    "odd dot -edgefraction=0.2",
    "odd dot -base=../tests/oracle/odd0.folded",
    "threads dot -nodefraction=0.2 | -nodecount=6",
    // Stacks.
    "odd traces",
    "odd traces -focus=walk",
    "odd traces -show=walk|make|grow",
    "odd traces -prune_from=push",
    "odd traces -addresses -noinlines",
    "odd traces -collapse_recursion",
    "odd flame -collapse_recursion",
    "odd traces -lines",
    "odd traces -taghide=thread",
    "odd traces -diff_base=../tests/oracle/odd0.folded | -focus=walk",
    "depot traces -mean | -nodecount=3",
    "odd collapsed",
    "odd collapsed -ignore=walk",
    "odd flame",
    "odd flame -inverted",
    "odd flame -open=auto",
    "odd flame -open=none -inverted",
    "odd flame -show_from=make",
    "odd flame -nodefraction=0.1",
    "odd flame -gross -inverted | -base=../tests/oracle/odd0.folded",
    "depot flame -errors -csv | -nodefraction=0.1",
    // Labels.
    "odd tags",
    "odd tags -tagshow=size",
    "odd tags -taghide=phase",
    "odd tags -focus=walk",
    "odd tags -unit=kB",
    "depot tags -sample_index=alloc_objects",
    "threads tags -tagfocus=thread=main",
    // Sizes.
    "depot summary",
    "depot summary -base=pprof/depot.0.pb.gz -nodecount=4",
    "depot summary -alloc_objects -focus=wrap",
    "depot summary -tagfocus=bytes=1kb: -unit=kB",
    "shop summary -compact_labels",
    "kitchen summary -hide=^std",
    "odd summary -base=../tests/oracle/odd0.folded",
    "depot summary -csv -base=pprof/depot.0.pb.gz",
    "depot summary -json -nodecount=1 | -focus=wrap",
    "depot sizes",
    "depot sizes -inuse_objects -tagfocus=bytes=1kb:",
    "depot sizes -focus=wrap -base=pprof/depot.0.pb.gz",
    "kitchen sizes -alloc_space -lines",
    "threads sizes -tagfocus=thread=main -unit=kB",
    "odd sizes",
    "depot sizes -csv -nodecount=1",
    "depot sizes -json -nodecount=1 | -focus=wrap",
    // Types.
    "shop types | -nodecount=9",
    "shop types -json | -nodecount=1 -focus=Slab",
    "threads types -tagfocus=thread=main -unit=kB",
    "kitchen types",
    "kitchen types -csv | -nodecount=3",
    "kitchen top -type=^std::map",
    "depot types -base=pprof/depot.0.pb.gz",
    "depot top -type=^unknown$ | -nodecount=6",
    // Whole profiles.
    "odd raw",
    "odd raw -focus=walk",
    "odd raw -hide=walk",
    "odd raw -noinlines",
    "odd raw -base=../tests/oracle/odd0.folded",
    "depot comments | -add_comment=#quiet",
    // For other programs.
    "odd callgrind",
    "odd callgrind -show_from=walk",
    "odd callgrind -unit=kB",
    "odd callgrind -call_tree",
    "odd profile_json | -focus=walk",
    // Sources.
    "depot list=wrap | -source_path=programs/go",
    "depot list=wrap -unit=B -focus=shift.func1 | -source_path=programs/go",
    "kitchen list=engrave -source_path=programs/cpp",
    "shop disasm=remember -unit=B",
    "shop disasm=remember -intel_syntax",
    "shop list=remember -divide_by=1000 | -source_path=programs/rust -trim_path=/heapview/testdata/programs/rust",
];

struct Case {
    line: &'static str,
    input: &'static str,
    report: &'static str,
    options: Vec<&'static str>,
    fixed: Vec<&'static str>,
}

fn case(line: &'static str) -> Case {
    let (front, back) = line.split_once(" | ").unwrap_or((line, ""));
    let mut args = front.split(' ');
    let name = args.next().unwrap();
    let (_, input) = INPUTS.iter().find(|(input, _)| *input == name).unwrap_or_else(|| panic!("{line}: no such input"));
    let report = args.next().unwrap();
    Case { line, input, report, options: args.collect(), fixed: back.split_whitespace().collect() }
}

impl Case {
    /// Output without the options `skip`.
    fn print(&self, skip: Option<usize>) -> Result<String, String> {
        let chosen = self.options.iter().enumerate().filter(|(i, _)| Some(*i) != skip).map(|(_, option)| *option);
        let args = chosen.chain(self.fixed.iter().copied()).map(|word| word.replace("%20", " "));
        let output = fixture::program()
            .arg(format!("-{}", self.report))
            .args(args)
            .args(self.input.split(' '))
            .current_dir(path("testdata"))
            .env("PPROF_BINARY_PATH", "bin")
            .env("TZ", "UTC")
            .env("COLUMNS", "200")
            .output()
            .unwrap();
        match output.status.success() {
            true => Ok(String::from_utf8(output.stdout).unwrap()),
            false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
        }
    }

    /// Name of the golden: the parts of the case that are allowed in a file name.
    fn file(&self) -> String {
        let args = [&[self.report][..], &self.options, &self.fixed].concat().join("");
        let plain = |c: char| if c.is_ascii_alphanumeric() || "-=._".contains(c) { Some(c) } else { None };
        let name: String = args.replace("../tests/oracle/", "").replace("pprof/", "").chars().filter_map(plain).collect();
        format!("{}.{name}.txt", self.line.split(' ').next().unwrap())
    }
}

/// Removes lines that only repeat the options.
fn answer(text: &str) -> String {
    let repeats = |line: &&str| line.starts_with("   ") && line.contains('=') && !line.contains("  ") || line.starts_with("subgraph ");
    text.lines().filter(|line| !repeats(line)).map(|line| format!("{line}\n")).collect()
}

#[test]
fn every_report_under_every_option() {
    let cases: Vec<Case> = CASES.iter().map(|line| case(line)).collect();
    let files: BTreeSet<String> = cases.iter().map(Case::file).collect();
    assert_eq!(files.len(), cases.len(), "two cases have one golden");
    let update = std::env::var("UPDATE_EXPECT").is_ok_and(|v| v == "1");
    let folder = path("testdata/reports");
    let mut wrong = Vec::new();
    for case in &cases {
        let printed = match case.print(None) {
            Ok(printed) if !printed.is_empty() => printed,
            other => {
                wrong.push(format!("{}: prints nothing: {other:?}", case.line));
                continue;
            }
        };
        let golden = folder.join(case.file());
        if update {
            expect_file![&golden].assert_eq(&printed);
        } else if std::fs::read_to_string(&golden).ok().as_deref() != Some(&printed) {
            wrong.push(format!("{}: not as {} has it:\n{printed}", case.line, golden.display()));
        }
        for (i, option) in case.options.iter().enumerate() {
            // An option that is needed changes something, too.
            if case.print(Some(i)).is_ok_and(|without| answer(&without) == answer(&printed)) {
                wrong.push(format!("{}: {option} changes nothing", case.line));
            }
        }
    }
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if !files.contains(&name) {
            wrong.push(format!("testdata/reports/{name} belongs to no case"));
        }
    }
    assert!(wrong.is_empty(), "{} of {} cases:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
