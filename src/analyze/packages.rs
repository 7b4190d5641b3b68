//! Whose code the frames of a profile are: found out when somebody first asks, then remembered.

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::classify::{Classifier, Package};
use crate::id::{FrameId, FunctionId, Id, StrId};
use crate::profile::{Profile, Strings};
use crate::report::PackageKind;

/// What rows say of packages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rows {
    /// All that is known.
    #[default]
    Whole,
    /// Nothing: most texts do not print it. Reports that are about packages have them nevertheless.
    Plain,
}

/// The packages of one profile's frames; for another profile there must be another.
#[derive(Debug, Default)]
pub struct Packages {
    rows: Rows,
    classifier: OnceLock<Classifier>,
    by_function: OnceLock<Told>,
    by_file: OnceLock<Told>,
}

#[derive(Debug)]
struct Told {
    package: Vec<Package>,
    /// `FrameId` → its package.
    of_frame: Vec<u32>,
}

impl Packages {
    /// For answers with such rows.
    pub fn new(rows: Rows) -> Self {
        Packages { rows, ..Packages::default() }
    }

    /// Whether rows say whose they are.
    pub(super) fn are_in_rows(&self) -> bool {
        self.rows == Rows::Whole
    }

    /// Whose code a frame is; `by_file`: only its source file counts. The first time O(frames).
    pub(super) fn of(&self, profile: &Profile, frame: FrameId, by_file: bool) -> &Package {
        let told = self.told(profile, by_file);
        &told.package[told.of_frame[frame.index()] as usize]
    }

    /// `FrameId` → package, version and kind, for those who make rows elsewhere. O(frames).
    pub fn all(&self, profile: &Profile, by_file: bool) -> Vec<(String, String, PackageKind)> {
        let package = |frame| {
            let Package { name, version, kind } = self.of(profile, frame, by_file);
            (name.clone(), version.clone(), *kind)
        };
        profile.code().frames.ids().map(package).collect()
    }

    fn told(&self, profile: &Profile, by_file: bool) -> &Told {
        let classifier = || self.classifier.get_or_init(|| Classifier::new(profile));
        match by_file {
            true => self.by_file.get_or_init(|| Told::new(profile, classifier(), Classifier::package_of_file)),
            false => self.by_function.get_or_init(|| Told::new(profile, classifier(), Classifier::package)),
        }
    }
}

impl Told {
    /// Asks once for each function in each mapped file. O(frames).
    fn new(
        profile: &Profile,
        classifier: &Classifier,
        classify: impl Fn(&Classifier, &Profile, Option<FunctionId>, &str) -> Package,
    ) -> Self {
        let mut known: FxHashMap<(Option<FunctionId>, StrId), u32> = FxHashMap::default();
        let mut told = Told { package: Vec::new(), of_frame: Vec::with_capacity(profile.code().frames.len()) };
        for frame in profile.code().frames.ids() {
            let function = profile.function_of(frame).map(|(id, _)| id);
            let mapping = profile.mapping_of(profile.code().frames[frame].location);
            let object = mapping.map_or(Strings::EMPTY, |(_, m)| m.file);
            let number = *known.entry((function, object)).or_insert_with(|| {
                told.package.push(classify(classifier, profile, function, profile.text(object)));
                told.package.len() as u32 - 1
            });
            told.of_frame.push(number);
        }
        told
    }
}
