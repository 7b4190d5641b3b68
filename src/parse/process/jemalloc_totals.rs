//! jemalloc's totals by name, as programs and exporters print them: `stats.allocated=12`, `jemalloc_active_bytes{…} 12`,
//! `"jemalloc.resident": 12`.

use crate::parse::lines::Lines;
use crate::profile::{JemallocStats, ProcessFacts};

/// Totals that must be there.
const NAMES: [&str; 4] = ["allocated", "active", "resident", "retained"];

/// Whether a line is a total.
pub(super) fn is_one(line: &[u8]) -> bool {
    total(line).is_some()
}

/// Reads all lines; `None` unless the bytes allocated, active and resident are there.
pub(super) fn read(text: &[u8]) -> Option<ProcessFacts> {
    let mut found = [None; NAMES.len()];
    Lines::new(text, 1).filter_map(|line| total(line.bytes)).for_each(|(at, value)| found[at] = Some(value));
    let [allocated, active, resident, retained] = found;
    if allocated.is_none() || active.is_none() || resident.is_none() {
        return None;
    }
    let page = 4096;
    Some(ProcessFacts::Jemalloc(Box::new(JemallocStats { allocated, active, resident, retained, page, ..JemallocStats::default() })))
}

/// Index of the name, and the value.
fn total(line: &[u8]) -> Option<(usize, i64)> {
    /// Longer lines are something else.
    const LONGEST: usize = 400;
    let line = std::str::from_utf8(line).ok().filter(|line| line.len() < LONGEST)?.trim().trim_end_matches(',');
    let line = line.trim_start_matches(['"', '{', ' ']);
    let name_end = line.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'))?;
    let (name, rest) = line.split_at(name_end);
    let name = name.strip_prefix("stats.").or_else(|| name.split_once("jemalloc").map(|(_, name)| name.trim_start_matches(['_', '.'])))?;
    let name = name.trim_start_matches("stats_").trim_start_matches("stats.").trim_end_matches("_bytes");
    let at = NAMES.iter().position(|known| *known == name)?;
    // Prometheus puts labels before the value.
    let value = match rest.strip_prefix('{') {
        Some(labels) => labels.split_once('}')?.1,
        None => rest,
    };
    let value = value.trim_start_matches(['"', '=', ':', ' ', '\t']);
    let word = value.split_whitespace().next()?.trim_end_matches(['}', ',']);
    let number = word.parse::<i64>().ok().or_else(|| word.parse::<f64>().ok().filter(|n| (0.0..9e18).contains(n)).map(|n| n as i64))?;
    Some((at, number))
}
