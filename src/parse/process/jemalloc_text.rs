//! jemalloc's `malloc_stats_print` as text, from version 3 on.

use super::problems::{Problem, Problems};
use super::section::Section;
use crate::parse::lines::{Decimal, Lines, Scan, find};
use crate::profile::{JemallocStats, ProcessFacts};

/// First line.
pub(super) const BEGIN: &[u8] = b"___ Begin jemalloc statistics ___";

/// Reads the section; nothing without its line of totals.
pub(super) fn read(section: &mut Section, problems: &mut Problems) -> Option<ProcessFacts> {
    let mut stats = JemallocStats { page: 4096, ..JemallocStats::default() };
    let start = section.line;
    let mut lines = Lines::new(section.text, start);
    // Merged arenas come first; of single arenas only the first one is read, for programs that have no other.
    let mut n_arenas = 0;
    let (mut has_totals, mut has_end) = (false, false);
    lines.next();
    loop {
        let before = lines.clone();
        let Some(line) = lines.next() else { break };
        let text = line.bytes;
        // The next statistics of the same log: these were cut off.
        if find(text, BEGIN, 4).is_some() {
            lines = before;
            break;
        }
        if find(text, b"--- End jemalloc statistics ---", 4).is_some() {
            has_end = true;
            break;
        }
        if text.starts_with(b"Merged arenas stats:") || text.starts_with(b"arenas[") {
            n_arenas += 1;
        }
        if text.starts_with(b"Allocated: ") {
            has_totals = true;
            totals(text, &mut stats);
            continue;
        }
        let Some(colon) = text.iter().position(|&byte| byte == b':') else { continue };
        let (key, value) = (text[..colon].trim_ascii(), &text[colon + 1..]);
        match key {
            b"Page size" => stats.page = number(value).unwrap_or(4096),
            _ if n_arenas != 1 => {}
            // The columns are the time until the pages are given back, and their number.
            b"dirty" => stats.dirty_pages = second(value),
            b"muzzy" => stats.muzzy_pages = second(value),
            // Version 4: `dirty pages: active:dirty …`.
            b"dirty pages" => {
                let dirty = value.split(|byte| *byte == b':').nth(1);
                stats.dirty_pages = dirty.and_then(number);
            }
            b"internal" => stats.internal = number(value),
            b"pinned" => stats.pinned = number(value),
            b"tcache_bytes" | b"tcache_stashed_bytes" => {
                let more = number(value).unwrap_or(0);
                stats.thread_caches = Some(stats.thread_caches.unwrap_or(0).saturating_add(more));
            }
            _ => {}
        }
    }
    section.advance(&lines);
    if !has_end {
        problems.add(Problem::Cut, section.line.saturating_sub(1));
    }
    if !has_totals {
        problems.add(Problem::NoTotal, start);
        return None;
    }
    Some(ProcessFacts::Jemalloc(Box::new(stats)))
}

/// `Allocated: 3976192, active: 7606272, metadata: 2793456 (n_thp 0), …`
fn totals(line: &[u8], stats: &mut JemallocStats) {
    let mut depth = 0;
    let parts = line.split(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        *byte == b',' && depth == 0
    });
    for part in parts {
        let Some(colon) = part.iter().position(|&byte| byte == b':') else { continue };
        let value = number(&part[colon + 1..]);
        match part[..colon].trim_ascii() {
            b"Allocated" => stats.allocated = value,
            b"active" => stats.active = value,
            b"resident" => stats.resident = value,
            b"retained" => stats.retained = value,
            b"pinned" => stats.pinned = value,
            _ => {}
        }
    }
}

fn number(text: &[u8]) -> Option<i64> {
    match Scan::new(text).decimal()? {
        Decimal::Fits(number) => Some(number),
        Decimal::TooBig(_) => None,
    }
}

/// The number in the second column.
fn second(text: &[u8]) -> Option<i64> {
    let mut scan = Scan::new(text);
    scan.word();
    number(scan.rest())
}
