//! A program or library: its headers, and its other parts on demand.
//!
//! Only requested parts are read, [page by page](crate::symbolize::read::paged). Names come from [`super::symtab`], DWARF from
//! [`crate::symbolize::dwarf`].

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use object::read::macho::MachHeader;
use object::read::{CompressedData, CompressedFileRange, CompressionFormat};
use object::{Object, ObjectSection};
use thiserror::Error;

use super::bounded_reader::{Bytes, Metered};
use super::byte_source::ByteSource;
use super::file_bytes::FileBytes;
use super::file_stamp::{Stamp, Stamped};
use super::headers::{self, Headers};
use super::layout::{Layout, Parsed, Segment};
use super::universal;
use crate::symbolize::read::paged::Part;

/// Why a file cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ImageError {
    /// Reading failed.
    #[error("{0}")]
    Io(#[from] std::io::Error),
    /// Not an object file, or damaged.
    #[error("not a readable object file: {0}")]
    Object(#[from] object::Error),
    /// A directory, a pipe or the like.
    #[error("not a regular file")]
    NotAFile,
    /// A universal file without any program, or one that is cut off.
    #[error("not a readable object file: a universal file that is cut off")]
    Empty,
    /// Its packed sections claim to be far longer than debug information is.
    #[error("its debug information is larger than the file can contain")]
    TooPacked,
}

/// An object file.
#[derive(Debug)]
pub(crate) struct Image {
    pub(crate) path: PathBuf,
    pub(crate) layout: Layout,
    /// Lower-case hexadecimal; empty when there is none.
    pub(crate) build_id: String,
    /// Name and CRC-32 of the file that holds the debug information.
    pub(crate) debug_link: Option<(String, u32)>,
    pub(crate) little_endian: bool,
    bytes: FileBytes,
}

/// Name and build id of a supplementary file, as dwz leaves them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AltLink {
    /// Absolute, or relative to the directory of the referring file.
    pub(crate) name: String,
    /// Lower-case hexadecimal.
    pub(crate) id: String,
}

impl Image {
    /// Opens `path` and reads its headers.
    pub(crate) fn open(path: &Path) -> Result<Self, ImageError> {
        Self::open_build(path, "")
    }

    /// Opens `path`; of a universal file the program with this build id, else the one for
    /// this machine, else the first.
    pub(crate) fn open_build(path: &Path, build_id: &str) -> Result<Self, ImageError> {
        Image::whole(path)?.chosen(build_id)
    }

    /// The same for a file that the caller has, under the name `path`.
    pub(crate) fn of_source(path: &Path, source: Arc<dyn ByteSource>, build_id: &str) -> Result<Self, ImageError> {
        Image::unread(path, FileBytes::of(source)).chosen(build_id)
    }

    fn chosen(self, build_id: &str) -> Result<Self, ImageError> {
        let head = self.read(0, self.len().min(universal::LONGEST_HEAD)).unwrap_or_default();
        let Some(parts) = universal::parts(&head) else { return self.parsed() };
        let mut first = None;
        for part in parts {
            match Image::unread(&self.path, self.bytes.clone()).narrowed(part.offset, part.size) {
                Ok(image) if build_id.is_empty() || image.build_id == build_id => return Ok(image),
                result => first = first.or(Some(result)),
            }
        }
        first.unwrap_or(Err(ImageError::Empty))
    }

    /// Opens the object file of `size` bytes at `offset` of `path`, as in an archive.
    pub(crate) fn open_part(path: &Path, offset: u64, size: u64) -> Result<Self, ImageError> {
        Image::whole(path)?.narrowed(offset, size)
    }

    /// A decompressed member of the file at `path`.
    pub(crate) fn in_memory(path: &Path, bytes: Vec<u8>) -> Result<Self, ImageError> {
        Image::unread(path, FileBytes::of(Arc::new(bytes))).parsed()
    }

    /// The bytes of `path`, whatever they are.
    pub(crate) fn whole(path: &Path) -> Result<Self, ImageError> {
        if !std::fs::metadata(path)?.is_file() {
            return Err(ImageError::NotAFile);
        }
        Ok(Image::unread(path, FileBytes::of(Arc::new(File::open(path)?))))
    }

    fn unread(path: &Path, bytes: FileBytes) -> Self {
        let layout = Layout::Linked { base: 0, start: 0 };
        let path = path.to_path_buf();
        Image { path, layout, build_id: String::new(), debug_link: None, little_endian: true, bytes }
    }

    fn narrowed(mut self, offset: u64, size: u64) -> Result<Self, ImageError> {
        self.bytes = self.bytes.narrowed(offset, size).ok_or(ImageError::Empty)?;
        self.parsed()
    }

    /// Reads the headers.
    fn parsed(mut self) -> Result<Self, ImageError> {
        let headers = match headers::of_elf(Bytes(&Metered::of(&self.bytes))) {
            Some(headers) => headers?,
            None => self.with(|object| Headers {
                layout: Layout::of(object, self.bytes.start()),
                build_id: object.mach_uuid().ok().flatten().map(|id| id.to_vec()).unwrap_or_default(),
                debug_link: None,
                little_endian: object.is_little_endian(),
            })?,
        };
        self.build_id = hex(&headers.build_id);
        self.layout = headers.layout;
        self.debug_link = headers.debug_link;
        self.little_endian = headers.little_endian;
        Ok(self)
    }

    /// The file with what its debug information has in common with that of others.
    pub(crate) fn alt_link(&self) -> Option<AltLink> {
        self.with(AltLink::of).ok()?
    }

    /// Id of a supplementary file (DWARF 5), hexadecimal.
    pub(crate) fn sup_id(&self) -> Option<String> {
        self.with(|object| SupSection::of(object).filter(|sup| sup.is_supplementary).map(|sup| hex(&sup.id))).ok()?
    }

    /// Runs `look` on the parsed headers.
    pub(crate) fn with<T>(&self, look: impl FnOnce(&Parsed<'_>) -> T) -> Result<T, ImageError> {
        let cache = Metered::of(&self.bytes);
        let object = object::File::parse(Bytes(&cache))?;
        Ok(look(&object))
    }

    /// Whether it is a program or library, not only debug information.
    pub(crate) fn has_code(&self) -> bool {
        let is_dsym = |object: &Parsed<'_>| match object {
            object::File::MachO32(file) => file.macho_header().filetype(file.endian()) == object::macho::MH_DSYM,
            object::File::MachO64(file) => file.macho_header().filetype(file.endian()) == object::macho::MH_DSYM,
            _ => false,
        };
        match &self.layout {
            Layout::Elf { segments, .. } => segments.iter().any(Segment::has_code),
            Layout::Linked { .. } => !self.with(is_dsym).unwrap_or(false),
        }
    }

    /// Stamp, to detect replacement.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        Stamp::of(&self.bytes.metadata()?)
    }

    /// Stamp with path.
    pub(crate) fn named(&self) -> Option<Stamped> {
        Some(Stamped { path: self.path.clone(), stamp: self.stamp()? })
    }

    /// Members of an archive: name, offset, size; in the archive's order.
    pub(crate) fn members(&self) -> Vec<(Vec<u8>, u64, u64)> {
        let cache = Metered::of(&self.bytes);
        let Ok(archive) = object::read::archive::ArchiveFile::parse(Bytes(&cache)) else { return Vec::new() };
        let whole = archive.members().map_while(Result::ok).filter(|member| !member.is_thin());
        whole.map(|member| (member.name().to_vec(), member.file_range().0, member.file_range().1)).collect()
    }

    /// Bytes in the file.
    pub(crate) fn len(&self) -> u64 {
        self.bytes.len()
    }

    /// The bytes of a part of the file; `None` when they are not all there.
    pub(crate) fn read(&self, offset: u64, size: u64) -> Option<Vec<u8>> {
        self.bytes.read(offset, size)
    }

    /// Fills `bytes` from `offset` on.
    pub(crate) fn fill(&self, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
        self.bytes.fill(bytes, offset)
    }

    /// A part of the file, read in pages, as [`FileBytes::part`] has it.
    pub(crate) fn part(&self, offset: u64, size: u64, page: usize) -> Option<Part<'static>> {
        self.bytes.part(offset, size, page)
    }

    /// CRC-32 of the whole file, as `.gnu_debuglink` has it.
    pub(crate) fn crc32(&self) -> Option<u32> {
        let mut crc = flate2::Crc::new();
        let mut bytes = vec![0; 1 << 16];
        let mut at = 0;
        while at < self.len() {
            let n = usize::try_from(self.len() - at).map_or(bytes.len(), |left| left.min(bytes.len()));
            self.fill(&mut bytes[..n], at).ok()?;
            crc.update(&bytes[..n]);
            at += n as u64;
        }
        Some(crc.sum())
    }

    /// Offset and size of the first section of `names`; `None` if there is none.
    pub(crate) fn place(&self, object: &Parsed<'_>, names: &[&str]) -> Option<CompressedFileRange> {
        let section = names.iter().find_map(|name| object.section_by_name(name))?;
        section.compressed_file_range().ok()
    }

    /// The content of a section: read in pages of `page` bytes, or inflated as a whole.
    pub(crate) fn content(&self, place: CompressedFileRange, page: usize) -> Option<Part<'static>> {
        match place.format {
            CompressionFormat::None => self.part(place.offset, place.uncompressed_size, page),
            _ => self.inflated(place).map(Part::whole),
        }
    }

    /// Bytes that all inflated sections of a file may have together: of a bomb each of them may
    /// be the same bytes.
    pub(crate) fn most_inflated(&self) -> u64 {
        self.len().saturating_mul(32).max(256 << 20)
    }

    fn inflated(&self, range: CompressedFileRange) -> Option<Vec<u8>> {
        let bytes = self.read(range.offset, range.compressed_size)?;
        // Debug information becomes a third to a tenth; only a bomb becomes this small.
        let most = range.compressed_size.saturating_mul(200).saturating_add(16 << 20);
        if range.uncompressed_size > most.min(4 << 30) {
            return None;
        }
        let data = CompressedData { format: range.format, data: &bytes, uncompressed_size: range.uncompressed_size };
        data.decompress().ok().map(|data| data.into_owned())
    }
}

fn hex(id: &[u8]) -> String {
    id.iter().take(64).map(|byte| format!("{byte:02x}")).collect()
}

impl AltLink {
    fn of(object: &Parsed<'_>) -> Option<Self> {
        let (name, id) = match object.gnu_debugaltlink() {
            Ok(Some((name, id))) => (name.to_vec(), id.to_vec()),
            _ => SupSection::of(object).filter(|sup| !sup.is_supplementary).map(|sup| (sup.name, sup.id))?,
        };
        let name = String::from_utf8_lossy(&name).into_owned();
        (!name.is_empty()).then(|| AltLink { name, id: hex(&id) })
    }
}

/// `.debug_sup` of DWARF 5: in a supplementary file its own id, in others name and id of theirs.
struct SupSection {
    is_supplementary: bool,
    name: Vec<u8>,
    id: Vec<u8>,
}

impl SupSection {
    fn of(object: &Parsed<'_>) -> Option<Self> {
        let section = object.section_by_name(".debug_sup")?;
        let bytes = section.data().ok()?;
        // A version of two bytes, a flag, the name up to a zero byte, the length of the id.
        let rest = bytes.get(3..)?;
        let end = rest.iter().position(|&b| b == 0)?;
        let (&len, id) = rest.get(end + 1..)?.split_first()?;
        let id = id.get(..usize::from(len))?;
        Some(SupSection { is_supplementary: bytes[2] != 0, name: rest[..end].to_vec(), id: id.to_vec() })
    }
}

/// Returns whether a file that begins with `head` is a program or library (ELF, Mach-O or
/// PE) and not a profile. Sixteen bytes suffice.
pub fn is_binary(head: &[u8]) -> bool {
    const MAGICS: [&[u8]; 6] = [b"\x7fELF", b"\xfe\xed\xfa\xce", b"\xfe\xed\xfa\xcf", b"\xce\xfa\xed\xfe", b"\xcf\xfa\xed\xfe", b"MZ"];
    head.len() >= 4 && (MAGICS.iter().any(|magic| head.starts_with(magic)) || universal::is_universal(head))
}
