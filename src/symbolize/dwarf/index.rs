//! Index from addresses to compilation units.
//!
//! Reads only unit headers and `.debug_aranges`. Units missing there have their root entry read, too.

use gimli::{ArangeHeader, DebugInfoOffset, Reader, Section, UnitHeader};

use super::gimli_reader::Window;
use super::line_table;
use super::ranges::{Bounds, Budget};
use super::unit_opener::Opener;
use crate::base::hash::{HashMap, HashSet};

/// The units of a file, by offset.
#[derive(Debug)]
pub(super) struct Index<'a> {
    pub(super) units: Vec<UnitHeader<Window<'a>>>,
    pub(super) opener: Opener,
}

/// Addresses of one unit, to be resolved by one worker.
#[derive(Debug)]
pub(super) struct Work {
    /// Number of the unit.
    pub(super) unit: usize,
    /// Numbers of the addresses, sorted.
    pub(super) numbers: Vec<u32>,
}

impl<'a> Index<'a> {
    /// Reads the headers of all units. Damaged ones and what follows them are left out.
    pub(super) fn new(dwarf: &gimli::Dwarf<Window<'a>>) -> Self {
        let mut units = Vec::new();
        let mut headers = dwarf.units();
        while let Ok(Some(header)) = headers.next() {
            if !matches!(header.type_(), gimli::UnitType::Type { .. } | gimli::UnitType::SplitType { .. }) {
                units.push(header);
            }
        }
        Index { opener: Opener::new(dwarf, &units), units }
    }

    /// Index of the unit that contains `offset` in `.debug_info`.
    pub(super) fn unit_at(&self, offset: DebugInfoOffset<usize>) -> Option<usize> {
        self.units.partition_point(|unit| unit.debug_info_offset() <= Some(offset)).checked_sub(1)
    }

    /// The units that hold any of the `addresses` (sorted), with those addresses. Code below
    /// `lowest` was dropped by the linker.
    pub(super) fn assign(&self, dwarf: &gimli::Dwarf<Window<'a>>, addresses: &[u64], lowest: u64) -> Vec<Work> {
        let mut hits = Hits { addresses, of_unit: HashMap::default(), left: addresses.len().saturating_mul(MOST_CLAIMS) };
        let listed = listed(dwarf, lowest, &mut hits);
        let mut budget = Budget::new(1 << 26);
        let mut work = Vec::new();
        for (unit, header) in self.units.iter().enumerate() {
            let Some(offset) = header.debug_info_offset() else { continue };
            if !listed.contains(&offset.0) {
                self.roots(dwarf, header.clone(), lowest, &mut budget, |start, end| hits.add(offset.0, start, end));
            }
            if let Some(mut numbers) = hits.of_unit.remove(&offset.0) {
                numbers.sort_unstable();
                numbers.dedup();
                work.push(Work { unit, numbers });
            }
        }
        work
    }

    /// The ranges of a unit by its root entry, else by its lines.
    fn roots(
        &self,
        dwarf: &gimli::Dwarf<Window<'_>>,
        header: UnitHeader<Window<'_>>,
        lowest: u64,
        budget: &mut Budget,
        mut found: impl FnMut(u64, u64),
    ) {
        let Some(unit) = self.opener.open(dwarf, header) else { return };
        let unit = unit.unit_ref(dwarf);
        let mut bounds = Bounds::default();
        if let Ok(mut entries) = unit.entries_raw(None)
            && let Ok(Some(abbreviation)) = entries.read_abbreviation()
        {
            for &spec in abbreviation.attributes() {
                let Ok(attribute) = entries.read_attribute(spec) else { break };
                bounds.see(unit, &attribute);
            }
        }
        let mut any = false;
        bounds.each(unit, lowest, budget, |start, end| {
            any = true;
            found(start, end);
        });
        if !any && bounds.is_empty() {
            line_table::sequences(unit, lowest, &self.opener).into_iter().for_each(|(start, end)| found(start, end));
        }
    }
}

/// Units that claim the same address: two or three in honest files.
const MOST_CLAIMS: usize = 64;

/// Addresses by unit.
struct Hits<'x> {
    addresses: &'x [u64],
    /// Offset of the unit → numbers of addresses.
    of_unit: HashMap<usize, Vec<u32>>,
    /// Remaining number of entries.
    left: usize,
}

impl Hits<'_> {
    /// The unit at `offset` has code from `start` up to `end`.
    fn add(&mut self, offset: usize, start: u64, end: u64) {
        let first = self.addresses.partition_point(|&a| a < start);
        if self.addresses.get(first).is_none_or(|&a| a >= end) {
            return;
        }
        let last = self.addresses.partition_point(|&a| a < end);
        // Units that all claim everything cannot make this longer than it may be.
        let Some(left) = self.left.checked_sub(last - first) else { return };
        self.left = left;
        self.of_unit.entry(offset).or_default().extend(first as u32..last as u32);
    }
}

/// Gives `hits` the ranges of `.debug_aranges`, and returns the offsets of the units that
/// are listed there.
fn listed(dwarf: &gimli::Dwarf<Window<'_>>, lowest: u64, hits: &mut Hits<'_>) -> HashSet<usize> {
    let mut listed = HashSet::default();
    let mut headers = dwarf.debug_aranges.headers();
    while let Ok(Some(header)) = headers.next() {
        let offset = header.debug_info_offset().0;
        let Some(entries) = entries(dwarf.debug_aranges.reader(), &header) else { continue };
        each_range(entries, header.encoding().address_size, |start, length| {
            listed.insert(offset);
            // Functions dropped by the linker remain at address 0.
            if start >= lowest && length != 0 {
                hits.add(offset, start, start.saturating_add(length));
            }
        });
    }
    listed
}

/// The entries of a set: after its header, from the next whole number of entries on
/// (DWARF 5, section 6.1.2).
fn entries<'a>(section: &Window<'a>, header: &ArangeHeader<Window<'a>>) -> Option<Window<'a>> {
    let encoding = header.encoding();
    let word = usize::from(encoding.format.word_size());
    let initial = usize::from(encoding.format.initial_length_size());
    let head = (initial + 2 + word + 2).next_multiple_of(2 * usize::from(encoding.address_size.max(1)));
    let size = initial.checked_add(header.length())?.checked_sub(head)?;
    section.clone().part_of(header.offset().0.checked_add(head)?, size)
}

/// Sets end with an empty entry. Some linkers leave such ones in the middle, too; gimli calls
/// itself for each of them, until the stack ends.
fn each_range(mut entries: Window<'_>, address_size: u8, mut found: impl FnMut(u64, u64)) {
    const MOST_EMPTY: usize = 10_000;
    let mut n_empty = 0;
    while let (Ok(start), Ok(length)) = (entries.read_address(address_size), entries.read_address(address_size)) {
        if (start, length) != (0, 0) {
            found(start, length);
            n_empty = 0;
            continue;
        }
        n_empty += 1;
        if n_empty > MOST_EMPTY {
            return;
        }
    }
}
