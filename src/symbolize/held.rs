//! Programs and libraries that are in memory only: somebody gave them to us while the profile was
//! open. They go before files on disk wherever they fit.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::fit::{CallSites, Evidence, Fit};
use super::image::Image;
use super::locate::{Located, Wanted};
use super::plan::groups;
use super::{ImageError, Options};
use crate::profile::Profile;

/// A file in memory.
#[derive(Debug)]
pub struct HeldFile {
    /// What it is called; there need not be such a file anywhere.
    name: PathBuf,
    bytes: Arc<Vec<u8>>,
}

impl HeldFile {
    /// A program or library of these bytes.
    pub fn new(name: PathBuf, bytes: Vec<u8>) -> Result<Self, ImageError> {
        let held = HeldFile { name, bytes: Arc::new(bytes) };
        held.image().map(|_| held)
    }

    /// What the file is called.
    pub fn name(&self) -> &Path {
        &self.name
    }

    fn image(&self) -> Result<Image, ImageError> {
        Image::in_memory(&self.name, self.bytes.clone())
    }

    /// The mapped files of `profile` that this is, by path; `the program` when the profile has no
    /// mappings at all. O(stacks).
    pub fn fits(&self, profile: &Profile) -> Vec<String> {
        if profile.code().mappings.is_empty() {
            return vec!["the program".into()];
        }
        let options = Options::default();
        let (groups, _) = groups(profile, &options, true);
        let sites = CallSites::new(profile);
        let is_it = |wanted: Wanted<'_>| self.image().ok().is_some_and(|image| fit(&image, wanted).is_some());
        let fitting = groups.iter().filter(|group| {
            let evidence = Evidence { sites: &sites, mappings: &group.mappings };
            is_it(Wanted { path: group.path(profile).0, build_id: group.build_id, evidence: &evidence })
        });
        fitting.map(|group| group.name.to_owned()).collect()
    }
}

/// How a file fits, if it does.
fn fit(image: &Image, wanted: Wanted<'_>) -> Option<Fit> {
    if !wanted.build_id.is_empty() && !image.build_id.is_empty() {
        return (wanted.build_id == image.build_id).then_some(Fit::Sure);
    }
    match wanted.evidence.fit(image) {
        Fit::No(_) => None,
        // Then the name must tell.
        Fit::Unknown => (Path::new(wanted.path).file_name() == image.path.file_name()).then_some(Fit::Unknown),
        fit => Some(fit),
    }
}

/// The one of the held files that a mapping came from, the latest first.
pub(super) fn find(options: &Options, wanted: Wanted<'_>) -> Option<Located> {
    options.held.iter().rev().find_map(|held| {
        let image = held.image().ok()?;
        fit(&image, wanted).map(|fit| Located::Found { image, is_other_build: false, fit })
    })
}

/// The latest of the held files, for a profile that names none.
pub(super) fn any(options: &Options) -> Option<Located> {
    let image = options.held.last()?.image().ok()?;
    Some(Located::Found { image, is_other_build: false, fit: Fit::Unknown })
}
