//! The memory map of a raw recording, as it is at the time.

use super::lines::Words;
use crate::base::hash::HashMap;
use crate::base::id::{MappingId, StrId};
use crate::profile::{Mapping, ProfileBuilder};

/// Address ranges of modules.
#[derive(Debug, Default)]
pub(super) struct Modules {
    /// Ranges by start, ascending once they are sorted.
    ranges: Vec<(u64, u64, MappingId)>,
    is_sorted: bool,
    /// File, load address and extent → mapping.
    known: HashMap<(StrId, u64, u64, u64), MappingId>,
    /// Path of the program.
    pub(super) program: String,
}

impl Modules {
    /// Forgets the map: it is listed anew.
    pub(super) fn clear(&mut self) {
        self.ranges.clear();
    }

    /// Adds the module `path` from the words behind it: its load address, then address and size of each segment. `None` if they
    /// are wrong.
    pub(super) fn add(&mut self, path: &[u8], mut words: Words<'_>, builder: &mut ProfileBuilder) -> Option<()> {
        /// Segments of a module are few; ranges of a map are bounded, since each `t` may need them sorted again.
        const MOST: usize = 1 << 16;
        let base = words.number()?;
        let mut segments: Vec<(u64, u64)> = Vec::new();
        while !words.is_at_end() {
            let (address, size) = (words.number()?, words.number()?);
            let start = base.wrapping_add(address);
            segments.push((start, start.checked_add(size)?));
        }
        let start = segments.iter().map(|s| s.0).min()? & !0xfff;
        let limit = segments.iter().map(|s| s.1).max()?;
        let name = if path == b"x" { std::borrow::Cow::Borrowed(&*self.program) } else { String::from_utf8_lossy(path) };
        let file = builder.string(&name);
        let mapping = *self.known.entry((file, base, start, limit)).or_insert_with(|| {
            // The first segment begins at offset 0 of the file.
            builder.mapping(Mapping { start, limit, file, bias: Some(start), ..Mapping::default() })
        });
        if self.ranges.len() + segments.len() <= MOST {
            self.ranges.extend(segments.into_iter().map(|(start, limit)| (start, limit, mapping)));
            self.is_sorted = false;
        }
        Some(())
    }

    /// The module that has this address. O(log ranges), after a change O(ranges log ranges).
    pub(super) fn find(&mut self, address: u64) -> Option<MappingId> {
        if !self.is_sorted {
            self.ranges.sort_unstable();
            self.is_sorted = true;
        }
        let after = self.ranges.partition_point(|range| range.0 <= address);
        let (_, limit, mapping) = *self.ranges.get(after.checked_sub(1)?)?;
        (address < limit).then_some(mapping)
    }
}
