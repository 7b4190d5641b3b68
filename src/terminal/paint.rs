//! Formatting of text reports for a terminal: colour, and rows shortened to its width. Works on lines; without it every byte is
//! as the renderer wrote it.
//!
//! Numbers of heavy rows are red or yellow, zeros are dim, heads are bold; a long name keeps its beginning and its end.

use std::io::{self, Write};
use std::ops::Range;

use super::line_writer::by_line;
use super::style::Style;
use crate::base::plain::{shortened, width};

/// Writes what `write` writes, in `style`.
pub(crate) fn painted(style: Style, out: &mut dyn Write, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    if style == Style::default() {
        return write(out);
    }
    let painted = |line: &[u8], out: &mut dyn Write| out.write_all(paint(&String::from_utf8_lossy(line), style).as_bytes());
    by_line(out, usize::MAX, painted, write)
}

const BOLD: &str = "\x1b[1m";
const DIM: &str = "\x1b[2m";
const RED: &str = "\x1b[31m";
const YELLOW: &str = "\x1b[33m";
const RESET: &str = "\x1b[0m";

/// Shares of the total from which a row is heavy, percent.
const HEAVY: f64 = 10.0;
const MIDDLING: f64 = 2.0;

/// A name is not shortened to less than this, columns.
const SHORTEST_NAME: usize = 16;

/// A column of a row.
enum Column {
    Value { is_zero: bool },
    Percent(f64),
}

/// One line in `style`.
fn paint(line: &str, style: Style) -> String {
    let colored = |how: &str, text: &str| if style.color { format!("{how}{text}{RESET}") } else { text.to_owned() };
    let (columns, rest) = columns(line);
    if columns.is_empty() {
        let is_rule = line.starts_with("-----") && line.bytes().all(|b| b"-+".contains(&b));
        let is_head = line.starts_with("ROUTINE ===") || line.contains("flat  flat%   sum%") || line.trim_start().starts_with("cum   cum%");
        return match () {
            () if is_rule => colored(DIM, line),
            () if is_head => colored(BOLD, line),
            // A frame of a trace.
            () if line.starts_with("          ") => fitted(line, rest, style, ""),
            () => line.to_owned(),
        };
    }
    // `name` between callers and callees has its own numbers, those have shares of its.
    let bar = line[rest..].starts_with('|');
    let is_link = bar && columns.len() <= 2;
    let is_silent = line[..rest].split_whitespace().all(|word| word == ".");
    let mut text = String::new();
    let mut at = 0;
    for (i, (column, place)) in columns.iter().enumerate() {
        let share = match column {
            Column::Percent(_) if i == 0 || matches!(columns[i - 1].0, Column::Percent(_)) => None,
            Column::Percent(share) => Some(*share),
            Column::Value { .. } => match columns.get(i + 1) {
                Some((Column::Percent(share), _)) => Some(*share),
                _ => None,
            },
        };
        let how = match (column, share) {
            (Column::Value { is_zero: true }, _) | (Column::Percent(0.0), _) => DIM,
            (_, Some(share)) if share >= HEAVY && !is_link => RED,
            (_, Some(share)) if share >= MIDDLING && !is_link => YELLOW,
            _ => "",
        };
        text += &line[at..place.start];
        text += &if how.is_empty() { line[place.clone()].to_owned() } else { colored(how, &line[place.clone()]) };
        at = place.end;
    }
    let name = if bar { rest + line[rest..].find(|c| c != '|' && c != ' ').unwrap_or(line.len() - rest) } else { rest };
    text += &line[at..name];
    let how = match () {
        () if bar && !is_link => BOLD,
        () if is_silent => DIM,
        () => "",
    };
    text + &fitted(line, name, style, how)[..]
}

/// `line` from `name` on, shortened to the style's width, in the colour `how`.
fn fitted(line: &str, name: usize, style: Style, how: &str) -> String {
    // Without columns before it the blanks belong to the line.
    let before = if line[..name].trim().is_empty() { &line[..name] } else { "" };
    let (name, used) = (&line[name..], width(&line[..name]));
    let (name, mark) =
        [" (inline)", " (partial-inline)"].iter().find_map(|mark| Some((name.strip_suffix(mark)?, *mark))).unwrap_or((name, ""));
    // Source lines and instructions are not names.
    let is_code = name.split_once(':').is_some_and(|(number, _)| !number.is_empty() && number.bytes().all(|b| b.is_ascii_hexdigit()));
    let name = match style.width {
        Some(most) if !is_code && used + SHORTEST_NAME <= most => {
            shortened(name, most - used - mark.len().min(most - used - SHORTEST_NAME))
        }
        _ => name.into(),
    };
    match (style.color, how, mark) {
        (true, "", "") | (false, ..) => format!("{before}{name}{mark}"),
        (true, "", mark) => format!("{before}{name}{DIM}{mark}{RESET}"),
        (true, how, "") => format!("{before}{how}{name}{RESET}"),
        (true, how, mark) => format!("{before}{how}{name}{RESET}{DIM}{mark}{RESET}"),
    }
}

/// The numbers that a row begins with, and where the rest of the line begins.
fn columns(line: &str) -> (Vec<(Column, Range<usize>)>, usize) {
    let mut columns = Vec::new();
    let mut at = 0;
    loop {
        let start = at + line[at..].len() - line[at..].trim_start_matches(' ').len();
        let end = line[start..].find(' ').map_or(line.len(), |n| start + n);
        match column(&line[start..end]) {
            Some(column) => columns.push((column, start..end)),
            None => return (columns, start),
        }
        at = end;
    }
}

/// A value with its unit, a share, or the dot that represents nothing.
fn column(word: &str) -> Option<Column> {
    if word == "." {
        return Some(Column::Value { is_zero: true });
    }
    let digits = word.strip_prefix('-').unwrap_or(word);
    if !digits.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    if let Some(share) = digits.strip_suffix('%') {
        return share.parse().ok().map(Column::Percent);
    }
    let unit = digits.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_unit = unit.len() <= 12 && unit.chars().all(char::is_alphabetic);
    is_unit.then_some(Column::Value { is_zero: digits == "0" })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Style = Style { color: false, width: None };
    const COLOR: Style = Style { color: true, width: None };

    fn shown(line: &str, style: Style) -> String {
        paint(line, style).replace(BOLD, "<b>").replace(DIM, "<d>").replace(RED, "<r>").replace(YELLOW, "<y>").replace(RESET, "</>")
    }

    #[test]
    fn heavy_rows_are_bold_and_zeros_dim() {
        assert_eq!(
            shown(" 1270.51kB   100%   100%  1270.51kB   100%  inner (inline)", COLOR),
            " <r>1270.51kB</>   <r>100%</>   100%  <r>1270.51kB</>   <r>100%</>  inner<d> (inline)</>"
        );
        assert_eq!(
            shown("         0     0%   100%    30.10kB  2.37%  leak", COLOR),
            "         <d>0</>     <d>0%</>   100%    <y>30.10kB</>  <y>2.37%</>  leak"
        );
        assert_eq!(shown("File: a", COLOR), "File: a");
        assert_eq!(shown("      flat  flat%   sum%        cum   cum%", COLOR), "<b>      flat  flat%   sum%        cum   cum%</>");
    }

    #[test]
    fn a_node_is_highlighted_among_its_callers() {
        assert_eq!(
            shown("         0     0%     0%   977.54kB 76.94%                | work", COLOR),
            "         <d>0</>     <d>0%</>     <d>0%</>   <r>977.54kB</> <r>76.94%</>                | <b>work</>"
        );
        let link = "                                          976.56kB 99.90% |   leak_big";
        assert_eq!(shown(link, COLOR), link);
    }

    #[test]
    fn source_without_weight_steps_back() {
        assert_eq!(
            shown("         .          .     15:void work(int n) {", COLOR),
            "         <d>.</>          <d>.</>     <d>15:void work(int n) {</>"
        );
        let heavy = "         .      1000B     16:  for (;;) leak_small();";
        assert_eq!(shown(heavy, COLOR), "         <d>.</>      1000B     16:  for (;;) leak_small();");
        assert_eq!(shown(heavy, Style { width: Some(40), ..PLAIN }), heavy);
    }

    #[test]
    fn rows_fit_the_width() {
        let row = " 1270.51kB   100%   100%  1270.51kB   100%  alloc::collections::btree::map::insert (inline)";
        let short = paint(row, Style { width: Some(80), ..PLAIN });
        assert_eq!(short, " 1270.51kB   100%   100%  1270.51kB   100%  alloc::collec…::map::insert (inline)");
        assert_eq!(width(&short), 80);
        assert_eq!(paint(row, PLAIN), row);
        assert_eq!(paint(row, Style { width: Some(50), ..PLAIN }), row, "there is no room for a name");
        let frame = "             alloc::collections::btree::map::insert";
        assert_eq!(paint(frame, Style { width: Some(40), ..PLAIN }), "             alloc::collec…::map::insert");
    }

    #[test]
    fn a_last_line_without_an_end_is_written() {
        let mut out = Vec::new();
        painted(COLOR, &mut out, |out| write!(out, "a\nb")).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "a\nb");
    }
}
