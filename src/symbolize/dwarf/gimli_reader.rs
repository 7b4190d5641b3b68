//! gimli's `Reader` for a [`Part`] of a file.
//!
//! Used instead of `gimli::EndianSlice`, which needs whole sections in memory.

use std::borrow::Cow;
use std::fmt;

use gimli::{Error, Reader, ReaderOffsetId, Result, RunTimeEndian};

use crate::symbolize::read::paged::{LONGEST_TEXT, Part};

/// Some bytes of a part that are still to be read.
#[derive(Clone)]
pub(super) struct Window<'a> {
    part: &'a Part<'a>,
    /// The first of them, as far as they are at hand.
    here: &'a [u8],
    /// Number of bytes after these.
    rest: usize,
    /// End offset in the part.
    end: usize,
    endian: RunTimeEndian,
}

impl fmt::Debug for Window<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bytes {}..{}", self.at(), self.end)
    }
}

impl<'a> Window<'a> {
    /// All of `part`.
    pub(super) fn new(part: &'a Part<'a>, endian: RunTimeEndian) -> Self {
        Window { part, here: &[], rest: part.len(), end: part.len(), endian }
    }

    /// `len` bytes from `start` on; `None` when they are not all there.
    pub(super) fn part_of(mut self, start: usize, len: usize) -> Option<Self> {
        self.skip(start).ok()?;
        self.truncate(len).ok()?;
        Some(self)
    }

    /// All of it as text, with marks in place of what is none; nothing when it is too long.
    pub(super) fn text(&self) -> String {
        if self.len() > LONGEST_TEXT {
            return String::new();
        }
        self.to_string_lossy().map_or_else(|_| String::new(), Cow::into_owned)
    }

    /// All of it, without a copy where it is together.
    pub(super) fn bytes(&self) -> Result<Cow<'a, [u8]>> {
        if self.rest == 0 {
            return Ok(Cow::Borrowed(self.here));
        }
        let mut ahead = self.clone();
        ahead.refill();
        if ahead.rest == 0 {
            return Ok(Cow::Borrowed(ahead.here));
        }
        self.part.copy(self.at()..self.end).map(Cow::Owned).ok_or_else(|| self.end_error())
    }

    /// Start offset in the part.
    pub(super) fn at(&self) -> usize {
        self.end - self.len()
    }

    /// Gets bytes that are not at hand, at least sixteen, unless it ends before.
    #[cold]
    fn refill(&mut self) {
        let len = self.len();
        let bytes = self.part.from(self.at());
        self.here = &bytes[..bytes.len().min(len)];
        self.rest = len - self.here.len();
    }

    fn end_error(&self) -> Error {
        Error::UnexpectedEof(self.offset_id())
    }
}

impl Reader for Window<'_> {
    type Endian = RunTimeEndian;
    type Offset = usize;

    #[inline]
    fn endian(&self) -> RunTimeEndian {
        self.endian
    }

    #[inline]
    fn len(&self) -> usize {
        self.here.len() + self.rest
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.here.is_empty() && self.rest == 0
    }

    #[inline]
    fn empty(&mut self) {
        self.end = self.at();
        self.here = &[];
        self.rest = 0;
    }

    #[inline]
    fn truncate(&mut self, len: usize) -> Result<()> {
        let less = self.len().checked_sub(len).ok_or_else(|| self.end_error())?;
        self.end -= less;
        if len <= self.here.len() {
            self.here = &self.here[..len];
            self.rest = 0;
        } else {
            self.rest -= less;
        }
        Ok(())
    }

    #[inline]
    fn offset_from(&self, base: &Self) -> usize {
        self.at().wrapping_sub(base.at())
    }

    #[inline]
    fn offset_id(&self) -> ReaderOffsetId {
        ReaderOffsetId(self.at() as u64)
    }

    fn lookup_offset_id(&self, id: ReaderOffsetId) -> Option<usize> {
        let at = usize::try_from(id.0).ok()?;
        (self.at()..=self.end).contains(&at).then(|| at - self.at())
    }

    /// For strings: at most the length of one.
    fn find(&self, byte: u8) -> Result<usize> {
        let mut ahead = self.clone();
        ahead.truncate(self.len().min(LONGEST_TEXT + 1))?;
        let mut passed = 0;
        loop {
            if let Some(at) = ahead.here.iter().position(|&b| b == byte) {
                return Ok(passed + at);
            }
            passed += ahead.here.len();
            ahead.here = &[];
            ahead.refill();
            if ahead.here.is_empty() {
                return Err(self.end_error());
            }
        }
    }

    #[inline]
    fn skip(&mut self, len: usize) -> Result<()> {
        if let Some(here) = self.here.get(len..) {
            self.here = here;
            return Ok(());
        }
        let more = len - self.here.len();
        self.rest = self.rest.checked_sub(more).ok_or_else(|| self.end_error())?;
        self.here = &[];
        Ok(())
    }

    #[inline]
    fn split(&mut self, len: usize) -> Result<Self> {
        let mut first = self.clone();
        first.truncate(len)?;
        self.skip(len)?;
        Ok(first)
    }

    fn to_slice(&self) -> Result<Cow<'_, [u8]>> {
        self.bytes()
    }

    fn to_string(&self) -> Result<Cow<'_, str>> {
        match self.to_slice()? {
            Cow::Borrowed(bytes) => std::str::from_utf8(bytes).map(Cow::Borrowed).map_err(|_| Error::BadUtf8),
            Cow::Owned(bytes) => String::from_utf8(bytes).map(Cow::Owned).map_err(|_| Error::BadUtf8),
        }
    }

    fn to_string_lossy(&self) -> Result<Cow<'_, str>> {
        Ok(match self.to_slice()? {
            Cow::Borrowed(bytes) => String::from_utf8_lossy(bytes),
            Cow::Owned(bytes) => Cow::Owned(String::from_utf8_lossy(&bytes).into_owned()),
        })
    }

    #[inline]
    fn read_slice(&mut self, mut to: &mut [u8]) -> Result<()> {
        loop {
            if let Some((bytes, rest)) = self.here.split_at_checked(to.len()) {
                to.copy_from_slice(bytes);
                self.here = rest;
                return Ok(());
            }
            if self.rest == 0 {
                return Err(self.end_error());
            }
            let (filled, left) = std::mem::take(&mut to).split_at_mut(self.here.len());
            filled.copy_from_slice(self.here);
            to = left;
            self.here = &[];
            self.refill();
            if self.here.is_empty() {
                return Err(self.end_error());
            }
        }
    }

    #[inline]
    fn read_u8(&mut self) -> Result<u8> {
        if self.here.is_empty() {
            self.refill();
        }
        let (&byte, rest) = self.here.split_first().ok_or_else(|| self.end_error())?;
        self.here = rest;
        Ok(byte)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::Arc;

    use gimli::{EndianSlice, LittleEndian};
    use proptest::prelude::*;

    use super::*;

    /// Operations of a reader.
    #[derive(Clone, Debug)]
    enum Step {
        Byte,
        Word,
        Long,
        Skip(usize),
        Split(usize),
        Truncate(usize),
        Text,
        Leb,
        Empty,
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            3 => Just(Step::Byte),
            3 => Just(Step::Word),
            3 => Just(Step::Long),
            3 => (0usize..200).prop_map(Step::Skip),
            2 => (0usize..200).prop_map(Step::Split),
            1 => (100usize..2000).prop_map(Step::Truncate),
            2 => Just(Step::Text),
            2 => Just(Step::Leb),
            1 => (0usize..50).prop_filter_map("rare", |n| (n == 0).then_some(Step::Empty)),
        ]
    }

    fn take<R: Reader<Offset = usize>>(reader: &mut R, start: &R, step: &Step) -> (String, usize, usize) {
        let bytes = |r: R| r.to_slice().unwrap().into_owned();
        let said = match step {
            Step::Byte => format!("{:?}", reader.read_u8().ok()),
            Step::Word => format!("{:?}", reader.read_u16().ok()),
            Step::Long => format!("{:?}", reader.read_u64().ok()),
            Step::Skip(n) => format!("{:?}", reader.skip(*n).ok()),
            Step::Split(n) => format!("{:?}", reader.split(*n).ok().map(bytes)),
            Step::Truncate(n) => format!("{:?}", reader.truncate(*n).ok()),
            Step::Text => format!("{:?}", reader.read_null_terminated_slice().ok().map(bytes)),
            Step::Leb => format!("{:?}", reader.read_uleb128().ok()),
            Step::Empty => {
                reader.empty();
                String::new()
            }
        };
        // An empty slice does not know where it was.
        let offset = if matches!(step, Step::Empty) { 0 } else { reader.offset_from(start) };
        (said, reader.len(), offset)
    }

    proptest! {
        /// Up to the first error, after which the position is undefined.
        #[test]
        fn windows_read_what_slices_read(bytes in prop::collection::vec(prop_oneof![2 => 0u8..3, 8 => any::<u8>()], 1..1500), steps in prop::collection::vec(step(), 1..60)) {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&bytes).unwrap();
            let part = Part::of_source(Arc::new(file), 0, bytes.len(), 64);
            let stretch = part.stretch(bytes.len() / 3..bytes.len() / 2);
            for part in [&part, &stretch] {
                let start = Window::new(part, RunTimeEndian::Little);
                let slice = EndianSlice::new(&bytes, LittleEndian);
                let (mut one, mut other) = (start.clone(), slice);
                for step in &steps {
                    let (expected, got) = (take(&mut other, &slice, step), take(&mut one, &start, step));
                    if expected.0 == "None" {
                        prop_assert_eq!(got.0, "None");
                        break;
                    }
                    prop_assert_eq!(expected, got);
                    if matches!(step, Step::Empty) {
                        break;
                    }
                }
            }
        }
    }
}
