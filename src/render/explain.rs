//! A few sentences of Markdown, ready for an issue: culprits, growth, and sampling error. Equal reports give equal text.

use std::fmt::Write;

use super::Clock;
use super::explain_memory::resident;
use super::growth::growth_notes;
use super::labels::{Numbers, fitting_unit, matched_builds, wrapper_names};
use super::markdown::{code, text};
use super::summary::whose;
use crate::base::plain::base_name;
use crate::base::units;
use crate::base::units::percentage;
use crate::report::{DoctorReport, GrowthReport, GrowthRow, GrowthShape, Header, Spread, SummaryCulprit, SummaryReport, Trend};

/// Reports to explain.
pub struct Explained<'a> {
    /// Totals and culprits.
    pub summary: &'a SummaryReport,
    /// Growth, if there are enough dumps.
    pub growth: Option<&'a GrowthReport>,
    /// Quality of names.
    pub doctor: Option<&'a DoctorReport>,
    /// Warnings from reading the profile.
    pub warnings: &'a [String],
}

/// Number of growing rows to list.
const GROWING: usize = 8;

/// Number of warnings to list.
const WARNINGS: usize = 6;

/// The text. Writing to a string does not fail.
pub fn explain(explained: &Explained, clock: Clock) -> String {
    let Explained { summary, growth, doctor, warnings } = *explained;
    let mut out = String::new();
    let header = &summary.header;
    let unit = fitting_unit(header);
    let in_one_unit = Header { output_unit: unit.into(), ..header.clone() };
    head(&mut out, summary, &in_one_unit, clock);
    culprits(&mut out, summary, &in_one_unit);
    packages(&mut out, summary, &in_one_unit);
    if let Some(growth) = growth.filter(|growth| growth.dump.len() > 1) {
        over_the_series(&mut out, growth, unit, clock);
    }
    resident(&mut out, summary.memory.as_deref());
    uncertainty(&mut out, &in_one_unit, doctor, warnings);
    out
}

fn head(out: &mut String, summary: &SummaryReport, header: &Header, clock: Clock) {
    let numbers = Numbers::iec(header);
    let of = if header.file.is_empty() { "Heap profile".to_owned() } else { format!("Heap profile of {}", code(&header.file)) };
    let _ = writeln!(out, "## {of}\n");
    let change = header.value_total.saturating_sub(header.base_total);
    let objects = summary.total.iter().find(|total| total.value_type == header.companion_type);
    let in_objects = |value: i64| match objects {
        Some(_) if header.companion_unit == "count" => format!(" in {} objects", grouped(value)),
        _ => String::new(),
    };
    let what = in_use(&header.value_type);
    match header.has_base {
        false => {
            let _ = writeln!(
                out,
                "**{}** {what}{}. {}",
                numbers.value(header.value_total),
                objects.map_or(String::new(), |total| in_objects(total.value)),
                most_of_it(summary)
            );
        }
        true => {
            let share = if header.base_total == 0 { String::new() } else { format!(", {}", signed(change, header.base_total)) };
            let _ = writeln!(
                out,
                "**{}{}** {what} since the base ({} before, {} now{share}). Grown: {} in {} functions; shrunk: {} in {}.",
                plus(change),
                numbers.value(change),
                numbers.value(header.base_total),
                numbers.value(header.value_total),
                numbers.value(header.gross.map_or(0, |gross| gross.grown)),
                summary.n_grown,
                numbers.value(header.gross.map_or(0, |gross| gross.shrunk)),
                summary.n_shrunk,
            );
        }
    }
    let mut facts: Vec<String> = Vec::new();
    if header.time_nanos != 0 {
        facts.push(format!("taken {}", text(&clock(header.time_nanos))));
    }
    if !header.build_id.is_empty() {
        facts.push(format!("build id {}", code(&header.build_id)));
    }
    facts.extend(header.filters.iter().map(|filter| format!("only {}", code(filter))));
    if !facts.is_empty() {
        let _ = writeln!(out, "{}.", facts.join(", "));
    }
}

/// Phrase for a value type such as `inuse_space`.
pub(super) fn in_use(value_type: &str) -> String {
    let (front, of) = value_type.rsplit_once('_').unwrap_or(("", value_type));
    let of = if of == "objects" { "objects " } else { "" };
    match front {
        "inuse" => format!("{of}in use"),
        "alloc" => format!("{of}allocated"),
        "peak" => format!("{of}in use at the peak"),
        "temp" => format!("{of}allocated and freed at once"),
        "mapped" => format!("{of}mapped"),
        "total" => "in use, with overhead and stacks".to_owned(),
        _ => text(value_type),
    }
}

/// Sentence about the few functions that have most of it.
fn most_of_it(summary: &SummaryReport) -> String {
    const MOST: f64 = 0.8;
    let total = summary.header.value_total;
    let mut sum = 0i64;
    for (i, culprit) in summary.culprit.iter().enumerate() {
        sum = sum.saturating_add(culprit.sum.value);
        if total > 0 && sum as f64 >= total as f64 * MOST {
            let share = percentage(sum, total);
            return match i {
                0 => format!("{} of it is held by {}.", share.trim(), code(&culprit.row.name)),
                i => format!("{} of it is held by {} functions.", share.trim(), i + 1),
            };
        }
    }
    String::new()
}

fn culprits(out: &mut String, summary: &SummaryReport, header: &Header) {
    let numbers = Numbers::iec(header);
    let _ = writeln!(out, "\n### {}\n", if header.has_base { "What grew and shrank" } else { "Top memory holders" });
    if summary.culprit.iter().all(|culprit| culprit.sum.value == culprit.sum.base) {
        let nothing = if header.filters.is_empty() { "The profile has no samples." } else { "No samples match the filters." };
        let _ = writeln!(out, "{}", if header.has_base { "Nothing changed." } else { nothing });
        return;
    }
    let now = if header.has_base { " | before | now" } else { "" };
    let _ = writeln!(out, "| | share | function | package{now} |\n|--:|--:|---|---{}|", if header.has_base { "|--:|--:" } else { "" });
    let row = |out: &mut String, value: i64, base: i64, spread: Option<Spread>, name: &str, package: &str| {
        let change = value.saturating_sub(base);
        let error = spread.map_or(0, |spread| if header.has_base { spread.change_error } else { spread.error });
        let error = if error > 0 { format!(" ±{}", numbers.value(error)) } else { String::new() };
        let sign = if header.has_base { plus(change) } else { "" };
        let now = if header.has_base { format!(" | {} | {}", numbers.value(base), numbers.value(value)) } else { String::new() };
        let share = if header.has_base { signed(change, header.total) } else { numbers.percent(change).trim().to_owned() };
        let _ = writeln!(out, "| {sign}{}{error} | {share} | {name} | {package}{now} |", numbers.value(change));
    };
    for SummaryCulprit { row: of, sum, spread, .. } in summary.culprit.iter().filter(|culprit| culprit.sum.value != culprit.sum.base) {
        let place = if of.file.is_empty() { String::new() } else { format!(" {}", text(&place(&of.file, of.line))) };
        row(out, sum.value, sum.base, *spread, &format!("{}{place}", code(&of.name)), &text(&whose(&of.package, &of.version, of.kind)));
    }
    let n_others = summary.n_culprits - summary.culprit.len();
    if summary.rest.value != summary.rest.base {
        let name = if n_others > 0 { format!("{n_others} others") } else { "without a stack".into() };
        row(out, summary.rest.value, summary.rest.base, None, &name, "");
    }
}

fn packages(out: &mut String, summary: &SummaryReport, header: &Header) {
    let numbers = Numbers::iec(header);
    let packages: Vec<String> = summary
        .package
        .iter()
        .filter(|package| package.sum.value != package.sum.base)
        .map(|package| {
            let change = package.sum.value.saturating_sub(package.sum.base);
            let sign = if header.has_base { plus(change) } else { "" };
            let name = text(&whose(&package.package, &package.version, package.kind));
            let share = if header.has_base { signed(change, header.total) } else { numbers.percent(change).trim().to_owned() };
            format!("{name} {sign}{} ({share})", numbers.value(change))
        })
        .collect();
    if packages.len() > 1 {
        let _ = writeln!(out, "\nBy package: {}.", packages.join("; "));
    }
}

fn over_the_series(out: &mut String, growth: &GrowthReport, unit: &str, clock: Clock) {
    let header = Header { output_unit: unit.into(), ..growth.header.clone() };
    let numbers = Numbers::iec(&header);
    let (Some(first), Some(last)) = (growth.dump.first(), growth.dump.last()) else { return };
    let _ = writeln!(out, "\n### Over {} dumps\n", growth.dump.len());
    let times = match (first.time_nanos, last.time_nanos) {
        (0, _) | (_, 0) => String::new(),
        (from, to) => format!(" ({} to {})", text(&clock(from)), text(&clock(to))),
    };
    let slope = growth.total.slope;
    let rate = rate(slope, &growth.axis, &numbers);
    let _ = writeln!(
        out,
        "From {} to {}{times}: {}{}.",
        numbers.value(growth.total.first),
        numbers.value(growth.total.last),
        in_words(&growth.total),
        if slope > 0.0 { format!(", {rate}") } else { String::new() },
    );
    for note in growth_notes(growth, &numbers) {
        let _ = writeln!(out, "{}", text(&note));
    }
    let is_short = growth.dump.len() < growth.fewest;
    let is_listed = |row: &&GrowthRow| if is_short { row.share > 0.0 } else { is_growing(&row.trend) };
    let growing: Vec<&GrowthRow> = growth.row.iter().filter(is_listed).take(GROWING).collect();
    if growing.is_empty() {
        let _ = writeln!(out, "{}", if is_short { "Nothing grew from first to last." } else { "No growth is certain." });
        return;
    }
    let _ = writeln!(out, "\n| | share of growth | function | how | since |\n|--:|--:|---|---|---|");
    for row in growing {
        let change = row.trend.last.saturating_sub(row.trend.first);
        let since = row.trend.began.and_then(|at| growth.dump.get(at)).map_or(String::new(), |dump| match dump.time_nanos {
            0 => text(base_name(&dump.name)),
            time => text(&clock(time)),
        });
        let is_expected = row.expected.as_ref().is_some_and(|expected| !expected.is_exceeded);
        let how = format!("{}{}", in_words(&row.trend), if is_expected { ", expected" } else { "" });
        let _ = writeln!(
            out,
            "| {}{} | {} | {} | {} | {since} |",
            plus(change),
            numbers.value(change),
            units::share(row.share).trim(),
            code(&row.row.name),
            how,
        );
    }
}

fn uncertainty(out: &mut String, header: &Header, doctor: Option<&DoctorReport>, warnings: &[String]) {
    let mut notes: Vec<String> = Vec::new();
    let numbers = Numbers::iec(header);
    if let Some(spread) = header.spread {
        let (of, error) = if header.has_base { ("The change", spread.change_error) } else { ("The total", spread.error) };
        notes.push(format!(
            "Sampled, one allocation every {} on average: {} samples. {of} has a standard error of {}: the true value is within twice that in 95% of cases.",
            units::iec_label(header.period, "bytes", "auto"),
            grouped(spread.samples.saturating_add(spread.samples_base)),
            numbers.value(error),
        ));
        if header.within_noise > 0 {
            notes.push(format!("{} of all changes is within the sampling error.", numbers.value(header.within_noise)));
        }
    }
    if let Some(matched) = matched_builds(header) {
        notes.push(format!("{}.", text(&matched)));
    }
    if !header.wrappers.is_empty() {
        notes.push(format!("Charged to their callers, as allocation wrappers: {}.", text(&wrapper_names(header))));
    }
    if let Some(doctor) = doctor {
        notes.push(format!("Names: {}.", text(doctor.verdict.trim_end_matches('.'))));
        let unnamed = doctor.module.iter().filter(|module| !module.is_system && !module.problem.is_empty());
        notes.extend(unnamed.map(|module| format!("{}: {}.", code(base_name(&module.name)), text(module.problem.trim_end_matches('.')))));
    }
    let all: Vec<&String> = warnings.iter().chain(&header.warnings).collect();
    notes.extend(all.iter().take(WARNINGS).map(|warning| text(warning)));
    if all.len() > WARNINGS {
        notes.push(format!("and {} more warnings", all.len() - WARNINGS));
    }
    if !notes.is_empty() {
        let _ = writeln!(out, "\n### Confidence\n");
        for line in notes {
            let _ = writeln!(out, "- {line}");
        }
    }
}

pub(super) fn is_growing(trend: &Trend) -> bool {
    matches!(trend.shape, GrowthShape::Leak | GrowthShape::Step) && trend.last > trend.first
}

fn in_words(trend: &Trend) -> &'static str {
    match trend.shape {
        GrowthShape::Leak if trend.in_steps => "grows in steps",
        GrowthShape::Leak => "grows steadily",
        GrowthShape::Step => "grew at once, then stays",
        GrowthShape::Plateau => "grew, then stays",
        GrowthShape::Sawtooth => "grows and falls back",
        GrowthShape::Noise => "goes up and down",
        GrowthShape::Shrinking => "shrinks",
        GrowthShape::Flat => "hardly changes",
        GrowthShape::Unknown => "too few dumps to classify",
    }
}

/// Growth by hour, by what else a recording counts, or by dump.
pub(super) fn rate(slope: f64, axis: &str, numbers: &Numbers) -> String {
    match axis {
        "s" => format!("{} an hour", numbers.value((slope * 3600.0) as i64)),
        "Minstr" => format!("{} per million instructions", numbers.value(slope as i64)),
        "Munit" => format!("{} per million units", numbers.value(slope as i64)),
        "MiB" => format!("{} per MiB allocated", numbers.value(slope as i64)),
        _ => format!("{} a dump", numbers.value(slope as i64)),
    }
}

/// A count with its thousands apart.
fn grouped(count: i64) -> String {
    let digits = count.unsigned_abs().to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if count < 0 { format!("-{out}") } else { out }
}

pub(super) fn plus(change: i64) -> &'static str {
    if change > 0 { "+" } else { "" }
}

/// A signed share of what there was.
fn signed(change: i64, base: i64) -> String {
    let sign = if change < 0 { "-" } else { plus(change) };
    format!("{sign}{}", percentage(change, base).trim())
}

/// End of a source path, without directories of the build machine.
fn place(file: &str, line: i64) -> String {
    let line = if line > 0 { format!(":{line}") } else { String::new() };
    format!("{}{line}", base_name(file))
}
