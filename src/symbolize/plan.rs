//! What there is to look up: the files of a profile's mappings, the addresses in each, and
//! what has no file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::fit::{self, CallSites, Evidence, Fit};
use super::image::{Image, Layout};
use super::locate::{self, Located, Wanted};
use super::note::Doubt;
use super::perf_map::PerfMap;
use super::{Note, NoteKind, Options, Progress, Symbolized, address, held, remote};
use crate::hash::HashMap;
use crate::id::{LocationId, MappingId, StrId};
use crate::profile::{Mapping, Profile};

/// What there is to look up.
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

/// Mappings of one file.
pub(super) struct Group<'a> {
    /// As the profile writes it.
    pub(super) name: &'a str,
    pub(super) build_id: &'a str,
    /// The file, when the person named it.
    given: Option<&'a Path>,
    pub(super) mappings: Vec<MappingId>,
}

/// The mappings to look up by file, and those that have none.
pub(super) fn groups<'a>(profile: &'a Profile, options: &'a Options, force: bool) -> (Vec<Group<'a>>, Vec<MappingId>) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut known: HashMap<(StrId, StrId, Option<&Path>), usize> = HashMap::default();
    let mut without_file = Vec::new();
    for (id, mapping) in profile.code().mappings.enumerate() {
        let (name, build_id) = (profile.text(mapping.file), profile.text(mapping.build_id));
        if has_names(mapping) && !force {
            continue;
        }
        let given = given(profile, id, options);
        if !is_file(name, build_id) || (given.is_none() && name.is_empty() && build_id.is_empty()) {
            without_file.push(id);
            continue;
        }
        let group = *known.entry((mapping.file, mapping.build_id, given)).or_insert_with(|| {
            groups.push(Group { name, build_id, given, mappings: Vec::new() });
            groups.len() - 1
        });
        groups[group].mappings.push(id);
    }
    (groups, without_file)
}

/// Whether the writer of the profile looked names up already.
pub(super) fn has_names(mapping: &Mapping) -> bool {
    mapping.has_functions || mapping.has_filenames || mapping.has_line_numbers
}

impl Group<'_> {
    /// The path without the mark of a file that is gone, and whether it is.
    pub(super) fn path(&self, profile: &Profile) -> (&str, bool) {
        let (path, is_deleted) = without_deleted(self.name);
        (path, is_deleted || self.mappings.iter().any(|&m| profile.code().mappings[m].is_deleted))
    }

    /// Finds the file; `tell` is called with how far another machine is with it.
    pub(super) fn locate(&self, profile: &Profile, options: &Options, sites: &CallSites<'_>, tell: &dyn Fn(&str)) -> Located {
        let evidence = Evidence { sites, mappings: &self.mappings };
        let wanted = Wanted { path: self.path(profile).0, build_id: self.build_id, evidence: &evidence };
        if let Some(held) = held::find(options, wanted) {
            return held;
        }
        match self.given {
            Some(binary) => locate::given(binary, wanted),
            None => remote::file(options, wanted, tell),
        }
    }

    /// What speaks against the file that was found.
    pub(super) fn doubts(&self, profile: &Profile, image: &Image, fit: Fit) -> Vec<Doubt> {
        let (path, is_deleted) = self.path(profile);
        let mut doubts = Vec::new();
        if let Fit::No(misfit) = fit {
            doubts.push(Doubt::Misfit(misfit));
        }
        if fit == Fit::Sure {
            return doubts;
        }
        if is_deleted && image.path == Path::new(path) {
            doubts.push(Doubt::Replaced);
        } else if fit != Fit::Likely && fit::is_newer(&image.path, profile.time_nanos()) {
            doubts.push(Doubt::Newer);
        }
        doubts
    }
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

    /// Adds what lies in the mappings of one file.
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

    /// The file, when it may be used; says why not, if anybody asked for it.
    fn usable(&mut self, located: Located, name: &str, build_id: &str, is_asked: bool) -> Option<(Image, Fit)> {
        let (image, kind) = match located {
            Located::Found { image, is_other_build: false, fit } => return Some((image, fit)),
            Located::Found { image, is_other_build: true, fit } => {
                let kind = other_build(image.path.clone(), build_id, image.build_id.clone(), true);
                (Some((image, fit)), kind)
            }
            Located::OtherBuild { path, found } => (None, other_build(path, build_id, found, false)),
            Located::Unreadable { path, error } => (None, NoteKind::Unreadable { path, reason: error.to_string() }),
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
        let Some(located) = held::any(self.options).or_else(given) else { return };
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

/// What memory that no file was mapped to is called.
const ANONYMOUS: &str = "[anon]";

fn other_build(path: PathBuf, expected: &str, found: String, used: bool) -> NoteKind {
    NoteKind::OtherBuild { path, expected: expected.to_string(), found, used }
}

/// The file that the person named for a mapping: of several programs the one of that path.
pub(super) fn given<'o>(profile: &Profile, id: MappingId, options: &'o Options) -> Option<&'o Path> {
    let (file, _) = without_deleted(profile.text(profile.code().mappings[id].file));
    let program = options.programs.iter().find(|program| program.to_string_lossy() == file);
    program.or_else(|| options.binary.as_ref().filter(|_| is_main(profile, id))).map(PathBuf::as_path)
}

/// Whether a mapping is of the program. jemalloc_pprof has one for each segment of it, not
/// only the first.
fn is_main(profile: &Profile, id: MappingId) -> bool {
    let mappings = &profile.code().mappings;
    let is_same = |main: &Mapping| main.file == mappings[id].file && main.build_id == mappings[id].build_id;
    id.0 == 0 || mappings.iter().next().is_some_and(is_same)
}

/// The path without what Linux adds to that of a file which is not there any more, and
/// whether it was added.
pub(super) fn without_deleted(path: &str) -> (&str, bool) {
    path.strip_suffix(" (deleted)").map_or((path, false), |path| (path, true))
}

/// Whether a mapping of this path can be of a file: not the kernel's code, devices, memory
/// that only looks like a file, or a web address.
fn is_file(path: &str, build_id: &str) -> bool {
    let base = Path::new(path).file_name().map_or(path.into(), |base| base.to_string_lossy());
    let is_url = path.split_once("://").is_some_and(|(scheme, _)| scheme.to_ascii_lowercase().contains("http"));
    const NO_FILES: [&str; 7] = ["/memfd:", "/dev/dri/", "/dev/zero", "/SYSV", "/anon_hugepage", "anon_inode:", "//anon"];
    !(base.starts_with('[')
        || base.starts_with("linux-vdso")
        || NO_FILES.iter().any(|start| path.starts_with(start))
        || (is_url && build_id.is_empty()))
}
