//! The waterfall from bytes in use to RSS, and its course over a series.

use std::io::{self, Write};

use super::Clock;
use super::labels::head;
use crate::base::plain::{base_name, one_line, shortened, wrapped};
use crate::base::units::iec_label;
use crate::report::{Header, MemoryBar, MemoryPart, MemorySeries, ProcessMemory, RssReport, Waterfall};

/// Columns of a bar, and of one in a narrow terminal.
const WIDE: usize = 44;
const NARROW: usize = 16;

/// Columns of names and sizes beside the bars.
const BESIDE: usize = 52;

/// Advice about smaller parts of RSS (1/n) is left out.
const SMALL: i64 = 50;

/// The report: the sentence, the bars, how each is computed, and the files.
pub(super) fn rss(report: &RssReport, width: Option<usize>, clock: Clock, out: &mut dyn Write) -> io::Result<()> {
    let RssReport { header, memory } = report;
    head(header, clock, out)?;
    let Some(waterfall) = &memory.waterfall else { return writeln!(out, "{}.", wrapped(&memory.hint, width)) };
    writeln!(out, "{}\n", wrapped(&memory.sentence, width))?;
    if let Some(series) = &memory.series {
        stacked(series, &header.output_unit, width, out)?;
        writeln!(out)?;
    }
    bars(waterfall, &header.output_unit, width, out)?;
    writeln!(out, "\nHow each is computed")?;
    let name = |at: &usize| waterfall.source.get(*at).map_or("", |source| base_name(&source.name));
    for bar in &waterfall.bar {
        let files: Vec<&str> = bar.source.iter().map(name).collect();
        let from = if files.is_empty() { String::new() } else { format!(" [{}]", one_line(&files.join(", "))) };
        writeln!(out, "{}", wrapped(&format!("  {}: {}{from}", bar.name, bar.formula), width))?;
    }
    let advised: Vec<&MemoryBar> = waterfall.bar.iter().filter(|bar| !bar.advice.is_empty() && bar.bytes > waterfall.rss / SMALL).collect();
    if !advised.is_empty() {
        writeln!(out, "\nWhat you can do")?;
    }
    for bar in advised {
        writeln!(out, "{}", wrapped(&format!("  {}: {}", bar.name, bar.advice), width))?;
    }
    writeln!(out, "\nFiles")?;
    for source in &waterfall.source {
        let time = match (source.time_nanos, source.is_file_time) {
            (0, _) => "time unknown".to_owned(),
            (nanos, true) => format!("written {}", clock(nanos)),
            (nanos, false) => format!("captured {}", clock(nanos)),
        };
        let pid = source.pid.map_or(String::new(), |pid| format!(", process {pid}"));
        writeln!(out, "  {}: {}{pid}, {time}", one_line(&source.name), source.content)?;
    }
    waterfall.note.iter().try_for_each(|note| writeln!(out, "{}", wrapped(note, width)))?;
    if memory.hint.is_empty() { Ok(()) } else { writeln!(out, "{}.", wrapped(&memory.hint, width)) }
}

/// Part of the summary: sentence and bars, or how to get them.
pub(super) fn of_summary(memory: &ProcessMemory, header: &Header, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    match &memory.waterfall {
        None => writeln!(out, "{}.", wrapped(&memory.hint, width)),
        Some(waterfall) => {
            writeln!(out, "Resident memory{} (`heapview rss` explains each line)", begins_with(memory, header))?;
            bars(waterfall, &header.output_unit, width, out)?;
            writeln!(out, "{}", wrapped(&memory.sentence, width))
        }
    }
}

/// The value type that the sum begins with, if the rest of the report shows another one.
fn begins_with(ProcessMemory { value_type, value_note, .. }: &ProcessMemory, header: &Header) -> String {
    match &**value_note {
        _ if *value_type == header.value_type => String::new(),
        "" => format!(" from {value_type}"),
        note => format!(" from {value_type}, {note}"),
    }
}

fn size(bytes: i64, unit: &str) -> String {
    iec_label(bytes, "bytes", if unit == "minimum" { "auto" } else { unit })
}

/// Columns for bars.
fn bar_columns(width: Option<usize>) -> usize {
    width.map_or(WIDE, |width| width.saturating_sub(BESIDE).clamp(NARROW, WIDE))
}

/// One line for each bar, placed where it is in the sum: `#` is known, `?` is the rest of a sum, `-` is negative.
fn bars(of: &Waterfall, unit: &str, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let n_columns = bar_columns(width);
    let end = |bar: &MemoryBar| bar.start.saturating_add(bar.bytes);
    let largest = of.bar.iter().map(end).chain([of.rss, 1]).max().unwrap_or(1);
    let column = |bytes: i64| ((bytes.clamp(0, largest) as f64 / largest as f64) * n_columns as f64).round() as usize;
    for bar in &of.bar {
        let (from, to) = (bar.start.min(end(bar)), bar.start.max(end(bar)));
        let at = column(from).min(n_columns.saturating_sub(1));
        let n = if bar.bytes == 0 { 0 } else { (column(to).saturating_sub(at)).max(1) };
        let mark = if !bar.is_known {
            "?"
        } else if bar.bytes < 0 {
            "-"
        } else {
            "#"
        };
        let sign = if bar.bytes > 0 && bar.part != MemoryPart::Live { "+" } else { "" };
        let line = format!(
            "{:<36} {:>12}  {}{}",
            shortened(&bar.name, 36),
            format!("{sign}{}", size(bar.bytes, unit)),
            " ".repeat(at),
            mark.repeat(n)
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    writeln!(out, "{:<36} {:>12}  {}", format!("RSS ({})", of.rss_source), size(of.rss, unit), "=".repeat(column(of.rss)))
}

/// Bands of a series: letter, name, kinds of bars.
const BANDS: [(char, &str, &[MemoryPart]); 7] = [
    ('#', "in use", &[MemoryPart::Live, MemoryPart::SamplingError, MemoryPart::Rounding]),
    ('u', "not in the profile", &[MemoryPart::Untracked]),
    ('f', "fragmentation", &[MemoryPart::Fragmentation]),
    ('c', "thread caches", &[MemoryPart::ThreadCaches]),
    ('p', "free pages", &[MemoryPart::FreePages]),
    (
        'a',
        "rest of the allocator",
        &[MemoryPart::Internal, MemoryPart::Metadata, MemoryPart::NeverTouched, MemoryPart::Swapped, MemoryPart::AllocatorRest],
    ),
    ('.', "outside of it", &[]),
];

/// A stacked bar for each dump.
fn stacked(series: &MemorySeries, unit: &str, width: Option<usize>, out: &mut dyn Write) -> io::Result<()> {
    let n_columns = bar_columns(width);
    let largest = series.rss.iter().copied().max().unwrap_or(1).max(1);
    let legend: Vec<String> = BANDS.iter().map(|(letter, name, _)| format!("{letter} {name}")).collect();
    writeln!(out, "{:<36} {:>12}", "Dump", "RSS")?;
    let band_of = |part: MemoryPart| BANDS.iter().position(|(.., parts)| parts.contains(&part)).unwrap_or(BANDS.len() - 1);
    for (nth, name) in series.name.iter().enumerate() {
        let mut sums = [0i64; BANDS.len()];
        for band in &series.band {
            let sum = &mut sums[band_of(band.part)];
            *sum = sum.saturating_add(band.bytes.get(nth).copied().unwrap_or(0));
        }
        let mut bar = String::new();
        let mut sum = 0i64;
        for ((letter, ..), bytes) in BANDS.iter().zip(sums) {
            sum = sum.saturating_add(bytes);
            let until = (sum.clamp(0, largest) as f64 / largest as f64 * n_columns as f64).round() as usize;
            bar.extend(std::iter::repeat_n(*letter, until.saturating_sub(bar.len())));
        }
        let rss = series.rss.get(nth).copied().unwrap_or(0);
        writeln!(out, "{:<36} {:>12}  {bar}", shortened(&one_line(base_name(name)), 36), size(rss, unit))?;
    }
    writeln!(out, "{}", wrapped(&legend.join(", "), width))
}
