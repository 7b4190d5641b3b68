//! Bytes of a file, or of a part of it, on disk or in memory.

use std::fs::{File, Metadata};
use std::sync::Arc;

use crate::symbolize::read::paged::{MOST_AT_ONCE, Part, read_at};

/// A range of a file's bytes.
#[derive(Clone, Debug)]
pub(crate) struct FileBytes {
    source: Source,
    /// Start offset in the source (universal files and archives contain several), bytes.
    start: u64,
    len: u64,
}

/// Storage of the bytes.
#[derive(Clone, Debug)]
enum Source {
    File(Arc<File>),
    /// A decompressed member of another file, or an upload.
    Memory(Arc<Vec<u8>>),
}

impl Source {
    /// Fills `bytes` from offset `at` on.
    fn read_at(&self, bytes: &mut [u8], at: u64) -> std::io::Result<()> {
        match self {
            Source::File(file) => read_at(file, bytes, at),
            Source::Memory(all) => {
                let rest = usize::try_from(at).ok().and_then(|at| all.get(at..)).unwrap_or_default();
                bytes.copy_from_slice(rest.get(..bytes.len()).ok_or(std::io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }
}

impl FileBytes {
    /// The first `len` bytes of a file.
    pub(crate) fn of_file(file: File, len: u64) -> Self {
        FileBytes { source: Source::File(Arc::new(file)), start: 0, len }
    }

    /// Bytes in memory.
    pub(crate) fn in_memory(bytes: Arc<Vec<u8>>) -> Self {
        let len = bytes.len() as u64;
        FileBytes { source: Source::Memory(bytes), start: 0, len }
    }

    /// `size` bytes at `offset` of the source; `None` when they reach beyond these.
    pub(crate) fn narrowed(self, offset: u64, size: u64) -> Option<Self> {
        let is_inside = offset.checked_add(size).is_some_and(|end| end <= self.len);
        is_inside.then_some(FileBytes { start: offset, len: size, ..self })
    }

    /// Start offset in the source, bytes.
    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    /// Bytes.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Metadata of the file; `None` for bytes in memory.
    pub(crate) fn metadata(&self) -> Option<Metadata> {
        match &self.source {
            Source::File(file) => file.metadata().ok(),
            Source::Memory(_) => None,
        }
    }

    /// The bytes of a part; `None` when they are not all there.
    pub(crate) fn read(&self, offset: u64, size: u64) -> Option<Vec<u8>> {
        let end = offset.checked_add(size)?;
        if end > self.len || size > MOST_AT_ONCE {
            return None;
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(usize::try_from(size).ok()?).ok()?;
        bytes.resize(size as usize, 0);
        self.fill(&mut bytes, offset).ok()?;
        Some(bytes)
    }

    /// Fills `bytes` from `offset` on.
    pub(crate) fn fill(&self, bytes: &mut [u8], offset: u64) -> std::io::Result<()> {
        self.source.read_at(bytes, self.start.checked_add(offset).ok_or(std::io::ErrorKind::UnexpectedEof)?)
    }

    /// A part, read on demand in pages of `page` bytes (a power of two); `None` if it exceeds the file.
    pub(crate) fn part(&self, offset: u64, size: u64, page: usize) -> Option<Part<'static>> {
        let is_there = offset.checked_add(size).is_some_and(|end| end <= self.len);
        match &self.source {
            Source::File(file) if is_there => {
                Some(Part::of_file(file.clone(), self.start.checked_add(offset)?, usize::try_from(size).ok()?, page))
            }
            Source::Memory(_) => self.read(offset, size).map(Part::whole),
            Source::File(_) => None,
        }
    }
}
