//! Source files: finds them like pprof, and puts their text into a report.
//!
//! Paths come from an untrusted profile: only regular files are opened, up to a size limit, and a path with `..` stays in the
//! directories that the user works in. Servers and commands are confined ([`Sources::confined`]): they open source files only, in
//! the directories given or else in the current project, and in [`Libraries`]; for paths that only a profile from elsewhere
//! names, in given directories only.

mod confined;
mod libraries;
mod text;

use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

pub use libraries::Libraries;
use libraries::{Owner, RUST_SRC};

use crate::query::{SourcePaths, clean_path, split_list};
use crate::report::MissingSource;

/// Longest source file that is read, bytes.
const LONGEST: u64 = 16 << 20;

/// Why a file's text is not shown. The first two are pprof's messages.
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
    #[error(
        "{file} is not opened: it is not source code of the current project, of a known library or in -source_path; -source_path=DIR adds a directory"
    )]
    Outside { file: String },
    #[error("could not find source file {file} in the directories that may be read; -source_path adds directories")]
    Unavailable { file: String },
    #[error(
        "{file} is named by a profile that was opened in the page or fetched: its sources are read only from directories in -source_path"
    )]
    Foreign { file: String },
    #[error("omitted: the report already has {most} kB of source text; use a narrower regexp")]
    TooMuch { most: usize },
    #[error("sources are not read here")]
    Never,
}

/// Finds source files.
#[derive(Debug, Default)]
pub struct Sources {
    /// Paths given by the user.
    given: SourcePaths,
    /// With the list that is searched, never empty; `None`: nothing is read.
    paths: Option<SourcePaths>,
    /// Folders that the user named, without links.
    named: Vec<PathBuf>,
    /// Folders that a path may not climb out of: these, or the current one, with their
    /// parents as far as they can be one project; where `confined`, see there.
    roots: Vec<PathBuf>,
    /// The project of the current folder, where no folders were named.
    project: Option<PathBuf>,
    /// Nothing outside the roots is opened, and no file that is not source code.
    confined: bool,
    /// Hides whether a forbidden file exists.
    discreet: bool,
    /// Responses go to another machine and contain no local paths.
    silent: bool,
    /// Sources found without configuration.
    libraries: Libraries,
}

/// Recipients of the report.
pub struct Audience<'a> {
    /// Remote readers, who get no local paths.
    pub is_elsewhere: bool,
    /// Returns whether a local profile names a path; others are opened in named directories only.
    pub is_own: &'a dyn Fn(&str) -> bool,
}

impl Audience<'_> {
    /// The user at this machine, with profiles of their own.
    pub const HERE: Audience<'static> = Audience { is_elsewhere: false, is_own: &|_| true };
}

impl Sources {
    /// Searches the directories of `paths`, by default `current`, and all directories above; absolute paths are opened directly.
    /// Directories above `home` belong to no project.
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
            } else {
                sources.project = confined::project(&folder, home.as_deref());
            }
        }
        Sources { paths: Some(SourcePaths { search, trim: paths.trim.clone() }), ..sources }
    }

    /// Confines a server: it opens nothing outside the named directories, or without any outside the current directory's
    /// repository (the current directory if there is none), and in these only source code.
    pub fn confined(self) -> Self {
        Sources { discreet: true, ..self.confined_to_source_code() }
    }

    /// Confines a command, whose user can list files anyway.
    pub fn confined_to_source_code(self) -> Self {
        let roots = if self.named.is_empty() { self.project.clone().into_iter().collect() } else { self.named.clone() };
        Sources { roots, confined: true, ..self }
    }

    /// Adds sources of packages and standard libraries.
    pub fn with_libraries(self, libraries: Libraries) -> Self {
        Sources { libraries, ..self }
    }

    /// Removes local paths from responses to other machines.
    pub fn silent(self) -> Self {
        Sources { silent: true, ..self }
    }

    /// Paths given by the user; paths in reports follow from them.
    pub fn given(&self) -> &SourcePaths {
        &self.given
    }

    /// The text of `file` and where it is, bytes that are no UTF-8 replaced.
    fn read(&self, file: &str, audience: &Audience) -> Result<(PathBuf, String), Problem> {
        let is_foreign = self.confined && !(audience.is_own)(file);
        let (path, opened) = match self.open(file, is_foreign) {
            // Hides whether a forbidden file exists.
            Err(Problem::NotFound { .. } | Problem::Open { .. } | Problem::Outside { .. }) if is_foreign => {
                return Err(Problem::Foreign { file: file.to_owned() });
            }
            Err(Problem::NotFound { .. } | Problem::Open { .. } | Problem::Outside { .. }) if self.discreet => {
                return Err(Problem::Unavailable { file: file.to_owned() });
            }
            opened => opened?,
        };
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
    /// Paths of foreign profiles are opened in named directories only.
    fn open(&self, file: &str, is_foreign: bool) -> Result<(PathBuf, File), Problem> {
        let paths = self.paths.as_ref().ok_or(Problem::Never)?;
        let whole = file;
        let file = paths.shown(file);
        let roots = if is_foreign { &self.named } else { &self.roots };
        let problem = if Path::new(file).is_absolute() {
            match self.open_at(Path::new(file), self.confined.then_some(roots)) {
                Ok(opened) => return Ok(opened),
                Err(problem) => problem,
            }
        } else {
            Problem::NotFound { file: file.to_owned(), search: paths.search.clone() }
        };
        let named = match Owner::of(file) {
            Owner::Rust { inside, .. } => self.look_for(inside, roots).or_else(|| self.look_for(&format!("{RUST_SRC}/{inside}"), roots)),
            _ if Path::new(file).is_absolute() => None,
            _ => self.look_for(file, roots),
        };
        named.or_else(|| if is_foreign { None } else { self.in_libraries(whole) }).ok_or(problem)
    }

    /// The file in one of the libraries.
    fn in_libraries(&self, file: &str) -> Option<(PathBuf, File)> {
        let open = |place: libraries::LibraryPath| {
            let root = place.root.canonicalize().ok()?;
            self.open_at(&place.path, Some(&[root])).ok()
        };
        self.libraries.places(file).into_iter().find_map(open)
    }

    /// Message for readers: why a file's text is not shown.
    fn message(&self, file: &str, problem: &Problem, audience: &Audience) -> String {
        match problem {
            _ if !self.is_silent(audience) => problem.to_string(),
            Problem::NotFound { .. }
            | Problem::Open { .. }
            | Problem::Outside { .. }
            | Problem::Unavailable { .. }
            | Problem::Foreign { .. } => {
                format!("could not find file {file}")
            }
            Problem::NotRegular { .. } => format!("{file} is not a regular file"),
            Problem::TooLong { .. } => format!("{file} exceeds {} MiB, the limit for source files", LONGEST >> 20),
            Problem::TooMuch { .. } | Problem::Never => problem.to_string(),
        }
    }

    /// Message for a file that was not found.
    fn missing(&self, file: &str, problem: &Problem, audience: &Audience) -> MissingSource {
        let (mut tried, search) = (Vec::new(), self.paths.as_ref().map_or("", |paths| &paths.search));
        if !self.is_silent(audience) && !matches!(problem, Problem::Never | Problem::Foreign { .. }) {
            let is_absolute = Path::new(file).is_absolute();
            tried.extend(is_absolute.then(|| file.to_owned()));
            if !is_absolute || matches!(Owner::of(file), Owner::Rust { .. }) {
                let above = if self.confined { "" } else { " and its parents" };
                tried.extend(split_list(search).map(|folder| format!("{folder}{above}")));
            }
            tried.extend(self.libraries.places(file).into_iter().map(|place| place.path.display().to_string()).filter(|path| path != file));
        }
        let by_hand = || named_by_hand(if audience.is_elsewhere { "" } else { file });
        let advice = match problem {
            Problem::Never => String::new(),
            Problem::Open { .. } | Problem::NotFound { .. } | Problem::Outside { .. } | Problem::Unavailable { .. } => {
                self.libraries.advice(file).unwrap_or_else(by_hand)
            }
            Problem::Foreign { .. } => by_hand(),
            other => self.message(file, other, audience),
        };
        MissingSource { file: file.to_owned(), tried, advice }
    }

    fn is_silent(&self, audience: &Audience) -> bool {
        self.silent || audience.is_elsewhere
    }

    /// A relative path in the folders that are searched and all above them.
    fn look_for(&self, file: &str, roots: &[PathBuf]) -> Option<(PathBuf, File)> {
        let climbs = clean_path(file).starts_with("..");
        for folder in split_list(&self.paths.as_ref()?.search) {
            let folder = clean_path(folder);
            for above in Path::new(&folder).ancestors() {
                let joined = clean_path(&above.join(file).to_string_lossy());
                if let Ok(opened) = self.open_at(Path::new(&joined), (climbs || self.confined).then_some(roots)) {
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
        let is_in = |root: &PathBuf| {
            place.strip_prefix(root).is_ok_and(|inside| !self.confined || confined::is_source(inside))
                || (self.confined && !self.discreet && confined::is_linked_source(root, path, &place))
        };
        if roots.is_some_and(|roots| !roots.iter().any(is_in)) {
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

/// A system error in Go's words, which pprof prints.
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
