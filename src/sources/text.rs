//! Puts the text of source lines into a report, within a size limit.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::libraries::{Owner, RUST_SRC};
use super::{Audience, Problem, Sources};
use crate::report::{SourceEntry, SourceReport};

/// Most text that one report gets, bytes.
const MOST_TEXT: usize = 64 << 20;

/// Maximum number of characters of a line that something was inlined into or called in.
const LONGEST_CALL: usize = 200;

/// Numbers of context lines around lines with memory, for texts over the size limit; the largest that fits
/// is used.
const AROUND: [usize; 4] = [400, 100, 25, 5];

impl Sources {
    /// Puts source text into `report`, with warnings about missing files.
    pub fn attach(&self, report: &mut SourceReport) {
        self.attach_at_most(report, MOST_TEXT, &Audience::HERE);
    }

    /// Like [`Sources::attach`], with at most `room` bytes of text, heaviest functions first.
    pub fn attach_at_most(&self, report: &mut SourceReport, room: usize, audience: &Audience) {
        let mut missing = Missing::default();
        let mut left = room;
        for (file, entries) in files(report) {
            let (path, text) = match self.read(&file, audience) {
                Ok(read) => read,
                Err(_) if entries.entry.is_empty() => continue,
                Err(problem) => {
                    missing.count(&file);
                    report.missing.push(self.missing(&file, &problem, audience));
                    entries.entry.into_iter().for_each(|i| report.entry[i].problem = self.message(&file, &problem, audience));
                    continue;
                }
            };
            let lines: Vec<&str> = text.lines().collect();
            let (mut beyond, mut is_cut) = (false, false);
            for i in entries.entry {
                let entry = &mut report.entry[i];
                if !self.is_silent(audience) {
                    entry.path = path.display().to_string();
                }
                match shown(entry, &lines, left) {
                    Some(shown) => {
                        left -= shown.length;
                        is_cut |= shown.is_cut;
                        let text = |number: i64| usize::try_from(number).ok().and_then(|n| lines.get(n.checked_sub(1)?));
                        entry.lines.fill(shown.numbers.into_iter().map(|n| n as i64), |number| text(number).map(|&line| line.to_owned()));
                        beyond |= entry.lines.number.last().is_some_and(|&last| last > lines.len() as i64);
                    }
                    None => entry.problem = Problem::TooMuch { most: room / 1000 }.to_string(),
                }
            }
            for (i, number) in entries.call {
                let call = &mut report.entry[i].call[number];
                let line = usize::try_from(call.line - 1).ok().and_then(|line| lines.get(line));
                call.text = line.map_or(String::new(), |line| line.trim().chars().take(LONGEST_CALL).collect());
            }
            if is_cut {
                report.header.warnings.push(format!("showing only lines of {file} near those with memory"));
            }
            if beyond {
                report
                    .header
                    .warnings
                    .push(format!("{file} has fewer lines than the profile refers to: it may belong to another version of the program"));
            }
        }
        report.missing.sort_by(|a, b| a.file.cmp(&b.file));
        report.header.warnings.extend(missing.hints());
    }
}

/// Entries of a report for one file, which is read once.
#[derive(Default)]
struct FileEntries {
    /// Entries with lines to show, the heaviest first.
    entry: Vec<usize>,
    /// Places that were inlined: their entry, and which of its calls they are.
    call: Vec<(usize, usize)>,
}

/// The files that a report has something of: those with the heaviest entries first, those with places only last.
fn files(report: &SourceReport) -> Vec<(String, FileEntries)> {
    let mut by_file: BTreeMap<&str, FileEntries> = BTreeMap::new();
    for (i, entry) in report.entry.iter().enumerate() {
        // Without a line that is known there is nothing to look up.
        if !entry.file.is_empty() && entry.first_line <= entry.last_line {
            by_file.entry(&entry.file).or_default().entry.push(i);
        }
        for (number, call) in entry.call.iter().enumerate().filter(|(_, call)| !call.file.is_empty() && call.line > 0) {
            by_file.entry(&call.file).or_default().call.push((i, number));
        }
    }
    let heaviest = |i: &usize| Reverse(report.entry[*i].weight());
    let mut files: Vec<(String, FileEntries)> = by_file.into_iter().map(|(file, entries)| (file.to_owned(), entries)).collect();
    files.iter_mut().for_each(|(_, entries)| entries.entry.sort_by_key(heaviest));
    // Stable: files of one weight stay in the order of names.
    files.sort_by_key(|(_, entries)| (entries.entry.is_empty(), entries.entry.first().map(heaviest)));
    files
}

/// Lines of a file that an entry shows.
struct Shown {
    numbers: Vec<usize>,
    /// Bytes.
    length: usize,
    /// Some of its lines are left out.
    is_cut: bool,
}

/// The lines that an entry shows of `text`: all, or those around the ones that hold something;
/// `None` when there is no room for these either.
fn shown(entry: &SourceEntry, text: &[&str], room: usize) -> Option<Shown> {
    let first = usize::try_from(entry.first_line.max(1)).unwrap_or(usize::MAX);
    let last = usize::try_from(entry.last_line.max(0)).unwrap_or(0).min(text.len());
    let length = |numbers: &mut dyn Iterator<Item = usize>| numbers.map(|n| text[n - 1].len() + 1).sum::<usize>();
    let whole = length(&mut (first..=last));
    if whole <= room {
        return Some(Shown { numbers: (first..=last).collect(), length: whole, is_cut: false });
    }
    AROUND.into_iter().find_map(|around| {
        let near = |&n: &i64| usize::try_from(n).ok().map(|n| n.saturating_sub(around).max(first)..=n.saturating_add(around).min(last));
        let numbers: BTreeSet<usize> = entry.lines.number.iter().filter_map(near).flatten().collect();
        let length = length(&mut numbers.iter().copied());
        (length <= room).then(|| Shown { numbers: numbers.into_iter().collect(), length, is_cut: true })
    })
}

/// Files that were not found.
#[derive(Default)]
struct Missing {
    first: String,
    n: usize,
    n_rust: usize,
}

impl Missing {
    fn count(&mut self, file: &str) {
        if matches!(Owner::of(file), Owner::Rust { .. }) {
            self.n_rust += 1;
            return;
        }
        if self.n == 0 {
            self.first = file.to_owned();
        }
        self.n += 1;
    }

    /// Advice, a sentence each.
    fn hints(&self) -> Vec<String> {
        let mut hints = Vec::new();
        let what = match self.n {
            0 => None,
            1 => Some(format!("the source file {} was not found", self.first)),
            n => Some(format!("{n} source files were not found, such as {}", self.first)),
        };
        hints.extend(
            what.map(|what| format!("{what}; set -source_path to the directories to search, and -trim_path to the path prefix to remove")),
        );
        if self.n_rust > 0 {
            hints.push(format!(
                "Rust's standard library was not found: rustup component add rust-src, then -source_path=.:$(rustc --print sysroot)/{RUST_SRC}"
            ));
        }
        hints
    }
}
