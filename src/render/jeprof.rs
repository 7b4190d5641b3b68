//! jeprof's output formats: table, DOT, callgrind. Numbers are printed like Perl's `printf` does.

use std::io::{self, Write};

use crate::base::hash::HashMap;
use crate::base::plain::one_line;
use crate::report::{
    CodePlace, CodeRoutine, CodeRow, JeprofCalls, JeprofGraph, JeprofHeader, JeprofStacks, JeprofText, JeprofUnit, SourceEntry,
};

/// Writes `--text`. `thread`: thread of the rows; `most`: maximum number of rows.
pub fn jeprof_text(report: &JeprofText, thread: Option<&str>, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    if header.total != 0 {
        let of = thread.map_or(String::new(), |t| format!(" ({t})"));
        writeln!(out, "Total{of}: {} {}", value(header, header.total), unit(header))?;
    }
    let mut running = 0i64;
    for row in report.row.iter().take(most) {
        running = running.saturating_add(row.flat);
        let percent = |n| percent(n, header.local_total);
        writeln!(
            out,
            "{:>8} {:>6} {:>6} {:>8} {:>6} {}",
            value(header, row.flat),
            percent(row.flat),
            percent(running),
            value(header, row.cum),
            percent(row.cum),
            one_line(&row.name)
        )?;
    }
    Ok(())
}

/// Style of the graph.
#[derive(Clone, Copy, Debug, Default)]
pub struct JeprofDotStyle {
    /// Marks nodes that hold something themselves.
    pub heapcheck: bool,
    /// For paper: the page has a size.
    pub pdf: bool,
    /// For a browser: thin lines are drawn one point wide.
    pub svg: bool,
}

/// `--dot`, with the name of the program.
pub fn jeprof_dot(report: &JeprofGraph, program: &str, style: JeprofDotStyle, out: &mut dyn Write) -> io::Result<()> {
    let JeprofGraph { header, node_limit, edge_limit, .. } = report;
    let (program, unit) = (escaped(program), unit(header));
    let (total, local) = (value(header, header.total), value(header, header.local_total));
    writeln!(out, "digraph \"{program}; {total} {unit}\" {{")?;
    if style.pdf {
        writeln!(out, "size=\"8,11\"")?;
    }
    writeln!(out, "node [width=0.375,height=0.25];")?;
    writeln!(
        out,
        "Legend [shape=box,fontsize=24,shape=plaintext,label=\"{program}\\lTotal {unit}: {total}\\lFocusing on: {local}\\l\
         Dropped nodes with <= {} abs({unit})\\lDropped edges with <= {} {unit}\\l\"];",
        value(header, *node_limit),
        value(header, *edge_limit)
    )?;
    for (i, row) in report.row.iter().enumerate() {
        let share = if header.local_total > 0 { (row.flat as f64 / header.local_total as f64).abs() } else { 0.0 };
        let size = 8.0 + 50.0 * share.sqrt();
        let of = match row.flat == row.cum {
            true => String::new(),
            false => format!("\\rof {} ({})", value(header, row.cum), percent(row.cum, header.local_total)),
        };
        let mark = match row.flat.signum() {
            1 if style.heapcheck => ",style=filled,fillcolor=gray",
            -1 if style.heapcheck => ",peripheries=3",
            _ => "",
        };
        let (name, flat) = (label(&row.name), value(header, row.flat));
        let share = percent(row.flat, header.local_total);
        writeln!(out, "N{} [label=\"{name}\\n{flat} ({share}){of}\\r\",shape=box,fontsize={size:.1}{mark}];", i + 1)?;
    }
    for edge in &report.edge {
        let share = if header.local_total == 0 { 0.0 } else { (3.0 * (edge.value as f64 / header.local_total as f64)).abs() };
        let width = share.min(1.0) * 2.0;
        let width = if style.svg { width.max(1.0) } else { width };
        let weight = libm::pow((edge.value as f64 / header.parts as f64).abs(), 0.7).min(100_000.0) as i64;
        let dashed = if edge.inlined { ",dashed" } else { "" };
        let (from, to) = (edge.from + 1, edge.to + 1);
        let n = value(header, edge.value);
        writeln!(out, "N{from} -> N{to} [label={n}, weight={weight}, style=\"setlinewidth({width:.6}){dashed}\"];")?;
    }
    writeln!(out, "}}")
}

/// `--callgrind`: names are numbered at their first use, unless they are short.
pub fn jeprof_callgrind(report: &JeprofCalls, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "events: Hits\n")?;
    let (mut files, mut functions) = (Names::default(), Names::default());
    for (from, to, value) in &report.call {
        let value = whole(&report.header, *value);
        writeln!(out, "fl={}", files.compressed(&from.file))?;
        writeln!(out, "fn={}", functions.compressed(&from.function))?;
        if let Some(to) = to {
            writeln!(out, "cfl={}", files.compressed(&to.file))?;
            writeln!(out, "cfn={}", functions.compressed(&to.function))?;
            writeln!(out, "calls={value} {}", to.line)?;
        }
        writeln!(out, "{} {value}\n", from.line)?;
    }
    Ok(())
}

/// `--collapsed`.
pub fn jeprof_collapsed(report: &JeprofStacks, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = report.stack.iter().map(|(stack, value)| (stack, whole(&report.header, *value))).filter(|(_, value)| *value != 0);
    lines.try_for_each(|(stack, value)| writeln!(out, "{stack} {value}"))
}

/// Message about omitted nodes and edges; `None` if no limit was given.
pub fn jeprof_dropped(report: &JeprofGraph) -> Option<String> {
    let JeprofGraph { header, node_limit, edge_limit, .. } = report;
    let unit = unit(header);
    let dropped = || {
        format!("Dropping nodes with <= {} {unit}; edges with <= {} abs({unit})", value(header, *node_limit), value(header, *edge_limit))
    };
    (*node_limit > 0 || *edge_limit > 0).then(dropped)
}

/// A function of `--list`, which begins at line `start`: lines with flat and cum between `---`.
pub fn jeprof_listing(entry: &SourceEntry, start: i64, header: &JeprofHeader, out: &mut dyn Write) -> io::Result<()> {
    let lines = &entry.lines;
    let sum = |values: &[i64]| values.iter().fold(0i64, |sum, v| sum.saturating_add(*v));
    let or_dot = |n: i64| if n == 0 { ".".to_owned() } else { value(header, n) };
    writeln!(out, "ROUTINE ====================== {} in {}", one_line(&entry.name), one_line(&entry.file))?;
    let (flat, cum) = (value(header, sum(&lines.flat)), value(header, sum(&lines.cum)));
    writeln!(out, "{flat:>6} {cum:>6} Total {} (flat / cumulative)", unit(header))?;
    let used = (0..lines.number.len()).filter(|&i| lines.flat[i] != 0 || lines.cum[i] != 0).map(|i| lines.number[i]).max();
    for (i, text) in lines.text.iter().enumerate() {
        let Some(text) = text else { continue };
        if lines.number[i] == start {
            writeln!(out, "---")?;
        }
        let text = text.replace(|c: char| c.is_control() && c != '\t', " ");
        writeln!(out, "{:>6} {:>6} {:>4}: {text}", or_dot(lines.flat[i]), or_dot(lines.cum[i]), lines.number[i])?;
        if Some(lines.number[i]) == used {
            writeln!(out, "---")?;
        }
    }
    Ok(())
}

/// Source place of an instruction: that of the innermost inlined function.
pub fn innermost(place: &CodePlace) -> (&str, i64) {
    place.inlined.first().map_or((place.file.as_str(), place.line), |call| (call.file.as_str(), call.line))
}

/// A function of `--disasm`: its instructions below their source lines, as far as `source`
/// (of file and line) is there.
pub fn jeprof_code(
    routine: &CodeRoutine,
    source: &dyn Fn(&str, i64) -> Option<String>,
    header: &JeprofHeader,
    out: &mut dyn Write,
) -> io::Result<()> {
    let or_dot = |n: i64| if n == 0 { ".".to_owned() } else { value(header, n) };
    let net = |value: i64, base: i64| value.saturating_sub(base);
    let (flat, cum) = (net(routine.flat, routine.flat_base), net(routine.cum, routine.cum_base));
    // The symbol may be mangled; its instructions know the function.
    let name = routine.place.iter().map(|place| &place.function).find(|name| !name.is_empty()).unwrap_or(&routine.name);
    writeln!(out, "ROUTINE ====================== {}", one_line(name))?;
    let share = percent(cum, header.local_total);
    writeln!(out, "{:>6} {:>6} {} (flat, cumulative) {share} of total", value(header, flat), value(header, cum), unit(header))?;
    let nowhere = CodePlace::default();
    let place = |row: &CodeRow| innermost(routine.place.get(row.place).unwrap_or(&nowhere));
    let mut file_before = "";
    for rows in routine.row.chunk_by(|a, b| place(a) == place(b)) {
        let Some((file, line)) = rows.first().map(place) else { continue };
        if file != file_before {
            writeln!(out, "-------------------- {}", shortened(file.strip_prefix("./").unwrap_or(file)))?;
            file_before = file;
        }
        if let Some(text) = source(file, line) {
            let sum = |of: fn(&CodeRow) -> i64| rows.iter().fold(0i64, |sum, row| sum.saturating_add(of(row)));
            let (flat, cum) = (sum(|r| r.flat.saturating_sub(r.flat_base)), sum(|r| r.cum.saturating_sub(r.cum_base)));
            writeln!(out, "{:>6} {:>6} {line:>5}: {}", or_dot(flat), or_dot(cum), one_line(text.trim_start()))?;
        }
        for row in rows {
            let (flat, cum) = (or_dot(net(row.flat, row.flat_base)), or_dot(net(row.cum, row.cum_base)));
            let (mnemonic, operands) = row.text.split_once('\t').unwrap_or((&row.text, ""));
            let text = format!("{mnemonic:<6} {}", operands.replace('\t', " "));
            writeln!(out, "{flat:>6} {cum:>6}    {:>8x}: {}", row.address, one_line(text.trim_end()))?;
        }
    }
    Ok(())
}

/// The end of a path that is too long for the line.
fn shortened(path: &str) -> String {
    let n = path.chars().count();
    if n < 58 { one_line(path).into_owned() } else { format!("...{}", one_line(&path.chars().skip(n - 55).collect::<String>())) }
}

/// Numbers of names.
#[derive(Default)]
struct Names<'a> {
    known: HashMap<&'a str, usize>,
}

impl<'a> Names<'a> {
    fn compressed(&mut self, name: &'a str) -> String {
        let plain = one_line(name);
        if name.len() <= 3 {
            return plain.into_owned();
        }
        let next = self.known.len() + 1;
        match self.known.get(name) {
            Some(number) => format!("({number})"),
            None => {
                self.known.insert(name, next);
                format!("({next}) {plain}")
            }
        }
    }
}

/// `Unparse`.
fn value(header: &JeprofHeader, value: i64) -> String {
    match header.unit {
        JeprofUnit::Megabytes => format!("{:.1}", value as f64 / header.parts as f64 / 1_048_576.0),
        JeprofUnit::Bytes | JeprofUnit::Count(_) => whole(header, value).to_string(),
    }
}

/// Whole units, towards zero.
fn whole(header: &JeprofHeader, value: i64) -> i64 {
    value / header.parts.max(1)
}

/// `Units`.
fn unit(header: &JeprofHeader) -> &'static str {
    match header.unit {
        JeprofUnit::Megabytes => "MB",
        JeprofUnit::Bytes => "B",
        JeprofUnit::Count(what) => what,
    }
}

/// `Percent`.
fn percent(value: i64, total: i64) -> String {
    match (total, value) {
        (0, 0) => "nan".into(),
        (0, 1..) => "+inf".into(),
        (0, _) => "-inf".into(),
        (_, 0) => "0.0%".into(),
        _ => format!("{:.1}%", value as f64 * 100.0 / total as f64),
    }
}

/// Longest name in a label, characters: `dot` gives up on lines past 16 kB.
const LONGEST_NAME: usize = 4000;

/// A name over several lines, at blanks and `::`.
fn label(name: &str) -> String {
    let name: String = name.chars().take(LONGEST_NAME).collect();
    let words: Vec<&str> = name.split_whitespace().collect();
    escaped(&words.join("\n").replace("::", "\n"))
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace(char::is_control, " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{JeprofPlace, JeprofRow};

    const HEADER: JeprofHeader = JeprofHeader { parts: 2, total: 6 << 20, local_total: 6 << 20, unit: JeprofUnit::Megabytes };

    fn shown(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> String {
        let mut out = Vec::new();
        write(&mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn rows_have_six_columns() {
        let row = vec![JeprofRow { name: "f \u{1b}[1m".into(), flat: 2 << 20, cum: -(6 << 20) }];
        let text = JeprofText { header: HEADER, row };
        expect_test::expect![[r#"
            Total (t4): 3.0 MB
                 1.0  33.3%  33.3%     -3.0 -100.0% f \u{1b}[1m
        "#]]
        .assert_eq(&shown(|out| jeprof_text(&text, Some("t4"), 10, out)));
    }

    #[test]
    fn zero_of_zero_is_not_a_number() {
        assert_eq!([percent(0, 0), percent(5, 0), percent(-5, 0), percent(0, -5)], ["nan", "+inf", "-inf", "0.0%"]);
    }

    #[test]
    fn names_cannot_leave_their_quotes() {
        let row = JeprofRow { name: "<a as b>::f(\"x\\\")\n (inline)".into(), flat: 0, cum: 6 << 20 };
        let graph = JeprofGraph { header: HEADER, row: vec![row], edge: vec![], node_limit: 0, edge_limit: 0 };
        let text = shown(|out| jeprof_dot(&graph, "a\"b", JeprofDotStyle::default(), out));
        assert!(
            text.contains(r#"N1 [label="<a\nas\nb>\nf(\"x\\\")\n(inline)\n0.0 (0.0%)\rof 3.0 (100.0%)\r",shape=box,fontsize=8.0];"#),
            "{text}"
        );
        assert!(text.starts_with("digraph \"a\\\"b; 3.0 MB\" {\n"), "{text}");
    }

    #[test]
    fn callgrind_numbers_long_names() {
        let place = |function: &str| JeprofPlace { file: "/x/a.c".into(), line: 5, function: function.into() };
        let calls = JeprofCalls { header: HEADER, call: vec![(place("main"), Some(place("f")), 15), (place("main"), None, 2)] };
        expect_test::expect![[r#"
            events: Hits

            fl=(1) /x/a.c
            fn=(1) main
            cfl=(1)
            cfn=f
            calls=7 5
            5 7

            fl=(1)
            fn=(1)
            5 1

        "#]]
        .assert_eq(&shown(|out| jeprof_callgrind(&calls, out)));
    }
}
