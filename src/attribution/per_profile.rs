//! Whose code a profile's frames are, who is to blame for its stacks, and of what type its rows are.

use std::sync::OnceLock;

use super::classify::Package;
use super::culprit::culprits;
use super::owners::Owners;
use super::types::{Types, of_rows};
use crate::base::id::{FrameId, StackId};
use crate::profile::Profile;
use crate::query::{KindRules, View};

/// What rows say of packages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowDetail {
    /// All that is known.
    #[default]
    Full,
    /// Nothing: most texts do not print it. Reports that are about packages have them nevertheless.
    Plain,
}

/// What is known of one profile's frames, stacks and rows; for another profile there must be another.
#[derive(Debug, Default)]
pub struct Attribution {
    rows: RowDetail,
    owners: Owners,
    culprit: OnceLock<Vec<StackId>>,
    types: OnceLock<Types>,
}

impl Attribution {
    /// For answers with such rows, under the user's rules.
    pub fn new(rows: RowDetail, rules: &KindRules) -> Self {
        Attribution { rows, owners: Owners::new(rules, Vec::new()), ..Attribution::default() }
    }

    /// The same, of the profile that `view` stands on.
    pub fn for_view(rows: RowDetail, view: &View) -> Self {
        let label_keys = [&*view.shape.tagroot, &*view.shape.tagleaf].concat();
        Attribution { rows, owners: Owners::new(&view.shape.kinds, label_keys), ..Attribution::default() }
    }

    /// Bytes on the heap, as far as anything was found out already.
    pub fn heap_bytes(&self) -> usize {
        let ends = self.culprit.get().map_or(0, |ends| ends.capacity() * size_of::<StackId>());
        self.owners.heap_bytes() + ends + self.types.get().map_or(0, Types::heap_bytes)
    }

    /// Whether rows say whose they are.
    pub(crate) fn are_in_rows(&self) -> bool {
        self.rows == RowDetail::Full
    }

    /// Whether a frame is a label, and nobody's code (`Profile::with_label_frames`).
    pub(crate) fn is_label(&self, profile: &Profile, frame: FrameId) -> bool {
        self.owners.is_label(profile, frame)
    }

    /// Whose code a frame is; `by_file`: only its source file counts. The first time O(frames).
    pub(crate) fn of(&self, profile: &Profile, frame: FrameId, by_file: bool) -> &Package {
        self.owners.of(profile, frame, by_file)
    }

    /// Names of the allocation wrappers whose callers are charged, those with most bytes first: without those that the
    /// user's rules say something else of. The first time O(nodes × layers of wrappers).
    pub fn wrappers<'a>(&self, profile: &'a Profile) -> Vec<&'a str> {
        self.owners.wrappers(profile)
    }

    /// `StackId` → the node of its culprit. The first time O(nodes).
    pub(crate) fn culprits(&self, profile: &Profile) -> &[StackId] {
        self.culprit.get_or_init(|| culprits(profile, &self.owners))
    }

    /// RowDetail' types, whatever the user's rules are: they are a matter of names. The first time O(nodes + names).
    pub fn types(&self, profile: &Profile) -> &Types {
        self.types.get_or_init(|| match self.owners.has_no_rules() {
            true => of_rows(profile, &self.owners),
            false => of_rows(profile, &Owners::default()),
        })
    }

    /// Packages, and `FrameId` → index of its package, for those who make rows elsewhere.
    pub fn all(&self, profile: &Profile, by_file: bool) -> (Vec<Package>, Vec<u32>) {
        self.owners.all(profile, by_file)
    }
}
