//! An open program or library: functions with their sizes, bytes of address ranges, and source places of addresses.
//!
//! Names of single addresses come from [`super::names::symbolize`]; this is for whole functions. All addresses are the file's
//! own; [`Binary::in_file`] converts a profile's addresses.

use std::cell::OnceCell;
use std::ops::Range;
use std::path::{Path, PathBuf};

use object::{Architecture, Object, ObjectSection, ObjectSegment, SectionFlags, SectionKind, elf};
use thiserror::Error;

use super::debug_information as companions;
use super::dwarf::{Debug, Frame, Sections, SplitFiles};
use super::find::fit::{CallSites, Evidence};
use super::find::locate;
use super::find::locate::{Located, Wanted};
use super::find::mapping_groups::{given, without_deleted};
use super::find::split::SplitPlaces;
use super::find::{attached, remote};
use super::macho_objects::Objects;
use super::module::combine;
use super::options::Options;
use super::read::address;
use super::read::got;
use super::read::got::Slot;
use super::read::image::Image;
use super::read::image::ImageError;
use super::read::layout::Parsed;
use super::read::machine::Machine;
use super::read::symtab::{Entry, Symbols};
use crate::base::hash::HashMap;
use crate::base::id::MappingId;
use crate::profile::{Mapping, Profile};

/// Why the binary of a mapping cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BinaryError {
    /// The mapping has neither path nor build id.
    #[error("a mapping without a file name; pass the binary: heapview … <binary> <profile>")]
    Unnamed,
    /// There is no such file.
    #[error("{name}: file not found; pass the binary, or set PPROF_BINARY_PATH to its directory")]
    NotFound {
        /// The mapping's path.
        name: String,
    },
    /// There is one of another build.
    #[error(
        "{path}: its build id is {found}, that of the profile is {expected}; set PPROF_BINARY_PATH to the directory with the right build"
    )]
    OtherBuild {
        /// The file.
        path: PathBuf,
        /// Build id in the profile.
        expected: String,
        /// Build id of the file.
        found: String,
    },
    /// Reading failed.
    #[error("{path}: {error}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Reason.
        error: ImageError,
    },
}

/// A part of the file that is loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Name of the section; empty for a segment.
    pub name: String,
    /// Its addresses.
    pub range: Range<u64>,
    /// Whether it contains code.
    pub is_code: bool,
    /// Offset and length in the file; `None` when it holds zeros only.
    file: Option<(u64, u64)>,
}

/// All symbols of one address, and how far they reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Routine<'a> {
    /// The symbols, by name; at least one.
    pub symbols: Vec<Entry<'a>>,
    /// Its addresses. As in pprof one byte short of the next symbol, unless the
    /// symbol's size claims that byte.
    pub range: Range<u64>,
}

/// An open file.
pub struct Binary {
    image: Image,
    machine: Machine,
    regions: Vec<Region>,
    symbols: Symbols,
    slots: HashMap<u64, Slot>,
    /// Options for finding debug information in other files.
    options: Options,
    sections: OnceCell<Option<Sections>>,
}

impl Binary {
    /// Opens the file that a mapping came from: found as [`super::names::symbolize`] finds it, and
    /// of no other build.
    pub fn of_mapping(profile: &Profile, id: MappingId, options: &Options) -> Result<Self, BinaryError> {
        let mapping = &profile.code().mappings[id];
        let (name, build_id) = (profile.text(mapping.file), profile.text(mapping.build_id));
        let (name, _) = without_deleted(name);
        let sites = CallSites::new(profile);
        let evidence = Evidence { sites: &sites, mappings: &[id] };
        let located = match given(profile, id, options) {
            _ if let Some(found) = attached::find(options, Wanted { path: name, build_id, evidence: &evidence }) => found,
            // The user insists on this one.
            Some(binary) => locate::given(binary, Wanted { path: name, build_id: "", evidence: &evidence }),
            None if let Some(found) = attached::find_carried(profile, Wanted { path: name, build_id, evidence: &evidence }) => found,
            None if name.is_empty() && build_id.is_empty() => return Err(BinaryError::Unnamed),
            None => remote::file(options, Wanted { path: name, build_id, evidence: &evidence }, &|_| {}),
        };
        match located {
            Located::Found { image, .. } => Self::of_image(image, options),
            Located::OtherBuild { path, found } => Err(BinaryError::OtherBuild { path, expected: build_id.into(), found }),
            Located::Unreadable { path, error } => Err(BinaryError::Unreadable { path, error }),
            Located::NotFound { .. } => Err(BinaryError::NotFound { name: name.into() }),
        }
    }

    /// Opens the file at `path`.
    pub fn open(path: &Path, options: &Options) -> Result<Self, BinaryError> {
        let unreadable = |error| BinaryError::Unreadable { path: path.into(), error };
        Self::of_image(Image::open(path).map_err(unreadable)?, options)
    }

    fn of_image(image: Image, options: &Options) -> Result<Self, BinaryError> {
        let unreadable = |error| BinaryError::Unreadable { path: image.path.clone(), error };
        let (machine, regions) = image.with(|object| (machine(object), regions(object))).map_err(unreadable)?;
        let mut symbols = Symbols::read(&image).map_err(unreadable)?;
        if !symbols.is_full
            && let Some(debug) = remote::debug_file(options, &image, &|_| {})
            && let Ok(full) = Symbols::read(&debug)
            && full.is_full
        {
            symbols = full;
        }
        let slots = got::read(&image).map_err(unreadable)?;
        Ok(Binary { image, machine, regions, symbols, slots, options: options.clone(), sections: OnceCell::new() })
    }

    /// Path of the file.
    pub fn path(&self) -> &Path {
        &self.image.path
    }

    /// Processor architecture.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The file's own address of a profile's `address`, which is in `mapping`; `None` when
    /// the mapping cannot be of this file.
    pub fn in_file(&self, mapping: &Mapping, address: u64) -> Option<u64> {
        address::in_file(&self.image.layout, mapping, address)
    }

    /// The loaded parts, by address.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The part that holds `address`. O(log n).
    pub fn region(&self, address: u64) -> Option<&Region> {
        let after = self.regions.partition_point(|r| r.range.start <= address);
        self.regions[..after].last().filter(|r| r.range.contains(&address))
    }

    /// Content of the GOT slot at `address`.
    pub fn slot(&self, address: u64) -> Option<&Slot> {
        self.slots.get(&address)
    }

    /// The last symbol at or before `address` in the same part of the file. Of several at
    /// one address the last by name, as llvm-objdump has it. O(log n).
    pub fn symbol_before(&self, address: u64) -> Option<Entry<'_>> {
        let region = self.region(address)?;
        let entry = self.symbols.entry(self.symbols.n_up_to(address).checked_sub(1)?)?;
        region.range.contains(&entry.address).then_some(entry)
    }

    /// Every address with symbols, by address.
    pub fn routines(&self) -> impl Iterator<Item = Routine<'_>> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let address = self.symbols.entry(at)?.address;
            let first = at;
            at = self.symbols.n_up_to(address).max(at + 1);
            Some(self.routine(first, at))
        })
    }

    /// The routine that holds `address`. O(log n).
    pub fn routine_at(&self, address: u64) -> Option<Routine<'_>> {
        let after = self.symbols.n_up_to(address);
        let start = self.symbols.entry(after.checked_sub(1)?)?.address;
        let first = start.checked_sub(1).map_or(0, |before| self.symbols.n_up_to(before));
        Some(self.routine(first, after)).filter(|r| r.range.contains(&address))
    }

    /// Function with the symbols from index `first` to before `after`.
    fn routine(&self, first: usize, after: usize) -> Routine<'_> {
        let symbols: Vec<Entry<'_>> = (first..after).filter_map(|i| self.symbols.entry(i)).collect();
        let start = symbols.first().map_or(0, |s| s.address);
        let limit = self.region(start).map_or(start, |r| r.range.end);
        let claimed = symbols.iter().map(|s| start.saturating_add(s.size)).max().unwrap_or(start);
        let end = match self.symbols.entry(after).map(|next| next.address) {
            Some(next) if next <= limit && claimed < next => next - 1,
            Some(next) if next <= limit => next,
            _ => limit,
        };
        Routine { symbols, range: start..end.max(start) }
    }

    /// The bytes at `range`, as far as they are in one part of the file; none where it
    /// holds none.
    pub fn bytes(&self, range: Range<u64>) -> Vec<u8> {
        let Some(region) = self.region(range.start) else { return Vec::new() };
        let Some((offset, len)) = region.file else { return Vec::new() };
        let skip = range.start - region.range.start;
        let n = range.end.saturating_sub(range.start).min(len.saturating_sub(skip));
        offset.checked_add(skip).and_then(|at| self.image.read(at, n)).unwrap_or_default()
    }

    /// The frames at each of `addresses` (sorted, without repetition), innermost first, as
    /// far as debug information knows them. Names are mangled; the outermost one's is the
    /// symbol's.
    pub fn frames(&self, addresses: &[u64]) -> Vec<Vec<Frame>> {
        let sections = self.sections.get_or_init(|| companions::debug_information(&self.image, &self.options, &|_| {}).sections);
        let split = SplitFiles::new(SplitPlaces::new(&self.options, &self.image.path, None));
        let mut chains = match sections {
            Some(sections) => Debug::new(sections).chains(addresses, &split, &()),
            None => match Objects::read(&self.image) {
                Some(objects) => objects.chains(addresses, &self.options).0,
                None => vec![Vec::new(); addresses.len()],
            },
        };
        chains.iter_mut().zip(addresses).for_each(|(chain, &address)| combine(chain, self.symbols.find(address)));
        chains
    }
}

fn machine(object: &Parsed<'_>) -> Machine {
    match object.architecture() {
        Architecture::I386 => Machine::X86,
        Architecture::X86_64 | Architecture::X86_64_X32 => Machine::X86_64,
        Architecture::Arm => Machine::Arm,
        Architecture::Aarch64 | Architecture::Aarch64_Ilp32 => Machine::Aarch64,
        other => Machine::Other(format!("{other:?}").to_lowercase()),
    }
}

/// The loaded sections, or segments where there are no sections.
fn regions(object: &Parsed<'_>) -> Vec<Region> {
    let mut regions: Vec<Region> = object
        .sections()
        .filter(|s| s.size() > 0 && is_loaded(s.flags()))
        .map(|s| Region {
            name: s.name().unwrap_or_default().to_owned(),
            range: s.address()..s.address().saturating_add(s.size()),
            is_code: s.kind() == SectionKind::Text || is_executable(s.flags()),
            file: s.file_range(),
        })
        .collect();
    if !regions.iter().any(|r| r.is_code) {
        regions = object
            .segments()
            .map(|s| Region {
                name: String::new(),
                range: s.address()..s.address().saturating_add(s.size()),
                is_code: s.permissions().executable(),
                file: Some(s.file_range()),
            })
            .collect();
    }
    // Sections of linked files do not overlap; others lose to the code that is there.
    regions.sort_by_key(|r| (r.range.start, !r.is_code, r.range.end));
    regions.dedup_by(|later, earlier| later.range.start < earlier.range.end);
    regions
}

fn is_loaded(flags: SectionFlags) -> bool {
    match flags {
        // Thread-local zeros have addresses, but are nowhere.
        SectionFlags::Elf { sh_type, sh_flags } => {
            sh_flags.contains(elf::SHF_ALLOC) && !(sh_flags.contains(elf::SHF_TLS) && sh_type == elf::SHT_NOBITS)
        }
        _ => true,
    }
}

fn is_executable(flags: SectionFlags) -> bool {
    matches!(flags, SectionFlags::Elf { sh_flags, .. } if sh_flags.contains(elf::SHF_EXECINSTR))
}
