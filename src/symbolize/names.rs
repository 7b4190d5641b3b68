//! The walk over a profile: which addresses, in which files, and the names put back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use rustc_hash::FxHashMap;

use super::demangle::Demangler;
use super::dwarf::Frame;
use super::image::{Image, Layout};
use super::locate::{self, Located};
use super::module::Watch;
use super::{Demangle, Mode, Note, NoteKind, Options, Progress, Symbolized, address, cache, remote};
use crate::id::{LocationId, MappingId};
use crate::profile::{Mapping, NamedLine, Names, Profile};

/// Finds names for the addresses of `profile`. Cannot fail: what is not found is
/// said in the notes. Demangles the names that the profile has, too.
pub fn symbolize(profile: &Profile, options: &Options, progress: &dyn Progress) -> Symbolized {
    if options.mode == Mode::None {
        return Symbolized::default();
    }
    let force = options.force || options.demangle != Demangle::Default;
    let mut demangler = Demangler::new(options.demangle);
    let mut out = Symbolized::default();
    let plan = if options.mode == Mode::Given { Vec::new() } else { plan(profile, options, force, progress, &mut out) };
    let total = plan.iter().map(|module| module.addresses.len()).sum();
    let n_done = AtomicUsize::new(0);
    for module in plan {
        let file = module.image.path.to_string_lossy();
        let done = |n: usize| {
            let before = n_done.fetch_add(n, Ordering::Relaxed);
            progress.done(before + n, total, &file);
        };
        let addresses: Vec<u64> = module.addresses.keys().copied().collect();
        let answer =
            cache::look_up(&module.image, &addresses, options, &Watch { done: &done, fetching: &|what| progress.fetching(&file, what) });
        for (chain, locations) in answer.chains.iter().zip(module.addresses.values()) {
            for &location in locations {
                put(&mut out.names, location, chain, &mut demangler);
            }
        }
        out.names.resolved.extend(&module.mappings);
        let kind = answer.kind(&module.image, options.mode);
        out.notes.push(Note { mapping: module.name, kind });
    }
    demangle_rest(profile, force, &mut demangler, &mut out.names);
    out
}

/// A file and the addresses in it.
struct Module {
    /// Path of the mapping as the profile names it.
    name: String,
    image: Image,
    mappings: Vec<MappingId>,
    /// The file's own address → locations.
    addresses: BTreeMap<u64, Vec<LocationId>>,
}

/// Finds the files, and sorts the locations by them.
fn plan(profile: &Profile, options: &Options, force: bool, progress: &dyn Progress, out: &mut Symbolized) -> Vec<Module> {
    let mut wanted: BTreeMap<Option<MappingId>, Vec<LocationId>> = BTreeMap::new();
    for (id, location) in profile.code().locations.enumerate() {
        wanted.entry(location.mapping).or_default().push(id);
    }
    let mut modules: Vec<Module> = Vec::new();
    let mappings = &profile.code().mappings;
    for (id, mapping) in mappings.enumerate() {
        let name = profile.text(mapping.file);
        let locations = wanted.get(&Some(id)).map_or(&[][..], Vec::as_slice);
        let is_done = mapping.has_functions || mapping.has_filenames || mapping.has_line_numbers;
        if (is_done && !force) || !is_file(name, profile.text(mapping.build_id)) {
            continue;
        }
        let build_id = profile.text(mapping.build_id);
        let given = options.binary.as_deref().filter(|_| is_main(profile, id));
        let located = match given {
            Some(binary) => locate::given(binary, build_id),
            None if name.is_empty() && build_id.is_empty() => {
                if !locations.is_empty() {
                    out.notes.push(Note { mapping: String::new(), kind: NoteKind::Unnamed });
                }
                continue;
            }
            None => remote::file(options, name, build_id, &|what| progress.fetching(name, what)),
        };
        let Some(image) = usable(located, name, build_id, !locations.is_empty(), &mut out.notes) else { continue };
        let path = image.path.to_string_lossy().into_owned();
        if path != name {
            out.names.files.push((id, path, build_id.to_string()));
        }
        if !locations.is_empty() {
            add(&mut modules, profile, image, id, name, locations, &mut out.notes);
        }
    }
    if let (true, Some(binary), Some(locations)) = (mappings.is_empty(), &options.binary, wanted.get(&None)) {
        // Without any mapping the addresses can only be the program's own.
        let located = locate::given(binary, "");
        if let Some(image) = usable(located, &binary.to_string_lossy(), "", true, &mut out.notes) {
            let name = image.path.to_string_lossy().into_owned();
            let mut module = Module { name, image, mappings: Vec::new(), addresses: BTreeMap::new() };
            for &location in locations {
                module.addresses.entry(profile.code().locations[location].address).or_default().push(location);
            }
            modules.push(module);
        }
    }
    modules
}

/// Adds the locations of a mapping to the module of its file.
fn add(
    modules: &mut Vec<Module>,
    profile: &Profile,
    image: Image,
    id: MappingId,
    name: &str,
    locations: &[LocationId],
    notes: &mut Vec<Note>,
) {
    let mapping = &profile.code().mappings[id];
    let place = |layout: &Layout, location: LocationId| address::in_file(layout, mapping, profile.code().locations[location].address);
    let known: Vec<(u64, LocationId)> = locations.iter().filter_map(|&l| Some((place(&image.layout, l)?, l))).collect();
    if known.is_empty() {
        let path = image.path.clone();
        notes.push(Note { mapping: name.to_string(), kind: NoteKind::OtherLayout { path } });
        return;
    }
    let module = match modules.iter_mut().position(|module| module.image.path == image.path) {
        Some(i) => &mut modules[i],
        None => {
            modules.push(Module { name: name.to_string(), image, mappings: Vec::new(), addresses: BTreeMap::new() });
            let last = modules.len() - 1;
            &mut modules[last]
        }
    };
    module.mappings.push(id);
    for (address, location) in known {
        module.addresses.entry(address).or_default().push(location);
    }
}

/// The file, when it may be used; says why not, if anybody asked for it.
fn usable(located: Located, name: &str, build_id: &str, is_asked: bool, notes: &mut Vec<Note>) -> Option<Image> {
    let (image, kind) = match located {
        Located::Found { image, is_other_build: false } => return Some(image),
        Located::Found { image, is_other_build: true } => {
            let kind = other_build(image.path.clone(), build_id, image.build_id.clone(), true);
            (Some(image), kind)
        }
        Located::OtherBuild { path, found } => (None, other_build(path, build_id, found, false)),
        Located::Unreadable { path, error } => (None, NoteKind::Unreadable { path, reason: error.to_string() }),
        Located::NotFound { looked } => (None, NoteKind::NotFound { looked }),
    };
    if is_asked {
        notes.push(Note { mapping: name.to_string(), kind });
    }
    image
}

fn other_build(path: PathBuf, expected: &str, found: String, used: bool) -> NoteKind {
    NoteKind::OtherBuild { path, expected: expected.to_string(), found, used }
}

/// Whether a mapping is of the program. jemalloc_pprof has one for each segment of it, not
/// only the first.
pub(super) fn is_main(profile: &Profile, id: MappingId) -> bool {
    let mappings = &profile.code().mappings;
    let is_same = |main: &Mapping| main.file == mappings[id].file && main.build_id == mappings[id].build_id;
    id.0 == 0 || mappings.iter().next().is_some_and(is_same)
}

/// Whether a mapping of this path can be of a file: not the kernel's code, devices
/// or a web address.
fn is_file(path: &str, build_id: &str) -> bool {
    let base = Path::new(path).file_name().map_or(path.into(), |base| base.to_string_lossy());
    let is_url = path.split_once("://").is_some_and(|(scheme, _)| scheme.to_ascii_lowercase().contains("http"));
    !(base.starts_with('[')
        || base.starts_with("linux-vdso")
        || path.starts_with("/dev/dri/")
        || path == "//anon"
        || (is_url && build_id.is_empty()))
}

/// Puts the frames of a location into `names`.
fn put(names: &mut Names, location: LocationId, chain: &[Frame], demangler: &mut Demangler) {
    if chain.is_empty() {
        return;
    }
    let lines = chain.iter().map(|frame| NamedLine {
        name: demangler.name_with(&frame.name, &frame.short),
        full_name: demangler.full_name(&frame.name, &frame.short),
        system_name: frame.name.clone(),
        filename: frame.file.clone(),
        start_line: small(frame.start_line),
        line: small(frame.line),
        column: small(frame.column),
    });
    names.lines.insert(location, lines.collect());
}

/// Lines are 32 bits wide where anybody else reads them.
fn small(number: u64) -> i64 {
    i64::from(u32::try_from(number).unwrap_or(0))
}

/// Demangles the names that the profile came with.
fn demangle_rest(profile: &Profile, force: bool, demangler: &mut Demangler, names: &mut Names) {
    let code = profile.code();
    let new_name: FxHashMap<_, String> = code
        .functions
        .enumerate()
        .filter_map(|(id, function)| {
            let (name, system_name) = (profile.text(function.name), profile.text(function.system_name));
            // A name that differs was demangled by the writer.
            let is_done = !name.is_empty() && name != system_name;
            if is_done && (!force || system_name.is_empty()) {
                return None;
            }
            let new = demangler.name(system_name);
            (new != name).then_some((id, new))
        })
        .collect();
    if new_name.is_empty() {
        return;
    }
    for (id, location) in code.locations.enumerate() {
        if names.lines.contains_key(&id) {
            continue;
        }
        let frames: Vec<_> = location.frames().map(|frame| &code.frames[frame]).collect();
        if !frames.iter().any(|frame| frame.function.is_some_and(|f| new_name.contains_key(&f))) {
            continue;
        }
        let lines = frames.iter().map(|frame| {
            let Some(function) = frame.function else {
                return NamedLine { line: frame.line, column: frame.column, ..NamedLine::default() };
            };
            let old = &code.functions[function];
            NamedLine {
                name: new_name.get(&function).cloned().unwrap_or_else(|| profile.text(old.name).to_string()),
                system_name: profile.text(old.system_name).to_string(),
                full_name: profile.text(old.full_name).to_string(),
                filename: profile.text(old.filename).to_string(),
                start_line: old.start_line,
                line: frame.line,
                column: frame.column,
            }
        });
        names.lines.insert(id, lines.collect());
    }
}
