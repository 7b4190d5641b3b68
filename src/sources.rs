//! Source files: finding them as pprof does, and putting their text into a report.
//!
//! Paths come from a profile, which nobody needs to trust: only regular files are opened,
//! so much is read and no more, and a path that climbs with `..` stays in the folders that
//! the person works in. A server is confined to these altogether.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::query::{SourcePaths, clean_path, split_list};
use crate::report::{SourceCall, SourceEntry, SourceReport};

/// Longest source file that is read, bytes.
const LONGEST: u64 = 16 << 20;

/// Most characters of an inlined line.
const LONGEST_CALL: usize = 200;

/// Most text that one report gets, bytes.
const MOST_TEXT: usize = 64 << 20;

/// Where a Rust toolchain has the sources of its standard library.
const RUST_SRC: &str = "lib/rustlib/src/rust";

/// Why a file's text is not shown. The first two are in pprof's words.
#[derive(Debug, Error)]
enum Problem {
    #[error("could not find file {file} on path {search}")]
    NotFound { file: String, search: String },
    #[error("open {}: {}", path.display(), go_words(why))]
    Open { path: PathBuf, why: io::Error },
    #[error("{} is not a regular file", path.display())]
    NotRegular { path: PathBuf },
    #[error("{} has more than {} MiB, which is no source file", path.display(), LONGEST >> 20)]
    TooLong { path: PathBuf },
    #[error("{file} lies outside the folders that may be read; name its folder with -source_path")]
    Outside { file: String },
    #[error("left out: the report has {} MiB of source text already; a narrower expression shows the others", MOST_TEXT >> 20)]
    TooMuch,
    #[error("sources are not read here")]
    Never,
}

/// Where sources are looked for.
#[derive(Debug, Default)]
pub struct Sources {
    /// As the person gave them.
    given: SourcePaths,
    /// With the list that is searched, never empty; `None`: nothing is read.
    paths: Option<SourcePaths>,
    /// Folders that the person named, without links.
    named: Vec<PathBuf>,
    /// Folders that a path may not climb out of: these, or the current one, with their
    /// parents as far as they can be one project.
    roots: Vec<PathBuf>,
    /// Absolute paths are confined to the roots as well.
    confined: bool,
}

impl Sources {
    /// Looks in the folders of `paths`, by default in `current`, and in all folders above;
    /// absolute paths are opened where they are. What is above `home` is no one's project.
    pub fn new(paths: &SourcePaths, current: &Path, home: Option<&Path>) -> Self {
        let named = !paths.search.is_empty();
        let search = if named { paths.search.clone() } else { current.to_string_lossy().into_owned() };
        let home = home.and_then(|home| home.canonicalize().ok());
        let is_project = |folder: &Path| folder.parent().is_some() && !home.as_ref().is_some_and(|home| home.starts_with(folder));
        let mut sources = Sources { given: paths.clone(), ..Sources::default() };
        for folder in split_list(&search) {
            let folder = if folder.is_empty() { "." } else { folder };
            let Ok(folder) = Path::new(folder).canonicalize() else { continue };
            sources.roots.extend(folder.ancestors().filter(|above| is_project(above)).last().map(Path::to_owned));
            if named {
                sources.roots.push(folder.clone());
                sources.named.push(folder);
            }
        }
        Sources { paths: Some(SourcePaths { search, trim: paths.trim.clone() }), ..sources }
    }

    /// The same for a server: it opens nothing outside the folders that were named, or
    /// without any the current one and its parents as far as they can be one project.
    pub fn confined(self) -> Self {
        let roots = if self.named.is_empty() { self.roots } else { self.named.clone() };
        Sources { roots, confined: true, ..self }
    }

    /// The paths as the person gave them: what reports print of files follows from them.
    pub fn given(&self) -> &SourcePaths {
        &self.given
    }

    /// Puts the text of the lines to show into `report`, and says in its warnings what to
    /// do about files that are not found.
    pub fn attach(&self, report: &mut SourceReport) {
        let mut by_file: BTreeMap<String, Vec<&mut SourceEntry>> = BTreeMap::new();
        // Without a line that is known there is nothing to look up.
        for entry in report.entry.iter_mut().filter(|e| !e.file.is_empty() && e.first_line <= e.last_line) {
            by_file.entry(entry.file.clone()).or_default().push(entry);
        }
        let mut missing = Missing::default();
        let mut room = MOST_TEXT;
        for (file, entries) in by_file {
            let text = self.read(&file);
            if text.is_err() {
                missing.count(&file);
            }
            let lines: Option<Vec<&str>> = text.as_ref().ok().map(|text| text.lines().collect());
            let mut beyond = 0;
            for entry in entries {
                match (&lines, &text) {
                    (Some(lines), _) if fill(entry, lines, &mut room) => {
                        beyond = beyond.max(entry.lines.number.last().copied().unwrap_or(0).saturating_sub(lines.len() as i64));
                    }
                    (Some(_), _) => entry.problem = Problem::TooMuch.to_string(),
                    (None, Err(problem)) => entry.problem = problem.to_string(),
                    (None, Ok(_)) => {}
                }
            }
            if beyond > 0 {
                report
                    .header
                    .warnings
                    .push(format!("{file} is shorter than the profile says: it may be of another version of the program"));
            }
        }
        report.header.warnings.extend(missing.hints());
        self.attach_calls(report);
    }

    /// Puts the text of lines that were inlined beside the code that they became.
    fn attach_calls(&self, report: &mut SourceReport) {
        let mut by_file: BTreeMap<String, Vec<&mut SourceCall>> = BTreeMap::new();
        let calls = report.entry.iter_mut().flat_map(|e| &mut e.code).flat_map(|code| &mut code.calls);
        for call in calls.filter(|call| !call.file.is_empty() && call.line > 0) {
            by_file.entry(call.file.clone()).or_default().push(call);
        }
        for (file, calls) in by_file {
            let Ok(text) = self.read(&file) else { continue };
            let lines: Vec<&str> = text.lines().collect();
            for call in calls {
                let line = usize::try_from(call.line - 1).ok().and_then(|i| lines.get(i));
                call.text = line.map_or(String::new(), |line| line.trim().chars().take(LONGEST_CALL).collect());
            }
        }
    }

    /// The text of `file`, bytes that are no UTF-8 replaced.
    fn read(&self, file: &str) -> Result<String, Problem> {
        let (path, opened) = self.open(file)?;
        let mut bytes = Vec::new();
        opened.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|why| Problem::Open { path: path.clone(), why })?;
        if bytes.len() as u64 > LONGEST {
            return Err(Problem::TooLong { path });
        }
        Ok(match String::from_utf8_lossy(&bytes) {
            Cow::Borrowed(_) => String::from_utf8(bytes).unwrap_or_default(),
            Cow::Owned(replaced) => replaced,
        })
    }

    /// The file that a path of a profile means: pprof's `openSourceFile`.
    fn open(&self, file: &str) -> Result<(PathBuf, File), Problem> {
        let paths = self.paths.as_ref().ok_or(Problem::Never)?;
        let file = paths.shown(file);
        if Path::new(file).is_absolute() {
            let problem = match self.open_at(Path::new(file), self.confined) {
                Ok(opened) => return Ok(opened),
                Err(problem) => problem,
            };
            return rust_library(file)
                .and_then(|inside| self.look_for(inside).or_else(|| self.look_for(&format!("{RUST_SRC}/{inside}"))))
                .ok_or(problem);
        }
        self.look_for(file).ok_or_else(|| Problem::NotFound { file: file.to_owned(), search: paths.search.clone() })
    }

    /// A relative path in the folders that are searched and all above them.
    fn look_for(&self, file: &str) -> Option<(PathBuf, File)> {
        let climbs = clean_path(file).starts_with("..");
        for folder in split_list(&self.paths.as_ref()?.search) {
            let folder = clean_path(folder);
            for above in Path::new(&folder).ancestors() {
                let joined = clean_path(&above.join(file).to_string_lossy());
                if let Ok(opened) = self.open_at(Path::new(&joined), climbs || self.confined) {
                    return Some(opened);
                }
            }
        }
        None
    }

    /// Opens a regular file, `inside` the roots only.
    fn open_at(&self, path: &Path, inside: bool) -> Result<(PathBuf, File), Problem> {
        let failed = |why| Problem::Open { path: path.to_owned(), why };
        let place = path.canonicalize().map_err(failed)?;
        if inside && !self.roots.iter().any(|root| place.starts_with(root)) {
            return Err(Problem::Outside { file: path.display().to_string() });
        }
        // Opening a pipe would wait for its other end, a device may do anything.
        if !fs::metadata(&place).map_err(failed)?.is_file() {
            return Err(Problem::NotRegular { path: path.to_owned() });
        }
        let file = File::open(&place).map_err(failed)?;
        match file.metadata().map_err(failed)?.is_file() {
            true => Ok((path.to_owned(), file)),
            false => Err(Problem::NotRegular { path: path.to_owned() }),
        }
    }
}

/// Leaves all but the heaviest `most` files out of a report, with all that is said of them.
pub fn keep_heaviest(report: &mut SourceReport, most: usize) {
    let mut weight: BTreeMap<&str, [i64; 2]> = BTreeMap::new();
    for entry in &report.entry {
        let [flat, cum] = weight.entry(&entry.file).or_default();
        *flat = flat.saturating_add(entry.flat.saturating_sub(entry.flat_base).saturating_abs());
        *cum = (*cum).max(entry.cum.saturating_sub(entry.cum_base).saturating_abs());
    }
    let n = weight.len();
    if n <= most {
        return;
    }
    let mut files: Vec<(&str, [i64; 2])> = weight.into_iter().collect();
    files.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
    let kept: BTreeSet<String> = files[..most].iter().map(|(file, _)| (*file).to_owned()).collect();
    report.entry.retain(|entry| kept.contains(&entry.file));
    report.header.n_shown = report.entry.len();
    report.header.warnings.push(format!("only the heaviest {most} of {n} files are here; a narrower expression shows the others"));
}

/// What of a path of Rust's standard library lies in its sources: behind `/rustc/<commit>/`.
fn rust_library(file: &str) -> Option<&str> {
    file.strip_prefix("/rustc/")?.split_once('/').map(|(_, inside)| inside)
}

/// Gives `entry` the text of its lines; `false` when there is no `room` left for it. Lines
/// that hold something stay, also when the file does not have them.
fn fill(entry: &mut SourceEntry, text: &[&str], room: &mut usize) -> bool {
    let first = usize::try_from(entry.first_line.max(1)).unwrap_or(usize::MAX);
    let last = usize::try_from(entry.last_line.max(0)).unwrap_or(0).min(text.len());
    let shown = first..=last;
    let length: usize = text.get(first - 1..last).map_or(0, |lines| lines.iter().map(|line| line.len() + 1).sum());
    if length > *room {
        return false;
    }
    *room -= length;
    let old = std::mem::take(&mut entry.lines);
    let has_base = !old.flat_base.is_empty();
    let weights: BTreeMap<i64, usize> = old.number.iter().enumerate().map(|(i, &n)| (n, i)).collect();
    let mut numbers: Vec<i64> = shown.map(|n| n as i64).chain(old.number.iter().copied()).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let lines = &mut entry.lines;
    for number in numbers {
        let at = |column: &[i64]| weights.get(&number).and_then(|&i| column.get(i)).copied().unwrap_or(0);
        lines.number.push(number);
        let line = usize::try_from(number).ok().and_then(|n| text.get(n.checked_sub(1)?));
        lines.text.push(line.map(|&line| line.to_owned()));
        lines.flat.push(at(&old.flat));
        lines.cum.push(at(&old.cum));
        if has_base {
            lines.flat_base.push(at(&old.flat_base));
            lines.cum_base.push(at(&old.cum_base));
        }
    }
    true
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
        if rust_library(file).is_some() {
            self.n_rust += 1;
            return;
        }
        if self.n == 0 {
            self.first = file.to_owned();
        }
        self.n += 1;
    }

    /// What to do, a sentence each.
    fn hints(&self) -> Vec<String> {
        let mut hints = Vec::new();
        let what = match self.n {
            0 => None,
            1 => Some(format!("the source file {} was not found", self.first)),
            n => Some(format!("{n} source files were not found, such as {}", self.first)),
        };
        hints.extend(what.map(|what| format!("{what}; -source_path names folders to look in, -trim_path what of the paths to leave out")));
        if self.n_rust > 0 {
            hints.push(format!(
                "Rust's standard library was not found: rustup component add rust-src, then -source_path=.:$(rustc --print sysroot)/{RUST_SRC}"
            ));
        }
        hints
    }
}

/// An error of the system in Go's words, which pprof prints.
fn go_words(why: &io::Error) -> String {
    match why.kind() {
        io::ErrorKind::NotFound => "no such file or directory".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        _ => {
            let text = why.to_string();
            text.split(" (os error").next().unwrap_or(&text).to_lowercase()
        }
    }
}
