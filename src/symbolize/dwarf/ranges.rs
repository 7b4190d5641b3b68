//! The code addresses of one entry: `DW_AT_low_pc`, `DW_AT_high_pc`, `DW_AT_ranges`.

use gimli::{Attribute, AttributeValue, RangeListsOffset, UnitRef};

use super::gimli_reader::Window;

/// Remaining work for a file; damaged ones refer to the same long list repeatedly.
#[derive(Debug)]
pub(super) struct Budget(u64);

impl Budget {
    pub(super) fn new(steps: u64) -> Self {
        Budget(steps)
    }

    /// Steps that are left.
    pub(super) fn left(&self) -> u64 {
        self.0
    }

    /// Takes `steps`; false when they are not left.
    pub(super) fn take(&mut self, steps: u64) -> bool {
        let left = self.0.checked_sub(steps);
        self.0 = left.unwrap_or(0);
        left.is_some()
    }
}

/// The last version of DWARF in which code in several pieces cannot be described.
pub(super) const LAST_WITHOUT_RANGES: u16 = 2;

/// Attributes read so far.
#[derive(Debug, Default)]
pub(super) struct Bounds {
    low: Option<u64>,
    high: Option<u64>,
    size: Option<u64>,
    list: Option<RangeListsOffset<usize>>,
}

impl Bounds {
    /// Takes in one attribute.
    pub(super) fn see<'a>(&mut self, unit: UnitRef<'_, Window<'a>>, attribute: &Attribute<Window<'a>>) {
        match attribute.name() {
            gimli::DW_AT_low_pc => self.low = unit.attr_address(attribute.value()).ok().flatten(),
            gimli::DW_AT_high_pc => match attribute.value() {
                AttributeValue::Udata(size) => self.size = Some(size),
                value => self.high = unit.attr_address(value).ok().flatten(),
            },
            gimli::DW_AT_ranges => self.list = unit.attr_ranges_offset(attribute.value()).ok().flatten(),
            _ => {}
        }
    }

    /// Returns whether the entry has no code range.
    pub(super) fn is_empty(&self) -> bool {
        self.list.is_none() && (self.low.is_none() || (self.size.is_none() && self.high.is_none()))
    }

    /// First address; 0: unknown.
    pub(super) fn low(&self) -> u64 {
        self.low.unwrap_or(0)
    }

    /// Returns whether the entry, of an inlined function in a unit of this version, may leave out some of
    /// its code. DWARF 2 has no `DW_AT_ranges`: strict producers write the first piece only, or none.
    pub(super) fn is_partial(&self, version: u16) -> bool {
        self.list.is_none() && (version <= LAST_WITHOUT_RANGES || self.is_empty())
    }

    /// Calls `found` with start and end of each range. Skips empty ranges and code that the linker dropped (below `lowest` or
    /// near the largest address).
    pub(super) fn each(&self, unit: UnitRef<'_, Window<'_>>, lowest: u64, budget: &mut Budget, mut found: impl FnMut(u64, u64)) {
        let mut range = |start: u64, end: u64| {
            if start >= lowest && start < end {
                found(start, end);
            }
        };
        if let Some(list) = self.list {
            let Ok(mut list) = unit.ranges(list) else { return };
            while let Ok(Some(item)) = list.next() {
                if !budget.take(1) {
                    return;
                }
                range(item.begin, item.end);
            }
        } else if let Some(low) = self.low {
            let end = self.size.and_then(|size| low.checked_add(size)).or(self.high);
            range(low, end.unwrap_or(0));
        }
    }
}
