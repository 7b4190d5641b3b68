//! Which compilation unit holds which addresses.

use gimli::{DebugInfoOffset, UnitHeader};
use rustc_hash::FxHashMap;

use super::ranges::{Bounds, Budget};
use super::rows;
use super::sections::Slice;

/// The units of a file, by offset.
#[derive(Debug)]
pub(super) struct Index<'a> {
    pub(super) units: Vec<Entry<'a>>,
}

/// A unit.
#[derive(Debug)]
pub(super) struct Entry<'a> {
    pub(super) offset: DebugInfoOffset<usize>,
    pub(super) header: UnitHeader<Slice<'a>>,
    /// Start and end of its code, bytes; in the unit's order.
    ranges: Vec<(u64, u64)>,
}

impl<'a> Index<'a> {
    /// Reads the root of every unit. Damaged units are left out.
    pub(super) fn new(dwarf: &gimli::Dwarf<Slice<'a>>) -> Self {
        let aranges = aranges(dwarf);
        let mut units = Vec::new();
        let mut headers = dwarf.units();
        let mut budget = Budget::new(1 << 26);
        while let Ok(Some(header)) = headers.next() {
            let Some(offset) = header.debug_info_offset() else { continue };
            if matches!(header.type_(), gimli::UnitType::Type { .. } | gimli::UnitType::SplitType { .. }) {
                continue;
            }
            let ranges = ranges_of(dwarf, header, aranges.get(&offset.0), &mut budget);
            units.push(Entry { offset, header, ranges });
        }
        Index { units }
    }

    /// Number of the unit whose part of `.debug_info` holds `offset`.
    pub(super) fn unit_at(&self, offset: DebugInfoOffset<usize>) -> Option<usize> {
        self.units.partition_point(|unit| unit.offset <= offset).checked_sub(1)
    }

    /// Unit → the numbers of the `addresses` (sorted) that lie in its code, sorted.
    /// Units without any are left out.
    pub(super) fn assign(&self, addresses: &[u64]) -> Vec<(usize, Vec<u32>)> {
        let mut work = Vec::new();
        for (i, unit) in self.units.iter().enumerate() {
            let mut mine: Vec<u32> = Vec::new();
            for &(start, end) in &unit.ranges {
                let first = addresses.partition_point(|&a| a < start);
                let last = addresses.partition_point(|&a| a < end);
                // Ranges that repeat each other cannot make this longer than it may be.
                if mine.len() <= addresses.len() * 4 {
                    mine.extend(first as u32..last.max(first) as u32);
                }
            }
            if !mine.is_empty() {
                mine.sort_unstable();
                mine.dedup();
                work.push((i, mine));
            }
        }
        work
    }
}

fn ranges_of(
    dwarf: &gimli::Dwarf<Slice<'_>>,
    header: UnitHeader<Slice<'_>>,
    listed: Option<&Vec<(u64, u64)>>,
    budget: &mut Budget,
) -> Vec<(u64, u64)> {
    let Ok(unit) = dwarf.unit(header) else { return listed.cloned().unwrap_or_default() };
    let unit = unit.unit_ref(dwarf);
    let mut ranges = Vec::new();
    let mut bounds = Bounds::default();
    if let Ok(mut entries) = unit.entries_raw(None)
        && let Ok(Some(abbreviation)) = entries.read_abbreviation()
    {
        for &spec in abbreviation.attributes() {
            let Ok(attribute) = entries.read_attribute(spec) else { break };
            bounds.see(unit, &attribute);
        }
        bounds.each(unit, budget, |start, end| ranges.push((start, end)));
    }
    // macOS writes no list for units that have several ranges: `.debug_aranges`
    // goes before the two plain bounds, after the list.
    if let Some(listed) = listed.filter(|_| !bounds.has_list() || ranges.is_empty()) {
        ranges.clone_from(listed);
    }
    if ranges.is_empty() {
        ranges = rows::sequences(unit);
    }
    ranges
}

/// Offset of a unit → its ranges by `.debug_aranges`, which may leave units out.
fn aranges(dwarf: &gimli::Dwarf<Slice<'_>>) -> FxHashMap<usize, Vec<(u64, u64)>> {
    let mut of_unit: FxHashMap<usize, Vec<(u64, u64)>> = FxHashMap::default();
    let mut headers = dwarf.debug_aranges.headers();
    while let Ok(Some(header)) = headers.next() {
        let ranges = of_unit.entry(header.debug_info_offset().0).or_default();
        let mut entries = header.entries();
        while let Some(entry) = entries.next().transpose() {
            let Ok(entry) = entry else { continue };
            // Functions that the linker dropped stay behind at address 0.
            if entry.address() != 0 && entry.length() != 0 {
                ranges.push((entry.address(), entry.address().saturating_add(entry.length())));
            }
        }
    }
    of_unit.retain(|_, ranges| !ranges.is_empty());
    of_unit
}
