//! Facts about a process in one file.

use crate::parse::error::Warning;
use crate::profile::{ProcessFacts, ProcessFile, ProcessName};

/// Facts about a process in a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProcessFound {
    /// Contents, each kind at most once.
    pub facts: Vec<ProcessFacts>,
    /// Process id, if the content has it.
    pub pid: Option<u64>,
    /// When it was captured, nanoseconds since 1970 UTC; 0 if the content does not have it.
    pub time_nanos: i64,
    /// Damage, with its place.
    pub warnings: Vec<Warning>,
}

impl ProcessFound {
    /// The facts as files of this path. `file_time`: when the file was written, nanoseconds since 1970 UTC; 0 when unknown.
    pub fn into_files(self, path: &str, file_time: i64, is_found: bool) -> Vec<ProcessFile> {
        let base = path.rsplit('/').next().unwrap_or(path);
        let name = ProcessName::read(base);
        let pid = self.pid.or(name.pid).or_else(|| of_proc(path));
        let is_file_time = self.time_nanos == 0;
        let time_nanos = if is_file_time { file_time } else { self.time_nanos };
        let group = ProcessName::group(path);
        let file = |facts| ProcessFile { name: path.to_owned(), group: group.clone(), time_nanos, is_file_time, pid, is_found, facts };
        self.facts.into_iter().map(file).collect()
    }
}

/// The process of `/proc/PID/smaps`.
fn of_proc(path: &str) -> Option<u64> {
    path.strip_prefix("/proc/")?.split('/').next()?.parse().ok()
}
