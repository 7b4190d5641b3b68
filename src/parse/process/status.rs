//! `/proc/PID/status`: counters of a process.

use super::kilobytes::kilobytes;
use super::problems::{Problem, Problems};
use super::section::Section;
use crate::parse::lines::{Decimal, Lines, Scan};
use crate::profile::{ProcessFacts, ProcessStatus};

/// Counters that are read.
pub(super) struct Status;

impl Status {
    /// Whether this is the first line of the file.
    pub(super) fn begins(line: &[u8]) -> bool {
        line.starts_with(b"Name:\t")
    }

    /// Reads the section, with the process id; no facts without a line of resident memory.
    pub(super) fn read(section: &mut Section, problems: &mut Problems) -> (Option<ProcessFacts>, Option<u64>) {
        let mut status = ProcessStatus::default();
        let mut pid = None;
        let mut lines = Lines::new(section.text, section.line);
        let start = section.line;
        loop {
            let before = lines.clone();
            let Some(line) = lines.next() else { break };
            let Some(colon) = line.bytes.iter().position(|&byte| byte == b':') else {
                lines = before;
                break;
            };
            let (key, value) = (&line.bytes[..colon], &line.bytes[colon + 1..]);
            if !key.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') || key == b"Name" && line.number > start {
                lines = before;
                break;
            }
            let mut memory = || Some(kilobytes(value, line.number, problems));
            match key {
                b"Name" => status.program = String::from_utf8_lossy(value.trim_ascii()).chars().take(64).collect(),
                b"Pid" => pid = number(value),
                b"Threads" => status.threads = number(value),
                b"VmRSS" => status.rss = memory(),
                b"VmHWM" => status.peak_rss = memory(),
                b"RssAnon" => status.rss_anon = memory(),
                b"RssFile" => status.rss_file = memory(),
                b"RssShmem" => status.rss_shmem = memory(),
                b"VmSwap" => status.swap = memory(),
                _ => {}
            }
        }
        if status.rss.is_none() {
            problems.add(Problem::NoTotal, section.line);
        }
        if lines.next_number() == section.line {
            lines.next();
        }
        section.advance(&lines);
        let is_some = status.rss.is_some();
        (is_some.then(|| ProcessFacts::Status(Box::new(status))), pid)
    }
}

fn number(value: &[u8]) -> Option<u64> {
    match Scan::new(value).decimal()? {
        Decimal::Fits(number) => u64::try_from(number).ok(),
        Decimal::TooBig(_) => None,
    }
}
