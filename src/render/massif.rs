//! Snapshots as ms_print prints them: a chart of all, a table, and the tree of those that have one. Names with `#` stay whole, which
//! ms_print takes for comments, and every unit of time is read.

use std::io::{self, Write};

use crate::base::plain::one_line;
use crate::report::{MassifLine, MassifReport, MassifRow};

const RULE: &str = "--------------------------------------------------------------------------------";

/// Header of the file; `arguments`: those of this program.
pub fn massif_head(report: &MassifReport, arguments: &str, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{RULE}\nCommand:            {}", one_line(&report.command))?;
    // ms_print keeps the lines of a description.
    let lines = report.arguments.iter().map(|line| if line.is_empty() { String::new() } else { format!(" {}", one_line(line)) });
    let lines: Vec<String> = lines.collect();
    writeln!(out, "Massif arguments:  {}", lines.join("\n"))?;
    writeln!(out, "ms_print arguments:{}\n{RULE}\n\n", one_line(arguments))
}

/// Chart of the totals, `columns` wide and `rows` high, and which snapshots have stacks. O(snapshots × rows).
pub fn massif_chart(report: &MassifReport, columns: usize, rows: usize, out: &mut dyn Write) -> io::Result<()> {
    let times: Vec<f64> = report.snapshots.iter().map(|row| row.time.parse().unwrap_or(0.0)).map(|at: f64| at.max(0.0)).collect();
    let nonzero = |value: f64| if value > 0.0 { value } else { 1.0 };
    let end = nonzero(times.last().copied().unwrap_or(0.0));
    let peak = nonzero(report.snapshots.iter().map(MassifRow::total).max().unwrap_or(0) as f64);
    let peak_place = peak_place(report);
    // Column → row → character; the axes are column 0 and row 0.
    let mut chart = vec![vec![b' '; rows + 1]; columns + 1];
    chart[0].fill(b'|');
    chart.iter_mut().for_each(|column| column[0] = b'-');
    (chart[0][0], chart[columns][0], chart[0][rows]) = (b'+', b'>', b'^');
    let (mut column, mut top, mut char) = (0, 0, b':');
    for (place, (row, time)) in report.snapshots.iter().zip(&times).enumerate() {
        let last = column;
        // The last one ends in the last column.
        column = ((time / end * columns as f64) as usize + 1).min(columns);
        if top > 0 {
            let gap = last + 1..column;
            chart[gap.start.min(gap.end)..gap.end].iter_mut().for_each(|column| column[top] = char);
        }
        char = match () {
            () if Some(place) == peak_place => b'#',
            () if row.is_detailed => b'@',
            () => b':',
        };
        // A row is filled if the total reaches its upper end.
        let total = row.total() as f64;
        top = (1..=rows).take_while(|height| total >= *height as f64 * (peak / rows as f64)).last().unwrap_or(0);
        for cell in &mut chart[column][1..=top] {
            let is_above = char == b'#' || char == b'@' && *cell != b'#' || !matches!(*cell, b'#' | b'@');
            *cell = if is_above { char } else { *cell };
        }
    }
    let (label, unit) = label(peak, BYTES);
    writeln!(out, "    {unit:>2}")?;
    for height in (0..=rows).rev() {
        let line: Vec<u8> = chart.iter().map(|column| column[height]).collect();
        let start = match height {
            0 => "   0 ",
            _ if height == rows => &label,
            _ => "     ",
        };
        let end = if height == 0 { time_label(end, &report.time_unit).1 } else { "" };
        writeln!(out, "{start}{}{end}", String::from_utf8_lossy(&line))?;
    }
    writeln!(out, "     0{}{:>5}", " ".repeat(columns.saturating_sub(5)), time_label(end, &report.time_unit).0)?;
    let detailed = report.snapshots.iter().enumerate().filter(|(_, row)| row.is_detailed);
    let name = |(place, _): (usize, &MassifRow)| format!("{place}{}", if Some(place) == peak_place { " (peak)" } else { "" });
    let detailed: Vec<String> = detailed.map(name).collect();
    writeln!(out, "\nNumber of snapshots: {}\n Detailed snapshots: [{}]\n", report.snapshots.len(), detailed.join(", "))
}

/// The place that has the number of the last snapshot that is marked as the peak.
fn peak_place(report: &MassifReport) -> Option<usize> {
    let number = report.snapshots.iter().rfind(|row| row.is_peak)?.number;
    usize::try_from(number).ok()
}

/// Unit, and how many of the one before it are in it.
type Units = &'static [(&'static str, f64)];

const BYTES: Units = &[("B", 1.0), ("KB", 1024.0), ("MB", 1024.0), ("GB", 1024.0), ("TB", 1024.0), ("PB", 1024.0), ("EB", 1024.0)];
const INSTRUCTIONS: Units = &[("i", 1.0), ("ki", 1024.0), ("Mi", 1024.0), ("Gi", 1024.0), ("Ti", 1024.0), ("Pi", 1024.0), ("Ei", 1024.0)];

/// A number in at least five columns, in the first unit in which it is below 1000.
fn label(value: f64, units: Units) -> (String, &'static str) {
    let (mut scaled, mut unit) = (value, units[0].0);
    for (next, size) in &units[1..] {
        if scaled < 1000.0 {
            break;
        }
        (scaled, unit) = (scaled / size, next);
    }
    (digits(value, scaled), unit)
}

fn digits(value: f64, scaled: f64) -> String {
    match scaled {
        _ if value < 1000.0 && value.fract() == 0.0 => format!("{value:5.0}"),
        _ if scaled < 10.0 => format!("{scaled:5.3}"),
        _ if scaled < 100.0 => format!("{scaled:5.2}"),
        _ => format!("{scaled:5.1}"),
    }
}

fn time_label(end: f64, unit: &str) -> (String, &'static str) {
    match unit {
        "i" => label(end, INSTRUCTIONS),
        "B" => label(end, BYTES),
        "ms" if end >= 1000.0 * 3600.0 => (digits(end, end / 3.6e6), "h"),
        "ms" if end >= 1000.0 => (digits(end, end / 1000.0), "s"),
        "ms" => (digits(end, end), "ms"),
        "s" if end >= 3600.0 => (digits(end, end / 3600.0), "h"),
        "s" => (digits(end, end), "s"),
        _ => (digits(end, end), ""),
    }
}

/// A row of the table, below a head where there is none yet (`is_first`, or the row before has a tree), and the snapshot's tree. Nodes
/// with less than `threshold` percent of `whole` bytes are added up.
pub fn massif_snapshot(
    report: &MassifReport,
    place: usize,
    tree: &[MassifLine],
    whole: i64,
    threshold: f64,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(row) = report.snapshots.get(place) else { return Ok(()) };
    if place == 0 || report.snapshots[place - 1].is_detailed {
        let time = format!("time({})", one_line(&report.time_unit));
        let head = format!("{:>3} {time:>14} {:>16} {:>16} {:>13} {:>12}", "n", "total(B)", "useful-heap(B)", "extra-heap(B)", "stacks(B)");
        writeln!(out, "{RULE}\n{head}\n{RULE}")?;
    }
    let [total, heap, extra, stacks] = [row.total(), row.heap, row.extra, row.stacks].map(|bytes| commas(&bytes.to_string()));
    writeln!(out, "{:>3} {:>14} {total:>16} {heap:>16} {extra:>13} {stacks:>12}", row.number, commas(&one_line(&row.time)))?;
    nodes(tree, whole, threshold, out)
}

/// Digits in groups of three.
fn commas(number: &str) -> String {
    let n_digits = number.bytes().take_while(u8::is_ascii_digit).count();
    let mut out = String::with_capacity(number.len() * 4 / 3);
    for (place, char) in number.chars().enumerate() {
        if place > 0 && place < n_digits && (n_digits - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(char);
    }
    out
}

/// A node whose children are printed.
struct Open {
    n_left: u64,
    is_shown: bool,
    /// Children that are not shown, and their bytes.
    n_small: u64,
    small: i64,
}

/// Most levels that are indented; deeper ones are as far to the right.
const MOST_INDENTED: usize = 1000;

fn nodes(tree: &[MassifLine], whole: i64, threshold: f64, out: &mut dyn Write) -> io::Result<()> {
    let share = |bytes: i64| if whole > 0 { 100.0 * bytes as f64 / whole as f64 } else { 0.0 };
    let mut open: Vec<Open> = Vec::new();
    // `| ` below a node that has siblings left.
    let mut indent = String::new();
    let mut indents: Vec<usize> = Vec::new();
    for node in tree {
        let MassifLine { n_children, bytes, detail, .. } = node;
        // The whole tree ends with its root.
        if node.depth != open.len() {
            break;
        }
        // Below a node that is not shown may be none that is.
        let is_above = open.last().is_none_or(|above| above.is_shown);
        let is_shown = open.is_empty() || is_above && (threshold == 0.0 || whole > 0 && share(*bytes) >= threshold);
        let arrow = if open.is_empty() { "" } else { "->" };
        if is_shown {
            writeln!(out, "{indent}{arrow}{:05.2}% ({}B){}{}", share(*bytes), commas(&bytes.to_string()), blank(detail), one_line(detail))?;
        }
        if let Some(above) = open.last_mut() {
            above.n_left = above.n_left.saturating_sub(1);
            if !is_shown {
                (above.n_small, above.small) = (above.n_small + 1, above.small.saturating_add(*bytes));
            }
            indents.push(indent.len());
            if indents.len() < MOST_INDENTED {
                indent.push_str(if above.n_left == 0 { "  " } else { "| " });
            }
        }
        open.push(Open { n_left: *n_children, is_shown, n_small: 0, small: 0 });
        while let Some(done) = open.pop_if(|node| node.n_left == 0) {
            if done.is_shown && done.n_small > 0 {
                let small = commas(&done.small.to_string());
                let line =
                    format!("{} {} places", format_args!("{:05.2}% ({small}B) in", share(done.small)), format_args!("{}+", done.n_small));
                writeln!(out, "{indent}->{line}, all below ms_print's threshold ({threshold:05.2}%)\n{indent}")?;
            }
            if done.is_shown && *n_children == 0 && open.len() == node.depth {
                writeln!(out, "{indent}")?;
            }
            indent.truncate(indents.pop().unwrap_or(0));
        }
    }
    Ok(())
}

fn blank(detail: &str) -> &'static str {
    if detail.is_empty() { "" } else { " " }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_those_of_ms_print() {
        let of = |value: f64| label(value, BYTES);
        for (value, text, unit) in
            [(1.0, "    1", "B"), (999.0, "  999", "B"), (1000.0, "0.977", "KB"), (10240.0, "10.00", "KB"), (1024e3, "0.977", "MB")]
        {
            assert_eq!(of(value), (text.to_owned(), unit));
        }
        assert_eq!(of(102_400.0), ("100.0".to_owned(), "KB"));
        assert_eq!(time_label(230.0, "ms"), ("  230".to_owned(), "ms"));
        assert_eq!(time_label(2500.0, "ms"), ("2.500".to_owned(), "s"));
        assert_eq!(time_label(0.007, "s"), ("0.007".to_owned(), "s"));
    }

    #[test]
    fn numbers_have_commas() {
        assert_eq!(["0", "999", "1000", "1234567", "0.006"].map(commas), ["0", "999", "1,000", "1,234,567", "0.006"]);
    }
}
