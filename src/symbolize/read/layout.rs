//! Load layout of a file, for converting addresses.

use object::read::elf::{FileHeader, ProgramHeader};
use object::{BinaryFormat, Object, ObjectSegment};

use super::bounded_reader::Bytes;

/// Data to convert run-time addresses to the file's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// ELF.
    Elf {
        kind: ElfKind,
        /// The loadable segments, in file order.
        segments: Vec<Segment>,
        /// Index into `segments` of the one that holds `.text`.
        text: Option<usize>,
    },
    /// Mach-O or PE: the address for which the file was linked.
    Linked {
        base: u64,
        /// Start offset in its universal file, bytes; otherwise 0.
        start: u64,
    },
}

/// `e_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ElfKind {
    /// Linked for fixed addresses.
    Exec,
    /// Position independent: programs and libraries.
    Dyn,
    /// Not linked.
    Rel,
}

/// A PT_LOAD header; all numbers are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) offset: u64,
    pub(crate) vaddr: u64,
    pub(crate) file_size: u64,
    pub(crate) mem_size: u64,
    pub(crate) align: u64,
    /// Whether it contains code.
    pub(crate) is_code: bool,
}

impl Segment {
    /// Whether it contains code that is in the file. Debug-only files keep the headers of segments, but of their contents at most
    /// the notes.
    pub(crate) fn has_code(&self) -> bool {
        const MOST_NOTES: u64 = 4096;
        self.is_code && self.file_size > 0 && (self.file_size >= self.mem_size || self.file_size > MOST_NOTES)
    }
}

/// An object file as the `object` crate sees it, read part by part.
pub(crate) type Parsed<'a> = object::File<'a, Bytes<'a>>;

impl Layout {
    /// Layout of files other than ELF.
    pub(crate) fn of(object: &Parsed<'_>, start: u64) -> Self {
        if object.format() == BinaryFormat::Pe {
            return Layout::Linked { base: object.relative_address_base(), start };
        }
        let text = object.segments().find(|s| s.name().ok().flatten() == Some("__TEXT"));
        Layout::Linked { base: text.map_or(0, |s| s.address()), start }
    }

    /// `text` is the address of `.text`.
    pub(crate) fn of_elf<H: FileHeader>(header: &H, endian: H::Endian, programs: &[H::ProgramHeader], text: Option<u64>) -> Self {
        let kind = match header.e_type(endian) {
            object::elf::ET_EXEC => ElfKind::Exec,
            object::elf::ET_REL => ElfKind::Rel,
            _ => ElfKind::Dyn,
        };
        let loads = programs.iter().filter(|p| p.p_type(endian) == object::elf::PT_LOAD);
        let segments: Vec<Segment> = loads
            .map(|p| Segment {
                offset: p.p_offset(endian).into(),
                vaddr: p.p_vaddr(endian).into(),
                file_size: p.p_filesz(endian).into(),
                mem_size: p.p_memsz(endian).into(),
                align: p.p_align(endian).into(),
                is_code: p.p_flags(endian).contains(object::elf::PF_X),
            })
            .collect();
        let text = text.and_then(|at| segments.iter().position(|s| at >= s.vaddr && at - s.vaddr < s.mem_size));
        Layout::Elf { kind, segments, text }
    }
}
