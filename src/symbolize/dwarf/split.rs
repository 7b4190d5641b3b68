//! Split DWARF: the entries of a unit in a `.dwo` file or a `.dwp` package, with
//! only a skeleton in the program.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use gimli::{DebugCuIndex, DwoId, Reader, SectionId, UnitIndexSection, UnitRef};

use super::sections::{Sections, Slice};
use crate::symbolize::image::Image;

/// Where the split parts of one program are looked for.
#[derive(Debug, Default)]
pub(in crate::symbolize) struct SplitFiles {
    package: Option<Sections>,
    /// Folders that may hold `.dwo` files by their bare names.
    folders: Vec<PathBuf>,
    n_units: AtomicUsize,
    n_missing: AtomicUsize,
    first_missing: Mutex<Option<String>>,
}

/// Split units that were not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::symbolize) struct MissingSplits {
    pub(in crate::symbolize) n_missing: usize,
    pub(in crate::symbolize) n_units: usize,
    /// The name that the program gives for one of them.
    pub(in crate::symbolize) first: String,
}

impl SplitFiles {
    /// Parts of the program at `program`: its package beside it, and loose files
    /// beside it, in `deps` below it as cargo leaves them, and in `search`.
    pub(in crate::symbolize) fn new(program: &Path, search: &[PathBuf]) -> Self {
        let package_of = |path: &Path| {
            let mut name = path.as_os_str().to_owned();
            name.push(".dwp");
            let image = Image::open(Path::new(&name)).ok()?;
            Sections::read_split(&image).ok()
        };
        let package = package_of(program).or_else(|| package_of(&program.canonicalize().ok()?));
        let mut folders: Vec<PathBuf> = Vec::new();
        if let Some(folder) = program.parent() {
            folders.push(folder.to_path_buf());
            folders.push(folder.join("deps"));
        }
        folders.extend(search.iter().cloned());
        SplitFiles { package, folders, ..SplitFiles::default() }
    }

    /// What was not found so far.
    pub(in crate::symbolize) fn missing(&self) -> Option<MissingSplits> {
        let n_missing = self.n_missing.load(Ordering::Relaxed);
        let first = self.first_missing.lock().ok().and_then(|first| first.clone()).unwrap_or_default();
        (n_missing > 0).then(|| MissingSplits { n_missing, n_units: self.n_units.load(Ordering::Relaxed), first })
    }

    /// Runs `look` on the split unit `id` of `skeleton`; `None` when it is not found.
    pub(super) fn with<T>(
        &self,
        id: DwoId,
        skeleton: UnitRef<'_, Slice<'_>>,
        mut look: impl FnMut(UnitRef<'_, Slice<'_>>) -> T,
    ) -> Option<T> {
        self.n_units.fetch_add(1, Ordering::Relaxed);
        let parent = Parent::of(id, skeleton);
        if let Some(package) = &self.package
            && let Some(dwarf) = in_package(package, id)
            && let Some(result) = look_in(dwarf, parent, skeleton.dwarf, &mut look)
        {
            return Some(result);
        }
        let name = skeleton.dwo_name().ok().flatten();
        let name = name.and_then(|name| skeleton.attr_string(name).ok()).map(|name| name.to_string_lossy().into_owned());
        let folder = skeleton.comp_dir.map(|folder| folder.to_string_lossy().into_owned());
        let name = name.unwrap_or_default();
        for path in self.candidates(&name, folder.as_deref()) {
            let Ok(image) = Image::open(&path) else { continue };
            let Ok(sections) = Sections::read_split(&image) else { continue };
            if let Some(result) = look_in(sections.dwarf(), parent, skeleton.dwarf, &mut look) {
                return Some(result);
            }
        }
        self.n_missing.fetch_add(1, Ordering::Relaxed);
        if let Ok(mut first) = self.first_missing.lock() {
            first.get_or_insert(name);
        }
        None
    }

    fn candidates(&self, name: &str, folder: Option<&str>) -> Vec<PathBuf> {
        if name.is_empty() {
            return Vec::new();
        }
        let mut paths = vec![Path::new(folder.unwrap_or_default()).join(name)];
        if let Some(base) = Path::new(name).file_name() {
            paths.extend(self.folders.iter().map(|folder| folder.join(base)));
        }
        paths
    }
}

/// What a split unit takes from the one in the program.
#[derive(Clone, Copy)]
struct Parent {
    id: DwoId,
    low_pc: u64,
    addr_base: gimli::DebugAddrBase<usize>,
    rnglists_base: gimli::DebugRngListsBase<usize>,
}

impl Parent {
    fn of(id: DwoId, skeleton: UnitRef<'_, Slice<'_>>) -> Self {
        Parent { id, low_pc: skeleton.low_pc, addr_base: skeleton.addr_base, rnglists_base: skeleton.rnglists_base }
    }
}

/// The parts of a package that are unit `id`'s.
fn in_package(package: &Sections, id: DwoId) -> Option<gimli::Dwarf<Slice<'_>>> {
    let index = DebugCuIndex::from(package.get(SectionId::DebugCuIndex)).index().ok()?;
    let row = index.find(id.0)?;
    let parts: Vec<UnitIndexSection> = index.sections(row).ok()?.collect();
    let part_of = |id: SectionId| {
        let whole = package.get(id);
        // All units share the strings; of everything else each has its part.
        let part = parts.iter().find(|part| part.section.section_id() == id)?;
        let end = (part.offset as usize).checked_add(part.size as usize)?;
        Some(Slice::new(whole.slice().get(part.offset as usize..end)?, whole.endian()))
    };
    let empty = Slice::new(&[], package.get(SectionId::DebugStr).endian());
    let load = |id: SectionId| match id {
        SectionId::DebugStr => package.get(id),
        _ => part_of(id).unwrap_or(empty),
    };
    gimli::Dwarf::load(|id| Ok::<_, gimli::Error>(load(id))).ok()
}

/// Runs `look` on the split unit of `parent`, if it is in `dwarf`.
fn look_in<'s, T>(
    mut dwarf: gimli::Dwarf<Slice<'s>>,
    parent: Parent,
    program: &gimli::Dwarf<Slice<'s>>,
    look: impl FnOnce(UnitRef<'_, Slice<'s>>) -> T,
) -> Option<T> {
    dwarf.make_dwo(program);
    let unit = unit_of(&dwarf, parent)?;
    Some(look(unit.unit_ref(&dwarf)))
}

/// The split unit of `parent`. Another build of the same source has the same name
/// and another id.
fn unit_of<'s>(dwarf: &gimli::Dwarf<Slice<'s>>, parent: Parent) -> Option<gimli::Unit<Slice<'s>>> {
    let mut headers = dwarf.units();
    while let Ok(Some(header)) = headers.next() {
        let Ok(mut unit) = dwarf.unit(header) else { continue };
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
