//! State of each file of a profile, for `heapview doctor`: found or not, kind of debug information, and where the rest of it is.
//! Reads the files again, independently of [`super::names::symbolize`].

use std::path::{Path, PathBuf};

use object::{Object, ObjectSection};

use super::debug_information as companions;
use super::dwarf::{self, AttachedUnits, DebugKind, DebugSummary, SplitPart};
use super::find::fit::CallSites;
use super::find::locate::Located;
use super::find::mapping_groups;
use super::find::mapping_groups::{Group, has_names};
use super::find::note::Doubt;
use super::find::split::SplitPlaces;
use super::options::Options;
use super::read::address;
use super::read::image::Image;
use super::read::layout::Parsed;
use crate::base::id::{Id, MappingId};
use crate::profile::Profile;

/// A file that is mapped in a profile.
#[derive(Clone, Debug)]
pub struct Examined {
    /// Its mappings.
    pub mappings: Vec<MappingId>,
    /// Path as the profile has it, without the mark of a file that is gone.
    pub path: String,
    /// Build id in the profile; empty when it has none.
    pub build_id: String,
    /// Whether the profile marks the file as deleted.
    pub is_deleted: bool,
    /// Result of the search.
    pub outcome: Outcome,
}

/// Result of the search for a mapping's file.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The profile has names for it.
    Named,
    /// Not a file: memory, kernel code, a device.
    NoFile,
    /// The profile has no name for it.
    Unnamed,
    /// Nothing, in these places.
    NotFound(Vec<PathBuf>),
    /// A file that cannot be read: where, why.
    Unreadable(PathBuf, String),
    /// Only another build: where, and its build id.
    OtherBuild(PathBuf, String),
    /// A file.
    Found(Box<Facts>),
}

/// Properties of a file that was found.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Path.
    pub path: PathBuf,
    /// Its build id; empty when it has none.
    pub build_id: String,
    /// The build ids of profile and file differ; it is used because the user named it.
    pub is_other_build: bool,
    /// Its segments do not fit the profile's memory map.
    pub is_other_layout: bool,
    /// Further signs that it is the wrong file.
    pub doubts: Vec<Doubt>,
    /// Whether it has a full symbol table.
    pub has_symbols: bool,
    /// Whether it has names of exported functions.
    pub has_exports: bool,
    /// Whether it has a compressed symbol table (`.gnu_debugdata`).
    pub has_mini: bool,
    /// The kind of debug information in it or in `debug_file`.
    pub debug: Option<DebugKind>,
    /// The file with the debug information, when that is another.
    pub debug_file: Option<PathBuf>,
    /// Name of the file with the debug information, as this one gives it.
    pub debug_link: Option<String>,
    /// DWARF versions, ascending.
    pub versions: Vec<u16>,
    /// Language of most of it.
    pub language: Option<&'static str>,
    /// A file that dwz made for what several have in common, which is not here.
    pub missing_alt: Option<String>,
    /// The parts of the debug information in other files.
    pub split: Option<Split>,
}

/// Debug information that is in `.dwo` files or a package of them.
#[derive(Clone, Debug, Default)]
pub struct Split {
    /// Number of parts.
    pub n_parts: usize,
    /// Number of missing ones; 0 if there is a package.
    pub n_missing: usize,
    /// The path of one that is missing, as the program has it.
    pub first_missing: String,
    /// The package.
    pub package: Option<PathBuf>,
}

/// Looks at every file that is mapped in `profile`, which is as it was read. Slow: reads the
/// heads of all of their debug information.
pub fn examine(profile: &Profile, options: &Options) -> Vec<Examined> {
    let sites = CallSites::new(profile);
    let (groups, without_file) = mapping_groups::groups(profile, options, true);
    let mut has_code = vec![false; profile.code().mappings.len()];
    profile.code().locations.iter().filter_map(|l| l.mapping).for_each(|m| has_code[m.index()] = true);
    let mut examined: Vec<Examined> = groups
        .iter()
        .enumerate()
        .map(|(i, group)| {
            let (path, is_deleted) = group.path(profile);
            let is_named = !options.force && group.mappings.iter().all(|&m| has_names(&profile.code().mappings[m]));
            let is_used = i == 0 || group.mappings.iter().any(|m| has_code[m.index()]);
            let outcome = match () {
                _ if is_named => Outcome::Named,
                _ if !is_used => Outcome::NoFile,
                _ => outcome(profile, options, &sites, group),
            };
            Examined { mappings: group.mappings.clone(), path: path.to_owned(), build_id: group.build_id.to_owned(), is_deleted, outcome }
        })
        .collect();
    for id in without_file {
        let mapping = &profile.code().mappings[id];
        let path = profile.text(mapping.file).to_owned();
        let outcome = match () {
            _ if has_names(mapping) => Outcome::Named,
            _ if path.is_empty() && id == MappingId(0) => Outcome::Unnamed,
            _ => Outcome::NoFile,
        };
        examined.push(Examined { mappings: vec![id], path, build_id: String::new(), is_deleted: false, outcome });
    }
    examined.sort_by_key(|e| e.mappings.first().copied());
    examined
}

fn outcome(profile: &Profile, options: &Options, sites: &CallSites<'_>, group: &Group<'_>) -> Outcome {
    match group.locate(profile, options, sites, &|_| {}) {
        Located::Found { image, is_other_build, fit } => {
            let mut facts = facts(&image, options);
            facts.is_other_build = is_other_build;
            facts.doubts = group.doubts(profile, &image, fit);
            facts.is_other_layout = has_other_layout(profile, group, &image);
            Outcome::Found(Box::new(facts))
        }
        Located::OtherBuild { path, found } => Outcome::OtherBuild(path, found),
        Located::Unreadable { path, error } => Outcome::Unreadable(path, error.to_string()),
        Located::NotFound { looked } => Outcome::NotFound(looked),
    }
}

/// Returns whether no address of one of the mappings can be of the file.
fn has_other_layout(profile: &Profile, group: &Group<'_>, image: &Image) -> bool {
    let code = profile.code();
    group.mappings.iter().any(|&id| {
        let mut addresses = code.locations.iter().filter(|l| l.mapping == Some(id)).map(|l| l.address).peekable();
        addresses.peek().is_some() && addresses.all(|a| address::in_file(&image.layout, &code.mappings[id], a).is_none())
    })
}

fn facts(image: &Image, options: &Options) -> Facts {
    let mut facts = Facts { path: image.path.clone(), build_id: image.build_id.clone(), ..Facts::default() };
    facts.debug_link = image.debug_link.as_ref().map(|(name, _)| name.clone());
    let _ = image.with(|object| {
        facts.has_symbols = object.symbol_table().is_some_and(|table| object::ObjectSymbolTable::symbols(&table).next().is_some());
        facts.has_exports = object.dynamic_symbol_table().is_some_and(|table| object::ObjectSymbolTable::symbols(&table).next().is_some());
        facts.has_mini = object.section_by_name(".gnu_debugdata").is_some();
        facts.language = written_in(object);
    });
    let found = companions::debug_information(image, options, &|_| {});
    facts.missing_alt = found.missing_alt;
    if let Some(debug) = found.file {
        facts.has_symbols |= debug.with(|object| object.symbols().next().is_some()).unwrap_or(false);
        facts.debug_file = Some(debug.path);
    }
    let Some(summary) = found.sections.as_ref().map(DebugSummary::of) else { return facts };
    facts.debug = summary.kind;
    facts.versions = summary.versions;
    facts.language = summary.language.or(facts.language);
    if !summary.splits.is_empty() {
        let places = SplitPlaces::new(options, &image.path, facts.debug_file.as_deref());
        facts.split = Some(split(&places, &summary.splits));
    }
    facts
}

fn split(places: &SplitPlaces, parts: &[SplitPart]) -> Split {
    let is_file = |path: &PathBuf| path.is_file();
    let package = places.packages().into_iter().find(is_file);
    let mut split = Split { n_parts: parts.len(), package, ..Split::default() };
    if split.package.is_some() {
        return split;
    }
    let attached = AttachedUnits::of(places);
    let is_on_disk = |part: &SplitPart| places.loose(&part.name, Some(&part.folder)).iter().any(|path| dwarf::holds(path, part.id));
    let is_missing = |part: &&SplitPart| !attached.has(part.id) && !is_on_disk(part);
    let mut missing = parts.iter().filter(is_missing);
    if let Some(part) = missing.next() {
        split.n_missing = 1 + missing.count();
        split.first_missing = Path::new(&part.folder).join(&part.name).to_string_lossy().into_owned();
        // Of a build that is elsewhere.
        split.package = places.similar_packages().into_iter().next();
    }
    split
}

/// Language, from traces that compilers leave even in a stripped file.
fn written_in(object: &Parsed<'_>) -> Option<&'static str> {
    if object.section_by_name(".go.buildinfo").is_some() || object.section_by_name(".gopclntab").is_some() {
        return Some("Go");
    }
    let comment = object.section_by_name(".comment").filter(|section| section.size() < 1 << 16)?;
    let comment = comment.data().ok()?;
    comment.windows(5).any(|word| word == b"rustc").then_some("Rust")
}
