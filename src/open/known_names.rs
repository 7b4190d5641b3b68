//! Symbolization results so far: names of addresses, and notes on missing ones. Carried over when the profile is merged into a
//! larger one.

use crate::base::hash::{HashMap, HashSet};
use crate::base::id::{Id, LocationId, MappingId};
use crate::profile::{Names, Profile};
use crate::symbolize::{Note, NoteKind, Symbolized};

/// Symbolization results by location and mapping of a profile.
#[derive(Clone, Default)]
pub(crate) struct Known {
    /// Names. Those of locations that were not looked up to the end may be less than there is.
    pub(crate) names: Names,
    /// Locations that were looked up, also those without result.
    pub(crate) looked_up: HashSet<LocationId>,
    /// One for each mapping with such locations.
    pub(crate) notes: Vec<Note>,
}

impl Known {
    /// Adds the results for all other locations of `profile`.
    pub(crate) fn with(self, profile: &Profile, found: Symbolized) -> Known {
        let Known { names: old, looked_up, notes } = self;
        let Symbolized { mut names, notes: new, .. } = found;
        // Existing results are kept.
        names.lines.extend(old.lines.into_iter().filter(|(id, _)| looked_up.contains(id)));
        names.resolved.extend(old.resolved);
        names.resolved.sort_unstable();
        names.resolved.dedup();
        let told: HashSet<&str> = new.iter().map(|note| note.mapping.as_str()).collect();
        let mut all: Vec<Note> = notes.iter().filter(|note| !told.contains(note.mapping.as_str())).cloned().collect();
        let mut before: HashMap<_, &Note> = HashMap::default();
        for note in &notes {
            before.entry((note.mapping.as_str(), std::mem::discriminant(&note.kind))).or_insert(note);
        }
        all.extend(new.iter().map(|note| joined(before.get(&(note.mapping.as_str(), std::mem::discriminant(&note.kind))).copied(), note)));
        Known { names, looked_up: profile.code().locations.enumerate().map(|(id, _)| id).collect(), notes: all }
    }

    /// Results after `from` was merged into `to`; `twins` has the new id of each location. O(size). Locations without one are
    /// dropped.
    pub(crate) fn carried(&self, from: &Profile, to: &Profile, twins: &[Option<LocationId>]) -> Known {
        let location = |id: &LocationId| twins.get(id.index()).copied().flatten();
        let (old, new) = (&from.code().locations, &to.code().locations);
        let moved = old.iter().zip(twins).filter_map(|(location, &twin)| location.mapping.zip(new[twin?].mapping));
        let mappings: HashMap<MappingId, MappingId> = moved.collect();
        let lines = self.names.lines.iter().filter_map(|(id, lines)| Some((location(id)?, lines.clone()))).collect();
        let files = self.names.files.iter().filter_map(|(id, file, build)| Some((*mappings.get(id)?, file.clone(), build.clone())));
        let names = Names { lines, files: files.collect(), ..Names::default() };
        Known {
            names: Names { resolved: self.names.resolved.iter().filter_map(|id| mappings.get(id).copied()).collect(), ..names },
            looked_up: self.looked_up.iter().filter_map(location).collect(),
            notes: self.notes.clone(),
        }
    }

    /// Forgets what is known of locations that are to be looked up again.
    pub(crate) fn forget(&mut self, locations: impl IntoIterator<Item = LocationId>) {
        for location in locations {
            self.names.lines.remove(&location);
            self.looked_up.remove(&location);
        }
    }
}

/// `new` for all addresses of its mapping, when `old` is about some of them.
fn joined(old: Option<&Note>, new: &Note) -> Note {
    let mut all = new.clone();
    use NoteKind::{Found, NoDebugInfo};
    let pair = (&mut all.kind, old.map(|note| &note.kind));
    if let (Found { n_named, n_addresses, .. }, Some(Found { n_named: named, n_addresses: of, .. }))
    | (NoDebugInfo { n_named, n_addresses, .. }, Some(NoDebugInfo { n_named: named, n_addresses: of, .. })) = pair
    {
        *n_named += named;
        *n_addresses += of;
    }
    all
}
