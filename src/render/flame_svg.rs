//! Flame graph as SVG: boxes with tooltips, and a script for zoom and search.
//!
//! Callers are above their callees. Time and size are O(boxes): a box is written once, and no text in it is longer than
//! [`LONGEST_NAME`].

use std::collections::BTreeMap;
use std::io::{self, Write};

use super::labels::Numbers;
use crate::base::plain::one_line;
use crate::report::{FlameReport, Header};

const SCRIPT: &str = include_str!("flame.js");

/// Width of all boxes together and the margin around them, pixels; `flame.js` knows the width.
const WIDTH: f64 = 1180.0;
const MARGIN: f64 = 10.0;
/// Distance of rows, and where the first one begins, pixels.
const ROW: usize = 16;
const TOP: usize = 48;
/// Width of a letter, pixels, so wide that names hardly ever grow out of their boxes.
const LETTER: f64 = 7.0;
/// Boxes that are narrower are not drawn, pixels.
const NARROWEST: f64 = 0.1;
/// Most boxes of a picture; browsers are slow with more. The deepest are left out.
const MOST_BOXES: usize = 100_000;
/// Names are cut off here, characters.
const LONGEST_NAME: usize = 1000;

/// Writes the flame graph, heaviest boxes first. With a base, widths show the value, and colours the difference: red for more
/// than in the base, blue for less.
///
/// # Errors
/// Errors of `out`.
pub fn flame_svg(report: &FlameReport, out: &mut dyn Write) -> io::Result<()> {
    let layout = Layout::of(report);
    let numbers = Numbers::new(&report.header);
    let names: Vec<String> = report.row.iter().map(|row| printable(&row.name)).collect();
    let greatest = layout.boxes.iter().map(|b| b.change.unsigned_abs()).max().unwrap_or(0);
    head(report, &layout, out)?;
    for Frame { number: i, x, width, value, change } in &layout.boxes {
        let depth = report.depth[*i] as usize;
        let name = match usize::try_from(report.node[*i]) {
            Ok(row) => names.get(row).map_or("?", String::as_str),
            Err(_) if depth == 0 => "all",
            Err(_) => "…",
        };
        let share = match report.header.has_base {
            true => {
                let percent = |value: f64| if layout.total > 0.0 { value / layout.total * 100.0 } else { 0.0 };
                format!("{:.2}%; {:+.2}%", percent(*value as f64), percent(*change as f64))
            }
            false => numbers.percent(*value).trim().to_owned(),
        };
        let inlined = if report.inlined.get(*i) == Some(&1) { ", inline" } else { "" };
        let fill = match report.header.has_base {
            true => colour_of_change(*change, greatest),
            false => colour_of_name(name),
        };
        let y = TOP + ROW * depth;
        let tip = escaped(name);
        let tip_value = escaped(&numbers.value(*value)).into_owned();
        write!(
            out,
            "<g><title>{tip} ({tip_value}, {share}{inlined})</title><rect x=\"{x:.2}\" y=\"{y}\" width=\"{width:.2}\" height=\"{}\" fill=\"{fill}\"/>",
            ROW - 1
        )?;
        let label = fitting(name, *width);
        if !label.is_empty() {
            write!(out, "<text x=\"{:.2}\" y=\"{}\">{}</text>", x + 3.0, y + 11, escaped(&label))?;
        }
        out.write_all(b"</g>\n")?;
    }
    // The script comes last: when it runs, all boxes are there.
    write!(out, "</svg>\n<script type=\"text/ecmascript\"><![CDATA[\n{SCRIPT}]]></script>\n</svg>\n")
}

/// Returns whether there is anything to draw.
pub fn has_flames(report: &FlameReport) -> bool {
    // Samples without a stack have no box.
    report.flat.iter().zip(&report.depth).any(|(&value, &depth)| value > 0 && depth > 0)
}

/// A box that is drawn.
struct Frame {
    /// Its number in the report.
    number: usize,
    /// Left edge and width, pixels.
    x: f64,
    width: f64,
    /// Value that ends in it and in the boxes below; negative values count as 0.
    value: i64,
    /// Its subtree less that of the base; 0 without a base.
    change: i64,
}

/// Positions of boxes.
struct Layout {
    boxes: Vec<Frame>,
    /// Sum of all boxes.
    total: f64,
    /// Greatest depth of a box.
    depth: usize,
    /// Whether deeper boxes are omitted.
    is_cut: bool,
}

impl Layout {
    /// O(boxes).
    fn of(report: &FlameReport) -> Layout {
        let n = report.node.len();
        // Sums of subtrees, from the last box to the first: that of open children by depth.
        let (mut values, mut sizes) = (vec![0i64; n], vec![0f64; n]);
        let mut below: Vec<(i64, f64)> = Vec::new();
        for i in (0..n).rev() {
            let depth = report.depth[i] as usize;
            below.resize(below.len().max(depth + 2), (0, 0.0));
            let (value, size) = std::mem::take(&mut below[depth + 1]);
            // Samples without a stack have no box.
            let own = if depth == 0 { 0 } else { report.flat[i].max(0) };
            (values[i], sizes[i]) = (value.saturating_add(own), size + own as f64);
            below[depth] = (below[depth].0.saturating_add(values[i]), below[depth].1 + sizes[i]);
        }
        let total = sizes.first().copied().unwrap_or(0.0);
        let scale = if total > 0.0 { WIDTH / total } else { 0.0 };
        let is_drawn = |i: usize| i == 0 || sizes[i] * scale >= NARROWEST;

        let mut rows: BTreeMap<u32, usize> = BTreeMap::new();
        (0..n).filter(|&i| is_drawn(i)).for_each(|i| *rows.entry(report.depth[i]).or_default() += 1);
        let mut left = MOST_BOXES;
        let whole = rows.iter().take_while(|(_, count)| {
            let fits = left.checked_sub(**count);
            left = fits.unwrap_or(0);
            fits.is_some()
        });
        let deepest = whole.last().map_or(0, |(depth, _)| *depth);

        // Depth → where the next box begins, in the unit of values.
        let mut next: Vec<f64> = vec![0.0];
        let mut boxes = Vec::new();
        for i in 0..n {
            let depth = report.depth[i] as usize;
            next.truncate(depth + 1);
            let Some(at) = next.get_mut(depth) else { continue };
            let start = *at;
            *at += sizes[i];
            next.push(start);
            if is_drawn(i) && report.depth[i] <= deepest {
                let base = report.cum_base.get(i).map(|base| base.max(&0));
                let change = base.map_or(0, |base| report.cum[i].max(0).saturating_sub(*base));
                boxes.push(Frame { number: i, x: start * scale, width: sizes[i] * scale, value: values[i], change });
            }
        }
        let is_cut = rows.keys().next_back().is_some_and(|last| *last > deepest);
        Layout { boxes, total, depth: deepest as usize, is_cut }
    }
}

/// Everything before the first box.
fn head(report: &FlameReport, layout: &Layout, out: &mut dyn Write) -> io::Result<()> {
    let width = WIDTH + 2.0 * MARGIN;
    let bottom = TOP + ROW * (layout.depth + 1);
    let height = bottom + 2 * ROW;
    let mut subtitle = subtitle(report);
    if layout.is_cut {
        subtitle += &format!("; boxes deeper than {} are not drawn", layout.depth);
    }
    write!(
        out,
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <svg version=\"1.1\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" xmlns=\"http://www.w3.org/2000/svg\">\n\
         <style>text {{ font: 12px monospace; fill: #000 }} #title {{ font: 17px sans-serif }} #frames text {{ pointer-events: none }} \
         #frames > g:hover rect {{ stroke: #000; stroke-width: 0.5 }} #frames > g, #search, #unzoom {{ cursor: pointer }}</style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#f8f8f8\"/>\n"
    )?;
    let mut text = |id: &str, x: f64, y: usize, more: &str, text: &str| {
        writeln!(out, "<text id=\"{id}\" x=\"{x}\" y=\"{y}\"{more}>{}</text>", escaped(text))
    };
    let (middle, centred) = (width / 2.0, " text-anchor=\"middle\"");
    text("title", middle, 20, centred, &title(&report.header))?;
    text("subtitle", middle, 38, centred, &subtitle)?;
    text("unzoom", MARGIN, 20, " style=\"display: none\"", "Reset zoom")?;
    text("search", width - MARGIN, 20, " text-anchor=\"end\"", "Search")?;
    text("details", MARGIN, bottom + ROW, "", " ")?;
    text("matched", width - MARGIN, bottom + ROW, " text-anchor=\"end\"", " ")?;
    writeln!(out, "<svg id=\"frames\" x=\"{MARGIN}\" width=\"{WIDTH}\">")
}

/// A name of one line that XML can carry.
fn printable(name: &str) -> String {
    let mut chars = name.chars();
    let mut cut: String = chars.by_ref().take(LONGEST_NAME).collect();
    if chars.next().is_some() {
        cut.push('…');
    }
    let plain = one_line(&cut).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}");
    match plain.trim() {
        "" => "?".into(),
        plain => plain.into(),
    }
}

/// The beginning of a name that fits a box of this width; may be empty.
fn fitting(name: &str, width: f64) -> String {
    let letters = ((width - 6.0) / LETTER).max(0.0) as usize;
    match letters {
        0..3 => String::new(),
        _ if name.chars().nth(letters).is_none() => name.to_owned(),
        _ => name.chars().take(letters - 2).collect::<String>() + "..",
    }
}

fn escaped(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"', '\'']) {
        return text.into();
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&apos;"),
            c => escaped.push(c),
        }
    }
    escaped.into()
}

/// Green to blue, the same for a name in every picture.
fn colour_of_name(name: &str) -> String {
    let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("rgb(0,{},{})", 190 + hash % 51, (hash >> 32) % 211)
}

/// Red for more, blue for less, stronger for larger changes.
fn colour_of_change(change: i64, greatest: u64) -> String {
    let rest = greatest.saturating_sub(change.unsigned_abs());
    let faded = if greatest == 0 { 250 } else { 100 + (150 * u128::from(rest) / u128::from(greatest)) as u64 };
    match change {
        0 => "rgb(250,250,250)".into(),
        1.. => format!("rgb(255,{faded},{faded})"),
        _ => format!("rgb({faded},{faded},255)"),
    }
}

/// File and value type.
fn title(header: &Header) -> String {
    let words = [header.file.as_str(), header.value_type.as_str()];
    let title = words.into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
    printable(if title.is_empty() { "Flame graph" } else { &title })
}

/// Subtitle with value type and base.
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
    use crate::report::Row;

    #[test]
    fn names_are_one_line_and_bounded() {
        assert_eq!(printable("a;b"), "a;b");
        assert_eq!(printable("\u{1b}[31m\u{ffff}"), "\\u{1b}[31m\u{fffd}");
        assert_eq!(printable("  "), "?");
        assert_eq!(printable(&"ü".repeat(5000)).chars().count(), LONGEST_NAME + 1);
        assert_eq!(escaped("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&apos;");
    }

    #[test]
    fn labels_fit_their_boxes() {
        assert_eq!(fitting("main", 34.0), "main");
        assert_eq!(fitting("main.work", 48.0), "main..");
        assert_eq!(fitting("main", 26.0), "");
    }

    /// Boxes as (depth, flat).
    fn report(boxes: &[(u32, i64)]) -> FlameReport {
        FlameReport {
            header: Header { divide_by: 1.0, total: boxes.iter().map(|b| b.1).sum(), ..Header::default() },
            row: vec![Row { name: "f".into(), ..Row::default() }],
            node: boxes.iter().map(|b| if b.0 == 0 { -1 } else { 0 }).collect(),
            depth: boxes.iter().map(|b| b.0).collect(),
            flat: boxes.iter().map(|b| b.1).collect(),
            cum: vec![0; boxes.len()],
            inlined: vec![0; boxes.len()],
            ..FlameReport::default()
        }
    }

    #[test]
    fn callees_lie_inside_their_callers() {
        let layout = Layout::of(&report(&[(0, 9), (1, 10), (2, 20), (2, 30), (3, 20), (1, 20)]));
        let places: Vec<(f64, f64, i64)> = layout.boxes.iter().map(|b| (b.x, b.width, b.value)).collect();
        let at = |x: f64, width: f64, value: i64| (x * WIDTH, width * WIDTH, value);
        let want = [at(0.0, 1.0, 100), at(0.0, 0.8, 80), at(0.0, 0.2, 20), at(0.2, 0.5, 50), at(0.2, 0.2, 20), at(0.8, 0.2, 20)];
        for (place, want) in places.iter().zip(&want) {
            assert!((place.0 - want.0).abs() < 1e-6 && (place.1 - want.1).abs() < 1e-6 && place.2 == want.2, "{place:?}, not {want:?}");
        }
        assert_eq!(places.len(), want.len());
    }

    #[test]
    fn deep_trees_are_cut_and_cost_no_more_than_their_boxes() {
        let mut boxes: Vec<(u32, i64)> = (0..300_000).map(|depth| (depth, 0)).collect();
        boxes.push((300_000, 7));
        let layout = Layout::of(&report(&boxes));
        assert_eq!((layout.boxes.len(), layout.depth, layout.is_cut), (MOST_BOXES, MOST_BOXES - 1, true));
        let mut svg = Vec::new();
        flame_svg(&report(&boxes), &mut svg).unwrap();
        assert!(svg.len() < 300 * MOST_BOXES, "{} bytes", svg.len());
    }

    #[test]
    fn narrow_boxes_are_left_out() {
        let layout = Layout::of(&report(&[(0, 0), (1, 1_000_000), (1, 1)]));
        assert_eq!(layout.boxes.len(), 2);
        assert!(!layout.is_cut);
    }
}
