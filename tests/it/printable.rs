//! Control characters and job log commands in profiles: every report, on a terminal and through a pipe.

use std::path::Path;
use std::process::{Command, Stdio};

use heapview::base::plain::is_plain;
use heapview::export::write_pprof;
use heapview::profile::{Label, LabelValue, Labels, Mapping, Profile, ProfileBuilder};

use crate::fixture::{apart, program};

/// Text that moves the cursor, sets the window's title, reverses or hides what follows, forges lines, and computes.
const HOSTILE: [&str; 6] = [
    "\u{1b}[2J\u{1b}]0;title\u{7}x",
    "\u{9b}31m\u{85}x\u{7f}",
    "\u{202e}txt\u{2066}\u{200b}\u{feff}\u{e0041}x",
    "a\r\n::error file=a::forged",
    "::error file=a::forged ##[warning]old",
    "=cmd|' /C calc'!A0",
];

const FORMS: [&[&str]; 39] = [
    &["-top"],
    &["-top", "-csv"],
    &["-top", "-json"],
    &["-lines", "-top"],
    &["-files", "-top"],
    &["-peek=."],
    &["-peek=.", "-csv"],
    &["-peek=.", "-json"],
    &["-tree"],
    &["-traces"],
    &["-traces", "-csv"],
    &["-traces", "-json"],
    &["-tags"],
    &["-tags", "-csv"],
    &["-raw"],
    &["-dot"],
    &["-comments"],
    &["-collapsed"],
    &["-callgrind"],
    &["-profile_json"],
    &["-flame"],
    &["-flame", "-csv"],
    &["-flame", "-json"],
    &["-summary"],
    &["-summary", "-csv"],
    &["-sizes"],
    &["-sizes", "-csv"],
    &["-types"],
    &["-types", "-csv"],
    &["-list=."],
    &["-list=.", "-csv"],
    &["growth"],
    &["growth", "-csv"],
    &["doctor"],
    &["explain"],
    &["check", "-max-inuse=1"],
    &["check", "-max-inuse=1", "-markdown"],
    &["check", "-max-inuse=1", "-json"],
    &["check", "-max-inuse=1", "-github"],
];

/// A profile with hostile text in every place that text can have.
fn hostile() -> Profile {
    let mut b = ProfileBuilder::new(&[("inuse_objects", "count"), ("inuse_space", "bytes")]);
    for (i, text) in HOSTILE.iter().enumerate() {
        let address = 0x1000 * (i as u64 + 1);
        let text = b.string(text);
        let mapping = b.mapping(Mapping { start: address, limit: address + 0x1000, file: text, build_id: text, ..Mapping::default() });
        let function = b.function(heapview::profile::Function { name: text, system_name: text, filename: text, ..Default::default() });
        let location = b.location(Some(mapping), address, &[heapview::profile::Line { function: Some(function), line: 3, column: 0 }]);
        let labels =
            b.label_set(&[Label { key: text, value: LabelValue::Text(text) }, Label { key: text, value: LabelValue::Number(3, text) }]);
        b.sample(&[location], labels, &[1, 100]);
        b.sample(&[location], Labels::NONE, &[1, 100]);
    }
    b.build()
}

/// Standard output and error of the program in `folder` with these arguments.
fn output(args: &[&str], folder: &Path, on_terminal: bool) -> String {
    let mut command = if on_terminal {
        let quoted: Vec<String> = args.iter().map(|word| format!("'{word}'")).collect();
        let mut script = apart(Command::new("script"));
        script.args(["-qec", &format!("'{}' {}", env!("CARGO_BIN_EXE_heapview"), quoted.join(" ")), "/dev/null"]);
        script
    } else {
        let mut program = program();
        program.args(args);
        program
    };
    let output = command.current_dir(folder).env("TERM", "xterm").env("NO_COLOR", "1").stdin(Stdio::null()).output().unwrap();
    // A terminal ends lines with both.
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\r\n", "\n").replace("\r\n", "\n");
    let all = text(&output.stdout) + &text(&output.stderr);
    // The line of progress is taken away.
    all.replace("\r\u{1b}[K", "")
}

#[cfg(target_os = "linux")]
#[test]
fn profile_text_cannot_control_terminals_or_shells() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = Vec::new();
    write_pprof(&hostile(), &mut bytes).unwrap();
    let name = format!("{}.pb.gz", "\u{1b}[2J\u{202e}::error::b");
    std::fs::write(folder.path().join(&name), bytes).unwrap();
    for (form, on_terminal) in FORMS.iter().flat_map(|form| [(form, true), (form, false)]) {
        let args = [form, &[&*name][..]].concat();
        let text = output(&args, folder.path(), on_terminal);
        assert!(text.len() > 40, "{form:?} {on_terminal}: {text}");
        // Data may have them where programs read it.
        let is_data = !on_terminal && ["-collapsed", "-callgrind"].contains(&form[0]);
        let raw = text.chars().find(|&c| c != '\n' && c != '\t' && !is_plain(c));
        assert!(is_data || raw.is_none(), "{form:?} {on_terminal}: {raw:?} in {text:?}");
        let forged = text.split(['\n', '\r']).find(|line| {
            let is_own = form.contains(&"-github") && line.starts_with("::error ") && line.contains("title=heapview");
            line.trim_start().starts_with("::error") && !is_own
        });
        let is_exact = !on_terminal && form[0] == "-collapsed";
        assert!(is_exact || on_terminal || forged.is_none(), "{form:?}: {forged:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_job_on_github_gets_no_commands_from_names() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = Vec::new();
    write_pprof(&hostile(), &mut bytes).unwrap();
    std::fs::write(folder.path().join("a.pb.gz"), bytes).unwrap();
    for form in FORMS.iter().filter(|form| !form.contains(&"-github")) {
        let mut command = program();
        command.args(*form).arg("a.pb.gz").current_dir(folder.path()).env("GITHUB_ACTIONS", "true");
        let output = command.output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        let forged = text.lines().find(|line| line.trim_start().starts_with("::error") || line.contains("##[warning]"));
        // JSON and tables for spreadsheets have one line for all, or quotes around the cell.
        assert!(forged.is_none(), "{form:?}: {forged:?}");
    }
}

#[test]
fn spreadsheet_cells_are_not_formulas() {
    let folder = tempfile::tempdir().unwrap();
    let mut bytes = Vec::new();
    write_pprof(&hostile(), &mut bytes).unwrap();
    std::fs::write(folder.path().join("a.pb.gz"), bytes).unwrap();
    let args = ["-top", "-csv", "a.pb.gz"];
    let text = output(&args, folder.path(), false);
    assert!(text.contains(",'=cmd|' /C calc'!A0,"), "{text}");
    assert!(!text.contains(",=") && !text.contains("\n="), "{text}");
}

/// What recorders write: a file of massif and a recording of heaptrack with hostile text in every place that text can have.
#[cfg(target_os = "linux")]
#[test]
fn names_of_recordings_cannot_control_terminals_or_shells() {
    let folder = tempfile::tempdir().unwrap();
    let (mut massif, mut tree, mut strings, mut traces) = (String::new(), String::new(), String::new(), String::new());
    for (text, n) in HOSTILE.iter().map(|text| text.replace(['\r', '\n'], "\u{1b}")).zip(1..) {
        massif += &format!("desc: {text}\n");
        tree += &format!(" n0: 100 0x{n}: {text} ({text}.c:3)\n");
        strings += &format!("s {:x} {text}\n", text.len());
        traces += &format!("i {n}000 {n:x} {n:x} {n:x} 3\nt {n:x} 0\na 64 {n:x}\n+ {:x}\n", n - 1);
    }
    let (esc, n) = (HOSTILE[0], HOSTILE.len());
    massif +=
        &format!("cmd: {esc}\ntime_unit: {esc}\nsnapshot=0\ntime={esc}\nmem_heap_B={}\nmem_heap_extra_B=0\nmem_stacks_B=0\n", n * 100);
    massif += &format!("heap_tree=peak\nn{n}: {} (heap allocation functions) {esc}\n{tree}", n * 100);
    std::fs::write(folder.path().join("a.massif"), massif).unwrap();
    let heaptrack = format!("v 10400 3\nX {esc}\nI 1000 10\nS leak:{esc}\n{strings}{traces}c a\n");
    std::fs::write(folder.path().join("a.heaptrack"), heaptrack).unwrap();
    let forms: [&[&str]; 7] = [
        &["massif", "a.massif"],
        &["-top", "a.massif"],
        &["-summary", "a.massif"],
        &["heaptrack", "a.heaptrack"],
        &["heaptrack", "--merge-backtraces=0", "--print-suppressions=1", "a.heaptrack"],
        &["-top", "a.heaptrack"],
        &["-summary", "a.heaptrack"],
    ];
    for (form, on_terminal) in forms.iter().flat_map(|form| [(form, true), (form, false)]) {
        let text = output(form, folder.path(), on_terminal);
        assert!(text.len() > 100 && text.contains("\\u{1b}"), "{form:?} {on_terminal}: {text}");
        let raw = text.chars().find(|&c| c != '\n' && c != '\t' && !is_plain(c));
        assert!(raw.is_none(), "{form:?} {on_terminal}: {raw:?} in {text:?}");
    }
}
