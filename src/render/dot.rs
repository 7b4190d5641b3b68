//! Call graph for Graphviz, with pprof's sizes, colours and labels.

use std::io::{self, Write};

use regex::Regex;

use super::Clock;
use super::labels::{Numbers, minus, report_labels};
use crate::base::hash::HashMap;
use crate::base::plain::{base_name, one_line};
use crate::report::{GraphReport, Row};

/// Longest name in a label, bytes before escaping, which may double them: `dot` fails on text above 16 kB, and the tooltip of an
/// edge has two names.
const LONGEST_NAME: usize = 4000;

/// Longest text about the whole graph, bytes.
const LONGEST_LEGEND: usize = 12_000;

/// The graph as DOT.
pub(super) fn dot(report: &GraphReport, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    let title = if header.file.is_empty() { "unnamed" } else { &header.file };
    let title = escape(&capped(title));
    writeln!(out, "digraph \"{title}\" {{")?;
    writeln!(out, "node [style=filled fillcolor=\"#f8f8f8\"]")?;
    let mut labels: Vec<String> = report_labels(header, clock, true).iter().map(|l| escape(&capped(l))).collect();
    let mut room = LONGEST_LEGEND;
    let fits = labels.iter().take_while(|label| room.checked_sub(label.len() + 2).inspect(|&left| room = left).is_some()).count();
    if fits < labels.len() {
        labels.truncate(fits);
        labels.push("…".into());
    }
    let tooltip = if header.file.is_empty() { String::new() } else { format!(" tooltip=\"{title}\"") };
    let name = labels.first().map_or("", String::as_str);
    writeln!(out, "subgraph cluster_L {{ \"{name}\" [shape=box fontsize=16 label=\"{}\\l\"{tooltip}] }}", labels.join("\\l"))?;
    let graph = Graph::new(report);
    for node in 0..report.row.len() {
        graph.node(node, out)?;
        graph.nodelets(node, out)?;
    }
    for edge in 0..report.edges.from.len() {
        graph.edge(edge, out)?;
    }
    writeln!(out, "}}")
}

struct Graph<'a> {
    report: &'a GraphReport,
    numbers: Numbers<'a>,
    shorten: Shorten,
    largest_flat: i64,
    /// Node → it has callees in the graph.
    inner: Vec<bool>,
    /// Node → numbers of the label values that hang at it.
    tags: Vec<Vec<usize>>,
}

impl<'a> Graph<'a> {
    fn new(report: &'a GraphReport) -> Self {
        let n = report.row.len();
        let mut inner = vec![false; n];
        report.edges.from.iter().for_each(|&from| inner[from as usize] = true);
        let mut tags = vec![Vec::new(); n];
        report.tags.iter().enumerate().for_each(|(t, tag)| tags[tag.node].push(t));
        let flat = |i| minus(&report.flat, &report.flat_base, i).saturating_abs();
        Graph {
            report,
            numbers: Numbers::new(&report.header),
            shorten: Shorten::new(),
            largest_flat: (0..n).map(flat).max().unwrap_or(0),
            inner,
            tags,
        }
    }

    /// A value as a share of the total, for colours.
    fn score(&self, value: i64) -> f64 {
        value as f64 / self.report.header.total.saturating_abs() as f64
    }

    fn node(&self, i: usize, out: &mut dyn Write) -> io::Result<()> {
        let report = self.report;
        let (flat, cum) = (minus(&report.flat, &report.flat_base, i), minus(&report.cum, &report.cum_base, i));
        let (flat_text, cum_text) = (self.numbers.value(flat), self.numbers.value(cum));
        let share = |v| self.numbers.percent(v).trim().to_owned();
        let own = if flat == 0 { "0".into() } else { format!("{flat_text} ({})", share(flat)) };
        let all = match (cum == flat, flat == 0) {
            (true, _) => String::new(),
            (false, true) => format!(" of {cum_text} ({})", share(cum)),
            (false, false) => format!("\\nof {cum_text} ({})", share(cum)),
        };
        let growth = if self.largest_flat == 0 { 0.0 } else { (flat.saturating_abs() as f64 / self.largest_flat as f64).sqrt() };
        let size = 8 + (16.0 * growth).ceil() as u32;
        let tip = if cum == flat { &flat_text } else { &cum_text };
        let row = &report.row[i];
        writeln!(
            out,
            "N{id} [label=\"{}\\n{own}{all}\" id=\"node{id}\" fontsize={size} shape=box tooltip=\"{} ({tip})\" color=\"{}\" fillcolor=\"{}\"]",
            self.shorten.lines(row),
            name(row),
            color(self.score(cum), false),
            color(self.score(cum), true),
            id = i + 1,
        )
    }

    fn nodelets(&self, i: usize, out: &mut dyn Write) -> io::Result<()> {
        // Text i of node N is called N_i, number j of it N(N_i)_j: counted at what each hangs at.
        let mut names: HashMap<usize, String> = HashMap::default();
        let mut counts: HashMap<(bool, String), usize> = HashMap::default();
        for (t, tag) in self.tags[i].iter().map(|&t| (t, &self.report.tags[t])) {
            let at = tag.under.and_then(|text| names.get(&text).cloned()).unwrap_or_else(|| format!("N{}", i + 1));
            let count = counts.entry((tag.numeric, at.clone())).or_default();
            let me = format!("{}{at}_{count}", if tag.numeric { "N" } else { "" });
            *count += 1;
            let all = !self.inner[i] && tag.flat != tag.cum;
            let weight = self.numbers.value(if self.inner[i] { tag.flat } else { tag.cum });
            let dotted = if all && tag.numeric { " style=\"dotted\"" } else { "" };
            let name: Vec<String> = capped(&tag.name).split('\n').map(escape).collect();
            writeln!(out, "{me} [label = \"{}\" id=\"{me}\" fontsize=8 shape=box3d tooltip=\"{weight}\"]", name.join("\\n"))?;
            writeln!(out, "{at} -> {me} [label=\" {weight}\" weight=100 tooltip=\"{weight}\" labeltooltip=\"{weight}\"{dotted}]")?;
            names.insert(t, me);
        }
        Ok(())
    }

    fn edge(&self, i: usize, out: &mut dyn Write) -> io::Result<()> {
        let edges = &self.report.edges;
        let (from, to) = (edges.from[i] as usize, edges.to[i] as usize);
        let value = minus(&edges.value, &edges.base, i);
        let text = self.numbers.value(value);
        let total = self.report.header.total;
        let inlined = if edges.inlined[i] == 1 { "\\n (inline)" } else { "" };
        let mut attributes = format!("label=\" {text}{inlined}\"");
        if total != 0 {
            let scaled = |by: i64| 1 + (value.saturating_mul(by) / total).saturating_abs().min(by);
            if scaled(100) > 1 {
                attributes += &format!(" weight={}", scaled(100));
            }
            if scaled(5) > 1 {
                attributes += &format!(" penwidth={}", scaled(5));
            }
            attributes += &format!(" color=\"{}\"", color(self.score(value), false));
        }
        let residual = edges.residual[i] == 1;
        let arrow = if residual { "..." } else { "->" };
        let rows = &self.report.row;
        let tip = format!("\"{} {arrow} {} ({text})\"", name(&rows[from]), name(&rows[to]));
        attributes += &format!(" tooltip={tip} labeltooltip={tip}");
        if residual {
            attributes += " style=\"dotted\"";
        }
        if !self.tags[from].is_empty() {
            attributes += " minlen=2";
        }
        writeln!(out, "N{} -> N{} [{attributes}]", from + 1, to + 1)
    }
}

fn name(row: &Row) -> String {
    escape(&capped(&row.name))
}

/// The readable part of `text`, with its lines, as far as it fits.
fn capped(text: &str) -> String {
    let mut plain = text.split('\n').map(one_line).collect::<Vec<_>>().join("\n");
    if plain.len() > LONGEST_NAME {
        let end = (0..=LONGEST_NAME).rfind(|&end| plain.is_char_boundary(end));
        plain.truncate(end.unwrap_or(0));
        plain.push('…');
    }
    plain
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\l")
}

/// pprof's short names: the last parts of Go, Java and C++ paths.
struct Shorten {
    patterns: Vec<Regex>,
    go_version: Option<Regex>,
}

impl Shorten {
    fn new() -> Self {
        const PATTERNS: [&str; 3] = [
            r"^(?:[\w\-\.]+/)+([^.]+\..+)",
            r"^(?:[a-z]\w*\.)*([A-Z][\w\$]*\.(?:<init>|[a-z][\w\$]*(?:\$\d+)?))(?:\(|$)",
            r"^(?:[_a-zA-Z]\w*::)+(_*[A-Z]\w*::~?[_a-zA-Z]\w*(?:<.*>)?)",
        ];
        Shorten {
            patterns: PATTERNS.iter().filter_map(|p| Regex::new(p).ok()).collect(),
            go_version: Regex::new(r"^(.*?)/v(?:[2-9]|[1-9][0-9]+)([./].*)$").ok(),
        }
    }

    fn function(&self, name: &str) -> String {
        let name = name.strip_prefix("(anonymous namespace)::").unwrap_or(name);
        let name = match &self.go_version {
            Some(version) => version.replace(name, "${1}${2}").into_owned(),
            None => name.to_owned(),
        };
        let short = self.patterns.iter().find_map(|p| Some(p.captures(&name)?.get(1)?.as_str().to_owned()));
        short.unwrap_or(name)
    }

    /// A label with a line for each part of the name; of files only the last component.
    fn lines(&self, row: &Row) -> String {
        let (address, rest) = match row.name.split_once(' ') {
            Some((hex, rest)) if hex.len() == 16 && hex.bytes().all(|b| b.is_ascii_hexdigit()) => (hex, rest),
            _ => ("", row.name.as_str()),
        };
        // Of a line without a file there is ` :12`.
        let place_at = if row.file.is_empty() { rest.rfind(" :").map(|at| at + 1) } else { rest.rfind(row.file.as_str()) };
        let (function, place) = match place_at {
            Some(at) if is_place(&rest[at + row.file.len()..]) => {
                let file = base_name(&row.file);
                (rest[..at].trim_end(), format!("{file}{}", &rest[at + row.file.len()..]))
            }
            _ => (rest, String::new()),
        };
        let function = match function.starts_with('[') {
            true => escape(&capped(function)),
            false => {
                let short = escape(&capped(&self.function(function)));
                short.replace("::", "\\n").replace("[...]", "[…]").replace('.', "\\n")
            }
        };
        let parts = [address.to_owned(), function, escape(&capped(&place))];
        parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join("\\n")
    }
}

/// Returns whether `text` can follow a file name: empty, or `:line` with optional column.
fn is_place(text: &str) -> bool {
    text.is_empty() || text.starts_with(':') && text.bytes().all(|b| b == b':' || b.is_ascii_digit())
}

/// Grey at 0, red towards 1, green towards −1; light for a background.
fn color(score: f64, background: bool) -> String {
    let (saturation, value) = if background { (0.1, 0.93) } else { (1.0, 0.7) };
    let score = if score.is_nan() { 0.0 } else { score.clamp(-1.0, 1.0) };
    let saturation = if score.abs() < 0.2 { saturation * score.abs() / 0.2 } else { saturation };
    // Small shares are moved away from grey, to be distinguishable.
    let score = score.signum() * libm::pow(score.abs(), 0.3);
    let (red, green) = match score < 0.0 {
        true => (value * (1.0 + saturation * score), value),
        false => (value, value * (1.0 - saturation * score)),
    };
    let byte = |c: f64| (c * 255.0) as u8;
    format!("#{:02x}{:02x}{:02x}", byte(red), byte(green), byte(value * (1.0 - saturation)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_run_from_green_over_grey_to_red() {
        assert_eq!(color(1.0, false), "#b20000");
        assert_eq!(color(1.0, true), "#edd5d5");
        assert_eq!(color(0.0, false), "#b2b2b2");
        assert_eq!(color(-1.0, false), "#00b200");
    }

    #[test]
    fn a_line_is_a_line_of_the_label_with_or_without_its_file() {
        let row = |name: &str, file: &str| Row { name: name.into(), file: file.into(), ..Row::default() };
        let shorten = Shorten::new();
        assert_eq!(shorten.lines(&row("main.load /src/a.go:12", "/src/a.go")), "main\\nload\\na.go:12");
        assert_eq!(shorten.lines(&row("main.load :12", "")), "main\\nload\\n:12");
        assert_eq!(shorten.lines(&row("a :b", "")), "a :b");
    }

    #[test]
    fn names_are_shortened_as_pprof_does() {
        let shorten = Shorten::new();
        assert_eq!(shorten.function("github.com/a/b/v2/pkg.(*T).Run"), "pkg.(*T).Run");
        assert_eq!(shorten.function("std::deque::Deque::push"), "Deque::push");
        assert_eq!(shorten.function("ledger::cache::put"), "ledger::cache::put");
    }
}
