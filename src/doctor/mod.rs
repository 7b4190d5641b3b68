//! Diagnosis of missing names: the state of every module, the share of the profile it affects, and advice.
//!
//! Combines what [`crate::symbolize`] found about the files with the profile after symbolization. The rules for problems and
//! advice are in `remedy`.

mod messages;
mod remedy;
mod shares;
mod system;

use shares::{Share, Shares};

use crate::base::id::Id;
use crate::base::plain::base_name;
use crate::profile::Profile;
use crate::report::{DoctorModule, DoctorReport};
use crate::symbolize::{DebugKind, Examined, Facts, Options, Outcome, examine};

pub use messages::messages;
pub use remedy::Host;
pub use system::is_of_system;

/// The diagnosis of `named`, which was `read` before names were looked up. O(stacks), and
/// reads the heads of all files.
pub fn diagnose(read: &Profile, named: &Profile, options: &Options, place: &Host) -> DoctorReport {
    let examined = examine(read, options);
    let n_mappings = named.code().mappings.len();
    // Mapping → number of its file; the last is for code without a mapping.
    let mut file_of = vec![examined.len(); n_mappings + 1];
    for (i, file) in examined.iter().enumerate() {
        file.mappings.iter().filter(|m| m.index() < n_mappings).for_each(|m| file_of[m.index()] = i);
    }
    let is_own: Vec<bool> = examined.iter().enumerate().map(|(i, file)| i == 0 || !is_system(file)).chain([true]).collect();
    let knows_inlined: Vec<bool> = examined.iter().map(knows_inlined).chain([false]).collect();
    let Shares { value_type, unit, total, own, files } = Shares::of(named, &file_of, &is_own, &knows_inlined);
    let mut report = DoctorReport {
        value_type,
        unit,
        total,
        function: own.function,
        line: own.line,
        inlined: own.inlined,
        is_well: true,
        ..DoctorReport::default()
    };
    for (i, (file, share)) in examined.iter().zip(&files).enumerate() {
        if share.n_addresses > 0 && (share.value != 0 || i == 0) {
            report.module.push(module(file, share, i == 0, place));
        }
    }
    // Code without a mapping.
    if let Some(share) = files.last().filter(|share| share.n_function < share.n_addresses) {
        let nothing =
            Examined { mappings: Vec::new(), path: String::new(), build_id: String::new(), is_deleted: false, outcome: Outcome::Unnamed };
        report.module.push(module(&nothing, share, examined.is_empty(), place));
    }
    report.module.sort_by_key(|m| std::cmp::Reverse(m.value));
    if let Some(main) = examined.first().and_then(|main| report.module.iter().position(|m| m.name == main.path)) {
        report.module[..=main].rotate_right(1);
    }
    report.is_well = report.module.iter().all(|m| m.is_system || m.problem.is_empty());
    report.verdict = verdict(&report);
    report
}

fn module(file: &Examined, share: &Share, is_main: bool, place: &Host) -> DoctorModule {
    let mut module = DoctorModule {
        name: file.path.clone(),
        is_system: !is_main && is_system(file),
        build_id: file.build_id.clone(),
        n_addresses: share.n_addresses,
        n_function: share.n_function,
        n_line: share.n_line,
        value: share.value,
        function: share.function,
        line: share.line,
        inlined: share.inlined,
        ..DoctorModule::default()
    };
    match &file.outcome {
        Outcome::Found(facts) => {
            module.file = facts.path.to_string_lossy().into_owned();
            module.debug_file = facts.debug_file.as_ref().map_or(String::new(), |path| path.to_string_lossy().into_owned());
            module.file_build_id = facts.build_id.clone();
            module.debug = in_words(facts);
        }
        Outcome::OtherBuild(path, found) => {
            module.looked = vec![path.to_string_lossy().into_owned()];
            module.file_build_id = found.clone();
        }
        Outcome::NotFound(looked) => module.looked = looked.iter().map(|path| path.to_string_lossy().into_owned()).collect(),
        Outcome::Named => module.debug = "names are in the profile".into(),
        _ => {}
    }
    remedy::prescribe(&mut module, file, is_main, place);
    module
}

/// Description of the kind of debug information.
fn in_words(facts: &Facts) -> String {
    let names = match (facts.has_symbols, facts.has_mini, facts.has_exports) {
        (true, ..) => "symbol table only: functions without lines",
        (false, true, _) => "mini debug information only: functions without lines",
        (false, false, true) => "stripped: names of exported functions only",
        _ => "stripped: no names at all",
    };
    let split = facts.split.as_ref().map(|split| match &split.package {
        Some(package) if split.n_missing == 0 => format!("split, {} units in {}", split.n_parts, package.display()),
        _ if split.n_missing == 0 => format!("split into {}, all found", plural(split.n_parts)),
        _ => format!("split into {}, {} of them missing or of another build", plural(split.n_parts), split.n_missing),
    });
    let kind = facts.debug.filter(|kind| facts.split.is_none() || *kind != DebugKind::StandardLibrary).map(|kind| match kind {
        DebugKind::StandardLibrary => "for Rust's standard library only",
        DebugKind::Lines => "lines only",
        DebugKind::LineTables => "line tables: functions, lines, inlined calls",
        DebugKind::Limited => "functions, lines, inlined calls",
        DebugKind::Full => "full",
    });
    let what: Vec<String> = kind.map(str::to_owned).into_iter().chain(split).collect();
    if what.is_empty() {
        return names.to_owned();
    }
    let versions: Vec<String> = facts.versions.iter().map(u16::to_string).collect();
    let language = facts.language.map_or(String::new(), |language| format!(", {language}"));
    format!("DWARF {}{language}: {}", versions.join(" and "), what.join("; "))
}

fn plural(n_files: usize) -> String {
    format!("{n_files} .dwo file{}", if n_files == 1 { "" } else { "s" })
}

/// Returns whether the names of inlined functions come with the lines.
fn knows_inlined(file: &Examined) -> bool {
    match &file.outcome {
        Outcome::Found(facts) => {
            facts.split.is_some() || facts.debug.is_some_and(|kind| kind >= DebugKind::LineTables || kind == DebugKind::StandardLibrary)
        }
        // Its writer did what it could.
        Outcome::Named => true,
        _ => false,
    }
}

fn is_system(file: &Examined) -> bool {
    matches!(file.outcome, Outcome::NoFile) || is_of_system(&file.path)
}

/// Verdict on the quality of names.
fn verdict(report: &DoctorReport) -> String {
    let what = if report.unit == "bytes" { "bytes" } else { report.value_type.as_str() };
    let per_cent = |value| per_cent(value, report.total);
    if report.total == 0 {
        return "the profile is empty".into();
    }
    let (function, line) = (per_cent(report.function), per_cent(report.line));
    let mut text = match report.module.iter().find(|m| m.is_doubtful && !m.is_system) {
        Some(module) => format!("names in {} may be wrong: ", base_name(&module.name)),
        None => String::new(),
    };
    text += &match function == line {
        true => format!("{function} of {what} have function and line"),
        false => format!("{function} of {what} have a function, {line} a line"),
    };
    if report.line > 0 && report.inlined < report.line {
        text += &format!(", {} inlined calls", per_cent(report.inlined));
    }
    let systems = report.module.iter().any(|m| m.is_system && m.function < m.value);
    if systems {
        text += " (system libraries excluded)";
    }
    text
}

/// `98.7 %`; 100 and 0 only when it is all or nothing.
fn per_cent(value: i64, total: i64) -> String {
    let permille = (value as f64 / total.max(1) as f64 * 1000.0).round().clamp(0.0, 1000.0) as i64;
    let permille = if value < total { permille.min(999) } else { permille };
    let permille = if value > 0 { permille.max(1) } else { permille };
    match permille % 10 {
        0 => format!("{}%", permille / 10),
        tenth => format!("{}.{tenth}%", permille / 10),
    }
}
