//! Source files: finding them as pprof does, and putting their text into a report.
//!
//! Paths come from a profile, which nobody needs to trust: only regular files are opened,
//! so much is read and no more, and a path that climbs with `..` stays in the folders that
//! the person works in. A server is confined to these and to [`Libraries`] altogether.

mod libraries;
mod text;

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use libraries::Libraries;
use libraries::{Owner, RUST_SRC};

use crate::query::{SourcePaths, clean_path, split_list};
use crate::report::{MissingSource, SourceReport};

/// Longest source file that is read, bytes.
const LONGEST: u64 = 16 << 20;

/// Why a file's text is not shown. The first two are in pprof's words.
#[derive(Debug, Error)]
enum Problem {
    #[error("could not find file {file} on path {search}")]
    NotFound { file: String, search: String },
    #[error("open {}: {}", path.display(), go_words(why))]
    Open { path: PathBuf, why: io::Error },
    #[error("{} is not a regular file", path.display())]
    NotRegular { path: PathBuf },
    #[error("{} exceeds {} MiB, the limit for source files", path.display(), LONGEST >> 20)]
    TooLong { path: PathBuf },
    #[error("{file} is outside of the directories that may be read; add its directory to -source_path")]
    Outside { file: String },
    #[error("omitted: the report already has {most} kB of source text; use a narrower regexp")]
    TooMuch { most: usize },
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
    /// Answers go to another machine: they do not say where files are on this one.
    silent: bool,
    /// Sources that nobody needs to name.
    libraries: Libraries,
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

    /// The same with sources of packages and standard libraries.
    pub fn with_libraries(self, libraries: Libraries) -> Self {
        Sources { libraries, ..self }
    }

    /// The same for answers to other machines: they do not say where files are on this one.
    pub fn silent(self) -> Self {
        Sources { silent: true, ..self }
    }

    /// The paths as the person gave them: what reports print of files follows from them.
    pub fn given(&self) -> &SourcePaths {
        &self.given
    }

    /// The text of `file` and where it is, bytes that are no UTF-8 replaced.
    fn read(&self, file: &str) -> Result<(PathBuf, String), Problem> {
        let (path, opened) = self.open(file)?;
        let mut bytes = Vec::new();
        opened.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|why| Problem::Open { path: path.clone(), why })?;
        if bytes.len() as u64 > LONGEST {
            return Err(Problem::TooLong { path });
        }
        let text = match String::from_utf8_lossy(&bytes) {
            Cow::Borrowed(_) => String::from_utf8(bytes).unwrap_or_default(),
            Cow::Owned(replaced) => replaced,
        };
        Ok((path, text))
    }

    /// The file that a path of a profile means: pprof's `openSourceFile`, then libraries.
    fn open(&self, file: &str) -> Result<(PathBuf, File), Problem> {
        let paths = self.paths.as_ref().ok_or(Problem::Never)?;
        let whole = file;
        let file = paths.shown(file);
        let problem = if Path::new(file).is_absolute() {
            match self.open_at(Path::new(file), self.confined.then_some(&self.roots)) {
                Ok(opened) => return Ok(opened),
                Err(problem) => problem,
            }
        } else {
            Problem::NotFound { file: file.to_owned(), search: paths.search.clone() }
        };
        let named = match Owner::of(file) {
            Owner::Rust { inside, .. } => self.look_for(inside).or_else(|| self.look_for(&format!("{RUST_SRC}/{inside}"))),
            _ if Path::new(file).is_absolute() => None,
            _ => self.look_for(file),
        };
        named.or_else(|| self.in_libraries(whole)).ok_or(problem)
    }

    /// The file in one of the libraries.
    fn in_libraries(&self, file: &str) -> Option<(PathBuf, File)> {
        let open = |place: libraries::Place| {
            let root = place.root.canonicalize().ok()?;
            self.open_at(&place.path, Some(&[root])).ok()
        };
        self.libraries.places(file).into_iter().find_map(open)
    }

    /// Why a file's text is not shown, for those who read the answer.
    fn said(&self, file: &str, problem: &Problem) -> String {
        match problem {
            _ if !self.silent => problem.to_string(),
            Problem::NotFound { .. } | Problem::Open { .. } | Problem::Outside { .. } => format!("could not find file {file}"),
            Problem::NotRegular { .. } => format!("{file} is not a regular file"),
            Problem::TooLong { .. } => format!("{file} exceeds {} MiB, the limit for source files", LONGEST >> 20),
            Problem::TooMuch { .. } | Problem::Never => problem.to_string(),
        }
    }

    /// What there is to say of a file that is not found.
    fn missing(&self, file: &str, problem: &Problem) -> MissingSource {
        let (mut tried, search) = (Vec::new(), self.paths.as_ref().map_or("", |paths| &paths.search));
        if !self.silent && !matches!(problem, Problem::Never) {
            let is_absolute = Path::new(file).is_absolute();
            tried.extend(is_absolute.then(|| match problem {
                Problem::Outside { .. } => format!("{file}: outside of the directories that may be read"),
                _ => file.to_owned(),
            }));
            if !is_absolute || matches!(Owner::of(file), Owner::Rust { .. }) {
                tried.extend(split_list(search).map(|folder| format!("{folder} and its parents")));
            }
            tried.extend(self.libraries.places(file).into_iter().map(|place| place.path.display().to_string()).filter(|path| path != file));
        }
        let advice = match problem {
            Problem::Never => String::new(),
            Problem::Open { .. } | Problem::NotFound { .. } | Problem::Outside { .. } => {
                self.libraries.advice(file).unwrap_or_else(|| named_by_hand(file))
            }
            other => self.said(file, other),
        };
        MissingSource { file: file.to_owned(), tried, advice }
    }

    /// A relative path in the folders that are searched and all above them.
    fn look_for(&self, file: &str) -> Option<(PathBuf, File)> {
        let climbs = clean_path(file).starts_with("..");
        for folder in split_list(&self.paths.as_ref()?.search) {
            let folder = clean_path(folder);
            for above in Path::new(&folder).ancestors() {
                let joined = clean_path(&above.join(file).to_string_lossy());
                if let Ok(opened) = self.open_at(Path::new(&joined), (climbs || self.confined).then_some(&self.roots)) {
                    return Some(opened);
                }
            }
        }
        None
    }

    /// Opens a regular file, with `roots` inside of these only.
    fn open_at(&self, path: &Path, roots: Option<&[PathBuf]>) -> Result<(PathBuf, File), Problem> {
        let failed = |why| Problem::Open { path: path.to_owned(), why };
        let place = path.canonicalize().map_err(failed)?;
        if roots.is_some_and(|roots| !roots.iter().any(|root| place.starts_with(root))) {
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
    report.header.warnings.push(format!("showing the heaviest {most} of {n} files; use a narrower regexp for the others"));
}

/// The flags that name the folder of a file and what of its path to leave out: up to `src`, as
/// far as there is one.
fn named_by_hand(file: &str) -> String {
    let Some((folder, _)) = file.rsplit_once('/').filter(|(folder, _)| file.starts_with('/') && !folder.is_empty()) else {
        return "-source_path=DIR, where DIR contains it".into();
    };
    let project = folder.split_once("/src").filter(|(_, rest)| rest.is_empty() || rest.starts_with('/')).map_or(folder, |(above, _)| above);
    match project {
        "" => "-source_path=DIR, where DIR contains it".into(),
        project => format!("-source_path=DIR -trim_path={project}, where DIR has the contents of {project}"),
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
