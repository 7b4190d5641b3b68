//! DWARF sections of a file, read on demand.

use std::convert::Infallible;
use std::ops::Range;

use gimli::{RunTimeEndian, SectionId};
use object::read::{CompressedFileRange, CompressionFormat};
use object::{Object, ObjectKind};

use super::gimli_reader::Window;
use super::parallel::in_parallel;
use crate::symbolize::read::image::{Image, ImageError};
use crate::symbolize::read::paged::Part;

/// Sections for names and lines; locations of variables, macros and the like are never read.
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

/// Sections of a `.dwo` or `.dwp` file.
const WANTED_SPLIT: [SectionId; 6] = [
    SectionId::DebugCuIndex,
    SectionId::DebugAbbrev,
    SectionId::DebugInfo,
    SectionId::DebugRngLists,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
];

/// Sections of a supplementary file, which has no code. Its units still name files, those of declarations.
const WANTED_SUP: [SectionId; 6] = [
    SectionId::DebugAbbrev,
    SectionId::DebugInfo,
    SectionId::DebugLine,
    SectionId::DebugLineStr,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
];

/// The sections of one file.
#[derive(Debug)]
pub(in crate::symbolize) struct Sections {
    endian: RunTimeEndian,
    parts: Vec<(SectionId, Part<'static>)>,
    /// In place of a section that is missing.
    nothing: Part<'static>,
    /// Lowest address of code: functions dropped by the linker remain at 0.
    pub(super) lowest: u64,
    /// Sections of the supplementary file.
    sup: Option<Box<Sections>>,
}

impl Sections {
    /// The sections of a program or library.
    pub(in crate::symbolize) fn read(image: &Image) -> Result<Self, ImageError> {
        Self::of(image, &WANTED, |id| vec![id.name()])
    }

    /// The sections of a `.dwo` or `.dwp` file.
    pub(super) fn read_split(image: &Image) -> Result<Self, ImageError> {
        Self::of(image, &WANTED_SPLIT, |id| id.dwo_name().into_iter().collect())
    }

    fn of(image: &Image, wanted: &[SectionId], names: impl Fn(SectionId) -> Vec<&'static str>) -> Result<Self, ImageError> {
        let endian = if image.little_endian { RunTimeEndian::Little } else { RunTimeEndian::Big };
        let (places, lowest): (Vec<(SectionId, CompressedFileRange)>, u64) = image.with(|object| {
            let place = |&id: &SectionId| Some((id, image.place(object, &names(id))?));
            let is_linked = object.kind() != ObjectKind::Relocatable;
            (wanted.iter().filter_map(place).collect(), u64::from(is_linked))
        })?;
        let inflated = places.iter().filter(|(_, place)| place.format != CompressionFormat::None).map(|(_, place)| place.uncompressed_size);
        if inflated.fold(0, u64::saturating_add) > image.most_inflated() {
            return Err(ImageError::TooPacked);
        }
        let content = |&(id, place): &(SectionId, CompressedFileRange)| Some((id, image.content(place, page_of(id))?));
        let parts = if places.iter().any(|(_, place)| place.format != CompressionFormat::None) {
            // Inflating takes longer than everything else.
            in_parallel(&places, || (), |(), place| content(place))
        } else {
            places.iter().map(content).collect()
        };
        Ok(Sections { endian, parts: parts.into_iter().flatten().collect(), nothing: Part::whole(Vec::new()), lowest, sup: None })
    }

    /// Takes in the sections of the supplementary file that these refer to.
    pub(in crate::symbolize) fn read_sup(&mut self, image: &Image) -> Result<(), ImageError> {
        self.sup = Some(Box::new(Self::of(image, &WANTED_SUP, |id| vec![id.name()])?));
        Ok(())
    }

    /// Returns whether there is any function to be found.
    pub(in crate::symbolize) fn has_info(&self) -> bool {
        self.part(SectionId::DebugInfo).len() > 0
    }

    /// The whole of `.debug_info`.
    pub(super) fn all_info(&self) -> Range<usize> {
        0..self.part(SectionId::DebugInfo).len()
    }

    fn part(&self, id: SectionId) -> &Part<'static> {
        self.parts.iter().find(|(other, _)| *other == id).map_or(&self.nothing, |(_, part)| part)
    }

    /// The bytes of a section; empty when it is missing.
    pub(super) fn get(&self, id: SectionId) -> Window<'_> {
        Window::new(self.part(id), self.endian)
    }

    /// `.debug_info` with the bytes of `range` at hand.
    pub(super) fn stretch(&self, range: Range<usize>) -> Stretch<'_> {
        Stretch { sections: self, info: self.part(SectionId::DebugInfo).stretch(range) }
    }

    /// The sections as gimli takes them.
    pub(super) fn dwarf(&self) -> gimli::Dwarf<Window<'_>> {
        self.with_sup(load(|id| self.get(id)))
    }

    fn with_sup<'a>(&'a self, mut dwarf: gimli::Dwarf<Window<'a>>) -> gimli::Dwarf<Window<'a>> {
        if let Some(sup) = &self.sup {
            dwarf.set_sup(sup.dwarf());
        }
        dwarf
    }
}

/// The sections of a file with some of the entries at hand, which are given back with it.
#[derive(Debug)]
pub(super) struct Stretch<'s> {
    sections: &'s Sections,
    info: Part<'s>,
}

impl Stretch<'_> {
    /// The bytes of a section.
    pub(super) fn get(&self, id: SectionId) -> Window<'_> {
        match id {
            SectionId::DebugInfo => Window::new(&self.info, self.sections.endian),
            _ => self.sections.get(id),
        }
    }

    /// The sections as gimli takes them.
    pub(super) fn dwarf(&self) -> gimli::Dwarf<Window<'_>> {
        self.sections.with_sup(load(|id| self.get(id)))
    }
}

/// Loads sections for gimli.
pub(super) fn load<'a>(section: impl Fn(SectionId) -> Window<'a>) -> gimli::Dwarf<Window<'a>> {
    let Ok(dwarf) = gimli::Dwarf::load(|id| Ok::<_, Infallible>(section(id)));
    dwarf
}

/// Page size: large for sections read from end to end, small for those with random access.
fn page_of(id: SectionId) -> usize {
    match id {
        // Headers and names.
        SectionId::DebugInfo | SectionId::DebugStr | SectionId::DebugLineStr => 1 << 9,
        SectionId::DebugAddr | SectionId::DebugStrOffsets | SectionId::DebugRanges | SectionId::DebugRngLists => 1 << 12,
        SectionId::DebugAbbrev | SectionId::DebugLine => 1 << 14,
        _ => 1 << 16,
    }
}
