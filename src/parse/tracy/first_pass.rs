//! First pass over a trace: everything but zones, which stand before the blocks that are looked for in them.

use super::memory::Memory;
use super::names::Names;
use super::problems::Problems;
use super::stacks::Stacks;
use super::tables::{self, Head, Tables};
use super::text::{Ended, Text};
use super::version::{OLDEST, Version};
use super::zones;
use crate::parse::events;
use crate::profile::ProfileBuilder;

/// The section in which the text ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Section {
    #[default]
    Start,
    Tables,
    Memory,
    Stacks,
    Names,
    /// All that is read was there.
    Rest,
}

/// What was read.
#[derive(Default)]
pub(super) struct FirstPass {
    pub(super) section: Section,
    /// `None`: the text begins with something else.
    pub(super) version: Option<Version>,
    pub(super) head: Head,
    pub(super) tables: Tables,
    pub(super) memory: Memory,
    pub(super) stacks: Stacks,
    pub(super) problems: Problems,
    pub(super) n_zones: u64,
    pub(super) builder: Option<ProfileBuilder>,
}

impl FirstPass {
    /// Reads up to the end of the names, or of the text. `file_length`: bytes.
    pub(super) fn read(&mut self, text: &mut Text<'_>, file_length: usize) -> Result<(), Ended> {
        self.version = tables::version(text)?;
        let Some(version) = self.version.filter(|version| *version >= OLDEST) else { return Err(Ended) };
        self.section = Section::Tables;
        let FirstPass { head, tables, memory, stacks, problems, .. } = self;
        *head = tables::head(text, version)?;
        *tables = tables::tables(text, problems)?;
        let mut counter = zones::Counter::default();
        let walked = zones::walk(text, version, problems, &mut counter);
        self.n_zones = counter.0;
        walked?;
        zones::skip_to_memory(text, version, problems)?;
        self.section = Section::Memory;
        memory.read(text, head, tables.threads.len(), file_length, problems)?;
        self.section = Section::Stacks;
        let most = memory.blocks.iter().map(|block| block.stack).max().unwrap_or(0);
        let mut is_wanted = vec![false; most as usize + 1];
        for block in &memory.blocks {
            is_wanted[block.stack as usize] = block.stack > 0;
        }
        *stacks = Stacks::new(is_wanted);
        stacks.read(text, problems)?;
        self.section = Section::Names;
        let builder = self.builder.get_or_insert_with(|| ProfileBuilder::new(&events::value_types(&[])));
        stacks.read_names(text, &tables.texts, &mut Names::default(), builder, problems)?;
        self.section = Section::Rest;
        Ok(())
    }
}
