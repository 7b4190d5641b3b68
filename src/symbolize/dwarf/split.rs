//! Split DWARF: units in `.dwo` files or `.dwp` packages, with only a skeleton in the program.

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

use gimli::{DebugCuIndex, DwoId, Reader, SectionId, UnitRef};

use super::gimli_reader::Window;
use super::index::Index;
use super::sections::{Sections, Stretch, load};
use crate::base::hash::HashMap;
use crate::symbolize::find::split::SplitPlaces;
use crate::symbolize::read::image::Image;

/// The split parts of one program.
#[derive(Debug, Default)]
pub(in crate::symbolize) struct SplitFiles {
    places: SplitPlaces,
    /// The first of the packages that should be there.
    package: Option<Sections>,
    /// Those that the user attached, which go before all others.
    attached: OnceLock<AttachedUnits>,
    /// DWARF packages (`.dwp`) that may be of this build, opened when nothing else has a unit.
    similar: OnceLock<Vec<Sections>>,
    n_units: AtomicUsize,
    n_missing: AtomicUsize,
    first_missing: Mutex<Option<String>>,
}

/// Split units that were not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::symbolize) struct MissingSplits {
    pub(in crate::symbolize) n_missing: usize,
    pub(in crate::symbolize) n_units: usize,
    /// Name of one of them, from the program.
    pub(in crate::symbolize) first: String,
}

impl SplitFiles {
    /// Files in `places`.
    pub(in crate::symbolize) fn new(places: SplitPlaces) -> Self {
        let package = places.packages().iter().find_map(|path| package_at(path));
        SplitFiles { places, package, ..SplitFiles::default() }
    }

    /// Units not found so far.
    pub(in crate::symbolize) fn missing(&self) -> Option<MissingSplits> {
        let n_missing = self.n_missing.load(Ordering::Relaxed);
        let first = self.first_missing.lock().ok().and_then(|first| first.clone()).unwrap_or_default();
        (n_missing > 0).then(|| MissingSplits { n_missing, n_units: self.n_units.load(Ordering::Relaxed), first })
    }

    /// Runs `visit` on the split unit `id` of `skeleton`; `None` when it is not found.
    pub(super) fn with<T>(
        &self,
        id: DwoId,
        skeleton: UnitRef<'_, Window<'_>>,
        mut look: impl FnMut(UnitRef<'_, Window<'_>>) -> T,
    ) -> Option<T> {
        self.n_units.fetch_add(1, Ordering::Relaxed);
        let parent = Parent::of(id, skeleton);
        let look_in_package = |package: &Sections, look: &mut dyn FnMut(UnitRef<'_, Window<'_>>) -> T| {
            let contributions = Contributions::of(package, id)?;
            let stretch = package.stretch(contributions.range(SectionId::DebugInfo));
            look_in(contributions.dwarf(&stretch), parent, skeleton.dwarf, look)
        };
        let look_in_file = |file: &Sections, look: &mut dyn FnMut(UnitRef<'_, Window<'_>>) -> T| {
            let stretch = file.stretch(file.all_info());
            look_in(stretch.dwarf(), parent, skeleton.dwarf, look)
        };
        let attached = self.attached.get_or_init(|| AttachedUnits::of(&self.places));
        if let Some(result) = attached.packages.iter().find_map(|package| look_in_package(package, &mut look)) {
            return Some(result);
        }
        if let Some(result) = attached.loose.get(&id.0).and_then(|&at| look_in_file(attached.files.get(at)?, &mut look)) {
            return Some(result);
        }
        if let Some(result) = self.package.as_ref().and_then(|package| look_in_package(package, &mut look)) {
            return Some(result);
        }
        let name = skeleton.dwo_name().ok().flatten();
        let name = name.and_then(|name| skeleton.attr_string(name).ok()).map(|name| name.text());
        let folder = skeleton.comp_dir.as_ref().map(Window::text);
        let name = name.unwrap_or_default();
        for path in self.places.loose(&name, folder.as_deref()) {
            let Ok(image) = Image::open(&path) else { continue };
            let Ok(sections) = Sections::read_split(&image) else { continue };
            if let Some(result) = look_in_file(&sections, &mut look) {
                return Some(result);
            }
        }
        let similar = self.similar.get_or_init(|| self.places.similar_packages().iter().filter_map(|path| package_at(path)).collect());
        if let Some(result) = similar.iter().find_map(|package| look_in_package(package, &mut look)) {
            return Some(result);
        }
        self.n_missing.fetch_add(1, Ordering::Relaxed);
        if let Ok(mut first) = self.first_missing.lock() {
            first.get_or_insert(name);
        }
        None
    }
}

/// Split units in attached files.
#[derive(Debug, Default)]
pub(in crate::symbolize) struct AttachedUnits {
    packages: Vec<Sections>,
    /// `.dwo` files.
    files: Vec<Sections>,
    /// Id of a unit → index into `files`.
    loose: HashMap<u64, usize>,
}

impl AttachedUnits {
    /// Reads the heads of the units. O(units of `.dwo` files).
    pub(in crate::symbolize) fn of(places: &SplitPlaces) -> Self {
        let mut all = AttachedUnits::default();
        for sections in places.attached().filter_map(|image| Sections::read_split(&image).ok()) {
            if sections.get(SectionId::DebugCuIndex).is_empty() {
                let at = all.files.len();
                all.loose.extend(unit_ids(&sections).into_iter().map(|id| (id.0, at)));
                all.files.push(sections);
            } else {
                all.packages.push(sections);
            }
        }
        all
    }

    /// Returns whether the unit with this id is among them.
    pub(in crate::symbolize) fn has(&self, id: Option<DwoId>) -> bool {
        let in_package = |id| self.packages.iter().any(|package| Contributions::of(package, id).is_some());
        id.is_some_and(|id| self.loose.contains_key(&id.0) || in_package(id))
    }
}

fn package_at(path: &Path) -> Option<Sections> {
    Sections::read_split(&Image::open(path).ok()?).ok()
}

/// Data that a split unit inherits from its skeleton.
#[derive(Clone, Copy)]
struct Parent {
    id: DwoId,
    low_pc: u64,
    addr_base: gimli::DebugAddrBase<usize>,
    rnglists_base: gimli::DebugRngListsBase<usize>,
}

impl Parent {
    fn of(id: DwoId, skeleton: UnitRef<'_, Window<'_>>) -> Self {
        Parent { id, low_pc: skeleton.low_pc, addr_base: skeleton.addr_base, rnglists_base: skeleton.rnglists_base }
    }
}

/// The parts of a package that are a unit's.
struct Contributions(Vec<(SectionId, Range<usize>)>);

impl Contributions {
    /// Contributions of unit `id`.
    fn of(package: &Sections, id: DwoId) -> Option<Self> {
        let index = DebugCuIndex::from(package.get(SectionId::DebugCuIndex)).index().ok()?;
        let row = index.find(id.0)?;
        let parts = index.sections(row).ok()?.map(|part| {
            let start = part.offset as usize;
            (part.section.section_id(), start..start.saturating_add(part.size as usize))
        });
        Some(Contributions(parts.collect()))
    }

    fn range(&self, id: SectionId) -> Range<usize> {
        self.0.iter().find(|(other, _)| *other == id).map_or(0..0, |(_, range)| range.clone())
    }

    /// The sections with nothing but this unit in them. All units share the strings; of
    /// everything else each has its part.
    fn dwarf<'s>(&self, stretch: &'s Stretch<'_>) -> gimli::Dwarf<Window<'s>> {
        load(|id| {
            let whole = stretch.get(id);
            let range = self.range(id);
            match id {
                SectionId::DebugStr => whole,
                _ => whole.clone().part_of(range.start, range.len()).unwrap_or_else(|| {
                    let mut nothing = whole;
                    nothing.empty();
                    nothing
                }),
            }
        })
    }
}

/// Runs `look` on the split unit of `parent`, if it is in `dwarf`.
fn look_in<'s, T>(
    mut dwarf: gimli::Dwarf<Window<'s>>,
    parent: Parent,
    program: &gimli::Dwarf<Window<'s>>,
    look: impl FnOnce(UnitRef<'_, Window<'s>>) -> T,
) -> Option<T> {
    dwarf.make_dwo(program);
    let unit = unit_of(&dwarf, parent)?;
    Some(look(unit.unit_ref(&dwarf)))
}

/// Returns whether the `.dwo` file at `path` has the part with this `id`; of other builds of the same
/// source it has not.
pub(in crate::symbolize) fn holds(path: &Path, id: Option<DwoId>) -> bool {
    let Ok(image) = Image::open(path) else { return false };
    let Some(sections) = Sections::read_split(&image).ok().filter(|sections| !sections.all_info().is_empty()) else { return false };
    id.is_none_or(|id| unit_ids(&sections).contains(&id))
}

/// The ids of the units of a `.dwo` file.
fn unit_ids(sections: &Sections) -> Vec<DwoId> {
    let mut dwarf = sections.dwarf();
    dwarf.file_type = gimli::DwarfFileType::Dwo;
    let Index { units, opener } = Index::new(&dwarf);
    units.into_iter().filter_map(|header| opener.open(&dwarf, header)?.dwo_id).collect()
}

/// The split unit of `parent`. Another build of the same source has the same name
/// and another id.
fn unit_of<'s>(dwarf: &gimli::Dwarf<Window<'s>>, parent: Parent) -> Option<gimli::Unit<Window<'s>>> {
    let index = Index::new(dwarf);
    for header in index.units {
        let Some(mut unit) = index.opener.open(dwarf, header) else { continue };
        if unit.dwo_id == Some(parent.id) {
            unit.low_pc = parent.low_pc;
            unit.addr_base = parent.addr_base;
            if unit.header.version() < 5 {
                unit.rnglists_base = parent.rnglists_base;
            }
            return Some(unit);
        }
    }
    None
}
