//! Separate debug file of a program: by build id, then by the name in `.gnu_debuglink`.

use std::path::{Path, PathBuf};

use super::contents::{has_info, has_symbols};
use super::locate::{id_name, is_id};
use super::{attached, debug_roots, recorded_paths};
use crate::symbolize::find::bundle;
use crate::symbolize::options::Options;
use crate::symbolize::read::image::Image;
use crate::symbolize::read::layout::{Layout, Parsed};

/// The file with the debug information of `image`, which has none.
pub(in crate::symbolize) fn debug_file(options: &Options, image: &Image) -> Option<Image> {
    attached::debug_file(options, image).or_else(|| match image.layout {
        _ if options.ignores_paths => None,
        Layout::Linked { .. } => bundle::bundled(options, image),
        Layout::Elf { .. } => by_build_id(options, image).or_else(|| by_link(options, image)),
    })
}

fn by_build_id(options: &Options, image: &Image) -> Option<Image> {
    if !is_id(&image.build_id) {
        return None;
    }
    let name = id_name(&image.build_id, ".debug");
    let by_id = Path::new(".build-id").join(&name);
    // A folder that is named may itself be the `.build-id`.
    let named = options.search.iter().chain(&options.debug_dirs);
    let mut paths: Vec<PathBuf> = named.flat_map(|folder| [folder.join(&by_id), folder.join(&name)]).collect();
    paths.extend(debug_roots::debug_roots(options).iter().map(|root| root.join(&by_id)));
    // Or hold the file under the program's own name, stripped no more.
    let named = options.search.iter().chain(&options.debug_dirs);
    paths.extend(named.flat_map(|folder| super::locate::in_folder(folder, &image.path.to_string_lossy(), &image.build_id)));
    let kept = Path::new(".debug/.build-id").join(id_name(&image.build_id, ""));
    paths.extend(options.home.iter().map(|home| home.join(&kept).join("debug")));
    let knows_more = |debug: &Image| debug.build_id == image.build_id && debug.with(has_more).unwrap_or(false);
    let found = paths.into_iter().find_map(|path| Image::open(&path).ok().filter(knows_more));
    // Whatever it is called there.
    let folders = options.search.iter().chain(&options.debug_dirs);
    found.or_else(|| {
        folders
            .flat_map(|folder| super::locate::of_build(folder, &image.build_id))
            .find_map(|path| Image::open(&path).ok().filter(knows_more))
    })
}

/// Returns whether a file has more than a stripped one.
fn has_more(object: &Parsed<'_>) -> bool {
    has_info(object) || has_symbols(object)
}

fn by_link(options: &Options, image: &Image) -> Option<Image> {
    let (name, crc) = image.debug_link.as_ref()?;
    let name = Path::new(name).file_name()?;
    let real = image.path.canonicalize().ok();
    let folders: Vec<&Path> = [Some(image.path.as_path()), real.as_deref()].into_iter().flatten().filter_map(Path::parent).collect();
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in &folders {
        paths.extend([folder.join(name), folder.join(".debug").join(name)]);
    }
    paths.extend(options.search.iter().map(|folder| folder.join(name)));
    let roots = debug_roots::debug_roots(options);
    for folder in folders.iter().filter(|folder| folder.is_absolute()) {
        // Below a root for other machines, debug information is found by that machine's paths.
        let own = options.sysroot.as_ref().and_then(|root| folder.strip_prefix(root).ok()).map(|rest| Path::new("/").join(rest));
        for folder in recorded_paths::merged_usr(own.as_deref().unwrap_or(folder)) {
            paths.extend(roots.iter().map(|root| root.join(recorded_paths::without_root(&folder)).join(name)));
        }
    }
    paths.extend(options.debug_dirs.iter().map(|folder| folder.join(name)));
    let mut tried: Vec<PathBuf> = vec![image.path.clone()];
    tried.extend(real.clone());
    paths.into_iter().find_map(|path| {
        if tried.contains(&path) {
            return None;
        }
        tried.push(path.clone());
        let debug = Image::open(&path).ok()?;
        // Equal build ids spare the reading of the whole file.
        let same = if !image.build_id.is_empty() && !debug.build_id.is_empty() {
            debug.build_id == image.build_id
        } else {
            debug.crc32() == Some(*crc)
        };
        same.then_some(debug)
    })
}
