//! Bytes of a file, or of a part of it.

use std::fs::Metadata;
use std::sync::Arc;

use super::byte_source::ByteSource;
use crate::symbolize::read::paged::{MOST_AT_ONCE, Part};

/// A range of a file's bytes.
#[derive(Clone, Debug)]
pub(crate) struct FileBytes {
    source: Arc<dyn ByteSource>,
    /// Start offset in the source (universal files and archives contain several), bytes.
    start: u64,
    len: u64,
}

impl FileBytes {
    /// All bytes of a file.
    pub(crate) fn of(source: Arc<dyn ByteSource>) -> Self {
        FileBytes { start: 0, len: source.size(), source }
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

    /// Metadata of the file; `None` if it is not on disk.
    pub(crate) fn metadata(&self) -> Option<Metadata> {
        self.source.metadata()
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
        self.source.read_at(self.start.checked_add(offset).ok_or(std::io::ErrorKind::UnexpectedEof)?, bytes)
    }

    /// A part, read on demand in pages of `page` bytes (a power of two); `None` if it exceeds the file.
    pub(crate) fn part(&self, offset: u64, size: u64, page: usize) -> Option<Part<'static>> {
        let is_there = offset.checked_add(size).is_some_and(|end| end <= self.len);
        let (start, size) = (self.start.checked_add(offset)?, usize::try_from(size).ok()?);
        is_there.then(|| Part::of_source(self.source.clone(), start, size, page))
    }
}
