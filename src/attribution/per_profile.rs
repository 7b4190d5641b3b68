//! Attribution of one profile: owners of frames, culprits of stacks, types of rows.

use std::sync::OnceLock;

use super::classify::Package;
use super::culprit::culprits;
use super::owners::Owners;
use super::types::{Types, of_rows};
use crate::base::id::{FrameId, StackId};
use crate::profile::Profile;
use crate::query::{KindRules, View};

/// Attribution columns of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowDetail {
    /// All columns.
    #[default]
    Full,
    /// No columns: most text reports do not print them. Reports by package have them nevertheless.
    Plain,
}

/// Attribution of the frames, stacks and rows of one profile; never used with another profile.
#[derive(Debug, Default)]
pub struct Attribution {
    rows: RowDetail,
    owners: Owners,
    culprit: OnceLock<Vec<StackId>>,
    types: OnceLock<Types>,
}

impl Attribution {
    /// Attribution for reports with these columns, under the user's rules.
    pub fn new(rows: RowDetail, rules: &KindRules) -> Self {
        Attribution { rows, owners: Owners::new(rules, Vec::new()), ..Attribution::default() }
    }

    /// Like [`Attribution::new`], for the profile that `view` is computed from.
    pub fn for_view(rows: RowDetail, view: &View) -> Self {
        let label_keys = [&*view.shape.tagroot, &*view.shape.tagleaf].concat();
        Attribution { rows, owners: Owners::new(&view.shape.kinds, label_keys), ..Attribution::default() }
    }

    /// Bytes on the heap for what is computed so far.
    pub fn heap_bytes(&self) -> usize {
        let ends = self.culprit.get().map_or(0, |ends| ends.capacity() * size_of::<StackId>());
        self.owners.heap_bytes() + ends + self.types.get().map_or(0, Types::heap_bytes)
    }

    /// Whether rows have attribution columns.
    pub(crate) fn are_in_rows(&self) -> bool {
        self.rows == RowDetail::Full
    }

    /// Whether a frame is a label and not code (`Profile::with_label_frames`).
    pub(crate) fn is_label(&self, profile: &Profile, frame: FrameId) -> bool {
        self.owners.is_label(profile, frame)
    }

    /// Returns the owner of a frame; `by_file`: only its source file counts. The first time O(frames).
    pub(crate) fn of(&self, profile: &Profile, frame: FrameId, by_file: bool) -> &Package {
        self.owners.of(profile, frame, by_file)
    }

    /// Names of the allocation wrappers whose callers are charged, those with most bytes first, without those to which the
    /// user's rules give another owner. The first time O(nodes × layers of wrappers).
    pub fn wrappers<'a>(&self, profile: &'a Profile) -> Vec<&'a str> {
        self.owners.wrappers(profile)
    }

    /// `StackId` → the node of its culprit. The first time O(nodes).
    pub(crate) fn culprits(&self, profile: &Profile) -> &[StackId] {
        self.culprit.get_or_init(|| culprits(profile, &self.owners))
    }

    /// Types of rows, which depend on names and not on the user's rules. The first time O(nodes + names).
    pub fn types(&self, profile: &Profile) -> &Types {
        self.types.get_or_init(|| match self.owners.has_no_rules() {
            true => of_rows(profile, &self.owners),
            false => of_rows(profile, &Owners::default()),
        })
    }

    /// Packages, and `FrameId` → index of its package, for rows made elsewhere.
    pub fn all(&self, profile: &Profile, by_file: bool) -> (Vec<Package>, Vec<u32>) {
        self.owners.all(profile, by_file)
    }
}
