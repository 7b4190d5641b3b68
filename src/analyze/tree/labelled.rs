//! The profile a view is computed from, with tagroot and tagleaf applied.

use crate::attribution::{Attribution, RowDetail};
use crate::base::units;
use crate::profile::Profile;
use crate::query::{KindRules, View};

/// Cache key: the options that a labelled profile depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledProfileKey {
    roots: Vec<String>,
    leaves: Vec<String>,
    /// Unit that numbers are printed in.
    unit: String,
    kinds: KindRules,
}

/// A profile made for a view.
#[derive(Debug)]
pub struct LabelledProfile {
    /// The profile with labels as frames.
    pub profile: Profile,
    /// Attribution of its frames.
    pub packages: Attribution,
    /// Messages about labels that no sample has.
    pub warnings: Vec<String>,
}

impl LabelledProfileKey {
    /// Key for `view`; `None` if it uses the profile itself.
    pub fn of(view: &View) -> Option<Self> {
        let (roots, leaves) = (view.shape.tagroot.clone(), view.shape.tagleaf.clone());
        let is_plain = roots.is_empty() && leaves.is_empty();
        (!is_plain).then(|| LabelledProfileKey { roots, leaves, unit: view.show.unit.clone(), kinds: view.shape.kinds.clone() })
    }
}

impl LabelledProfile {
    /// Profile for `view`, unless it is `profile` itself. O(size log size).
    pub fn of(profile: &Profile, view: &View) -> Option<Self> {
        LabelledProfileKey::of(view).map(|key| LabelledProfile::new(profile, view, &key))
    }

    /// Bytes on the heap.
    pub fn heap_bytes(&self) -> usize {
        self.profile.heap_bytes() + self.packages.heap_bytes()
    }

    /// Builds the profile for `view`; `key` is its cache key. O(size log size).
    pub fn new(profile: &Profile, view: &View, key: &LabelledProfileKey) -> Self {
        Self::with_most_keys(profile, view, key, most_keys(profile))
    }

    fn with_most_keys(profile: &Profile, view: &View, key: &LabelledProfileKey, most: usize) -> Self {
        // Without a unit pprof has nothing to print a number by.
        let number = |n: i64, unit: &str| if unit.is_empty() { n.to_string() } else { units::label(n, unit, &key.unit) };
        let used = |keys: &[String]| keys.len().min(most);
        let (roots, leaves) = (&key.roots[..used(&key.roots)], &key.leaves[..used(&key.leaves)]);
        let too_many = |name: &str, keys: &[String]| {
            (keys.len() > most)
                .then(|| format!("{name}: only the first {most} of {} keys are used: each is a frame of every stack", keys.len()))
        };
        let too_many = [too_many("tagroot", &key.roots), too_many("tagleaf", &key.leaves)];
        let (profile, met) = profile.with_label_frames(roots, leaves, number);
        let missing =
            |name: &str, keys: &[String], met: bool| (!keys.is_empty() && !met).then(|| format!("{name} expression matched no samples"));
        let warnings = [missing("TagRoot", &key.roots, met[0]), missing("TagLeaf", &key.leaves, met[1])];
        let warnings = warnings.into_iter().chain(too_many).flatten().collect();
        LabelledProfile { profile, packages: Attribution::for_view(RowDetail::Full, view), warnings }
    }
}

/// Frames of labels that all stacks together get, and keys that count whatever the number of stacks.
const FRAMES: usize = 1 << 20;
const FEW_KEYS: usize = 8;

/// Maximum number of keys of labels that become frames of each stack.
fn most_keys(profile: &Profile) -> usize {
    (FRAMES / profile.samples().len().max(1)).max(FEW_KEYS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::{Labels, ProfileBuilder};
    use crate::query::ViewKind;

    #[test]
    fn keys_of_labels_are_bounded() {
        let mut b = ProfileBuilder::new(&[("inuse_space", "bytes")]);
        let [alloc, main] = [1, 2].map(|address| b.location(None, address, &[]));
        b.sample(&[alloc, main], Labels::NONE, &[5]);
        let profile = b.build();
        let view = View::parse(ViewKind::Top, [("tagroot", "a,b,c"), ("tagleaf", "d")]).unwrap();
        let key = LabelledProfileKey::of(&view).unwrap();
        let frames = |most| {
            let ground = LabelledProfile::with_most_keys(&profile, &view, &key, most);
            (ground.profile.stacks().len() - 1, ground.warnings)
        };
        let missing = ["TagRoot expression matched no samples", "TagLeaf expression matched no samples"];
        assert_eq!(frames(3), (6, missing.map(str::to_owned).to_vec()));
        let (n, warnings) = frames(2);
        assert_eq!((n, warnings.len()), (5, 3));
        assert_eq!(warnings[2], "tagroot: only the first 2 of 3 keys are used: each is a frame of every stack");
    }
}
