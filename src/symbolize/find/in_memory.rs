//! Uploaded programs and libraries, which are in memory only. Preferred to files on disk if they fit.

use std::path::Path;

use super::fit::Fit;
use super::locate::{Located, Wanted};
use crate::symbolize::options::Options;
use crate::symbolize::read::image::Image;

/// Fit of an uploaded file, if it matches.
pub(crate) fn fit(image: &Image, wanted: Wanted<'_>) -> Option<Fit> {
    if !wanted.build_id.is_empty() && !image.build_id.is_empty() {
        return (wanted.build_id == image.build_id).then_some(Fit::Sure);
    }
    match wanted.evidence.fit(image) {
        Fit::No(_) => None,
        // Without evidence the name decides.
        Fit::Unknown => (Path::new(wanted.path).file_name() == image.path.file_name()).then_some(Fit::Unknown),
        fit => Some(fit),
    }
}

/// The one of the held files that a mapping came from, the latest first.
pub(crate) fn find(options: &Options, wanted: Wanted<'_>) -> Option<Located> {
    options.held.iter().rev().find_map(|held| {
        let image = held.image().ok()?;
        fit(&image, wanted).map(|fit| Located::Found { image, is_other_build: false, fit })
    })
}

/// The latest of the held files, for a profile that names none.
pub(crate) fn any(options: &Options) -> Option<Located> {
    let image = options.held.last()?.image().ok()?;
    Some(Located::Found { image, is_other_build: false, fit: Fit::Unknown })
}
