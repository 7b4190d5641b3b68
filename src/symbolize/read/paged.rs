//! A part of a file, read on demand.
//!
//! Debug information is far larger than the part that a profile needs: names, ranges and lines are read page by page on demand,
//! and kept, so that all workers share them. Data read from end to end is read at once, as a [`Part::stretch`], and released when
//! the reader is done.
//!
//! `memmap2` would do the same with fewer lines, but not without `unsafe`, which this crate forbids, and a file truncated
//! meanwhile would kill the program.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use super::byte_source::ByteSource;

/// Bytes that each page repeats of the next one, so that a number that is on the
/// border is whole.
const OVERLAP: usize = 16;

/// Maximum number of bytes read at once. Units and tables of names stay far below; sparse
/// files claim anything.
pub(crate) const MOST_AT_ONCE: u64 = 512 << 20;

/// The longest name that is believed, bytes: many may share one without an end.
pub(crate) const LONGEST_TEXT: usize = 1 << 16;

/// Pages in a table.
const TABLE: usize = 64;

/// Most tables of a part; pages of longer ones are longer.
const MOST_TABLES: usize = 1 << 16;

/// Some bytes, here or still in a file.
#[derive(Debug)]
pub(crate) struct Part<'p> {
    len: usize,
    store: Store<'p>,
}

#[derive(Debug)]
enum Store<'p> {
    Whole(Vec<u8>),
    Pages(Pages),
    /// Bytes from `start` on; the others are those of `rest`.
    Stretch {
        start: usize,
        bytes: Vec<u8>,
        rest: &'p Part<'p>,
    },
}

#[derive(Debug)]
struct Pages {
    source: Arc<dyn ByteSource>,
    offset: u64,
    /// Bytes, a power of two.
    page: usize,
    /// Tables of [`TABLE`] pages, made when they are touched.
    tables: Vec<OnceLock<Box<[Page]>>>,
}

/// Empty where reading failed.
type Page = OnceLock<Box<[u8]>>;

impl<'p> Part<'p> {
    /// Bytes that are here already.
    pub(crate) fn whole(bytes: Vec<u8>) -> Self {
        Part { len: bytes.len(), store: Store::Whole(bytes) }
    }

    /// `len` bytes of a file from `offset` on, in pages of `page` bytes (a power of two).
    pub(crate) fn of_source(source: Arc<dyn ByteSource>, offset: u64, len: usize, page: usize) -> Self {
        let mut page = page;
        while len / page / TABLE > MOST_TABLES {
            page *= 2;
        }
        let mut tables = Vec::new();
        tables.resize_with(len.div_ceil(page * TABLE), OnceLock::new);
        Part { len, store: Store::Pages(Pages { source, offset, page, tables }) }
    }

    /// Bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The bytes from `at` on, as far as they are together: at least sixteen, unless the
    /// part ends before. None past the end and where the file cannot be read.
    pub(crate) fn from(&self, at: usize) -> &[u8] {
        match &self.store {
            Store::Whole(bytes) => bytes.get(at..).unwrap_or_default(),
            Store::Pages(pages) => pages.from(at, self.len),
            Store::Stretch { start, bytes, rest } => {
                let inside = at.checked_sub(*start).and_then(|skip| bytes.get(skip..)).unwrap_or_default();
                // The last bytes may start a number that continues after the end.
                if inside.len() >= OVERLAP || (!inside.is_empty() && start + bytes.len() == self.len) { inside } else { rest.from(at) }
            }
        }
    }

    /// The same part with the bytes of `range` in memory, for sequential reading.
    pub(crate) fn stretch<'s>(&'s self, range: Range<usize>) -> Part<'s> {
        let bytes = match &self.store {
            Store::Pages(_) => self.copy(range.clone()),
            _ => None,
        };
        Part { len: self.len, store: Store::Stretch { start: range.start, bytes: bytes.unwrap_or_default(), rest: self } }
    }

    /// All bytes; none when they cannot be read.
    pub(crate) fn all(&self) -> Vec<u8> {
        self.copy(0..self.len).unwrap_or_default()
    }

    /// The bytes of `range`, which are not kept; `None` when they are not all there.
    pub(crate) fn copy(&self, range: Range<usize>) -> Option<Vec<u8>> {
        match &self.store {
            Store::Whole(bytes) => bytes.get(range).map(<[u8]>::to_vec),
            Store::Pages(pages) if range.start <= range.end && range.end <= self.len => pages.read(range),
            Store::Pages(_) => None,
            Store::Stretch { rest, .. } => rest.copy(range),
        }
    }

    /// The text at `at` without the zero byte that ends it; `None` when it has no end, or one
    /// too far away.
    pub(crate) fn text(&self, at: usize) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        loop {
            let bytes = self.from(at.checked_add(text.len())?);
            let bytes = &bytes[..bytes.len().min(LONGEST_TEXT + 1)];
            match bytes.iter().position(|&b| b == 0) {
                Some(end) if text.len() + end <= LONGEST_TEXT => {
                    text.extend_from_slice(&bytes[..end]);
                    return Some(text);
                }
                Some(_) => return None,
                None if bytes.is_empty() || text.len() + bytes.len() > LONGEST_TEXT => return None,
                None => text.extend_from_slice(bytes),
            }
        }
    }
}

impl Pages {
    fn from(&self, at: usize, len: usize) -> &[u8] {
        let number = at / self.page;
        let Some(table) = self.tables.get(number / TABLE) else { return &[] };
        let table = table.get_or_init(|| (0..TABLE).map(|_| OnceLock::new()).collect());
        let bytes = table[number % TABLE].get_or_init(|| {
            if number * self.page >= len {
                return Box::default();
            }
            let start = number * self.page;
            let end = (start + self.page + OVERLAP).min(len);
            self.read(start..end).unwrap_or_default().into_boxed_slice()
        });
        bytes.get(at % self.page..).unwrap_or_default()
    }

    fn read(&self, range: Range<usize>) -> Option<Vec<u8>> {
        if range.len() as u64 > MOST_AT_ONCE {
            return None;
        }
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(range.len()).ok()?;
        bytes.resize(range.len(), 0);
        self.source.read_at(self.offset.checked_add(range.start as u64)?, &mut bytes).ok()?;
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write;

    use super::*;

    fn part(len: usize, page: usize) -> Part<'static> {
        part_of_file(len, page).0
    }

    /// A file of the bytes 0, 1, 2, … 255, 0, 1 …; the part begins at byte 10 of it.
    fn part_of_file(len: usize, page: usize) -> (Part<'static>, Arc<File>) {
        let mut file = tempfile::tempfile().unwrap();
        let bytes: Vec<u8> = (0..len + 10).map(|i| i as u8).collect();
        file.write_all(&bytes).unwrap();
        let file = Arc::new(file);
        (Part::of_source(file.clone(), 10, len, page), file)
    }

    #[test]
    fn every_byte_is_there_with_sixteen_after_it() {
        let part = part(1000, 64);
        for at in 0..1000 {
            let bytes = part.from(at);
            assert!(bytes.len() >= OVERLAP.min(1000 - at), "{at}");
            assert!(bytes.iter().enumerate().all(|(i, &b)| b == (at + i + 10) as u8), "{at}");
        }
        assert!(part.from(1000).is_empty() && part.from(usize::MAX).is_empty());
    }

    #[test]
    fn stretches_hold_what_they_were_asked_for_and_know_the_rest() {
        let part = part(1000, 64);
        let stretch = part.stretch(100..900);
        assert_eq!(stretch.from(100).len(), 800);
        for at in 0..1000 {
            assert_eq!(stretch.from(at)[0], (at + 10) as u8, "{at}");
            assert!(stretch.from(at).len() >= OVERLAP.min(1000 - at), "{at}");
        }
        assert_eq!(part.stretch(900..2000).from(900)[0], (900 + 10) as u8);
    }

    #[test]
    fn files_that_become_shorter_are_read_as_far_as_they_go() {
        let (part, file) = part_of_file(1000, 64);
        assert!(!part.from(0).is_empty());
        file.set_len(50).unwrap();
        assert!(!part.from(0).is_empty(), "what was read stays");
        assert!(part.from(500).is_empty() && part.text(500).is_none());
    }

    #[test]
    fn texts_cross_pages() {
        let part = part(600, 64);
        // From byte 1 up to the next 0, which is number 256 of the file.
        assert_eq!(part.text(1).unwrap().len(), 245);
        assert_eq!(part.text(503), None);
    }
}
