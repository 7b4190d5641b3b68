//! The memory map of a raw recording, as it is at the time.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::lines::Words;
use crate::base::hash::HashMap;
use crate::base::id::{MappingId, StrId};
use crate::profile::{Mapping, ProfileBuilder};

/// Address ranges of modules.
#[derive(Debug, Default)]
pub(super) struct Modules {
    /// Start of a range → its end and mapping.
    ranges: BTreeMap<u64, (u64, MappingId)>,
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
        let base = words.number()?;
        let mut segments: Vec<(u64, u64)> = Vec::new();
        while !words.is_at_end() {
            let (address, size) = (words.number()?, words.number()?);
            let start = base.wrapping_add(address);
            segments.push((start, start.checked_add(size)?));
        }
        let start = segments.iter().map(|s| s.0).min()? & !0xfff;
        let limit = segments.iter().map(|s| s.1).max()?;
        let name = if path == b"x" { Cow::Borrowed(&*self.program) } else { String::from_utf8_lossy(path) };
        let file = builder.string(&name);
        let mapping = *self.known.entry((file, base, start, limit)).or_insert_with(|| {
            // The first segment begins at offset 0 of the file.
            builder.mapping(Mapping { start, limit, file, bias: Some(start), ..Mapping::default() })
        });
        self.ranges.extend(segments.into_iter().map(|(start, limit)| (start, (limit, mapping))));
        Some(())
    }

    /// The module that has this address. O(log ranges).
    pub(super) fn find(&self, address: u64) -> Option<MappingId> {
        let (_, (limit, mapping)) = self.ranges.range(..=address).next_back()?;
        (address < *limit).then_some(*mapping)
    }
}
