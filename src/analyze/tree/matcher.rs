//! Functions, files and mappings that a regexp matches, each tested once.

use crate::base::id::{FrameId, FunctionId, Id, LocationId};
use crate::profile::Profile;
use crate::query::Pattern;

/// An expression against a profile's code.
pub(crate) struct Matcher {
    /// `FunctionId` → its name or file matches.
    function: Vec<bool>,
    /// `MappingId` → its file matches.
    mapping: Vec<bool>,
}

impl Matcher {
    /// Matches every function and mapping. O(functions).
    pub(crate) fn new(profile: &Profile, pattern: &Pattern) -> Self {
        let code = profile.code();
        let hit = |id| pattern.is_match(profile.text(id));
        Matcher {
            function: code.functions.iter().map(|f| hit(f.name) || (f.filename.0 != 0 && hit(f.filename))).collect(),
            mapping: code.mappings.iter().map(|m| hit(m.file)).collect(),
        }
    }

    /// Returns whether the frame's function matches, by name or file.
    pub(crate) fn frame(&self, profile: &Profile, frame: FrameId) -> bool {
        profile.code().frames[frame].function.is_some_and(|f: FunctionId| self.function[f.index()])
    }

    /// Returns whether the location's module matches.
    pub(crate) fn mapping(&self, profile: &Profile, location: LocationId) -> bool {
        profile.code().locations[location].mapping.is_some_and(|m| self.mapping[m.index()])
    }

    /// `LocationId` → any of its frames or its module matches.
    pub(crate) fn locations(&self, profile: &Profile) -> Vec<bool> {
        let locations = profile.code().locations.enumerate();
        locations.map(|(id, l)| l.frames().any(|f| self.frame(profile, f)) || self.mapping(profile, id)).collect()
    }
}
