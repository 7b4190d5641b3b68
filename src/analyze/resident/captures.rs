//! Which files about processes were captured together, and which dumps they belong to.

use std::collections::BTreeMap;

use crate::base::hash::HashMap;
use crate::base::plain::{base_name, one_line};
use crate::profile::{
    CaptureNote, Dump, DumpName, GlibcStats, JemallocStats, MemoryMaps, PageSums, ProcessFacts, ProcessFile, ProcessStatus, Profile,
    TcmallocStats,
};

/// Files further apart in time are named, nanoseconds.
const APART: i64 = 120 * 1_000_000_000;

/// Files that were captured together: of each kind at most one, with its index among the files of the capture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Capture<'a> {
    pub(crate) files: Vec<&'a ProcessFile>,
    group: &'a str,
    /// Process id, if its files have one.
    pub(crate) pid: Option<u64>,
    /// Earliest time of its files of the process; 0 when unknown.
    time: i64,
}

/// The captures of a profile.
pub(crate) struct Captures<'a> {
    /// With the dump that each belongs to.
    of: Vec<(usize, Capture<'a>)>,
    pub(crate) warnings: Vec<String>,
}

macro_rules! of_kind {
    ($name:ident, $kind:ident, $facts:ty) => {
        pub(crate) fn $name(&self) -> Option<(usize, &'a $facts)> {
            self.files.iter().enumerate().find_map(|(at, file)| match &file.facts {
                ProcessFacts::$kind(facts) => {
                    // Some are boxed.
                    let facts: &$facts = facts;
                    Some((at, facts))
                }
                _ => None,
            })
        }
    };
}

impl<'a> Capture<'a> {
    of_kind!(smaps, Smaps, MemoryMaps);
    of_kind!(rollup, Rollup, PageSums);
    of_kind!(status, Status, ProcessStatus);
    of_kind!(jemalloc, Jemalloc, JemallocStats);
    of_kind!(tcmalloc, Tcmalloc, TcmallocStats);
    of_kind!(glibc, Glibc, GlibcStats);
    of_kind!(note, Capture, CaptureNote);

    fn new(group: &'a str, files: Vec<&'a ProcessFile>) -> Self {
        let pid = files.iter().find_map(|file| file.pid);
        // The clock of the capture is better than times of files.
        let exact = files.iter().filter(|file| file.time_nanos != 0 && !file.is_file_time).map(|file| file.time_nanos).min();
        let time = exact.or_else(|| files.iter().map(|file| file.time_nanos).filter(|time| *time != 0).min()).unwrap_or(0);
        Capture { files, group, pid, time }
    }

    fn has_memory(&self) -> bool {
        self.smaps().is_some() || self.rollup().is_some() || self.status().is_some()
    }

    /// What does not fit together: processes, programs, times.
    pub(crate) fn warnings(&self, profile: &Profile, dump: usize) -> Vec<String> {
        let dump = &profile.dumps()[dump];
        let name = |file: &ProcessFile| one_line(&file.name).into_owned();
        let mut warnings = Vec::new();
        for file in &self.files {
            if let (Some(pid), Some(other)) = (self.pid, file.pid.filter(|pid| Some(*pid) != self.pid)) {
                warnings.push(format!(
                    "{} belongs to process {other}, but other files beside it belong to process {pid}: their sum mixes two processes",
                    name(file)
                ));
            }
        }
        if let (Some(pid), Some(of_dump)) = (self.pid, pid_of(profile, dump).filter(|pid| Some(*pid) != self.pid)) {
            let file = self.files.iter().find(|file| file.pid == Some(pid)).map_or(String::new(), |file| name(file));
            warnings.push(format!("{file} belongs to process {pid}, but the profile {} to process {of_dump}", one_line(&dump.name)));
        }
        let taken = time_of(dump);
        for file in self.files.iter().filter(|file| file.time_nanos != 0 && taken != 0) {
            let apart = file.time_nanos.saturating_sub(taken);
            if apart.saturating_abs() > APART {
                let by = if file.is_file_time || dump.time_nanos == 0 { ", by the times of the files" } else { "" };
                let when = if apart > 0 { "after" } else { "before" };
                warnings.push(format!("{} was captured {} {when} the profile{by}: the memory may have changed", name(file), length(apart)));
                break;
            }
        }
        let times = self.files.iter().filter(|file| file.time_nanos != 0 && file.is_file_time).map(|file| file.time_nanos);
        if let (Some(first), Some(last)) = (times.clone().min(), times.max())
            && last.saturating_sub(first) > APART
        {
            warnings.push(format!(
                "the files about the process were written {} apart: the memory may have changed",
                length(last.saturating_sub(first))
            ));
        }
        warnings.extend(self.other_run(profile));
        warnings
    }

    /// The program of the maps is another one, or another run of it: it is at another address.
    fn other_run(&self, profile: &Profile) -> Option<String> {
        let (at, maps) = self.smaps()?;
        let mappings = || profile.code().mappings.iter().filter(|mapping| mapping.limit > mapping.start);
        let main = mappings().map(|mapping| profile.text(mapping.file)).find(|file| !file.is_empty() && !file.starts_with('['))?;
        // The binary that the user gives may have another name.
        let is_there = mappings().any(|mapping| mapping.start.wrapping_sub(mapping.offset) == maps.program_start);
        if maps.program.is_empty() || is_there {
            return None;
        }
        let [program, main] = [base_name(&maps.program), base_name(main)].map(|name| one_line(name).into_owned());
        let file = one_line(&self.files[at].name);
        Some(match mappings().any(|mapping| base_name(profile.text(mapping.file)) == base_name(&maps.program)) {
            true => {
                format!("{file} belongs to another run of {program}, not to the one that was profiled: the program is at another address")
            }
            false => format!("{file} belongs to the program {program}, but the profile to {main}"),
        })
    }
}

impl<'a> Captures<'a> {
    /// O(files × dumps).
    pub(crate) fn new(profile: &'a Profile) -> Self {
        let dumps = profile.dumps();
        let mut warnings = Vec::new();
        let captures = together(&profile.meta().process_files, &mut warnings);
        let may_have: Vec<usize> =
            (0..dumps.len()).filter(|&dump| !dumps[dump].is_base && !dumps[dump].is_thinned && dumps[dump].moment.is_none()).collect();
        let mut of: Vec<(usize, Capture)> = Vec::new();
        let mut is_taken = vec![false; dumps.len()];
        let mut left: Vec<Capture> = Vec::new();
        // By name first, then by process, then by what is left.
        let stems: HashMap<String, usize> =
            may_have.iter().rev().map(|&dump| (DumpName::stem(base_name(&dumps[dump].name)).to_owned(), dump)).collect();
        for capture in captures {
            let stem = capture.group.rsplit('/').next().unwrap_or_default();
            match stems.get(stem).filter(|dump| !stem.is_empty() && !is_taken[**dump]) {
                Some(&dump) => {
                    is_taken[dump] = true;
                    of.push((dump, capture));
                }
                None => left.push(capture),
            }
        }
        let mut unknown = Vec::new();
        for by_pid in [true, false] {
            for capture in std::mem::take(&mut left) {
                let fits = |dump: &usize| match capture.pid {
                    Some(pid) if by_pid => pid_of(profile, &dumps[*dump]) == Some(pid),
                    _ => !by_pid,
                };
                let apart = |dump: &usize| (time_of(&dumps[*dump]).saturating_sub(capture.time)).saturating_abs();
                let free = may_have.iter().filter(|dump| !is_taken[**dump] && fits(dump));
                // Without times the shown one is meant.
                match free.min_by_key(|dump| (apart(dump), !dumps[**dump].counts())) {
                    Some(&dump) => {
                        is_taken[dump] = true;
                        of.push((dump, capture));
                    }
                    None if by_pid => left.push(capture),
                    None => unknown.push(capture),
                }
            }
        }
        if let Some(first) = unknown.first() {
            let name = first.files.first().map_or(String::new(), |file| one_line(&file.name).into_owned());
            let more = if unknown.len() > 1 { format!(" and {} more captures", unknown.len() - 1) } else { String::new() };
            warnings.push(format!("{name}{more}: no dump is left that it could belong to"));
        }
        of.sort_by_key(|(dump, _)| *dump);
        Captures { of, warnings }
    }

    /// The capture of a dump, with the dump.
    pub(crate) fn of_dump(&self, dump: usize) -> Option<(usize, &Capture<'a>)> {
        self.of.iter().find(|(of, _)| *of == dump).map(|(dump, capture)| (*dump, capture))
    }

    /// That of the last dump.
    pub(crate) fn last(&self) -> Option<(usize, &Capture<'a>)> {
        self.of.last().map(|(dump, capture)| (*dump, capture))
    }

    pub(crate) fn len(&self) -> usize {
        self.of.len()
    }

    /// Those of the process that has most of them, by the order of its dumps.
    pub(crate) fn in_order(&self, profile: &Profile) -> Vec<(usize, &Capture<'a>)> {
        let dumps = profile.dumps();
        let mut by_process: BTreeMap<&str, Vec<(usize, &Capture)>> = BTreeMap::new();
        for (dump, capture) in &self.of {
            by_process.entry(&dumps[*dump].series).or_default().push((*dump, capture));
        }
        let mut all = by_process.into_values().max_by_key(Vec::len).unwrap_or_default();
        all.sort_by_key(|(dump, _)| (dumps[*dump].number, time_of(&dumps[*dump]), *dump));
        all
    }
}

/// Captures of these files: one of all files if no kind is there twice, else by folder and beginning of the name.
fn together<'a>(files: &'a [ProcessFile], warnings: &mut Vec<String>) -> Vec<Capture<'a>> {
    let mut kinds: Vec<&str> = files.iter().map(|file| file.facts.kind()).collect();
    kinds.sort_unstable();
    let n = kinds.len();
    kinds.dedup();
    if kinds.len() == n {
        let capture = Capture::new(files.first().map_or("", |file| &file.group), files.iter().collect());
        return with_memory(vec![capture], warnings);
    }
    let mut groups: BTreeMap<&str, Vec<&ProcessFile>> = BTreeMap::new();
    for file in files {
        let group = groups.entry(&file.group).or_default();
        // A file that was opened twice under two names: the later one.
        match group.iter_mut().find(|known| known.facts.kind() == file.facts.kind()) {
            Some(known) => {
                warnings.push(format!(
                    "{} and {} are two {} of one capture; the second is shown",
                    known.name,
                    file.name,
                    file.facts.kind()
                ));
                *known = file;
            }
            None => group.push(file),
        }
    }
    with_memory(groups.into_iter().map(|(group, files)| Capture::new(group, files)).collect(), warnings)
}

/// Leaves out captures that know nothing of resident memory.
fn with_memory<'a>(captures: Vec<Capture<'a>>, warnings: &mut Vec<String>) -> Vec<Capture<'a>> {
    let (with, without): (Vec<Capture>, Vec<Capture>) = captures.into_iter().partition(Capture::has_memory);
    if let Some(file) = without.first().and_then(|capture| capture.files.first()) {
        let name = one_line(&file.name);
        warnings.push(format!("{name}: without smaps, smaps_rollup or status of the same moment RSS is unknown; the file is not used"));
    }
    with
}

fn time_of(dump: &Dump) -> i64 {
    if dump.time_nanos != 0 { dump.time_nanos } else { dump.file_time }
}

/// The process of a dump: as its recording has it, or as its writer names the file.
fn pid_of(profile: &Profile, dump: &Dump) -> Option<u64> {
    let run = profile.meta().runs.iter().find(|run| run.name == dump.name);
    let of_run = run.and_then(|run| u64::try_from(run.pid).ok()).filter(|pid| *pid > 0);
    of_run.or_else(|| DumpName::pid(base_name(&dump.name)))
}

/// `2h 5m`, `3m 4s`.
fn length(nanos: i64) -> String {
    let seconds = nanos.saturating_abs() / 1_000_000_000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m {}s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{}h {}m", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} days", seconds / 86_400),
    }
}
