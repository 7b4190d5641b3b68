//! Source lines with machine code as a self-contained page without script: pprof's `-weblist`. A line expands to its
//! instructions.

use std::io::{self, Write};

use askama::Template;

use super::Clock;
use super::labels::{Numbers, profile_labels};
use crate::base::plain::base_name;
use crate::report::{Header, SourceCall, SourceEntry, SourceInstruction, SourceReport};

/// Lines without weight shown next to those that have some; longer runs are folded.
const NEIGHBOURS: usize = 8;

/// A run of fewer lines is not worth folding.
const SHORTEST_FOLD: usize = 6;

#[derive(Template)]
#[template(path = "weblist.html")]
struct WeblistTemplate {
    title: String,
    /// Lines about the profile.
    labels: Vec<String>,
    filters: Vec<String>,
    warnings: Vec<String>,
    total: String,
    functions: Vec<Function>,
}

struct Function {
    name: String,
    file: String,
    problem: String,
    flat: String,
    cum: String,
    percent: String,
    blocks: Vec<Block>,
}

/// Lines that are shown or folded together.
struct Block {
    folded: bool,
    lines: Vec<Line>,
}

struct Line {
    /// Empty when the line is not known.
    number: String,
    flat: String,
    cum: String,
    /// 0 for nothing to 5 for the function's heaviest line.
    heat: usize,
    shrank: bool,
    text: String,
    /// The file has no such line.
    missing: bool,
    code: Vec<Code>,
}

/// A row below a line.
enum Code {
    /// Other code is between.
    Gap,
    Call {
        indent: usize,
        name: String,
        text: String,
        place: String,
    },
    Instruction {
        indent: usize,
        address: String,
        flat: String,
        cum: String,
        text: String,
        place: String,
    },
}

/// Writes the page, the heaviest functions first.
pub fn weblist(report: &SourceReport, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    let numbers = Numbers::new(header);
    let mut entries: Vec<&SourceEntry> = report.entry.iter().collect();
    // Stable: equal ones stay in the order of names.
    entries.sort_by_key(|e| std::cmp::Reverse((net(e.flat, e.flat_base).saturating_abs(), net(e.cum, e.cum_base).saturating_abs())));
    let page = WeblistTemplate {
        title: [&*header.file, &*header.value_type, "sources"].into_iter().filter(|t| !t.is_empty()).collect::<Vec<_>>().join(" · "),
        labels: profile_labels(header, clock),
        filters: header.filters.clone(),
        warnings: header.warnings.clone(),
        total: numbers.value(header.total),
        functions: entries.into_iter().map(|entry| function(entry, header, &numbers)).collect(),
    };
    page.write_into(out)
}

fn net(value: i64, base: i64) -> i64 {
    value.saturating_sub(base)
}

fn function(entry: &SourceEntry, header: &Header, numbers: &Numbers) -> Function {
    let cum = net(entry.cum, entry.cum_base);
    let problem = match (entry.file.is_empty(), entry.problem.is_empty()) {
        (true, _) => "The profile has no source locations.".to_owned(),
        (false, true) => String::new(),
        (false, false) => format!("No source: {}", entry.problem),
    };
    Function {
        name: if entry.name.is_empty() { format!("[{}]", entry.object) } else { entry.name.clone() },
        file: entry.file.clone(),
        problem,
        flat: numbers.value(net(entry.flat, entry.flat_base)),
        cum: numbers.value(cum),
        percent: crate::base::units::percentage(cum, header.total).trim().to_owned(),
        blocks: blocks(lines(entry, numbers)),
    }
}

fn lines(entry: &SourceEntry, numbers: &Numbers) -> Vec<Line> {
    let of = &entry.lines;
    let at = |column: &[i64], i: usize| column.get(i).copied().unwrap_or(0);
    let cums: Vec<i64> = (0..of.number.len()).map(|i| net(of.cum[i], at(&of.cum_base, i))).collect();
    let heaviest = cums.iter().map(|cum| cum.saturating_abs()).max().unwrap_or(0);
    // Flat is part of cum, but for rounding and differences.
    let heat = |weight: i64| match (weight.saturating_abs(), heaviest) {
        (0, _) | (_, 0) => 0,
        (weight, most) => 1 + ((weight as f64 / most as f64) * 4.0).round() as usize,
    };
    (0..of.number.len())
        .map(|i| {
            let flat = net(of.flat[i], at(&of.flat_base, i));
            let first = entry.code.partition_point(|code| code.line < of.number[i]);
            let after = entry.code.partition_point(|code| code.line <= of.number[i]);
            let text = of.text[i].clone();
            Line {
                number: if of.number[i] > 0 { of.number[i].to_string() } else { String::new() },
                flat: or_nothing(flat, numbers),
                cum: or_nothing(cums[i], numbers),
                heat: heat(cums[i]),
                shrank: cums[i] < 0,
                missing: text.is_none(),
                text: text.unwrap_or_else(|| absent(entry, of.number[i]).to_owned()),
                code: code(&entry.code[first..after], &entry.call, numbers),
            }
        })
        .collect()
}

/// Text in place of a missing source line.
fn absent(entry: &SourceEntry, number: i64) -> &'static str {
    match (number, entry.problem.is_empty() && !entry.file.is_empty()) {
        (..=0, _) => "unknown line",
        (_, true) => "not in this version of the file",
        (_, false) => "source unavailable",
    }
}

fn or_nothing(value: i64, numbers: &Numbers) -> String {
    if value == 0 { String::new() } else { numbers.value(value) }
}

/// Instructions of a line. Calls shared with the previous instruction are not repeated.
fn code(instructions: &[SourceInstruction], places: &[SourceCall], numbers: &Numbers) -> Vec<Code> {
    let mut rows = Vec::new();
    let mut open: &[usize] = &[];
    for (i, instruction) in instructions.iter().enumerate() {
        if instruction.apart && i > 0 {
            rows.push(Code::Gap);
            open = &[];
        }
        let calls = &instruction.calls;
        let same = calls.iter().zip(open).take_while(|(a, b)| a == b).count();
        for (depth, call) in calls.iter().filter_map(|&call| places.get(call)).enumerate().skip(same) {
            rows.push(Code::Call { indent: depth, name: call.name.clone(), text: call.text.clone(), place: place(&call.file, call.line) });
        }
        open = calls;
        // Without the module only what was inlined is known.
        rows.push(Code::Instruction {
            indent: calls.len(),
            address: instruction.address.clone(),
            flat: or_nothing(net(instruction.flat, instruction.flat_base), numbers),
            cum: or_nothing(net(instruction.cum, instruction.cum_base), numbers),
            text: instruction.text.replace('\t', " "),
            place: calls.last().and_then(|&call| places.get(call)).map_or(String::new(), |call| place(&call.file, call.line)),
        });
    }
    rows
}

fn place(file: &str, line: i64) -> String {
    let name = base_name(file);
    if line > 0 { format!("{name}:{line}") } else { name.to_owned() }
}

/// Long runs of lines that hold nothing are folded, but for those next to others.
fn blocks(lines: Vec<Line>) -> Vec<Block> {
    let weighty: Vec<usize> = lines.iter().enumerate().filter(|(_, l)| l.heat > 0 || l.missing).map(|(i, _)| i).collect();
    let near = |i: usize| {
        let next = weighty.partition_point(|&w| w < i);
        let before = next.checked_sub(1).is_some_and(|b| i - weighty[b] <= NEIGHBOURS);
        // The head of the function has the reason.
        before || i < 2 || weighty.get(next).is_some_and(|&w| w - i <= NEIGHBOURS)
    };
    let mut blocks: Vec<Block> = Vec::new();
    for (i, line) in lines.into_iter().enumerate() {
        let folded = !near(i);
        match blocks.last_mut() {
            Some(block) if block.folded == folded => block.lines.push(line),
            _ => blocks.push(Block { folded, lines: vec![line] }),
        }
    }
    blocks.iter_mut().for_each(|block| block.folded &= block.lines.len() > SHORTEST_FOLD);
    blocks
}
