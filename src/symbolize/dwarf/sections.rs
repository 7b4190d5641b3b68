//! The DWARF sections of one file, in memory and inflated.

use gimli::{EndianSlice, RunTimeEndian, SectionId};

use crate::symbolize::image::{Image, ImageError};

pub(super) type Slice<'a> = EndianSlice<'a, RunTimeEndian>;

/// What names and lines are made of; locations of variables, macros and the like
/// are never read.
const WANTED: [SectionId; 10] = [
    SectionId::DebugAbbrev,
    SectionId::DebugAddr,
    SectionId::DebugAranges,
    SectionId::DebugInfo,
    SectionId::DebugLine,
    SectionId::DebugLineStr,
    SectionId::DebugRanges,
    SectionId::DebugRngLists,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
];

/// The same in a `.dwo` or `.dwp` file.
const WANTED_SPLIT: [SectionId; 6] = [
    SectionId::DebugCuIndex,
    SectionId::DebugAbbrev,
    SectionId::DebugInfo,
    SectionId::DebugRngLists,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
];

/// The sections of one file.
#[derive(Debug)]
pub(in crate::symbolize) struct Sections {
    endian: RunTimeEndian,
    parts: Vec<(SectionId, Vec<u8>)>,
}

impl Sections {
    /// Reads the sections of a program or library.
    pub(in crate::symbolize) fn read(image: &Image) -> Result<Self, ImageError> {
        Self::of(image, &WANTED, |id| vec![id.name()])
    }

    /// Reads the sections of a `.dwo` or `.dwp` file.
    pub(super) fn read_split(image: &Image) -> Result<Self, ImageError> {
        Self::of(image, &WANTED_SPLIT, |id| id.dwo_name().into_iter().collect())
    }

    fn of(image: &Image, wanted: &[SectionId], names: impl Fn(SectionId) -> Vec<&'static str>) -> Result<Self, ImageError> {
        let endian = if image.little_endian { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let parts = image.with(|object| {
            let part = |&id: &SectionId| Some((id, image.section(object, &names(id))?));
            wanted.iter().filter_map(part).collect()
        })?;
        Ok(Sections { endian, parts })
    }

    /// Whether there is any function to be found.
    pub(in crate::symbolize) fn has_info(&self) -> bool {
        self.parts.iter().any(|(id, bytes)| *id == SectionId::DebugInfo && !bytes.is_empty())
    }

    /// The bytes of a section; empty when it is missing.
    pub(super) fn get(&self, id: SectionId) -> Slice<'_> {
        let part = self.parts.iter().find(|(other, _)| *other == id);
        EndianSlice::new(part.map_or(&[], |(_, bytes)| bytes), self.endian)
    }

    /// The sections as gimli takes them.
    pub(super) fn dwarf(&self) -> gimli::Dwarf<Slice<'_>> {
        gimli::Dwarf::load(|id| Ok::<_, gimli::Error>(self.get(id))).unwrap_or_default()
    }
}
