//! Parts of a file, each by its first line: one pass over the lines of a file or log.

use super::found::ProcessFound;
use super::problems::{Problem, Problems, is_json_hopeless};
use super::section::Section;
use super::smaps::{Maps, is_key_line, region};
use super::status::Status;
use super::tcmalloc::Tcmalloc;
use super::{capture_note, jemalloc_json, jemalloc_text, jemalloc_totals, malloc_info};
use crate::parse::lines::{Lines, find};
use crate::profile::ProcessFacts;

/// Whether a section begins in these bytes.
pub(super) fn begin_in(head: &[u8]) -> bool {
    let mut before_was_region = false;
    Lines::new(head, 1).any(|line| {
        let begins = before_was_region && is_key_line(line.bytes) || Start::of(line.bytes).is_some_and(|start| start != Start::Totals);
        before_was_region = region(line.bytes).is_some();
        begins
    }) || jemalloc_totals::read(head).is_some()
}

/// What begins in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Status,
    JemallocText,
    /// With the place of `{`.
    JemallocJson(usize),
    Totals,
    Tcmalloc,
    /// With the place of `<`.
    MallocInfo(usize),
    /// With the place of `{`.
    Note(usize),
}

impl Start {
    fn of(line: &[u8]) -> Option<Start> {
        let at = |needle: &[u8], rare: usize| find(line, needle, rare);
        if Status::begins(line) {
            return Some(Start::Status);
        }
        if line.starts_with(b"MALLOC:") {
            return Some(Start::Tcmalloc);
        }
        if at(jemalloc_text::BEGIN, 4).is_some() {
            return Some(Start::JemallocText);
        }
        if let Some(key) = at(jemalloc_json::KEY, 1) {
            // A key alone may be behind a line of its brace.
            let brace = line[..key].iter().rposition(|byte| !byte.is_ascii_whitespace());
            return match brace {
                Some(brace) if line[brace] == b'{' => Some(Start::JemallocJson(brace)),
                None => Some(Start::JemallocJson(key)),
                Some(_) => None,
            };
        }
        if let Some(tag) = at(b"<malloc version", 1) {
            return Some(Start::MallocInfo(tag));
        }
        if let Some(brace) = at(capture_note::KEY, 0) {
            return Some(Start::Note(brace));
        }
        jemalloc_totals::is_one(line).then_some(Start::Totals)
    }
}

/// All sections of a text. O(size).
pub(super) fn read(text: &[u8]) -> ProcessFound {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut found = ProcessFound::default();
    let mut problems = Problems::default();
    let mut lines = Lines::new(text, 1);
    let mut has_totals = false;
    loop {
        let (rest, number) = (lines.rest(), lines.next_number());
        let Some(line) = lines.next() else { break };
        let is_map = region(line.bytes).is_some() && lines.clone().next().is_some_and(|next| is_key_line(next.bytes));
        let mut section = Section { text: rest, line: number };
        let facts = if is_map {
            Some(Maps::read(&mut section, &mut problems))
        } else {
            match Start::of(line.bytes) {
                None => continue,
                Some(Start::Totals) => {
                    has_totals = true;
                    continue;
                }
                Some(Start::JemallocJson(_) | Start::Note(_)) if is_json_hopeless(&problems) => continue,
                Some(Start::Status) => {
                    let (facts, pid) = Status::read(&mut section, &mut problems);
                    found.pid = pid.or(found.pid);
                    facts
                }
                Some(Start::Tcmalloc) => Tcmalloc::read(&mut section, &mut problems),
                Some(Start::JemallocText) => jemalloc_text::read(&mut section, &mut problems),
                Some(Start::JemallocJson(at)) => jemalloc_json::read(&mut section, at, &mut problems),
                Some(Start::MallocInfo(at)) => malloc_info::read(&mut section, at, &mut problems),
                Some(Start::Note(at)) => capture_note::read(&mut section, at, &mut problems).map(|(facts, pid, time)| {
                    found.pid = pid.or(found.pid);
                    found.time_nanos = time;
                    facts
                }),
            }
        };
        if let Some(facts) = facts {
            put(&mut found.facts, facts, number, &mut problems);
        }
        lines = Lines::new(section.text, section.line);
    }
    if has_totals
        && !found.facts.iter().any(|facts| matches!(facts, ProcessFacts::Jemalloc(_)))
        && let Some(facts) = jemalloc_totals::read(text)
    {
        found.facts.push(facts);
    }
    found.warnings = problems.warnings().collect();
    found
}

/// Takes the place of an earlier one of its kind.
fn put(all: &mut Vec<ProcessFacts>, facts: ProcessFacts, line: usize, problems: &mut Problems) {
    match all.iter_mut().find(|known| known.kind() == facts.kind()) {
        Some(known) => {
            problems.add(Problem::Earlier, line);
            *known = facts;
        }
        None => all.push(facts),
    }
}
