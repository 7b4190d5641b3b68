//! The memory map of a recording, as it is at the time, and binaries in it.

use crate::base::hash::{HashMap, HashSet};
use crate::base::id::{MappingId, StrId};
use crate::parse::mappings::Mappings;
use crate::parse::maps;
use crate::profile::{Mapping, ProfileBuilder};

/// Parts of the names of the recorder's library.
const OWN: [&str; 2] = ["libbytehound", "libmemory_profiler"];

/// Address ranges of modules.
#[derive(Default)]
pub(super) struct Modules {
    /// The map, if no address was looked up in it yet: postprocessed recordings have names, and need no mappings.
    unused: Option<Mappings>,
    /// Start and end of a range, and its mapping; ascending, without overlap.
    ranges: Vec<(u64, u64, MappingId)>,
    /// Start, limit, offset, file, load address → mapping.
    known: HashMap<(u64, u64, u64, StrId, Option<u64>), MappingId>,
    own: HashSet<MappingId>,
    /// Path → build id of the binary in the recording.
    build_ids: HashMap<String, StrId>,
}

impl Modules {
    /// Takes the text of `/proc/self/maps` in place of the map so far.
    pub(super) fn replace(&mut self, text: &[u8]) {
        self.unused = Some(Mappings::new(&maps::parse(text)));
    }

    /// Notes the build id of a binary that is in the recording: in front of the stacks.
    pub(super) fn set_build_id(&mut self, path: &str, id: &str, builder: &mut ProfileBuilder) {
        self.build_ids.insert(path.to_owned(), builder.string(id));
    }

    fn add(&mut self, mappings: &Mappings, builder: &mut ProfileBuilder) {
        let Modules { ranges, known, own, build_ids, .. } = self;
        *ranges = mappings.ranges_with(|file, mapping| {
            let name = builder.string(file);
            // Nobody looks for names in the recorder's library: stacks end before it.
            let build_id = build_ids.get(file).copied().unwrap_or(StrId(0));
            let mapping = Mapping { file: name, build_id, has_functions: is_own(file), ..mapping };
            let key = (mapping.start, mapping.limit, mapping.offset, name, mapping.bias);
            let id = *known.entry(key).or_insert_with(|| builder.mapping(mapping));
            if is_own(file) {
                own.insert(id);
            }
            id
        });
    }

    /// The module that has this address. O(log ranges).
    pub(super) fn find(&mut self, address: u64, builder: &mut ProfileBuilder) -> Option<MappingId> {
        if let Some(mappings) = self.unused.take() {
            self.add(&mappings, builder);
        }
        let after = self.ranges.partition_point(|(start, ..)| *start <= address);
        let (_, limit, mapping) = self.ranges.get(after.checked_sub(1)?)?;
        (address < *limit).then_some(*mapping)
    }

    /// Whether it is the recorder's library.
    pub(super) fn is_own(&self, mapping: Option<MappingId>) -> bool {
        mapping.is_some_and(|mapping| self.own.contains(&mapping))
    }
}

/// Whether this is the name of the recorder's library.
pub(super) fn is_own(file: &str) -> bool {
    OWN.iter().any(|part| file.contains(part))
}
