//! The profile that a view stands on: as it was read, or with labels made frames.

use super::packages::{Packages, Rows};
use crate::profile::Profile;
use crate::query::{KindRules, View};
use crate::units;

/// What a ground depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundKey {
    roots: Vec<String>,
    leaves: Vec<String>,
    /// Unit that numbers are printed in.
    unit: String,
    kinds: KindRules,
}

/// A profile made for a view.
#[derive(Debug)]
pub struct Ground {
    /// It.
    pub profile: Profile,
    /// Those of its frames.
    pub packages: Packages,
    /// Labels that no sample has, in words.
    pub warnings: Vec<String>,
}

impl GroundKey {
    /// What the ground of `view` depends on; `None`: the profile itself is it.
    pub fn of(view: &View) -> Option<Self> {
        let (roots, leaves) = (view.shape.tagroot.clone(), view.shape.tagleaf.clone());
        let is_plain = roots.is_empty() && leaves.is_empty();
        (!is_plain).then(|| GroundKey { roots, leaves, unit: view.show.unit.clone(), kinds: view.shape.kinds.clone() })
    }
}

impl Ground {
    /// The profile that `view` stands on, unless it is `profile` itself. O(size log size).
    pub fn of(profile: &Profile, view: &View) -> Option<Self> {
        GroundKey::of(view).map(|key| Ground::new(profile, view, &key))
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.profile.heap_bytes() + self.packages.heap_bytes()
    }

    /// Makes it for `view`, whose key it is. O(size log size).
    pub fn new(profile: &Profile, view: &View, key: &GroundKey) -> Self {
        // Without a unit pprof has nothing to print a number by.
        let number = |n: i64, unit: &str| if unit.is_empty() { n.to_string() } else { units::label(n, unit, &key.unit) };
        let (profile, met) = profile.with_label_frames(&key.roots, &key.leaves, number);
        let missing =
            |name: &str, keys: &[String], met: bool| (!keys.is_empty() && !met).then(|| format!("{name} expression matched no samples"));
        let warnings = [missing("TagRoot", &key.roots, met[0]), missing("TagLeaf", &key.leaves, met[1])];
        Ground { profile, packages: Packages::for_view(Rows::Whole, view), warnings: warnings.into_iter().flatten().collect() }
    }
}
