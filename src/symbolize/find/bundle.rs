//! macOS's dSYM bundle with a program's debug information.

use std::path::{Path, PathBuf};

use super::debug_roots;
use crate::symbolize::options::Options;
use crate::symbolize::read::image::Image;

/// The file in the bundle (`.dSYM`) that dsymutil made of the Mach-O program `image`.
pub(crate) fn bundled(options: &Options, image: &Image) -> Option<Image> {
    if image.build_id.is_empty() {
        return None;
    }
    let name = image.path.file_name()?;
    let mut bundles: Vec<PathBuf> = Vec::new();
    let mut add = |folder: &Path, name: &std::ffi::OsStr| {
        let mut bundle = name.to_owned();
        bundle.push(".dSYM");
        bundles.push(folder.join(bundle));
    };
    // Beside the program, or beside the bundle that the program is in: `X.app/Contents/MacOS/X`.
    for path in image.path.ancestors().take(5) {
        if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
            add(folder, name);
        }
    }
    for folder in options.search.iter().chain(&debug_roots::debug_roots(options)) {
        add(folder, name);
    }
    bundles.iter().find_map(|bundle| {
        let folder = bundle.join("Contents/Resources/DWARF");
        let own = Image::open_build(&folder.join(name), &image.build_id).ok();
        if let Some(own) = own.filter(|own| own.build_id == image.build_id) {
            return Some(own);
        }
        // The program may have been renamed.
        let mut others: Vec<PathBuf> = std::fs::read_dir(&folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).take(100).collect();
        others.sort();
        let opened = |path: &PathBuf| Image::open_build(path, &image.build_id).ok().filter(|other| other.build_id == image.build_id);
        others.iter().find_map(opened)
    })
}
