//! gperftools' `MALLOC:` lines.
//!
//! ```text
//! MALLOC:        3652888 (    3.5 MiB) Bytes in use by application
//! MALLOC: +       819200 (    0.8 MiB) Bytes in page heap freelist
//! ```

use super::problems::{Problem, Problems};
use super::section::Section;
use crate::parse::lines::{Decimal, Lines, Scan, find};
use crate::profile::{ProcessFacts, TcmallocStats};

/// Counters that are read.
pub(super) struct Tcmalloc;

impl Tcmalloc {
    /// Reads the section; nothing without the bytes in use.
    pub(super) fn read(section: &mut Section, problems: &mut Problems) -> Option<ProcessFacts> {
        let mut stats = TcmallocStats::default();
        let (mut has_in_use, mut has_actual) = (false, false);
        let mut lines = Lines::new(section.text, section.line);
        let start = section.line;
        loop {
            let before = lines.clone();
            let Some(line) = lines.next() else { break };
            let Some(rest) = line.bytes.strip_prefix(b"MALLOC:") else {
                // Rulers and notes are among the lines.
                let is_between = line.bytes.starts_with(b"---") || line.bytes.trim_ascii().is_empty();
                if is_between && !has_actual {
                    continue;
                }
                lines = before;
                break;
            };
            let mut scan = Scan::new(rest);
            scan.blanks();
            let _ = scan.eat(b'=').or_else(|| scan.eat(b'+'));
            let label = |text: &str| find(rest, text.as_bytes(), 0).is_some();
            let to = match () {
                () if label("Bytes in use by application") => {
                    // The next statistics of the same log.
                    if has_in_use {
                        lines = before;
                        break;
                    }
                    has_in_use = true;
                    &mut stats.in_use
                }
                () if label("Bytes in page heap freelist") => &mut stats.page_heap,
                () if label("Bytes in central cache freelist") => &mut stats.central,
                () if label("Bytes in transfer cache freelist") => &mut stats.transfer,
                () if label("Bytes in thread cache freelists") => &mut stats.thread,
                () if label("Bytes in malloc metadata") => &mut stats.metadata,
                () if label("Actual memory used") => {
                    has_actual = true;
                    &mut stats.actual
                }
                () if label("Bytes released to OS") => &mut stats.unmapped,
                () => continue,
            };
            match scan.decimal() {
                Some(Decimal::Fits(number)) if number >= 0 => *to = number,
                Some(_) => problems.add(Problem::OutOfRange, line.number),
                None => problems.add(Problem::NoNumber, line.number),
            }
        }
        if lines.next_number() == start {
            lines.next();
        }
        section.advance(&lines);
        if !has_in_use {
            problems.add(Problem::NoTotal, start);
            return None;
        }
        if !has_actual {
            problems.add(Problem::Cut, start);
            let TcmallocStats { in_use, page_heap, central, transfer, thread, metadata, .. } = stats;
            stats.actual = [page_heap, central, transfer, thread, metadata].into_iter().fold(in_use, i64::saturating_add);
        }
        Some(ProcessFacts::Tcmalloc(stats))
    }
}
