//! Symbolization results so far: names of addresses, and notes on missing ones. Carried over when the profile is merged into a
//! larger one.

use std::path::Path;

use crate::base::hash::{HashMap, HashSet};
use crate::base::id::{Id, LocationId, MappingId};
use crate::base::plain::base_name;
use crate::doctor::is_of_system;
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

/// Messages for the user from `notes`. `main` is the program's mapping, `binary` the file given for it; for several builds
/// `programs` are the mappings.
pub(crate) fn said(notes: &[Note], main: &str, programs: &[String], binary: Option<&Path>) -> Vec<String> {
    let is_program = |n: &Note| n.mapping == main || programs.contains(&n.mapping);
    // That libraries have no debug information is the rule, and that those of the system have no names.
    let is_usual = |n: &Note| match n.kind {
        NoteKind::NoDebugInfo { .. } => !is_program(n),
        NoteKind::NoNames { .. } => !is_program(n) && is_of_system(&n.mapping),
        _ => false,
    };
    let matters = |n: &&Note| n.is_problem() && !is_usual(n);
    let is_library = |n: &&Note| matches!(n.kind, NoteKind::NotFound { .. }) && !is_program(n);
    let mut said: Vec<String> = notes.iter().filter(matters).filter(|n| !is_library(n)).map(ToString::to_string).collect();
    if !said.is_empty() {
        said.push("run `heapview doctor` with the same files to see why and how to fix it".into());
    }
    let (systems, missing): (Vec<&Note>, Vec<&Note>) = notes.iter().filter(is_library).partition(|n| is_of_system(&n.mapping));
    let names = |notes: Vec<&Note>| notes.iter().map(|n| base_name(&n.mapping).to_owned()).collect::<Vec<String>>();
    let (systems, missing) = (names(systems), names(missing));
    if !missing.is_empty() {
        said.push(missing_libraries(&missing));
    }
    if !systems.is_empty() {
        said.push(format!("not found: {}; set PPROF_BINARY_PATH to the directories that contain them", systems.join(", ")));
    }
    if let Some(given) = binary.map(|b| b.to_string_lossy()).filter(|b| !main.is_empty() && base_name(b) != base_name(main)) {
        said.push(format!(
            "the profile belongs to {}; its names are taken from {}, as requested, and are wrong if that is another program",
            base_name(main),
            base_name(&given)
        ));
    }
    said
}

/// Libraries that were not found, and what to do. `names` has at least one.
fn missing_libraries(names: &[String]) -> String {
    const NAMED: usize = 5;
    let more = if names.len() > NAMED { format!(" and {} more", names.len() - NAMED) } else { String::new() };
    let (their, them) = if names.len() == 1 { ("its", "it") } else { ("their", "them") };
    format!(
        "not found: {}{more}; {their} functions have no names: put {them} beside the binary, name {them} after the binary \
         (heapview BINARY {} DUMP), or set PPROF_BINARY_PATH to the directories that contain {them}",
        names[..names.len().min(NAMED)].join(", "),
        names[0]
    )
}
