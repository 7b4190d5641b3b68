//! A program or library on disk: its headers, and its parts on demand.
//!
//! Only what is asked for is read, [part](super::part) by part. Names come from
//! [`super::symtab`], DWARF from [`super::dwarf`].

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object::read::elf::{FileHeader, ProgramHeader};
use object::read::{CompressedData, CompressedFileRange, CompressionFormat, ReadCache};
use object::{BinaryFormat, Object, ObjectSection, ObjectSegment};
use thiserror::Error;

use super::headers::{self, Headers};
use super::part::{Part, read_at};
use super::stamp::{Stamp, Stamped};

/// Why a file is of no use.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImageError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// It is not an object file, or damaged.
    #[error("not a readable object file: {0}")]
    Object(#[from] object::Error),
    /// It is a directory, a pipe or the like.
    #[error("not a regular file")]
    NotAFile,
}

/// An object file.
#[derive(Debug)]
pub(super) struct Image {
    pub(super) path: PathBuf,
    pub(super) layout: Layout,
    /// Lower-case hexadecimal; empty when there is none.
    pub(super) build_id: String,
    /// Name and CRC-32 of the file that holds the debug information.
    pub(super) debug_link: Option<(String, u32)>,
    pub(super) little_endian: bool,
    file: Arc<File>,
    len: u64,
}

/// What is needed to turn run-time addresses into the file's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Layout {
    /// ELF.
    Elf {
        kind: ElfKind,
        /// The loadable segments, in file order.
        segments: Vec<Segment>,
        /// Index into `segments` of the one that holds `.text`.
        text: Option<usize>,
    },
    /// Mach-O or PE: the address for which the file was linked.
    Linked { base: u64 },
}

/// `e_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ElfKind {
    /// Linked for fixed addresses.
    Exec,
    /// Position independent: programs and libraries.
    Dyn,
    /// Not linked.
    Rel,
}

/// A PT_LOAD header; all numbers are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Segment {
    pub(super) offset: u64,
    pub(super) vaddr: u64,
    pub(super) file_size: u64,
    pub(super) mem_size: u64,
    pub(super) align: u64,
    /// It holds instructions.
    pub(super) is_code: bool,
}

/// An object file as the `object` crate sees it, read part by part.
pub(super) type Parsed<'a> = object::File<'a, &'a ReadCache<Metered<'a>>>;

impl Image {
    /// Opens `path` and reads its headers.
    pub(super) fn open(path: &Path) -> Result<Self, ImageError> {
        if !std::fs::metadata(path)?.is_file() {
            return Err(ImageError::NotAFile);
        }
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        let mut image = Image {
            path: path.to_path_buf(),
            layout: Layout::Linked { base: 0 },
            build_id: String::new(),
            debug_link: None,
            little_endian: true,
            file: Arc::new(file),
            len,
        };
        let headers = match headers::of_elf(&image.cache()) {
            Some(headers) => headers?,
            None => image.with(|object| Headers {
                layout: Layout::of(object),
                build_id: object.mach_uuid().ok().flatten().map(|id| id.to_vec()).unwrap_or_default(),
                debug_link: None,
                little_endian: object.is_little_endian(),
            })?,
        };
        image.build_id = headers.build_id.iter().take(64).map(|byte| format!("{byte:02x}")).collect();
        image.layout = headers.layout;
        image.debug_link = headers.debug_link;
        image.little_endian = headers.little_endian;
        Ok(image)
    }

    /// Runs `look` on the parsed headers.
    pub(super) fn with<T>(&self, look: impl FnOnce(&Parsed<'_>) -> T) -> Result<T, ImageError> {
        let cache = self.cache();
        let object = object::File::parse(&cache)?;
        Ok(look(&object))
    }

    /// The file, to be parsed.
    fn cache(&self) -> ReadCache<Metered<'_>> {
        // A damaged header may name the same bytes many times: an honest one needs
        // section headers, notes and symbol tables once each.
        let left = self.len.saturating_mul(2).saturating_add(1 << 20);
        ReadCache::new(Metered { file: &self.file, len: self.len, at: 0, left })
    }

    /// What tells it from another file at its place.
    pub(super) fn stamp(&self) -> Option<Stamp> {
        Stamp::of(&self.file.metadata().ok()?)
    }

    /// The same with its place.
    pub(super) fn named(&self) -> Option<Stamped> {
        Some(Stamped { path: self.path.clone(), stamp: self.stamp()? })
    }

    /// Bytes in the file.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// The bytes of a part of the file; `None` when they are not all there.
    pub(super) fn read(&self, offset: u64, size: u64) -> Option<Vec<u8>> {
        let end = offset.checked_add(size)?;
        if end > self.len {
            return None;
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(usize::try_from(size).ok()?).ok()?;
        bytes.resize(size as usize, 0);
        read_at(&self.file, &mut bytes, offset).ok()?;
        Some(bytes)
    }

    /// A part of the file, to be read in pages of `page` bytes (a power of two) when it is
    /// looked at; `None` when it is not all there.
    pub(super) fn part(&self, offset: u64, size: u64, page: usize) -> Option<Part<'static>> {
        let is_there = offset.checked_add(size).is_some_and(|end| end <= self.len);
        is_there.then(|| usize::try_from(size).ok().map(|len| Part::of_file(self.file.clone(), offset, len, page)))?
    }

    /// CRC-32 of the whole file, as `.gnu_debuglink` has it.
    pub(super) fn crc32(&self) -> Option<u32> {
        let mut crc = flate2::Crc::new();
        let mut bytes = vec![0; 1 << 16];
        let mut at = 0;
        while at < self.len {
            let n = usize::try_from(self.len - at).map_or(bytes.len(), |left| left.min(bytes.len()));
            read_at(&self.file, &mut bytes[..n], at).ok()?;
            crc.update(&bytes[..n]);
            at += n as u64;
        }
        Some(crc.sum())
    }

    /// Where the content of the first section of `names` lies; `None` when there is none.
    pub(super) fn place(&self, object: &Parsed<'_>, names: &[&str]) -> Option<CompressedFileRange> {
        let section = names.iter().find_map(|name| object.section_by_name(name))?;
        section.compressed_file_range().ok()
    }

    /// The content of a section: read in pages of `page` bytes, or inflated as a whole.
    pub(super) fn content(&self, place: CompressedFileRange, page: usize) -> Option<Part<'static>> {
        match place.format {
            CompressionFormat::None => self.part(place.offset, place.uncompressed_size, page),
            _ => self.inflated(place).map(Part::whole),
        }
    }

    fn inflated(&self, range: CompressedFileRange) -> Option<Vec<u8>> {
        let bytes = self.read(range.offset, range.compressed_size)?;
        // Neither format reaches these ratios on debug information; a bomb does.
        let most = match range.format {
            CompressionFormat::None => return Some(bytes),
            CompressionFormat::Zlib => range.compressed_size.saturating_mul(1100),
            _ => range.compressed_size.saturating_mul(4096),
        };
        if range.uncompressed_size > most.min(16 << 30) {
            return None;
        }
        let data = CompressedData { format: range.format, data: &bytes, uncompressed_size: range.uncompressed_size };
        data.decompress().ok().map(|data| data.into_owned())
    }
}

impl Layout {
    /// Of files other than ELF.
    fn of(object: &Parsed<'_>) -> Self {
        if object.format() == BinaryFormat::Pe {
            return Layout::Linked { base: object.relative_address_base() };
        }
        let text = object.segments().find(|s| s.name().ok().flatten() == Some("__TEXT"));
        Layout::Linked { base: text.map_or(0, |s| s.address()) }
    }

    /// `text` is the address of `.text`.
    pub(super) fn of_elf<H: FileHeader>(header: &H, endian: H::Endian, programs: &[H::ProgramHeader], text: Option<u64>) -> Self {
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

/// A file that may be read only so much.
#[derive(Debug)]
pub(super) struct Metered<'a> {
    file: &'a File,
    len: u64,
    at: u64,
    /// Bytes that may still be read.
    left: u64,
}

impl object::read::ReadCacheOps for Metered<'_> {
    fn len(&mut self) -> Result<u64, ()> {
        Ok(self.len)
    }

    fn seek(&mut self, pos: u64) -> Result<u64, ()> {
        self.at = pos;
        Ok(pos)
    }

    fn read(&mut self, buf: &mut [u8]) -> Result<usize, ()> {
        let n = usize::try_from(self.len.saturating_sub(self.at)).map_or(buf.len(), |left| left.min(buf.len()));
        self.read_exact(&mut buf[..n]).map(|()| n)
    }

    fn read_exact(&mut self, buf: &mut [u8]) -> Result<(), ()> {
        self.left = self.left.checked_sub(buf.len() as u64).ok_or(())?;
        read_at(self.file, buf, self.at).map_err(|_| ())?;
        self.at = self.at.saturating_add(buf.len() as u64);
        Ok(())
    }
}

/// Whether a file that begins with `head` is a program or library (ELF, Mach-O or
/// PE) and not a profile. Sixteen bytes suffice.
pub fn is_binary(head: &[u8]) -> bool {
    const MAGICS: [&[u8]; 7] =
        [b"\x7fELF", b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ"];
    head.len() >= 4 && MAGICS.iter().any(|magic| head.starts_with(magic))
}
