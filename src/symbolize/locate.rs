//! Which file on disk a mapping came from, and where its debug information lies.

use std::path::{Component, Path, PathBuf};

use super::image::{Image, ImageError, Layout};
use super::{Options, companions};

/// The outcome of a search.
#[derive(Debug)]
pub(super) enum Located {
    /// The file. The profile was taken of another build when `is_other_build`.
    Found { image: Image, is_other_build: bool },
    /// Files by that name exist, but are other builds; one of them and its build id.
    OtherBuild { path: PathBuf, found: String },
    /// A file exists but cannot be read.
    Unreadable { path: PathBuf, error: ImageError },
    /// No file, and where it was looked for.
    NotFound { looked: Vec<PathBuf> },
}

/// Finds the file of a mapping with this path and build id (either may be empty).
/// The folders of `options.search` go before the path itself.
pub(super) fn file(options: &Options, path: &str, build_id: &str) -> Located {
    let mut looked = Vec::new();
    let mut other = None;
    let mut unreadable = None;
    let candidates = options.search.iter().flat_map(|folder| in_folder(folder, path, build_id));
    let own = (!path.is_empty()).then(|| PathBuf::from(path));
    for candidate in candidates.chain(own) {
        match Image::open_build(&candidate, build_id) {
            Ok(image) if !build_id.is_empty() && !image.build_id.is_empty() && image.build_id != build_id => {
                other.get_or_insert((candidate, image.build_id));
            }
            Ok(image) => return Located::Found { image, is_other_build: false },
            Err(ImageError::Io(error)) if error.kind() == std::io::ErrorKind::NotFound => looked.push(candidate),
            Err(ImageError::NotAFile) => {}
            Err(error) => {
                unreadable.get_or_insert((candidate, error));
            }
        }
    }
    match (other, unreadable) {
        (Some((path, found)), _) => Located::OtherBuild { path, found },
        (None, Some((path, error))) => Located::Unreadable { path, error },
        (None, None) => Located::NotFound { looked },
    }
}

/// The file that the person named.
pub(super) fn given(path: &Path, build_id: &str) -> Located {
    match Image::open_build(path, build_id) {
        Ok(image) => {
            let is_other_build = !build_id.is_empty() && !image.build_id.is_empty() && image.build_id != build_id;
            Located::Found { image, is_other_build }
        }
        Err(error) => Located::Unreadable { path: path.to_path_buf(), error },
    }
}

/// The places below `folder` where pprof looks (`internal/driver/fetch.go`), in its order.
fn in_folder(folder: &Path, path: &str, build_id: &str) -> Vec<PathBuf> {
    let path = Path::new(path);
    let base = path.file_name();
    let below = below_root(path);
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
        places.push(folder.join(debug_name(build_id)));
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

/// `path` without its root, and without ways out of the folder it is put in.
pub(super) fn below_root(path: &Path) -> PathBuf {
    path.components().filter(|part| matches!(part, Component::Normal(_))).collect()
}

/// A build id is part of a path: it must be nothing but digits.
pub(super) fn is_id(build_id: &str) -> bool {
    build_id.len() > 2 && build_id.bytes().all(|b| b.is_ascii_hexdigit())
}

/// `ab/cdef.debug`.
pub(super) fn debug_name(build_id: &str) -> PathBuf {
    let (folder, rest) = build_id.split_at(2);
    Path::new(folder).join(format!("{rest}.debug"))
}

/// The file with the debug information of `image`, which has none: by build id, then
/// by the name it gives.
pub(super) fn debug_file(options: &Options, image: &Image) -> Option<Image> {
    if let Layout::Linked { .. } = image.layout {
        return companions::bundled(options, image);
    }
    let system = PathBuf::from("/usr/lib/debug");
    let roots: Vec<&PathBuf> = options.debug_dirs.iter().chain([&system]).collect();
    if is_id(&image.build_id) {
        let name = debug_name(&image.build_id);
        let by_id = Path::new(".build-id").join(&name);
        // A folder of the search may itself be the `.build-id`.
        let in_search = options.search.iter().flat_map(|folder| [folder.join(&by_id), folder.join(&name)]);
        for place in in_search.chain(roots.iter().map(|root| root.join(&by_id))) {
            if let Ok(debug) = Image::open(&place)
                && debug.build_id == image.build_id
            {
                return Some(debug);
            }
        }
    }
    let (name, crc) = image.debug_link.as_ref()?;
    let name = Path::new(name).file_name()?;
    let folder = image.path.parent().unwrap_or(Path::new(""));
    let mut places = vec![folder.join(name), folder.join(".debug").join(name)];
    places.extend(options.search.iter().map(|folder| folder.join(name)));
    if let Ok(whole) = folder.canonicalize() {
        places.extend(roots.iter().map(|root| root.join(below_root(&whole)).join(name)));
    }
    places.into_iter().filter(|place| *place != image.path).find_map(|place| {
        let debug = Image::open(&place).ok()?;
        // Equal build ids spare the reading of the whole file.
        let same = if !image.build_id.is_empty() && !debug.build_id.is_empty() {
            debug.build_id == image.build_id
        } else {
            debug.crc32() == Some(*crc)
        };
        same.then_some(debug)
    })
}
