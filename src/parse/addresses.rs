//! Addresses of a text profile; each becomes one location.
//!
//! Every address of these formats is a return address, including the leaf; the call is one byte before it. (Address 0 stays 0.)

use super::mappings::Mappings;
use super::symbols::Symbols;
use crate::base::hash::{HashMap, HashSet};
use crate::base::id::{LocationId, MappingId};
use crate::profile::{Line, ProfileBuilder};

/// Looks addresses up, and remembers.
pub(super) struct Addresses<'a> {
    known: HashMap<u64, LocationId>,
    mappings: Mappings,
    symbols: &'a Symbols<'a>,
    /// Mappings in which an address got a name.
    named: HashSet<MappingId>,
}

impl<'a> Addresses<'a> {
    pub(super) fn new(mut mappings: Mappings, symbols: &'a Symbols<'a>) -> Self {
        mappings.program = symbols.program();
        Addresses { known: HashMap::default(), mappings, symbols, named: HashSet::default() }
    }

    /// The location of the call that returns to `address`. O(1); O(log mappings) at
    /// first sight.
    #[inline]
    pub(super) fn location(&mut self, builder: &mut ProfileBuilder, address: u64) -> LocationId {
        match self.known.get(&address) {
            Some(&location) => location,
            None => self.discover(builder, address),
        }
    }

    #[cold]
    fn discover(&mut self, builder: &mut ProfileBuilder, address: u64) -> LocationId {
        let call = address.saturating_sub(1);
        let mapping = self.mappings.find(call);
        let functions = self.symbols.functions(builder, address);
        let lines: Vec<Line> = functions.into_iter().map(|f| Line { function: Some(f), line: 0, column: 0 }).collect();
        if let (false, Some(mapping)) = (lines.is_empty(), mapping) {
            self.named.insert(mapping);
        }
        let location = builder.location(mapping, call, &lines);
        self.known.insert(address, location);
        location
    }

    /// Gives the mappings to the builder; no look-up may follow.
    pub(super) fn finish(self, builder: &mut ProfileBuilder) {
        self.mappings.add_to(builder, |mapping| self.named.contains(&mapping));
    }
}
