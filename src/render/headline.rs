//! One-sentence summary: memory in use, main culprit, container types, growth, and confidence.

use super::explain::{Explained, in_use, is_growing, plus, rate};
use super::labels::{Numbers, fitting_unit};
use super::sampling_error::growth as growth_in_words;
use crate::base::plain::one_line;
use crate::base::units::percentage;
use crate::report::{GrowthReport, GrowthShape, Header, SummaryCulprit, SummaryReport, Trend};

/// Functions that hold this share of everything are counted, if one does not.
const MOST: f64 = 0.8;

/// Largest number of functions that count as "few".
const FEW: usize = 10;

/// The sentence. It does not depend on the time zone or the terminal.
pub fn headline(explained: &Explained) -> String {
    let Explained { summary, growth, .. } = *explained;
    let header = Header { output_unit: fitting_unit(&summary.header).into(), ..summary.header.clone() };
    let numbers = Numbers::iec(&header);
    let what = if header.value_note.is_empty() { in_use(&header.value_type) } else { header.value_note.clone() };
    if header.has_base {
        return change(summary, &header, &numbers, &what);
    }
    if header.value_total == 0 {
        return nothing(summary, &what);
    }
    let error = header.spread.map_or(0, |spread| spread.error.saturating_mul(2));
    let sure = if error > 0 { format!(" (±{}, sampled)", numbers.value(error)) } else { String::new() };
    let mut sentence = format!("{} {what}{sure}", numbers.value(header.value_total));
    if let Some(first) = summary.culprit.first().filter(|first| first.sum.value > 0) {
        let share = short_percentage(first.sum.value, header.value_total);
        sentence += &format!(": {share} held by {}{}", one_line(&first.row.name), held(first));
        sentence += &together(summary);
    }
    // Allocated values always grow; an earlier dump is not the end of its series.
    let is_told = |growth: &&GrowthReport| {
        let is_last = growth.at_exit.is_some() || growth.total.last == header.value_total;
        growth.dump.len() > 1 && is_last && !header.value_type.starts_with("alloc")
    };
    if let Some(growth) = growth.filter(is_told) {
        sentence += &over_the_series(growth, &header);
    }
    sentence + "."
}

/// The sentence of a total of 0.
fn nothing(summary: &SummaryReport, what: &str) -> String {
    let of_all = summary.total.iter().all(|total| total.value == 0);
    match () {
        () if !summary.header.filters.is_empty() => "No samples match the filters.".into(),
        () if of_all => "The dump is empty: it records no allocation.".into(),
        () => format!("0 B {what}: all values of this type are 0; -sample_index selects another."),
    }
}

/// Change since the baseline.
fn change(summary: &SummaryReport, header: &Header, numbers: &Numbers, what: &str) -> String {
    let change = header.value_total.saturating_sub(header.base_total);
    let now = numbers.value(header.value_total);
    // A note names both ends.
    let since = if header.value_note.is_empty() { " since the baseline" } else { "" };
    let first = summary.culprit.first().map(|first| (first, first.sum.value.saturating_sub(first.sum.base)));
    let Some((first, by)) = first.filter(|(_, by)| *by != 0) else {
        return format!("{now} {what}, unchanged{since}.");
    };
    let error = header.spread.map_or(0, |spread| spread.change_error.saturating_mul(2));
    let sure = if error > 0 { format!(" (±{}, sampled)", numbers.value(error)) } else { String::new() };
    format!(
        "{}{}{sure} {what}{since} ({}, now {now}): {} {} most, by {}{}.",
        plus(change),
        numbers.value(change),
        growth_in_words(header.value_total, header.base_total),
        one_line(&first.row.name),
        if by > 0 { "grew" } else { "shrank" },
        numbers.value(by.saturating_abs()),
        held(first),
    )
}

/// The container that most of a function's memory is for.
fn held(of: &SummaryCulprit) -> String {
    let SummaryCulprit { held, sum, .. } = of;
    let (of_type, all) = (held.value.saturating_sub(held.base), sum.value.saturating_sub(sum.base));
    let is_most = of_type.saturating_abs() > all.saturating_abs() / 2;
    if held.name.is_empty() || !is_most { String::new() } else { format!(" (mostly {})", one_line(&held.name)) }
}

/// Phrase about the few functions that have most of it; empty if one alone has, or none.
fn together(summary: &SummaryReport) -> String {
    let total = summary.header.value_total;
    let mut sum = 0i64;
    for (i, culprit) in summary.culprit.iter().take(FEW).enumerate() {
        sum = sum.saturating_add(culprit.sum.value);
        if total > 0 && sum as f64 >= total as f64 * MOST {
            return if i == 0 { String::new() } else { format!(", {} by the top {}", short_percentage(sum, total), i + 1) };
        }
    }
    String::new()
}

/// Growth of the total from dump to dump, otherwise the function that grows.
fn over_the_series(growth: &GrowthReport, header: &Header) -> String {
    let header = Header { output_unit: header.output_unit.clone(), ..growth.header.clone() };
    let numbers = Numbers::iec(&header);
    let Trend { first, last, shape, slope, .. } = growth.total;
    let by = last.saturating_sub(first);
    let dumps = growth.dump.len();
    let grows = |trend: &Trend| rate(trend.slope, &growth.axis, &numbers);
    if growth.at_exit.is_some() {
        let what = format!(
            "; before the dump at exit it {} {} over {dumps} dumps",
            if by < 0 { "shrank by" } else { "grew by" },
            numbers.value(by.saturating_abs())
        );
        return if shape == GrowthShape::Leak && slope > 0.0 { what + ", a likely leak" } else { what };
    }
    if shape == GrowthShape::Leak && slope > 0.0 {
        return format!("; it grows by {}, a likely leak", grows(&growth.total));
    }
    if let Some(row) = growth.row.iter().find(|row| row.trend.shape == GrowthShape::Leak && is_growing(&row.trend)) {
        return format!("; {} grows by {}, a likely leak", one_line(&row.row.name), grows(&row.trend));
    }
    let change = |verb: &str| format!("; it {verb} by {} over {dumps} dumps", numbers.value(by.saturating_abs()));
    match (shape, by) {
        (GrowthShape::Unknown, 1..) => change("grew"),
        (GrowthShape::Unknown, ..0) => change("shrank"),
        (GrowthShape::Unknown, 0) => format!("; it did not change over {dumps} dumps"),
        (GrowthShape::Step, _) => format!("; it grew at once by {} and stayed", numbers.value(by.saturating_abs())),
        (GrowthShape::Plateau, _) => format!("; it grew by {} and stopped", numbers.value(by.saturating_abs())),
        (GrowthShape::Sawtooth, _) => "; it grows and falls back".into(),
        (GrowthShape::Shrinking, _) => change("shrank"),
        (GrowthShape::Leak | GrowthShape::Noise | GrowthShape::Flat, _) => format!("; no steady growth over {dumps} dumps"),
    }
}

/// A share without decimals, as it is read in a sentence.
fn short_percentage(value: i64, total: i64) -> String {
    let percent = if total == 0 { 0.0 } else { value as f64 / total as f64 * 100.0 };
    if percent > 0.0 && percent < 0.01 {
        return "less than 0.01%".into();
    }
    if (1.0..99.5).contains(&percent) { format!("{percent:.0}%") } else { percentage(value, total).trim().to_owned() }
}
