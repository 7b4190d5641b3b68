//! Locates the file of a mapping on disk.

use std::path::{Path, PathBuf};

use super::binary_folders;
use super::debug_roots::debug_roots;
use super::fit::{Evidence, Fit, Misfit};
use super::recorded_paths::without_root;
use crate::symbolize::options::Options;
use crate::symbolize::read::image::{Image, ImageError};

/// The outcome of a search.
#[derive(Debug)]
pub(crate) enum Located {
    /// The file; `is_other_build` if its build id differs from the profile's. `fit` is the verdict for files without a build id.
    Found { image: Image, is_other_build: bool, fit: Fit },
    /// Files by that name exist, but are other builds; one of them and its build id.
    OtherBuild { path: PathBuf, found: String },
    /// A file exists but cannot be read.
    Unreadable { path: PathBuf, error: ImageError },
    /// Not found; the paths searched.
    NotFound { looked: Vec<PathBuf> },
}

/// File data recorded in the profile.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a> {
    /// Path, without ` (deleted)`; may be empty.
    pub(crate) path: &'a str,
    /// May be empty.
    pub(crate) build_id: &'a str,
    /// Evidence to identify it without a build id.
    pub(crate) evidence: &'a Evidence<'a>,
}

/// Finds the file of a mapping. The folders of `options.search` go before the path itself,
/// and a file that can have been mapped like this before one that cannot.
pub(crate) fn file(options: &Options, wanted: Wanted<'_>) -> Located {
    let mut searched: Vec<PathBuf> = Vec::new();
    let mut other = None;
    let mut misfit: Option<(Image, Misfit)> = None;
    let mut unreadable = None;
    // Folders are gone through only when no place is right.
    let of_build = options.search.iter().flat_map(|folder| of_build(folder, wanted.build_id));
    for candidate in candidates(options, wanted.path, wanted.build_id).into_iter().chain(of_build) {
        match Image::open_build(&candidate, wanted.build_id) {
            Ok(image) if is_other_build(&image, wanted.build_id) => {
                other.get_or_insert((candidate, image.build_id));
            }
            Ok(image) => match fit(&image, wanted) {
                Fit::No(reason) => {
                    misfit.get_or_insert((image, reason));
                }
                fit => return Located::Found { image, is_other_build: false, fit },
            },
            Err(ImageError::Io(error)) if is_absent(&error) => {
                if !searched.contains(&candidate) {
                    searched.push(candidate);
                }
            }
            // Folders of this name are found by chance, but not where the profile has its file.
            Err(ImageError::NotAFile) if candidate != Path::new(wanted.path) => {}
            Err(error) if candidate == Path::new(wanted.path) => unreadable = Some((candidate, error)),
            Err(error) => {
                unreadable.get_or_insert((candidate, error));
            }
        }
    }
    match (misfit, other, unreadable) {
        (Some((image, reason)), ..) => Located::Found { image, is_other_build: false, fit: Fit::No(reason) },
        (None, Some((path, found)), _) => Located::OtherBuild { path, found },
        (None, None, Some((path, error))) => Located::Unreadable { path, error },
        (None, None, None) => {
            // The most specific reason first.
            if let Some(own) = searched.iter().position(|place| place == Path::new(wanted.path)) {
                searched[..=own].rotate_right(1);
            }
            Located::NotFound { looked: searched }
        }
    }
}

/// The file that the user named.
pub(crate) fn given(path: &Path, wanted: Wanted<'_>) -> Located {
    match Image::open_build(path, wanted.build_id) {
        Ok(image) => {
            let is_other_build = is_other_build(&image, wanted.build_id);
            // One reason is enough.
            let fit = if is_other_build { Fit::Unknown } else { fit(&image, wanted) };
            Located::Found { image, is_other_build, fit }
        }
        Err(error) => Located::Unreadable { path: path.to_path_buf(), error },
    }
}

fn is_other_build(image: &Image, build_id: &str) -> bool {
    !build_id.is_empty() && !image.build_id.is_empty() && image.build_id != build_id
}

fn fit(image: &Image, wanted: Wanted<'_>) -> Fit {
    match wanted.build_id {
        "" => wanted.evidence.fit(image),
        id if id == image.build_id => Fit::Sure,
        _ => wanted.evidence.fit(image),
    }
}

fn is_absent(error: &std::io::Error) -> bool {
    // A file where a folder would have to be.
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

/// Candidate paths, likeliest first.
fn candidates(options: &Options, path: &str, build_id: &str) -> Vec<PathBuf> {
    let mut places: Vec<PathBuf> = options.libraries.iter().filter(|library| is_named(library, path, build_id)).cloned().collect();
    places.extend(options.search.iter().flat_map(|folder| in_folder(folder, path, build_id)));
    // Libraries are often copied together with their program: that copy comes before one that this machine has at the path.
    places.extend(binary_folders::in_same_folder(options, Path::new(path)));
    if !path.is_empty() {
        places.extend(super::recorded_paths::of_recorded(options, Path::new(path)));
    }
    places.extend(binary_folders::in_library_folders(options, Path::new(path)));
    if is_id(build_id) {
        // Distributions link the executable beside its debug information.
        let (bare, debug) = (Path::new(".build-id").join(id_name(build_id, "")), Path::new(".build-id").join(id_name(build_id, ".debug")));
        let roots = debug_roots(options);
        places.extend(roots.iter().map(|root| root.join(&bare)));
        // perf keeps copies of what it saw.
        let kept = options.home.iter().map(|home| home.join(".debug").join(&bare));
        places.extend(kept.flat_map(|folder| [folder.join("elf"), folder]));
        places.extend(roots.iter().map(|root| root.join(&debug)));
    }
    places
}

/// Returns whether a binary is the one that a mapping of this path and build id came from, by either.
fn is_named(binary: &Path, path: &str, build_id: &str) -> bool {
    let by_name = Path::new(path).file_name().is_some_and(|name| binary.file_name() == Some(name));
    by_name || (!build_id.is_empty() && Image::open(binary).is_ok_and(|image| image.build_id == build_id))
}

/// Files of this build in `folder`, whatever they are called.
pub(super) fn of_build(folder: &Path, build_id: &str) -> Vec<PathBuf> {
    /// Limit on files examined per directory.
    const MOST: usize = 500;
    if !is_id(build_id) {
        return Vec::new();
    }
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().take(MOST).filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.retain(|path| Image::open(path).is_ok_and(|image| image.build_id == build_id));
    paths
}

/// The places below `folder` where pprof looks (`internal/driver/fetch.go`), in its order.
pub(super) fn in_folder(folder: &Path, path: &str, build_id: &str) -> Vec<PathBuf> {
    let path = Path::new(path);
    let base = path.file_name();
    let below = without_root(path);
    let mut places = Vec::new();
    if is_id(build_id) {
        let by_id = folder.join(build_id);
        places.extend(base.map(|base| by_id.join(base)));
        if let Ok(entries) = std::fs::read_dir(&by_id) {
            let mut files: Vec<PathBuf> = entries.filter_map(|entry| entry.ok()).map(|entry| entry.path()).collect();
            files.sort();
            places.append(&mut files);
        }
        places.push(folder.join(&below).join(build_id));
        places.push(folder.join(id_name(build_id, ".debug")));
    }
    if let Some(base) = base {
        let debug = format!("{}.debug", base.to_string_lossy());
        let parent = below.parent().unwrap_or(Path::new(""));
        places.push(folder.join(base));
        places.push(folder.join(&below));
        // jeprof's `--lib_prefix` holds libraries at the ends of their paths, too.
        let tails = std::iter::successors(Some(below.as_path()), |path| {
            let mut parts = path.components();
            parts.next();
            Some(parts.as_path()).filter(|rest| rest.components().nth(1).is_some())
        });
        places.extend(tails.skip(1).map(|tail| folder.join(tail)));
        places.push(folder.join(parent).join(&debug));
        places.push(folder.join(parent).join(".debug").join(&debug));
        places.push(folder.join("usr/lib/debug").join(parent).join(&debug));
    }
    places
}

/// A build id is part of a path and of an address: it must be nothing but digits, and of a
/// length that build ids have.
pub(crate) fn is_id(build_id: &str) -> bool {
    (3..=128).contains(&build_id.len()) && build_id.bytes().all(|b| b.is_ascii_hexdigit())
}

/// `ab/cdef` and the `ending`.
pub(crate) fn id_name(build_id: &str, ending: &str) -> PathBuf {
    let (folder, rest) = build_id.split_at(2);
    Path::new(folder).join(format!("{rest}{ending}"))
}
