//! Growth report as text.

use std::collections::BTreeSet;
use std::io::{self, Write};

use super::Clock;
use super::labels::{Numbers, fitting_unit, head};
use super::summary::whose;
use crate::base::plain::base_name;
use crate::base::plain::{one_line, shortened, width, wrapped};
use crate::base::run_clock::RunClock;
use crate::base::units;
use crate::report::{Expected, GrowthReport, GrowthRow, GrowthShape, Header, Trend};

/// Writes the series, the total's growth, then a table with the most significant rows first. `width`: columns of the terminal.
pub(super) fn growth(report: &GrowthReport, width: Option<usize>, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    let header = &report.header;
    let shown = &Header { output_unit: fitting_unit(header).into(), ..header.clone() };
    let words = Words { report, numbers: Numbers::iec(shown), axis: Axis::of(report) };
    // The time of a single dump is omitted; those of the series follow.
    head(&Header { time_nanos: 0, duration_nanos: 0, ..header.clone() }, clock, out)?;
    let lines = [words.series(clock), words.whole(), words.sums()];
    for line in lines.into_iter().chain(growth_notes(report, &words.numbers)) {
        writeln!(out, "{}", wrapped(&line, width))?;
    }
    if report.n_rows == 0 {
        writeln!(out, "No samples match the filters in any dump.")?;
        return Ok(());
    }
    if let Some(limit) = words.limit() {
        for line in limit.split('\n') {
            writeln!(out, "{}", wrapped(line, width))?;
        }
    }
    let is_still = |row: &&GrowthRow| row.trend.shape == GrowthShape::Flat && row.value.iter().all(|v| *v == row.trend.first);
    let (still, moved): (Vec<&GrowthRow>, Vec<&GrowthRow>) = report.row.iter().partition(is_still);
    let mut table = Table { rows: vec![words.head()] };
    table.rows.extend(moved.iter().map(|row| words.row(row, width.is_none())));
    if report.n_rows > moved.len() {
        let of_still = still.iter().fold(0i64, |sum, row| sum.saturating_add(row.trend.first));
        let others = |rest: Option<&i64>| words.numbers.value(of_still.saturating_add(rest.copied().unwrap_or(0)));
        let [first, last] = [others(report.rest.first()), others(report.rest.last())];
        let name = format!("(and {} more)", report.n_rows - moved.len());
        table.rows.push(Line {
            cells: [first, last].into_iter().chain(vec![String::new(); N_CELLS - 2]).collect(),
            name,
            owner: String::new(),
        });
    }
    writeln!(out)?;
    let has_since = table.write(width, out)?;
    if let Some(files) = width.filter(|_| has_since).and_then(|_| words.files_of_since(&moved)) {
        writeln!(out, "{}", wrapped(&files, width))?;
    }
    Ok(())
}

/// Limitations of the report's numbers, a sentence each: too few dumps, a dump at exit, missing rows.
pub(super) fn growth_notes(report: &GrowthReport, numbers: &Numbers) -> Vec<String> {
    let mut notes = Vec::new();
    if report.dump.len() < report.fewest {
        notes.push(format!(
            "Largest differences from first to last; at least {} dumps are needed to tell a leak from a cache filling up.",
            report.fewest
        ));
    }
    if let Some(dump) = &report.at_exit {
        let name = if dump.name.is_empty() { format!("dump {}", report.dump.len() + 1) } else { base_name(&dump.name).to_owned() };
        notes.push(format!(
            "{} is a dump at exit: the total fell to {} at once. It is not counted in growth.",
            one_line(&name),
            numbers.value(dump.total)
        ));
    }
    notes.extend(report.row.iter().filter_map(|row| row.expected.as_ref()).map(|expected| expected_note(expected, numbers)));
    if report.uncertain > 0 {
        notes.push(format!("Every growth is uncertain by up to {}: {}.", numbers.value(report.uncertain), report.uncertain_why));
    }
    notes
}

/// Growth that is expected, a sentence.
fn expected_note(expected: &Expected, numbers: &Numbers) -> String {
    let [change, value] = [expected.value.saturating_sub(expected.base), expected.value].map(|value| numbers.value(value));
    let how = if expected.is_exceeded { "More than expected" } else { "Expected" };
    format!("{how}: +{change} to {value} in {}: {}.", one_line(&expected.function), one_line(&expected.text).trim_end_matches('.'))
}

/// Columns before the name.
const N_CELLS: usize = 8;

/// Their widths where there is room: first, last, peak, slope, ±, share, since, shape.
const WIDTHS: [usize; N_CELLS] = [10, 10, 10, 12, 10, 6, 16, 16];

/// The columns that go first where there is too little room: ±, share, peak, since, first. Never the shape.
const DROPPED: [usize; 5] = [4, 5, 2, 6, 0];

/// The first columns of text, which are aligned to the left and are two blanks apart from the numbers.
const FIRST_TEXT: usize = 6;

/// Minimum width of names, before other columns are dropped, and in any case.
const NAME: usize = 24;
const SHORTEST_NAME: usize = 8;

/// A row as text.
struct Line {
    cells: Vec<String>,
    name: String,
    /// Owner, in brackets; may be empty.
    owner: String,
}

/// The head and all rows.
struct Table {
    rows: Vec<Line>,
}

impl Table {
    /// Writes the rows, none longer than `most` columns where that leaves room for numbers, shape and a piece of the name.
    /// Returns whether the column `since` was among them.
    fn write(&self, most: Option<usize>, out: &mut dyn Write) -> io::Result<bool> {
        let longest = |cell: usize| self.rows.iter().map(|row| width(&row.cells[cell])).max().unwrap_or(0);
        let mut cells: Vec<usize> = (0..N_CELLS).collect();
        let mut widths = WIDTHS;
        let gaps = |cells: &[usize]| cells.len() + usize::from(cells.iter().any(|cell| *cell >= FIRST_TEXT));
        let used = |cells: &[usize], widths: &[usize]| cells.iter().map(|cell| widths[*cell]).sum::<usize>() + gaps(cells);
        if let Some(most) = most {
            widths = std::array::from_fn(longest);
            let mut dropped = DROPPED.iter();
            while used(&cells, &widths) + NAME > most {
                let Some(next) = dropped.next() else { break };
                cells.retain(|cell| cell != next);
            }
        }
        let room = most.map(|most| most.saturating_sub(used(&cells, &widths)).max(SHORTEST_NAME));
        let first_text = cells.iter().copied().find(|cell| *cell >= FIRST_TEXT);
        for row in &self.rows {
            let mut line = String::new();
            for &cell in &cells {
                let text = &row.cells[cell];
                let blanks = " ".repeat(widths[cell].saturating_sub(width(text)));
                line += &match cell {
                    _ if Some(cell) == first_text => format!(" {text}{blanks} "),
                    FIRST_TEXT.. => format!("{text}{blanks} "),
                    _ => format!("{blanks}{text} "),
                };
            }
            line += &row.shown_name(room);
            writeln!(out, "{}", line.trim_end())?;
        }
        Ok(cells.contains(&FIRST_TEXT))
    }
}

impl Line {
    /// The name in at most `room` columns, with its owner where both fit.
    fn shown_name(&self, room: Option<usize>) -> String {
        let whole = if self.owner.is_empty() { self.name.clone() } else { format!("{}  {}", self.name, self.owner) };
        match room {
            Some(room) if width(&whole) > room => shortened(&self.name, room).into_owned(),
            _ => whole,
        }
    }
}

/// Unit of slopes.
struct Axis {
    /// Units of the axis in it.
    size: f64,
    name: &'static str,
}

impl Axis {
    /// Of time, the largest one that the series has several of.
    fn of(report: &GrowthReport) -> Self {
        let span = report.dump.last().map_or(0.0, |dump| dump.at);
        let (size, name) = match report.axis.as_str() {
            "s" if span >= 3.0 * DAY => (DAY, "day"),
            "s" if span >= 3.0 * HOUR => (HOUR, "hour"),
            "s" if span >= 3.0 * MINUTE => (MINUTE, "minute"),
            "s" => (1.0, "second"),
            "Minstr" => (1.0, "million instructions"),
            "MiB" => (1.0, "MiB allocated"),
            "Munit" => (1.0, "million units"),
            _ => (1.0, "dump"),
        };
        Axis { size, name }
    }
}

const MINUTE: f64 = 60.0;
const HOUR: f64 = 3600.0;
const DAY: f64 = 86400.0;

/// A time in the unit that suits it.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s >= 3.0 * DAY => format!("{:.1} days", s / DAY),
        s if s >= 3.0 * HOUR => format!("{:.1} h", s / HOUR),
        s if s >= 3.0 * MINUTE => format!("{:.0} min", s / MINUTE),
        s => format!("{s:.0} s"),
    }
}

/// A length on an axis of this unit.
fn length(at: f64, axis: &str) -> String {
    match RunClock::of_axis(axis) {
        Some(RunClock::Time) => duration(at),
        Some(clock) => clock.label((at * clock.axis().1) as i64),
        None if at.round() == 1.0 => "1 dump".to_owned(),
        None => format!("{at:.0} dumps"),
    }
}

/// Phrases of the report.
struct Words<'a> {
    report: &'a GrowthReport,
    numbers: Numbers<'a>,
    axis: Axis,
}

impl Words<'_> {
    fn series(&self, clock: Clock) -> String {
        let GrowthReport { dump, series, .. } = self.report;
        let of = if series.is_empty() { String::new() } else { format!(" of {}", one_line(series)) };
        let (Some(first), Some(last)) = (dump.first(), dump.last()) else { return String::new() };
        let over = match self.report.axis.as_str() {
            axis if first.time_nanos == 0 && axis != "dump" => format!(" over {}", length(last.at - first.at, axis)),
            "s" => format!(" over {}, {} to {}", duration(last.at), clock(first.time_nanos), clock(last.time_nanos)),
            _ if first.name.is_empty() => String::new(),
            _ => format!(", {} to {}", one_line(base_name(&first.name)), one_line(base_name(&last.name))),
        };
        let others = match self.report.all_series.len() {
            0 | 1 => String::new(),
            n => format!(" (-series=… chooses one of {n} processes)"),
        };
        format!("Series: {} dumps{of}{over}{others}", dump.len())
    }

    fn whole(&self) -> String {
        let Trend { first, last, peak, shape, .. } = self.report.total;
        let [first, last, peak] = [first, last, peak].map(|v| self.numbers.value(v));
        let shape = if shape == GrowthShape::Unknown { String::new() } else { format!(": {}", self.shape(&self.report.total)) };
        let (slope, half) = self.slope(&self.report.total);
        let half = if half.is_empty() { half } else { format!(" ±{half}") };
        let per = if self.is_short() { String::new() } else { format!(" per {}", self.axis.name) };
        format!("Total: {first} → {last}, peak {peak}; {slope}{half}{per}{shape}")
    }

    fn sums(&self) -> String {
        let GrowthReport { by, grown, shrunk, n_grown, n_shrunk, .. } = self.report;
        let [grown, shrunk] = [*grown, *shrunk].map(|v| self.numbers.value(v));
        format!("Grown: {grown} in {n_grown} {by}; shrunk: {shrunk} in {n_shrunk}")
    }

    /// When the limit is reached.
    fn limit(&self) -> Option<String> {
        let GrowthReport { limit, until_limit, total, axis, .. } = self.report;
        if *limit == 0 {
            return None;
        }
        let what = format!("Limit: {}", self.numbers.value(*limit));
        let until = |at: f64| length(at, axis);
        let caveat = "The profile counts requested bytes; the process uses more (RSS) and runs out of memory sooner.";
        Some(match until_limit[..] {
            _ if total.last >= *limit => format!("{what} is already reached"),
            [soonest, likely, latest] => {
                format!(
                    "{what} will be reached in {} at this rate (95% confidence: {} to {}).\n{caveat}",
                    until(likely),
                    until(soonest),
                    until(latest)
                )
            }
            [soonest, likely] => format!(
                "{what} may be reached in {} at this rate ({} at the earliest); growth is not certain.\n{caveat}",
                until(likely),
                until(soonest)
            ),
            _ => format!("{what} will not be reached: the total does not keep growing"),
        })
    }

    fn head(&self) -> Line {
        let slope = if self.is_short() { "change".to_owned() } else { format!("growth/{}", self.axis.name) };
        let cells = ["first", "last", "peak", &slope, "±", "share", "since", "shape"].map(str::to_owned);
        Line { cells: cells.into(), name: self.report.by.clone(), owner: String::new() }
    }

    /// A line; `with_file`: `since` has the dump's file.
    fn row(&self, row: &GrowthRow, with_file: bool) -> Line {
        let GrowthRow { row: what, trend, share, stack, .. } = row;
        let [first, last, peak] = [trend.first, trend.last, trend.peak].map(|v| self.numbers.value(v));
        let (slope, half) = self.slope(trend);
        let share = if *share > 0.0 { format!("{:.1}%", share * 100.0) } else { String::new() };
        let owner = if what.package.is_empty() { String::new() } else { format!("[{}]", whose(&what.package, &what.version, what.kind)) };
        let owner = match &row.expected {
            Some(expected) if !expected.is_exceeded => format!("{owner} (expected)").trim_start().to_owned(),
            _ => owner,
        };
        let name = if stack.is_empty() { what.name.clone() } else { stack.join(" < ") };
        let cells = vec![first, last, peak, slope, half, share, self.since(trend, with_file), self.shape_of(row).to_owned()];
        Line { cells, name: one_line(&name).into_owned(), owner }
    }

    /// Returns whether there are too few dumps for a slope: the differences from first to last are shown.
    fn is_short(&self) -> bool {
        self.report.dump.len() < self.report.fewest
    }

    /// The slope, and half of its confidence interval; of few dumps the difference.
    fn slope(&self, trend: &Trend) -> (String, String) {
        if self.is_short() {
            let change = trend.last.saturating_sub(trend.first);
            return (format!("{}{}", if change > 0 { "+" } else { "" }, self.numbers.value(change)), String::new());
        }
        let told = |slope: f64| self.numbers.value((slope * self.axis.size).round() as i64);
        let half = (trend.slope_high - trend.slope_low) / 2.0;
        let sign = if (trend.slope * self.axis.size).round() > 0.0 { "+" } else { "" };
        let half = if trend.shape == GrowthShape::Unknown || half * self.axis.size < 0.5 || trend.in_steps && half > trend.slope {
            String::new()
        } else {
            told(half)
        };
        (format!("{sign}{}", told(trend.slope)), half)
    }

    /// The dumps that `since` names, and their files: `dump 1 is server.0001.heap`. `None`: no names are known.
    fn files_of_since(&self, rows: &[&GrowthRow]) -> Option<String> {
        let places: BTreeSet<usize> = rows.iter().filter_map(|row| row.trend.began).collect();
        let dumps = places.iter().filter_map(|&place| Some((place, self.report.dump.get(place)?)));
        let named = dumps.filter(|(_, dump)| !dump.name.is_empty());
        let files: Vec<String> = named.map(|(place, dump)| format!("dump {} is {}", place + 1, one_line(base_name(&dump.name)))).collect();
        (!files.is_empty()).then(|| format!("since: {}", files.join(", ")))
    }

    /// When it began to grow: the last dump before that, counted from 1, how long after the first, and its file if requested.
    fn since(&self, trend: &Trend, with_file: bool) -> String {
        const LONGEST_FILE: usize = 24;
        let Some((place, dump)) = trend.began.and_then(|place| Some((place, self.report.dump.get(place)?))) else { return String::new() };
        let axis = &self.report.axis;
        let time = if place > 0 && axis != "dump" { format!(", {}", length(dump.at, axis)) } else { String::new() };
        let file = one_line(base_name(&dump.name)).into_owned();
        let file = if file.is_empty() || !with_file { String::new() } else { format!(", {}", shortened(&file, LONGEST_FILE)) };
        format!("dump {}{time}{file}", place + 1)
    }

    /// The shape, refined by the row's other numbers.
    fn shape_of(&self, row: &GrowthRow) -> &'static str {
        let GrowthReport { header, dump, fewest, .. } = self.report;
        let Trend { shape, began, last, peak, .. } = row.trend;
        let is_sampled = header.period > 0 && units::factor(&header.unit, "bytes") == Some(1.0);
        let start = began.and_then(|place| row.value.get(place)).copied().unwrap_or(0);
        match shape {
            GrowthShape::Leak if last.saturating_sub(start) < peak.saturating_sub(start) / 2 => "leak, fell last",
            GrowthShape::Unknown if dump.len() >= *fewest && is_sampled && peak / 10 <= header.period => "too few samples",
            _ => self.shape(&row.trend),
        }
    }

    fn shape(&self, trend: &Trend) -> &'static str {
        match (trend.shape, trend.in_steps) {
            (GrowthShape::Leak, false) => "leak",
            (GrowthShape::Leak, true) => "leak, in steps",
            (GrowthShape::Step, _) => "step",
            (GrowthShape::Plateau, _) => "plateau",
            (GrowthShape::Sawtooth, _) => "sawtooth",
            (GrowthShape::Noise, _) => "up and down",
            (GrowthShape::Shrinking, _) => "shrinking",
            (GrowthShape::Flat, _) => "flat",
            (GrowthShape::Unknown, _) => "",
        }
    }
}
