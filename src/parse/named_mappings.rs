//! Mappings of recordings that have names: a file's path is all that is known of it.

use crate::base::hash::HashMap;
use crate::base::id::{MappingId, StrId};
use crate::profile::{Mapping, ProfileBuilder};

/// File → its mapping.
#[derive(Debug, Default)]
pub(super) struct NamedMappings {
    known: HashMap<StrId, MappingId>,
}

impl NamedMappings {
    /// Whether there is none yet. The first one should be the program.
    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// The mapping of a file. Its load address is unknown, so nothing can be looked up in the file.
    pub(super) fn of(&mut self, file: StrId, builder: &mut ProfileBuilder) -> MappingId {
        *self.known.entry(file).or_insert_with(|| {
            builder.mapping(Mapping {
                file,
                has_functions: true,
                has_filenames: true,
                has_line_numbers: true,
                has_inline_frames: true,
                ..Mapping::default()
            })
        })
    }
}
