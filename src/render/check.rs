//! Results of limits: a table, Markdown for comments, annotations for GitHub, JSON.

use std::io::{self, Write};

use super::markdown;
use crate::base::json::write_json_value;
use crate::base::plain::one_line;
use crate::base::units::{iec_label, percentage};
use crate::report::{CheckOf, CheckReport, CheckRow, Expected};

/// Output formats of `check`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CheckFormat {
    /// For a terminal.
    #[default]
    Text,
    /// The report's own fields.
    Json,
    /// For a comment or a job's summary.
    Markdown,
    /// Workflow commands that GitHub shows beside a change.
    Github,
}

/// Writes `report`.
pub fn check(report: &CheckReport, format: CheckFormat, out: &mut dyn Write) -> io::Result<()> {
    match format {
        CheckFormat::Text => text(report, out),
        CheckFormat::Json => {
            write_json_value(out, report)?;
            out.write_all(b"\n")
        }
        CheckFormat::Markdown => as_markdown(report, out),
        CheckFormat::Github => github(report, out),
    }
}

fn text(report: &CheckReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", one_line(&verdict(report)))?;
    if report.row.iter().any(|row| !row.is_sure) {
        writeln!(out, "?: the value differs from the limit by less than the sampling error.")?;
    }
    let cells: Vec<[String; 5]> = report.row.iter().map(cells).collect();
    let names = ["", "what", "limit", "is", "of the limit"].map(str::to_owned);
    let widths: [usize; 5] = std::array::from_fn(|i| cells.iter().chain([&names]).map(|cells| cells[i].chars().count()).max().unwrap_or(0));
    let line = |[state, what, limit, is, share]: &[String; 5]| {
        let [a, b, c, d, e] = widths;
        format!("{state:<a$}  {what:<b$}  {limit:>c$}  {is:>d$}  {share:>e$}")
    };
    writeln!(out, "\n{}", line(&names))?;
    for (row, cells) in report.row.iter().zip(&cells) {
        writeln!(out, "{}", line(cells))?;
        for culprit in row.culprit.iter().filter(|_| !row.holds) {
            let sum = amount(row, culprit.sum.value, culprit.sum.base);
            writeln!(out, "{:1$}  {sum:>12} {2}", "", widths[0], one_line(&culprit.row.name))?;
        }
        for expected in &row.expected {
            writeln!(out, "{:1$}  {2}", "", widths[0], expected_sentence(expected, &row.unit))?;
        }
    }
    Ok(())
}

fn as_markdown(report: &CheckReport, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "### heapview check: {}\n", markdown::text(&verdict(report)))?;
    writeln!(out, "| | what | limit | value | % of limit | top holders |\n|---|---|--:|--:|--:|---|")?;
    for row in &report.row {
        let [state, what, limit, is, share] = cells(row).map(|cell| markdown::text(&cell));
        let culprit_line = |c: &crate::report::SummaryCulprit| {
            format!("{} {}", markdown::code(&c.row.name), markdown::text(&amount(row, c.sum.value, c.sum.base)))
        };
        let culprits: Vec<String> = row.culprit.iter().map(culprit_line).collect();
        let mark = if row.holds { "" } else { "**" };
        let expected = row.expected.iter().map(|expected| markdown::text(&expected_sentence(expected, &row.unit)));
        let culprits: Vec<String> = culprits.into_iter().chain(expected).collect();
        writeln!(out, "| {mark}{state}{mark} | {what} | {limit} | {is} | {share} | {} |", culprits.join("<br>"))?;
    }
    Ok(())
}

/// `::error title=…::…`, as in GitHub's documentation of workflow commands.
fn github(report: &CheckReport, out: &mut dyn Write) -> io::Result<()> {
    for row in report.row.iter().filter(|row| !row.holds) {
        let level = if row.is_sure { "error" } else { "warning" };
        let mut message = check_sentence(row);
        for culprit in &row.culprit {
            let sum = amount(row, culprit.sum.value, culprit.sum.base);
            message += &format!("\n{sum} {}", one_line(&culprit.row.name));
        }
        let title = format!("heapview: {}", one_line(&row.name));
        // The source line of the first culprit is where GitHub shows it.
        let place = row.culprit.first().map(|c| &c.row).filter(|r| !r.file.is_empty() && !r.file.starts_with('/'));
        let place = place.map_or(String::new(), |r| format!("file={},line={},", property(&one_line(&r.file)), r.line.max(1)));
        writeln!(out, "::{level} {place}title={}::{}", property(&title), data(&message))?;
    }
    for (row, expected) in report.row.iter().flat_map(|row| row.expected.iter().map(move |expected| (row, expected))) {
        let title = property(&format!("heapview: {}", one_line(&row.name)));
        writeln!(out, "::notice title={title}::{}", data(&expected_sentence(expected, &row.unit)))?;
    }
    for row in report.row.iter().filter(|row| row.is_unmet) {
        let title = property(&format!("heapview: {}", one_line(&row.name)));
        let reason = format!("nothing in the profile matches {}; check the spelling", row.name);
        writeln!(out, "::warning title={title}::{}", data(&one_line(&reason)))?;
    }
    if report.holds {
        writeln!(out, "::notice title=heapview::{}", data(&one_line(&verdict(report))))?;
    }
    Ok(())
}

/// A workflow command's message: its line ends and per cent signs would end it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a workflow command.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

fn verdict(report: &CheckReport) -> String {
    let n_broken = report.row.iter().filter(|row| !row.holds).count();
    let n_unmet = report.row.iter().filter(|row| row.is_unmet).count();
    let kept = match (n_broken, report.row.len()) {
        (0, 1) => "within the limit".to_owned(),
        (0, n) => format!("within all {n} limits"),
        (n, of) => format!("{n} of {of} limits exceeded"),
    };
    let broken = match n_unmet {
        0 => "",
        1 => "; one limit matches nothing in the profile",
        _ => "; some limits match nothing in the profile",
    };
    format!("{kept}{broken}")
}

/// Growth that is expected, a sentence.
pub fn expected_sentence(expected: &Expected, unit: &str) -> String {
    let [change, value] = [expected.value.saturating_sub(expected.base), expected.value].map(|v| iec_label(v, unit, "auto"));
    let verdict = if expected.is_exceeded { "more than expected" } else { "expected, not counted" };
    format!("+{change} to {value} in {}: {verdict}: {}", one_line(&expected.function), one_line(&expected.text))
}

/// A limit and what is, a sentence.
pub fn check_sentence(row: &CheckRow) -> String {
    let [_, what, limit, is, share] = cells(row);
    let error_note = if row.is_sure { "" } else { " (within the sampling error)" };
    match row.of {
        CheckOf::Value => format!("{what}: {is}, {share} of the limit of {limit}{error_note}"),
        CheckOf::Growth => format!("{what}: {is} since the base, the limit is {limit}{error_note}"),
    }
}

/// State, what, limit, what is, share of the limit.
fn cells(row: &CheckRow) -> [String; 5] {
    let state = match (row.holds, row.is_sure) {
        (true, _) if row.is_unmet => "no match",
        (true, true) => "ok",
        (true, false) => "ok?",
        (false, true) => "BROKEN",
        (false, false) => "BROKEN?",
    };
    let limit = iec_label(row.limit, &row.unit, "auto");
    let limit = match (row.of, row.limit_text.ends_with('%')) {
        (CheckOf::Value, _) => limit,
        (CheckOf::Growth, false) => format!("+{limit}"),
        (CheckOf::Growth, true) => format!("+{} (+{limit})", row.limit_text.trim_start_matches('+')),
    };
    // Growth that is expected does not count.
    let mut is = amount(row, row.value, row.value.saturating_sub(row.actual));
    if row.error > 0 {
        is += &format!(" ±{}", iec_label(row.error, &row.unit, "auto"));
    }
    let share = if row.limit > 0 { percentage(row.actual, row.limit).trim().to_owned() } else { String::new() };
    [state.into(), one_line(&row.name).into_owned(), limit, is, share]
}

/// The value, or its growth.
fn amount(row: &CheckRow, value: i64, base: i64) -> String {
    let change = value.saturating_sub(base);
    match row.of {
        CheckOf::Value => iec_label(value, &row.unit, "auto"),
        CheckOf::Growth if change > 0 => format!("+{}", iec_label(change, &row.unit, "auto")),
        CheckOf::Growth => iec_label(change, &row.unit, "auto"),
    }
}
