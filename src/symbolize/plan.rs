//! Work list of symbolization: the files of a profile's mappings, the addresses in each, and mappings without a file.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::find::attached;
use super::find::fit::{CallSites, Evidence, Fit};
use super::find::locate;
use super::find::locate::{Located, Wanted};
use super::find::mapping_groups::{Group, groups};
use super::find::note::{Note, NoteKind};
use super::options::Options;
use super::progress::Progress;
use super::read::address;
use super::read::image::Image;
use super::read::layout::Layout;
use super::read::perf_map::PerfMap;
use super::symbolized::Symbolized;
use crate::base::hash::HashMap;
use crate::base::id::{LocationId, MappingId};
use crate::profile::Profile;

/// Addresses to look up.
#[derive(Default)]
pub(super) struct Plan {
    pub(super) modules: Vec<Module>,
    /// Names of code that was made at run time.
    pub(super) made: Vec<(LocationId, String)>,
}

/// A file and the addresses in it.
pub(super) struct Module {
    /// Path of the mapping as the profile names it.
    pub(super) name: String,
    pub(super) image: Image,
    pub(super) mappings: Vec<MappingId>,
    /// The file's own address → locations.
    pub(super) addresses: BTreeMap<u64, Vec<LocationId>>,
}

/// Finds the files, and sorts the locations by them.
pub(super) fn plan(profile: &Profile, options: &Options, force: bool, progress: &dyn Progress, out: &mut Symbolized) -> Plan {
    let mut planner = Planner {
        profile,
        options,
        progress,
        wanted: BTreeMap::new(),
        sites: CallSites::new(profile),
        plan: Plan::default(),
        module_of: HashMap::default(),
        out,
    };
    for (id, location) in profile.code().locations.enumerate().filter(|(id, _)| !options.known.contains(id)) {
        planner.wanted.entry(location.mapping).or_default().push(id);
    }
    let (groups, without_file) = groups(profile, options, force);
    groups.iter().for_each(|group| planner.add(group));
    planner.add_without_file(&without_file);
    if profile.code().mappings.is_empty() {
        planner.add_bare();
    }
    planner.plan
}

struct Planner<'a> {
    profile: &'a Profile,
    options: &'a Options,
    progress: &'a dyn Progress,
    wanted: BTreeMap<Option<MappingId>, Vec<LocationId>>,
    sites: CallSites<'a>,
    plan: Plan,
    /// File → its number in the plan's modules.
    module_of: HashMap<PathBuf, usize>,
    out: &'a mut Symbolized,
}

impl Planner<'_> {
    fn locations(&self, id: MappingId) -> &[LocationId] {
        self.wanted.get(&Some(id)).map_or(&[], Vec::as_slice)
    }

    fn note(&mut self, mapping: &str, kind: NoteKind) {
        self.out.notes.push(Note { mapping: mapping.to_owned(), kind });
    }

    /// Adds what is in the mappings of one file.
    fn add(&mut self, group: &Group<'_>) {
        let located = group.locate(self.profile, self.options, &self.sites, &|what| self.progress.fetching(group.name, what));
        let is_asked = group.mappings.iter().any(|&m| !self.locations(m).is_empty());
        let Some((image, fit)) = self.usable(located, group.name, group.build_id, is_asked) else { return };
        let doubts = group.doubts(self.profile, &image, fit);
        if is_asked && !doubts.is_empty() {
            self.note(group.name, NoteKind::Doubtful { path: image.path.clone(), doubts });
        }
        let found = image.path.to_string_lossy().into_owned();
        if found != group.name {
            let files = group.mappings.iter().map(|&id| (id, found.clone(), group.build_id.to_string()));
            self.out.names.files.extend(files);
        }
        if is_asked {
            self.add_addresses(image, group);
        }
    }

    /// Adds the locations of the mappings to the module of their file.
    fn add_addresses(&mut self, image: Image, group: &Group<'_>) {
        let code = self.profile.code();
        let mut known: Vec<(u64, LocationId)> = Vec::new();
        let mut mappings = Vec::new();
        let mut is_misplaced = false;
        for &id in group.mappings.iter().filter(|&&id| !self.locations(id).is_empty()) {
            let mapping = &code.mappings[id];
            let place = |layout: &Layout, location: LocationId| address::in_file(layout, mapping, code.locations[location].address);
            let n_before = known.len();
            known.extend(self.locations(id).iter().filter_map(|&l| Some((place(&image.layout, l)?, l))));
            if known.len() > n_before {
                mappings.push(id);
            } else {
                is_misplaced = true;
            }
        }
        if is_misplaced {
            self.note(group.name, NoteKind::OtherLayout { path: image.path.clone() });
        }
        if known.is_empty() {
            return;
        }
        let modules = &mut self.plan.modules;
        let number = *self.module_of.entry(image.path.clone()).or_insert_with(|| {
            modules.push(Module { name: group.name.to_string(), image, mappings: Vec::new(), addresses: BTreeMap::new() });
            modules.len() - 1
        });
        let module = &mut modules[number];
        module.mappings.extend(mappings);
        for (address, location) in known {
            module.addresses.entry(address).or_default().push(location);
        }
    }

    /// The file, if it may be used; otherwise adds a note, if names were requested.
    fn usable(&mut self, located: Located, name: &str, build_id: &str, is_asked: bool) -> Option<(Image, Fit)> {
        let (image, kind) = match located {
            Located::Found { image, is_other_build: false, fit } => return Some((image, fit)),
            Located::Found { image, is_other_build: true, fit } => {
                let kind = other_build(image.path.clone(), build_id, image.build_id.clone(), true);
                (Some((image, fit)), kind)
            }
            Located::OtherBuild { path, found } => (None, other_build(path, build_id, found, false)),
            Located::Unreadable { path, error } => (None, NoteKind::Unreadable { path, reason: error.to_string() }),
            Located::NotFound { .. } if name.is_empty() => (None, NoteKind::Unnamed),
            Located::NotFound { looked } => (None, NoteKind::NotFound { looked }),
        };
        if is_asked {
            self.note(name, kind);
        }
        image
    }

    /// Says what memory is that no file was mapped to, and names code in it that was made at
    /// run time.
    fn add_without_file(&mut self, mappings: &[MappingId]) {
        let map = self.options.perf_map.as_ref().map(|path| (path, PerfMap::read(path)));
        if let Some((path, Err(error))) = &map {
            let kind = NoteKind::Unreadable { path: (*path).clone(), reason: error.to_string() };
            self.note(&path.to_string_lossy(), kind);
        }
        let map = map.and_then(|(_, map)| map.ok());
        let code = self.profile.code();
        for &id in mappings {
            let mapping = &code.mappings[id];
            let name = self.profile.text(mapping.file);
            let locations = self.locations(id).to_vec();
            if let Some(map) = &map {
                let made = locations.iter().filter_map(|&l| Some((l, map.find(code.locations[l].address)?.to_owned())));
                self.plan.made.extend(made);
            }
            let is_everything = address::is_relative(mapping);
            if name.is_empty() && !is_everything && mapping.limit > mapping.start {
                self.out.names.files.push((id, ANONYMOUS.to_owned(), String::new()));
            }
            if name.is_empty() && id.0 == 0 && !locations.is_empty() {
                self.note("", NoteKind::Unnamed);
            }
        }
    }

    /// Without any mapping the addresses can only be the program's own.
    fn add_bare(&mut self) {
        let evidence = Evidence { sites: &self.sites, mappings: &[] };
        let wanted = Wanted { path: "", build_id: "", evidence: &evidence };
        let given = || Some(locate::given(self.options.binary.as_deref()?, wanted));
        let Some(located) = attached::any(self.options).or_else(given) else { return };
        let Some(locations) = self.wanted.remove(&None) else { return };
        let name = self.options.binary.as_ref().map_or(String::new(), |binary| binary.to_string_lossy().into_owned());
        let Some((image, _)) = self.usable(located, &name, "", true) else { return };
        let name = image.path.to_string_lossy().into_owned();
        let mut module = Module { name, image, mappings: Vec::new(), addresses: BTreeMap::new() };
        for location in locations {
            module.addresses.entry(self.profile.code().locations[location].address).or_default().push(location);
        }
        self.plan.modules.push(module);
    }
}

/// Name of anonymous memory.
const ANONYMOUS: &str = "[anon]";

fn other_build(path: PathBuf, expected: &str, found: String, used: bool) -> NoteKind {
    NoteKind::OtherBuild { path, expected: expected.to_string(), found, used }
}
