//! Binaries and debug files that the user attached. Programs and libraries among them are preferred to files on disk if they fit.

use std::path::Path;

use super::contents::{has_info, has_split_units, has_symbols};
use super::fit::Fit;
use super::locate::{Located, Wanted};
use crate::profile::Profile;
use crate::symbolize::options::Options;
use crate::symbolize::read::image::Image;

/// Fit of an attached file, if it matches.
pub(crate) fn fit(image: &Image, wanted: Wanted<'_>) -> Option<Fit> {
    if !wanted.build_id.is_empty() && !image.build_id.is_empty() {
        return (wanted.build_id == image.build_id).then_some(Fit::Sure);
    }
    match wanted.evidence.fit(image) {
        Fit::No(_) => None,
        // Without evidence the name decides.
        Fit::Unknown => is_named(image, Path::new(wanted.path)).then_some(Fit::Unknown),
        fit => Some(fit),
    }
}

/// Returns whether the name is that of a mapped file, or of its debug file.
fn is_named(image: &Image, mapped: &Path) -> bool {
    // An unnamed mapping is the program's, which is what one attaches.
    if mapped.as_os_str().is_empty() {
        return image.has_code();
    }
    let is_debug_file = || !image.has_code() && image.path.extension().is_some_and(|end| end == "debug" || end == "dbg");
    image.path.file_name() == mapped.file_name() || (is_debug_file() && image.path.file_stem() == mapped.file_name())
}

/// The attached files, the latest first; of universal files the program of this build.
fn images<'a>(options: &'a Options, build_id: &'a str) -> impl Iterator<Item = Image> + 'a {
    options.attached.iter().rev().filter_map(move |file| file.image(build_id).ok())
}

/// The programs and libraries among them.
fn programs<'a>(options: &'a Options, build_id: &'a str) -> impl Iterator<Item = Image> + 'a {
    options.attached.iter().rev().filter(|file| !file.is_debug_only()).filter_map(move |file| file.image(build_id).ok())
}

/// Those without code, of which there may be thousands: every unit of a program may have a `.dwo` file.
fn debug_only<'a>(options: &'a Options, build_id: &'a str) -> impl Iterator<Item = Image> + 'a {
    options.attached.iter().rev().filter(|file| file.is_debug_only()).filter_map(move |file| file.image(build_id).ok())
}

/// The program or library that a mapping came from.
pub(crate) fn find(options: &Options, wanted: Wanted<'_>) -> Option<Located> {
    find_among(programs(options, wanted.build_id), wanted)
}

/// The program or library of this path and build that a recording has in itself.
pub(crate) fn find_carried(profile: &Profile, wanted: Wanted<'_>) -> Option<Located> {
    let named = profile.meta().binaries.iter().filter(|binary| binary.path == wanted.path);
    let images = named.filter_map(|binary| Image::of_source(Path::new(&binary.path), binary.bytes.clone(), wanted.build_id).ok());
    let image = images.into_iter().find(|image| wanted.build_id.is_empty() || image.build_id == wanted.build_id)?;
    Some(Located::Found { image, is_other_build: false, fit: Fit::Sure })
}

/// The debug file of a program or library that is nowhere: it has the names, too.
pub(crate) fn find_debug_only(options: &Options, wanted: Wanted<'_>) -> Option<Located> {
    find_among(debug_only(options, wanted.build_id), wanted)
}

/// A file of the right name that is another build.
pub(crate) fn find_misfit(options: &Options, wanted: Wanted<'_>) -> Option<Located> {
    let name = Path::new(wanted.path).file_name()?;
    let image = programs(options, wanted.build_id).find(|image| image.path.file_name() == Some(name))?;
    if !wanted.build_id.is_empty() && !image.build_id.is_empty() {
        return Some(Located::OtherBuild { path: image.path, found: image.build_id });
    }
    let fit = wanted.evidence.fit(&image);
    Some(Located::Found { image, is_other_build: false, fit })
}

fn find_among(mut images: impl Iterator<Item = Image>, wanted: Wanted<'_>) -> Option<Located> {
    images.find_map(|image| fit(&image, wanted).map(|fit| Located::Found { image, is_other_build: false, fit }))
}

/// The latest program, for a profile that names none.
pub(crate) fn any(options: &Options) -> Option<Located> {
    let image = programs(options, "").next().or_else(|| images(options, "").next())?;
    Some(Located::Found { image, is_other_build: false, fit: Fit::Unknown })
}

/// The file with the debug information of `image`, which has none: by build id, else by name and checksum.
pub(crate) fn debug_file(options: &Options, image: &Image) -> Option<Image> {
    let knows_more = |debug: &Image| debug.with(has_info).unwrap_or(false);
    if !image.build_id.is_empty() {
        let of_build = |debug: &Image| debug.build_id == image.build_id;
        // Without debug information a full symbol table is better than none.
        let symbols = |debug: &Image| debug.path != image.path && debug.with(has_symbols).unwrap_or(false);
        let found = images(options, &image.build_id).find(|debug| of_build(debug) && knows_more(debug));
        if let Some(found) = found.or_else(|| images(options, &image.build_id).find(|debug| of_build(debug) && symbols(debug))) {
            return Some(found);
        }
    }
    let (name, crc) = image.debug_link.as_ref()?;
    let is_linked = |debug: &Image| debug.path.as_os_str() == name.as_str() && (debug.build_id.is_empty() || image.build_id.is_empty());
    images(options, "").find(|debug| is_linked(debug) && debug.crc32() == Some(*crc))
}

/// The supplementary file with this build id or id.
pub(crate) fn supplementary(options: &Options, is_it: impl Fn(&Image) -> bool) -> Option<Image> {
    images(options, "").find(is_it)
}

/// Files that may have split units: neither programs nor debug files of them.
pub(crate) fn split(options: &Options) -> impl Iterator<Item = Image> {
    debug_only(options, "").filter(|image| image.with(has_split_units).unwrap_or(false))
}
