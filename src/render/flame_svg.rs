//! The tree of stacks as a flame graph in SVG, drawn by the crate inferno.
//!
//! inferno takes lines of text and counts; names are rewritten so that they cannot be taken for
//! anything else, and its counts are put in the report's unit afterwards.

use std::io::{self, Write};

use inferno::flamegraph::color::{BasicPalette, Palette};
use inferno::flamegraph::{Direction, Options, from_lines};

use super::labels::Numbers;
use crate::plain::one_line;
use crate::report::{FlameReport, Header};

/// Stands behind the names of inlined boxes until their tips say so: narrow boxes show the ends
/// of names. Invisible, should it be met elsewhere.
const INLINED: char = '\u{2063}';

/// Counts are made smaller than this; inferno's arithmetic would overflow.
const MOST: i64 = 1 << 50;

/// Writes the picture, heaviest boxes first. With a base, widths are of the value, and colours of
/// the difference: red for what holds more than in the base with all that it calls, blue for less.
///
/// # Errors
/// Those of `out`, and when there is nothing to draw.
pub fn flame_svg(report: &FlameReport, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    let divisor = divisor(report);
    let mut lines = lines(report, divisor);
    // inferno sorts lines by name, which parts a function's own weight from its callees', unless
    // they are a chart in time: those it reads from the last on.
    lines.reverse();
    let mut options = Options::default();
    options.flame_chart = true;
    options.title = title(header);
    options.subtitle = Some(subtitle(report)).filter(|s| !s.is_empty());
    // A picture of one dump is the same every time.
    options.deterministic = true;
    options.colors = Palette::Basic(BasicPalette::Mem);
    // The first frames on top, as in the browser: deep stacks leave the window at the bottom.
    options.direction = Direction::Inverted;
    let mut svg = Vec::new();
    from_lines(&mut options, lines.iter().map(String::as_str), &mut svg)?;
    let svg = String::from_utf8(svg).map_err(io::Error::other)?;
    let mut rest = svg.as_str();
    // Each box has a tip: `name (1,234 samples, 5.67%)`.
    while let Some(end) = rest.find("</title>") {
        let (tip, after) = rest.split_at(end);
        write!(out, "{}</title>", relabelled(tip, header, divisor).replace(INLINED, ""))?;
        rest = &after["</title>".len()..];
    }
    out.write_all(rest.replace(INLINED, "").as_bytes())
}

/// Whether there is anything to draw.
pub fn has_flames(report: &FlameReport) -> bool {
    // What has no stack has no box.
    report.flat.iter().zip(&report.depth).any(|(&value, &depth)| value > 0 && depth > 0)
}

/// What counts are divided by to be small enough.
fn divisor(report: &FlameReport) -> i64 {
    let sum = |values: &[i64]| values.iter().fold(0i64, |sum, &v| sum.saturating_add(v.max(0)));
    sum(&report.flat).max(sum(&report.flat_base)) / MOST + 1
}

/// `root;…;box value` for each box in which something ends, in the report's order. With a base
/// `root;…;box base value` for every box: inferno colours a box by the difference in its own
/// line, so that `base` is what makes this the difference of the whole box, modulo 2^64.
fn lines(report: &FlameReport, divisor: i64) -> Vec<String> {
    let names: Vec<String> = report.row.iter().map(|row| printable(&row.name)).collect();
    let mut path: Vec<String> = Vec::new();
    let mut lines = Vec::new();
    for (i, &row) in report.node.iter().enumerate() {
        let Some(above) = (report.depth[i] as usize).checked_sub(1) else { continue };
        path.truncate(above);
        let name = usize::try_from(row).map_or("…", |row| names[row].as_str());
        path.push(if report.inlined[i] == 1 { format!("{name}{INLINED}") } else { name.to_owned() });
        let value = report.flat[i].max(0) / divisor;
        match report.cum_base.get(i) {
            Some(&base) => {
                let grown = (report.cum[i].max(0) / divisor) - (base.max(0) / divisor);
                lines.push(format!("{} {} {value}", path.join(";"), (value - grown) as u64));
            }
            None if value != 0 => lines.push(format!("{} {value}", path.join(";"))),
            None => {}
        }
    }
    lines
}

/// A name that is one frame to inferno, whatever it holds, and that XML can carry.
fn printable(name: &str) -> String {
    const BLANK: &str = "\u{a0}";
    let plain = one_line(name).replace(';', ":").replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}").replace(INLINED, "");
    let mut plain = plain.trim().to_owned();
    if plain.is_empty() {
        return "?".into();
    }
    // A number at the end would be a count, and `# ` at the beginning a comment.
    if let Some((head, tail)) = plain.rsplit_once(char::is_whitespace)
        && tail.bytes().all(|b| b.is_ascii_digit() || b == b'.')
    {
        plain = format!("{head}{BLANK}{tail}");
    }
    match plain.strip_prefix("# ") {
        Some(rest) => format!("#{BLANK}{rest}"),
        None => plain,
    }
}

/// The tip with a value in the report's unit in the place of inferno's count, and its share of
/// the report's total. With a base the share is of what is drawn: the total is of differences.
fn relabelled(tip: &str, header: &Header, divisor: i64) -> String {
    let numbers = Numbers::new(header);
    let parts = || {
        let open = tip.rfind(" (")? + 2;
        let inlined = if tip[..open].trim_end_matches(" (").ends_with(INLINED) { ", inline" } else { "" };
        let blank = open + tip[open..].find(' ')?;
        let comma = blank + tip[blank..].find(", ")?;
        let count: i64 = tip[open..blank].replace(',', "").parse().ok()?;
        let value = count.saturating_mul(divisor);
        let share = match header.has_base {
            true => tip[comma..].trim_end_matches(')').to_owned(),
            false => format!(", {}", numbers.percent(value).trim()),
        };
        Some(format!("{}{}{share}{inlined})", &tip[..open], numbers.value(value)))
    };
    parts().unwrap_or_else(|| tip.to_owned())
}

/// File and value type.
fn title(header: &Header) -> String {
    let words = [header.file.as_str(), header.value_type.as_str()];
    let title = words.into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
    one_line(if title.is_empty() { "Flame graph" } else { &title }).into_owned()
}

/// What the numbers are of, in a line.
fn subtitle(report: &FlameReport) -> String {
    let header = &report.header;
    let numbers = Numbers::new(header);
    let mut parts = Vec::new();
    if report.inverted {
        parts.push("from the leaves".to_owned());
    }
    if header.has_base {
        parts.push(format!(
            "{}, {} in the base; red holds more than in the base, blue less",
            numbers.value(header.value_total),
            numbers.value(header.base_total)
        ));
    } else if header.value_total == header.total {
        parts.push(numbers.value(header.total));
    } else {
        parts.push(format!("{} of {}", numbers.value(header.value_total), numbers.value(header.total)));
    }
    parts.extend(header.filters.iter().map(|filter| one_line(filter).into_owned()));
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_one_frame_each() {
        assert_eq!(printable("a;b"), "a:b");
        assert_eq!(printable("operator 12"), "operator\u{a0}12");
        assert_eq!(printable("# not a comment"), "#\u{a0}not a comment");
        assert_eq!(printable("\u{1b}[31m"), "\\u{1b}[31m");
        assert_eq!(printable("  "), "?");
    }

    #[test]
    fn tips_are_in_the_reports_unit() {
        let mut header = Header { unit: "bytes".into(), output_unit: "auto".into(), divide_by: 1.0, total: 30_720, ..Header::default() };
        assert_eq!(relabelled("<title>f(x) (3,072 samples, 50.00%)", &header, 1), "<title>f(x) (3kB, 10.00%)");
        let inlined = relabelled("<title>f\u{2063} (3,072 samples, 50.00%)", &header, 1);
        assert_eq!(inlined, "<title>f\u{2063} (3kB, 10.00%, inline)");
        header.has_base = true;
        let tip = |text: &str| relabelled(text, &header, 1);
        assert_eq!(tip("<title>f (3,072 samples, 1.50%; +0.50%)"), "<title>f (3kB, 1.50%; +0.50%)");
        assert_eq!(tip("<title>odd"), "<title>odd");
    }
}
